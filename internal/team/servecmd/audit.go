package servecmd

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
	"cairn/internal/term"
)

// AuditFlags choose entries of an audit log.
func AuditFlags() []command.Flag {
	return []command.Flag{
		command.SinceFlag("30d"),
		{Name: "limit", Short: "n", Default: 200, Min: 1, Help: "list at most this many"},
	}
}

const mostEntries = 10_000

// CheckAudit checks AuditFlags.
func CheckAudit(c *command.Call) error {
	if n := c.Int("limit"); n > mostEntries {
		return command.Usagef("--limit must be between 1 and %d, not %d", mostEntries, n)
	}
	_, err := command.Since(c.String("since"), time.Now())
	return err
}

// An AuditEntry is a row of audit_log, and a line of --json.
type AuditEntry struct {
	ID         uuid.UUID  `json:"id"`
	OccurredAt time.Time  `json:"occurred_at"`
	TeamID     *uuid.UUID `json:"team_id"`
	Actor      string     `json:"actor"`
	UserID     *uuid.UUID `json:"user_id"`
	TokenID    *uuid.UUID `json:"token_id"`
	Action     string     `json:"action"`
	ObjectID   *uuid.UUID `json:"object_id"`
	Detail     string     `json:"detail"`
	Address    string     `json:"address"`
}

// Audit answers with entries; names are of the people who are known.
func Audit(list []AuditEntry, names map[uuid.UUID]string, limit int) *answer.Answer {
	a := &answer.Answer{Data: answer.LinesOf(list)}
	if len(list) == 0 {
		a.Said = "no entries since then"
		return a
	}
	called := func(id *uuid.UUID) string {
		if id == nil {
			return ""
		}
		if name := names[*id]; name != "" {
			return name
		}
		return id.String()
	}
	t := answer.NewTable("when:name", "who", "what", "whom", "from:name")
	for _, e := range list {
		who, what := e.Actor, e.Action
		if e.UserID != nil && e.Actor == "user" {
			who = called(e.UserID)
		}
		if e.Detail != "" {
			what += " (" + e.Detail + ")"
		}
		t.Add(e.OccurredAt.Local().Format(time.DateTime), who, what, called(e.ObjectID), e.Address)
	}
	if a.View = t; len(list) == limit {
		a.Hint = fmt.Sprintf("there may be more: --limit %d", min(mostEntries, 5*limit))
	}
	return a
}

func auditCommand() *command.Command {
	return &command.Command{
		Path: "serve audit", Short: "Show who did what on the server, and from where",
		Long: `Lists the audit log, newest first: sign-ins, accounts, exports, deletions, new
keys, what operators did, and changes of teams. Entries hold ids and no contents.
Nobody can change them. cairn serve --audit-days sets how long they are kept.`,
		Examples: []string{"cairn serve audit", "cairn serve audit --team platform --since 90d --json"},
		Effect:   command.Reads, CSV: true, Run: with(showAudit, CheckAudit),
		Flags: append(AuditFlags(), command.Flag{Name: "team", Default: "", Help: "only entries of the team with this `SLUG`"}),
	}
}

func showAudit(c *call) (*answer.Answer, error) {
	since := must.Get(command.Since(c.String("since"), time.Now()))
	var list []audit.Entry
	must.OK(c.view(func(tx *db.Tx) (err error) {
		f := audit.Filter{Since: since, Most: c.Int("limit")}
		if slug := c.String("team"); slug != "" {
			team, err := tx.FindTeam(c, slug)
			if err != nil {
				return err
			}
			f.Team = audit.ID(team)
		}
		list, err = audit.List(c, tx, f)
		return err
	}))
	users := everyone(c, c.accounts)
	names := map[uuid.UUID]string{}
	for _, u := range users {
		names[u.ID] = term.Line(u.Email)
	}
	var shown []AuditEntry
	for _, e := range list {
		shown = append(shown, AuditEntry{e.ID, e.At, id(e.Team), e.Actor, id(e.User), id(e.Token), e.Action, id(e.Object), e.Detail, e.Address})
	}
	return Audit(shown, names, c.Int("limit")), nil
}

func id(v uuid.NullUUID) *uuid.UUID {
	if !v.Valid {
		return nil
	}
	return &v.UUID
}
