package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// Errors of what people and workflows do with trust.
var (
	ErrNoWorkflow    = errors.New("the team has no such workflow")
	ErrWorkflowThere = errors.New("the team trusts this workflow already")
	ErrNotTrusted    = errors.New("no team trusts this workflow")
	ErrUsed          = errors.New("the workflow's token was used before")
	ErrManyTeams     = errors.New("several teams trust this workflow: name one")
)

// deadFor is how long a token that a workflow was given is kept after its end, to be listed.
const deadFor = 24 * time.Hour

const workflowColumns = `id, team_id, issuer, repository, ref, scopes, created_by, created_at`

// A WorkflowRun is what an issuer says of a run that asks for a token.
type WorkflowRun struct {
	Issuer       string
	Repository   string // owner/name; of GitLab the project's path
	Slug         string // its name in rows: the last two parts of that
	RepositoryID string // the issuer's number, which stays when a name changes hands
	Ref          string // refs/heads/main
	Foreign      bool   // what it runs may be a stranger's, as a pull request's

	Token string    // the issuer's id of the token that the run showed
	Ends  time.Time // when that expires
}

// isPull says whether a ref is a pull or a merge request's.
func isPull(ref string) bool {
	return strings.HasPrefix(ref, "refs/pull/") || strings.HasPrefix(ref, "refs/merge-requests/")
}

// trusted says whether a workflow's ref, see wire.NewWorkflow, has the run's in it.
func (r WorkflowRun) trusted(ref string) bool {
	if (r.Foreign || isPull(r.Ref)) && !isPull(ref) {
		return false
	}
	if r.Foreign && !isPull(r.Ref) { // it names the branch that it is against, or GitLab's the one that it is of
		return ref == "refs/pull/*" || ref == "refs/merge-requests/*"
	}
	if start, ok := strings.CutSuffix(ref, "*"); ok {
		return strings.HasPrefix(r.Ref, start)
	}
	return ref == "" || ref == r.Ref
}

// AddWorkflow trusts a workflow in the name of an owner or admin. Values must have been checked.
func (a *Accounts) AddWorkflow(ctx context.Context, by uuid.UUID, n wire.NewWorkflow) (wire.Workflow, error) {
	w := wire.Workflow{ID: uuid.New(), TeamID: n.TeamID, Issuer: n.Issuer, Repository: n.Repository, Ref: n.Ref, Scopes: n.Scopes,
		CreatedBy: &by, CreatedAt: a.now()}
	err := a.update(ctx, func(tx *db.Tx) error {
		if err := mustManage(ctx, tx, by, n.TeamID); err != nil {
			return err
		}
		bot, err := addBot(ctx, tx, n.TeamID, w.ID, a.now())
		if err != nil {
			return err
		}
		added, err := tx.Exec(ctx, `insert into cairn.trusted_workflows (id, team_id, issuer, repository, ref, user_id, scopes, created_by, created_at)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`, w.ID, w.TeamID, w.Issuer, w.Repository, w.Ref, bot, w.Scopes, by, w.CreatedAt)
		if err == nil && added == 0 {
			return ErrWorkflowThere
		}
		return err
	})
	return w, err
}

// Workflows returns those that a team trusts, by name, for an owner or admin.
func (a *Accounts) Workflows(ctx context.Context, by, team uuid.UUID) ([]wire.Workflow, error) {
	return db.Viewed(ctx, a.db, func(tx *db.Tx) ([]wire.Workflow, error) {
		if err := mustManage(ctx, tx, by, team); err != nil {
			return nil, err
		}
		list, err := db.List(ctx, tx, `select `+workflowColumns+` from cairn.trusted_workflows where team_id = ? order by repository, ref, issuer`, []any{team}, workflowFields)
		return append([]wire.Workflow{}, list...), err // an empty list in JSON, not null
	})
}

// RemoveWorkflow ends the trust in a workflow, its bot's membership and every token that it was given.
func (a *Accounts) RemoveWorkflow(ctx context.Context, by, id uuid.UUID) error {
	return a.update(ctx, func(tx *db.Tx) error {
		var team, bot uuid.UUID
		err := tx.QueryRow(ctx, `select team_id, user_id from cairn.trusted_workflows where id = ?`, id).Scan(&team, &bot)
		if err != nil {
			return db.None(err, ErrNoWorkflow)
		}
		if err := hidden(mustManage(ctx, tx, by, team), ErrNoWorkflow); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `delete from cairn.trusted_workflows where id = ?`, id); err != nil {
			return err
		}
		return tx.Do(ctx, `delete from team_members where team_id = ? and user_id = ? and role = 'ci'`, team, bot)
	})
}

