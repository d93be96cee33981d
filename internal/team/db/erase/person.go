package erase

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
)

// BeginPerson ends a person's account, for good: sessions, ways to sign in,
// memberships and invitations are gone at once. [FinishPerson] must follow and
// does the rest. names are those that git has of the person beside the address.
// db.ErrLastOwner: a team would have no owner left.
func BeginPerson(ctx context.Context, d *db.DB, user uuid.UUID, names []string) error {
	list, err := json.Marshal(append([]string{}, names...))
	if err != nil {
		return err
	}
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		var email string
		if err := tx.QueryRow(ctx, `select email from auth.users where id = ? and not bot`, user).Scan(&email); err != nil {
			return err
		}
		alone, err := db.One[bool](ctx, tx, `select exists (select 1 from team_members m where m.user_id = ? and m.role = 'owner' and not exists
			(select 1 from team_members o where o.team_id = m.team_id and o.role = 'owner' and o.user_id <> m.user_id))`, user)
		switch {
		case err != nil:
			return err
		case alone:
			return db.ErrLastOwner
		}
		if _, err := tx.Exec(ctx, `insert into cairn.erasures (user_id, email, names, salt) values (?, ?, ?, ?) on conflict (user_id) do nothing`,
			user, strings.ToLower(email), string(list), rand.Text()); err != nil {
			return err
		}
		for _, q := range [...]string{
			`delete from auth.sessions where user_id = ?`, // with refresh tokens
			`delete from auth.identities where user_id = ?`,
			`delete from auth.one_time_tokens where user_id = ?`,
			`delete from auth.flows where user_id = ?`,
			`delete from auth.factors where user_id = ?`,
			`delete from cairn.eval_parts where user_id = ?`,
			`delete from team_members where user_id = ?`,
		} {
			if _, err := tx.Exec(ctx, q, user); err != nil {
				return err
			}
		}
		for _, q := range [...]string{
			`delete from auth.one_time_tokens where lower(email) = lower(?)`,
			`delete from team_invites where lower(email) = lower(?)`,
			`delete from team_channels where kind = 'mail' and lower(target) = lower(?)`,
			`delete from cairn.mail_receivers where address = lower(?)`,
			`delete from cairn.past_receivers where address = lower(?)`,
		} {
			if _, err := tx.Exec(ctx, q, email); err != nil {
				return err
			}
		}
		if err := audit.Write(ctx, tx, audit.Entry{Action: audit.PersonErased, Object: audit.ID(user)}); err != nil {
			return err
		}
		// The row goes last: until then what the person sent can be found by it.
		return tx.Do(ctx, `update auth.users set email = ?, encrypted_password = '', email_confirmed_at = null, app_metadata = '{}', user_metadata = '{}', banned_until = ? where id = ?`,
			user.String()+"@erased.invalid", db.Never, user)
	})
}

// A person is one who is being erased.
type person struct {
	user  uuid.UUID
	email string
	names []string
	salt  string
}

// as is what stands in the place of a name: the same for the same one, so that
// sums stay right, and not to be traced back once the salt is gone.
func (p person) as(name string) string {
	if name == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(p.salt + "\x00" + name))
	return "erased-" + hex.EncodeToString(sum[:4])
}

// FinishPerson removes what is left of a person whom [BeginPerson] was called
// for: transcripts, heartbeats and labels are deleted, rows that a team's figures are
// made of lose who sent them, from which machine, and whom they name.
func FinishPerson(ctx context.Context, d *db.DB, user uuid.UUID) error {
	ctx = db.Quiet(ctx)
	p := person{user: user}
	err := d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		var list string
		if err := tx.QueryRow(ctx, `select email, names, salt from cairn.erasures where user_id = ?`, user).Scan(&p.email, &list, &p.salt); err != nil {
			return err
		}
		return json.Unmarshal([]byte(list), &p.names)
	})
	if err != nil {
		return err
	}
	if err := p.rows(ctx, d); err != nil {
		return err
	}
	if err := p.renamed(ctx, d, "retro_snapshots", "authors", p.without); err != nil {
		return err
	}
	if err := p.renamed(ctx, d, "plan_snapshots", "detail", p.undecided); err != nil {
		return err
	}
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, `delete from auth.users where id = ?`, user); err != nil {
			return err
		}
		if err := audit.Blank(ctx, tx, uuid.Nil, user); err != nil {
			return err
		}
		return tx.Do(ctx, `delete from cairn.erasures where user_id = ?`, user)
	})
}

// sent are the tables whose rows stay without their sender.
var sent = [...]string{"eval_runs", "retro_snapshots", "qa_reports", "ship_logs", "greptile_triage", "plan_snapshots", "usage_days", "spend_days"}

