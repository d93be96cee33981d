package runs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/eval"
	"cairn/internal/team/link"
	"cairn/internal/team/pushed"
	"cairn/internal/team/result"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/text"
)

// patience is how long a command that shows the team's runs waits for new ones.
const patience = 10 * time.Second

// Open returns the user's store, with team joined by the team's runs: those of
// the cache, brought up to date if the server answers.
func Open(env *command.Env, team bool) (Store, error) {
	own := Own(env)
	if !team {
		return own, nil
	}
	s, err := link.Want(env)
	if err != nil {
		return own, err
	}
	c, err := s.Client()
	if err != nil {
		return own, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cache := client.OpenCache(s.Dir)
	meta, _, err := c.Pull(ctx, cache)
	switch {
	case err == nil:
	case meta.LastPull.IsZero():
		return own, err
	default:
		term.Warn(env.Stderr, "the team's runs are as they were %s: %v", text.Ago(meta.LastPull, time.Now()), err)
	}
	t := &teamRuns{client: c, cache: cache, rows: map[string]wire.EvalRun{}}
	others, err := t.list(env)
	if err != nil {
		return own, command.Data(err)
	}
	return Store{own.With(others), env}, nil
}

// teamRuns are the runs of a team. They never change, so each is asked for once
// and kept in the cache.
type teamRuns struct {
	client *client.Client
	cache  *client.Cache
	rows   map[string]wire.EvalRun // by the beginning of the ingest key
}

// list makes entries of the rows in the cache. Which suites a run of several has
// only its results tell.
func (t *teamRuns) list(env *command.Env) (eval.Elsewheres, error) {
	var rows []struct {
		wire.EvalRun
		CreatedAt time.Time `json:"created_at,omitzero"`
	}
	if err := t.cache.Rows("eval_runs", &rows); err != nil {
		return eval.Elsewheres{}, err
	}
	others := eval.Elsewheres{Load: t.load}
	for _, row := range rows {
		run, err := pushed.RunOf(row.EvalRun)
		if err != nil {
			term.Warn(env.Stderr, "left out: a run of the team: %v", err)
			continue
		}
		t.rows[run.ID] = row.EvalRun
		if run.Suite == "" && run.Total > 0 {
			if full, err := t.load(eval.Entry{ID: run.ID}); err == nil {
				run = full
			}
		}
		e := eval.EntryOf(run)
		e.Came = row.CreatedAt
		others.Entries = append(others.Entries, e)
	}
	return others, nil
}

// load reads a run from the cache, or asks for it.
func (t *teamRuns) load(e eval.Entry) (*result.Run, error) {
	row, ok := t.rows[e.ID]
	if !ok {
		return nil, fmt.Errorf("the team has no run %s", e.ID)
	}
	if data, err := t.cache.Run(row.ID, result.MaxBytes); err == nil {
		if run, _, err := result.Decode(data); err == nil && run.IngestKey == row.IngestKey {
			return run, nil
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	team, err := t.client.Team(ctx, "")
	if err != nil {
		return nil, err
	}
	run, err := t.client.Run(ctx, team, row)
	var failed *client.Error
	if errors.As(err, &failed) && failed.Kind == client.ErrNetwork {
		err = term.Hint(err, "of the run %s only its sums are here; cairn eval list --team shows them", e.ID)
	}
	if err != nil {
		return nil, err
	}
	run.IngestKey = row.IngestKey
	if data, err := result.Encode(run); err == nil {
		_ = t.cache.Keep(row.ID, data) // without it, it is asked for again
	}
	return run, nil
}
