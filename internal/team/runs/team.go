package runs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/eval"
	"cairn/internal/team/link"
	"cairn/internal/team/pushed"
	"cairn/internal/team/replica"
	"cairn/internal/team/result"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/text"
)

// patience is how long a command that shows the team's runs waits for new ones.
const patience = 10 * time.Second

// Open returns the user's store, with team joined by the team's runs: those of
// this machine's copy, brought up to date if the server answers.
func Open(env *command.Env, team bool) (Store, error) {
	own := Own(env)
	if !team {
		return own, nil
	}
	s, err := link.Want(env)
	if err != nil {
		return own, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, meta, _, err := s.Pull(ctx)
	switch {
	case err == nil:
	case r == nil || r.Fresh().IsZero():
		return own, errors.Join(err, closed(r))
	default:
		term.Warn(env.Stderr, "the team's runs are as they were %s: %v", text.Ago(r.Fresh(), time.Now()), err)
	}
	for _, sentence := range meta.Skipped {
		term.Warn(env.Stderr, "%s", sentence)
	}
	server, err := s.Client()
	if err != nil {
		return own, errors.Join(err, closed(r))
	}
	t := &teamRuns{server: server, copy: r, rows: map[string]uuid.UUID{}}
	others, err := t.list(env)
	if err != nil {
		return own, command.Data(errors.Join(err, closed(r)))
	}
	return Store{own.With(others), env}, nil
}

func closed(r *replica.Replica) error {
	if r == nil {
		return nil
	}
	return r.Close()
}

// teamRuns are the runs of a team. They never change, so the results of each are
// asked for once. The copy stays open as long as the command runs.
type teamRuns struct {
	server *client.Client
	copy   *replica.Replica
	rows   map[string]uuid.UUID // by the beginning of the ingest key
}

// list makes entries of the rows that are here.
func (t *teamRuns) list(env *command.Env) (eval.Elsewheres, error) {
	var rows []struct {
		wire.EvalRun
		CreatedAt time.Time `json:"created_at,omitzero"`
	}
	if err := t.copy.Rows(context.Background(), "eval_runs", &rows); err != nil {
		return eval.Elsewheres{}, err
	}
	others := eval.Elsewheres{Load: t.load}
	for _, row := range rows {
		e, err := pushed.EntryOf(row.EvalRun)
		if err != nil {
			term.Warn(env.Stderr, "left out: a run of the team: %v", err)
			continue
		}
		t.rows[e.ID] = row.ID
		e.Came = row.CreatedAt
		others.Entries = append(others.Entries, e)
	}
	return others, nil
}

// load reads a run, or asks for its results.
func (t *teamRuns) load(e eval.Entry) (*result.Run, error) {
	id, ok := t.rows[e.ID]
	if !ok {
		return nil, fmt.Errorf("the team has no run %s", e.ID)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	row, err := t.copy.Run(ctx, t.server, id)
	if errors.Is(err, client.ErrNetwork) {
		err = term.Hint(err, "of the run %s only its sums are here; cairn eval list --team shows them", e.ID)
	}
	if err != nil {
		return nil, err
	}
	return pushed.RunOf(row)
}