// ExchangeToken gives a workflow's run a token of a team that trusts it. The
// team is an id or a slug; with "" there must be one only. The issuer's number
// of the repository is remembered at the first time and wanted from then on.
func (a *Accounts) ExchangeToken(ctx context.Context, from WorkflowRun, team string, life time.Duration) (wire.Token, error) {
	var t wire.Token
	err := a.update(ctx, func(tx *db.Tx) error {
		w, bot, err := trusting(ctx, tx, from, team)
		if err != nil {
			return err
		}
		now := a.now()
		if err := useOnce(ctx, tx, from, now); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `update cairn.trusted_workflows set repository_id = ? where id = ? and repository_id = ''`, from.RepositoryID, w.ID); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `delete from cairn.ingest_tokens where workflow_id = ? and expires_at < ?`, w.ID, now.Add(-deadFor)); err != nil {
			return err
		}
		end := now.Add(life)
		t = wire.Token{ID: uuid.New(), TeamID: w.TeamID, UserID: bot, Name: from.Repository + " " + from.Ref, Scopes: w.Scopes, RepoSlug: from.Slug, ExpiresAt: &end}
		return keepToken(ctx, tx, &t, uuid.NullUUID{UUID: w.ID, Valid: true}, now)
	})
	return t, err
}

// leeway is how long after its end a used token is remembered: clocks differ.
const leeway = time.Hour

// useOnce remembers a run's token until it has expired; [ErrUsed] if it came before.
func useOnce(ctx context.Context, tx *db.Tx, from WorkflowRun, now time.Time) error {
	if _, err := tx.Exec(ctx, `delete from cairn.used_tokens where expires_at < ?`, now.Add(-leeway)); err != nil {
		return err
	}
	added, err := tx.Exec(ctx, `insert into cairn.used_tokens (token_hash, expires_at) values (?, ?) on conflict do nothing`,
		db.Hashed(from.Issuer+" "+from.Token), from.Ends)
	if err == nil && added == 0 {
		return ErrUsed
	}
	return err
}

// trusting returns the one trust that lets a run have a token, and its bot.
// Where several refs of one team match, any will do: the first by scope and name.
func trusting(ctx context.Context, tx *db.Tx, from WorkflowRun, team string) (wire.Workflow, uuid.UUID, error) {
	var found wire.Workflow
	var bot uuid.UUID
	if id, err := tx.FindTeam(ctx, team); err == nil { // by a slug that it had before, too
		team = id.String()
	}
	type trust struct {
		wire.Workflow
		bot          uuid.UUID
		number, slug string
	}
	list, err := db.List(ctx, tx, `select w.id, w.team_id, w.issuer, w.repository, w.ref, w.scopes, w.created_by, w.created_at, w.user_id, w.repository_id, t.slug
		from cairn.trusted_workflows w join teams t on t.id = w.team_id join team_members m on m.team_id = w.team_id and m.user_id = w.user_id
		where w.issuer = ? and lower(w.repository) = lower(?) order by w.ref desc`, []any{from.Issuer, from.Repository},
		func(t *trust) []any { return append(workflowFields(&t.Workflow), &t.bot, &t.number, &t.slug) })
	if err != nil {
		return found, bot, err
	}
	for _, t := range list {
		if !from.trusted(t.Ref) || team != "" && team != t.slug && team != t.TeamID.String() {
			continue
		}
		if t.number != "" && t.number != from.RepositoryID {
			return found, bot, fmt.Errorf("%w: the repository %s is not the one that it was, remove and add the workflow", ErrNotTrusted, t.Repository)
		}
		switch {
		case found.ID == uuid.Nil:
			found, bot = t.Workflow, t.bot
		case found.TeamID != t.TeamID:
			return found, bot, ErrManyTeams
		}
	}
	if found.ID == uuid.Nil {
		return found, bot, ErrNotTrusted
	}
	return found, bot, nil
}

// workflowFields is where workflowColumns are scanned to.
func workflowFields(w *wire.Workflow) []any {
	return []any{&w.ID, &w.TeamID, &w.Issuer, &w.Repository, &w.Ref, (*words)(&w.Scopes), &w.CreatedBy, db.Stamp(&w.CreatedAt)}
}
