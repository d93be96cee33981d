package link

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/eval"
	"cairn/internal/team/record"
	"cairn/internal/team/spool"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/text"
)

// A Team is the team of this repository with somebody who is signed in.
type Team struct {
	*Checkout
	*client.Client
	ID uuid.UUID
}

// Open finds the team of this repository on its server, whether or not records
// are sent there.
func Open(ctx context.Context, env *command.Env) (*Team, error) {
	here, err := Find(env)
	if err != nil {
		return nil, err
	}
	if here == nil {
		return nil, NoTeam("cairn sync init --url URL writes it")
	}
	c, err := here.Client()
	if err != nil {
		return nil, err
	}
	id, err := c.Team(ctx, "")
	return &Team{here, c, id}, err
}

// CheckSlug takes what the server takes.
func CheckSlug(slug string) error {
	if !text.IsSlug(slug, wire.MostSlug) {
		return command.Usage(term.Hint(fmt.Errorf("invalid team slug %q", term.Printable(slug)), "use small letters and digits, with dashes between, %d at most", wire.MostSlug))
	}
	return nil
}

// CheckChange takes a team's new slug and name as the server takes them.
func CheckChange(to wire.TeamChange) error {
	switch {
	case to == wire.TeamChange{}:
		return command.Usage(errors.New("a SLUG or --name NAME is missing"))
	case utf8.RuneCountInString(to.Name) > 100:
		return command.Usage(errors.New("--name must have at most 100 characters"))
	case to.Slug != "":
		return CheckSlug(to.Slug)
	}
	return nil
}

// CheckAddress refuses what cannot be somebody's address.
func CheckAddress(email string) error {
	name, host, ok := strings.Cut(email, "@")
	if !ok || name == "" || host == "" || strings.ContainsAny(email, " \t\r\n<>\"") || len(email) > 254 {
		return command.Usage(term.Hint(fmt.Errorf("invalid e-mail address %q", term.Printable(email)), "use one like ada@example.com"))
	}
	return nil
}

// DatabaseURL is the variable with the URL of a database.
const DatabaseURL = "CAIRN_DATABASE_URL"

// DatabaseError gives an error of a Supabase project's database its code and a
// hint.
func DatabaseError(err error) error {
	switch {
	case errors.Is(err, db.ErrPassword):
		return command.Auth(term.Hint(err, "take the URL from the project's page Connect; a password with special letters has to be escaped in it (@ is %%40)"))
	case errors.Is(err, db.ErrUnreachable):
		return command.Net(term.Hint(err, "a project's direct address has IPv6 only: take that of the session pooler from its page Connect"))
	case errors.Is(err, db.ErrRights):
		return command.Auth(term.Hint(err, "take the URL with the user postgres"))
	case errors.Is(err, db.ErrNotSupabase):
		return command.Data(term.Hint(err, "a PostgreSQL of your own is served by cairn serve --database -"))
	}
	return err
}

// Enqueue puts rows into the queue. An error comes with the ids of those before it.
func Enqueue(queue *spool.Spool, rows []record.Row) (ids []string, err error) {
	for i, row := range rows {
		id, err := queue.Put(row.Table, row.IngestKey, row.Body)
		if err != nil {
			return ids, term.Hint(fmt.Errorf("%d of %d records are queued for the team, then: %w", i, len(rows), err), "send it again when that is mended: nothing is stored twice")
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// Share puts rows into the queue, waits shortly for the server, and answers how
// it ended.
func Share(env *command.Env, queue *spool.Spool, kind record.Kind, rows []record.Row) (*answer.Answer, error) {
	ids, err := Enqueue(queue, rows)
	if err != nil {
		return nil, err
	}
	return Shared(env, kind, rows, ids), nil
}

// Shared is Share for rows that are in the queue already.
func Shared(env *command.Env, kind record.Kind, rows []record.Row, ids []string) *answer.Answer {
	type shared struct {
		Table     string `json:"table"`
		IngestKey string `json:"ingest_key"`
		Queued    bool   `json:"queued"`
		Synced    bool   `json:"synced"`
	}
	said, list, worst := Deliver(env, ids), []shared{}, Synced
	for i, row := range rows {
		how := said[ids[i]]
		list = append(list, shared{row.Table, row.IngestKey, true, how == Synced})
		if slices.Index(outcomes, how) > slices.Index(outcomes, worst) {
			worst = how
		}
	}
	a := &answer.Answer{Data: answer.LinesOf(list), Done: true}
	switch {
	case len(rows) == 1 && rows[0].Title != "":
		a.View = answer.Line("%s %s  %s", kind.Noun(), term.Line(rows[0].Title), worst)
	case len(rows) > 0:
		a.View = answer.Line("%s  %s", text.Count(len(rows), kind.Noun()), worst)
	}
	return a
}

// outcomes are those that a line about several names the worst of, the best first.
var outcomes = []string{Synced, Later, Offline, Full, Setup, Refused}

// DefaultSlug is what a team is called by default: who owns the repository, or
// where it has no remote, its directory.
func DefaultSlug(repo string) string {
	remote, _ := git.Run(context.Background(), repo, "config", "--get", "remote.origin.url")
	name, _, ok := strings.Cut(eval.RepoSlug(remote), "/")
	if !ok || name == "" {
		name = filepath.Base(git.MainTree(repo))
	}
	return text.Slug(name, wire.MostSlug)
}

// Exclude has this clone ignore the repository's team.json, or no longer.
func Exclude(repo home.Repo, ignore bool) error {
	top, ok := git.Top(string(repo))
	if !ok {
		return nil
	}
	rel, err := filepath.Rel(top, repo.Team())
	if err != nil {
		return err
	}
	return git.Ignore(top, "/"+filepath.ToSlash(rel), ignore)
}

// Person returns the client for a person's own session, whatever credentials of
// CI the environment has.
func (c *Checkout) Person() (*client.Client, error) {
	o := c.Options()
	o.CI = client.CI{}
	return client.Open(o)
}