// rows changes and deletes what is the person's, so many rows at a time.
func (p person) rows(ctx context.Context, d *db.DB) error {
	r := newRest(d)
	again := func(query string, args ...any) error {
		for {
			if err := r.take(ctx); err != nil {
				return err
			}
			var n int64
			err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
				n, err = tx.Exec(ctx, query, args...)
				return err
			})
			if err != nil || n == 0 {
				return err
			}
		}
	}
	for _, name := range [...]string{"session_transcripts", "sync_heartbeats"} {
		if err := again(`delete from `+name+` where (team_id, id) in (select team_id, id from `+name+` where user_id = ? limit 300)`, p.user); err != nil {
			return err
		}
	}
	if err := again(`delete from eval_labels where (team_id, run_id, case_id, criterion, user_id) in
		(select team_id, run_id, case_id, criterion, user_id from eval_labels where user_id = ? limit 300)`, p.user); err != nil {
		return err
	}
	for _, name := range [...]string{"eval_runs", "usage_days", "spend_days"} {
		hosts, err := p.hosts(ctx, d, name)
		if err != nil {
			return err
		}
		for _, host := range hosts {
			if err := again(`update `+name+` set user_id = null, hostname = ? where (team_id, id) in (select team_id, id from `+name+` where user_id = ? and hostname = ? limit 500)`,
				p.as(host), p.user, host); err != nil {
				return err
			}
		}
	}
	for _, name := range sent {
		if err := again(`update `+name+` set user_id = null where (team_id, id) in (select team_id, id from `+name+` where user_id = ? limit 500)`, p.user); err != nil {
			return err
		}
	}
	for _, name := range append(p.names, "") {
		if err := again(`update ship_logs set author = ?, author_email = '' where (team_id, id) in (select team_id, id from ship_logs
			where lower(author_email) = ? or author <> '' and author = ? limit 500)`, p.as(p.email), p.email, name); err != nil {
			return err
		}
	}
	// Messages that were sent name people; those that wait are sent and then deleted.
	for _, word := range append(p.names, p.email) {
		if err := again(`update deliveries set message = '{}' where (sent_at is not null or failed_at is not null) and lower(cast(message as text)) like ?`,
			"%"+likely(strings.ToLower(word))+"%"); err != nil {
			return err
		}
	}
	return nil
}

// likely is a text inside of a pattern of like; _ stays what it is, any character.
func likely(text string) string { return strings.ReplaceAll(text, "%", "_") }

func (p person) hosts(ctx context.Context, d *db.DB, name string) (out []string, err error) {
	err = d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		out, err = db.List(ctx, tx, `select distinct hostname from `+name+` where user_id = ? and hostname <> ''`, []any{p.user}, func(host *string) []any { return []any{host} })
		return err
	})
	return out, err
}

// documentPage is how many documents are read at a time.
const documentPage = 200

// renamed gives the person another name in the documents of a column: change returns
// one without them, and false for one that does not name them.
func (p person) renamed(ctx context.Context, d *db.DB, table, column string, change func(text string) (string, bool)) error {
	var team, id uuid.UUID
	for {
		n := 0
		err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
			page, err := readDocuments(ctx, tx, table, column, team, id)
			if err != nil {
				return err
			}
			n = len(page)
			for _, r := range page {
				team, id = r.team, r.id
				changed, ok := change(r.text)
				if !ok {
					continue
				}
				if _, err := tx.Exec(ctx, `update `+table+` set `+column+` = ? where team_id = ? and id = ?`, changed, r.team, r.id); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || n < documentPage {
			return err
		}
	}
}

type document struct {
	team, id uuid.UUID
	text     string
}

func readDocuments(ctx context.Context, tx *db.Tx, table, column string, team, id uuid.UUID) (out []document, err error) {
	return db.List(ctx, tx, `select team_id, id, cast(`+column+` as text) from `+table+` where (team_id, id) > (?, ?) order by team_id, id limit ?`, []any{team, id, documentPage}, func(r *document) []any { return []any{&r.team, &r.id, &r.text} })
}

// undecided returns the detail of a plan with another name for the person among those
// who decided.
func (p person) undecided(text string) (changed string, ok bool) {
	var detail map[string]json.RawMessage
	var decisions []map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &detail) != nil || json.Unmarshal(detail["decisions"], &decisions) != nil {
		return "", false
	}
	for _, d := range decisions {
		var by string
		if json.Unmarshal(d["by"], &by) == nil && (strings.EqualFold(by, p.email) || slices.Contains(p.names, by)) {
			d["by"], _ = json.Marshal(p.as(by))
			ok = true
		}
	}
	detail["decisions"], _ = json.Marshal(decisions) // it was read from JSON
	data, _ := json.Marshal(detail)
	return string(data), ok
}

// without returns the authors of a retrospective, by name, with another name for
// the person; ok is false where the person is none of them.
func (p person) without(text string) (changed string, ok bool) {
	var authors map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &authors) != nil {
		return "", false
	}
	out := map[string]json.RawMessage{}
	for name, v := range authors {
		var of map[string]json.RawMessage
		var email string
		if json.Unmarshal(v, &of) == nil {
			_ = json.Unmarshal(of["email"], &email) // what is no text is no address
		}
		if !strings.EqualFold(email, p.email) && !strings.EqualFold(name, p.email) && !slices.Contains(p.names, name) {
			out[name] = v
			continue
		}
		ok = true
		if of != nil {
			delete(of, "email")
			v, _ = json.Marshal(of) // it was read from JSON
		}
		out[p.as(name)] = v
	}
	data, _ := json.Marshal(out)
	return string(data), ok
}
