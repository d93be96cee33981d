package account

import (
	"context"
	"database/sql"
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
	out := []wire.Workflow{}
	err := a.view(ctx, func(tx *db.Tx) error {
		if err := mustManage(ctx, tx, by, team); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `select `+workflowColumns+` from cairn.trusted_workflows where team_id = ? order by repository, ref, issuer`, team)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			w, err := scanWorkflow(rows)
			if err != nil {
				return err
			}
			out = append(out, w)
		}
		return rows.Err()
	})
	return out, err
}

// RemoveWorkflow ends the trust in a workflow, its bot's membership and every token that it was given.
func (a *Accounts) RemoveWorkflow(ctx context.Context, by, id uuid.UUID) error {
	return a.update(ctx, func(tx *db.Tx) error {
		var team, bot uuid.UUID
		err := tx.QueryRow(ctx, `select team_id, user_id from cairn.trusted_workflows where id = ?`, id).Scan(&team, &bot)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoWorkflow
		} else if err != nil {
			return err
		}
		switch err := mustManage(ctx, tx, by, team); {
		case errors.Is(err, ErrNotAdmin):
			return ErrNoWorkflow
		case err != nil:
			return err
		}
		if _, err := tx.Exec(ctx, `delete from cairn.trusted_workflows where id = ?`, id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `delete from team_members where team_id = ? and user_id = ? and role = 'ci'`, team, bot)
		return err
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
	rows, err := tx.Query(ctx, `select w.id, w.team_id, w.issuer, w.repository, w.ref, w.scopes, w.created_by, w.created_at, w.user_id, w.repository_id, t.slug
		from cairn.trusted_workflows w join teams t on t.id = w.team_id join team_members m on m.team_id = w.team_id and m.user_id = w.user_id
		where w.issuer = ? and lower(w.repository) = lower(?) order by w.ref desc`, from.Issuer, from.Repository)
	if err != nil {
		return found, bot, err
	}
	defer rows.Close()
	for rows.Next() {
		var of uuid.UUID
		var number, slug string
		w, err := scanWorkflow(rows, &of, &number, &slug)
		if err != nil {
			return found, bot, err
		}
		if !from.trusted(w.Ref) || team != "" && team != slug && team != w.TeamID.String() {
			continue
		}
		if number != "" && number != from.RepositoryID {
			return found, bot, fmt.Errorf("%w: the repository %s is not the one that it was, remove and add the workflow", ErrNotTrusted, w.Repository)
		}
		switch {
		case found.ID == uuid.Nil:
			found, bot = w, of
		case found.TeamID != w.TeamID:
			return found, bot, ErrManyTeams
		}
	}
	if err := rows.Err(); err != nil {
		return found, bot, err
	}
	if found.ID == uuid.Nil {
		return found, bot, ErrNotTrusted
	}
	return found, bot, nil
}

// scanWorkflow reads workflowColumns and what stands behind them.
func scanWorkflow(row scanner, more ...any) (wire.Workflow, error) {
	var (
		w   wire.Workflow
		may words
		by  uuid.NullUUID
		at  db.Time
	)
	if err := row.Scan(append([]any{&w.ID, &w.TeamID, &w.Issuer, &w.Repository, &w.Ref, &may, &by, &at}, more...)...); err != nil {
		return w, err
	}
	if by.Valid {
		w.CreatedBy = &by.UUID
	}
	w.Scopes, w.CreatedAt = may, *at.Value
	return w, nil
}
