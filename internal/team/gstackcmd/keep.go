package gstackcmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/team/eval"
	"cairn/internal/team/gstack"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/team/record/local"
	"cairn/internal/team/result"
	"cairn/internal/team/runs"
	"cairn/internal/team/spool"
	"cairn/internal/term"
)

// keeper stores what was read: here, and what is of this repository for
// its team. In a dry run it only looks what is there.
type keeper struct {
	env    *command.Env
	repo   string
	dryRun bool
	runs   *eval.Store
	rows   *local.Store
	set    config.Config

	sync   *link.Checkout // nil for no team, or one that nothing is for
	syncOn bool           // this import switches sync on
	queue  *spool.Spool
	sent   *spool.Sent
	queued map[gstack.Kind]int
	kinds  map[string]gstack.Kind // by table

	writes *errgroup.Group
	failed context.Context // ended by the first write that fails
}

// writesAtOnce is how many files are written at a time: a disk makes many
// durable about as fast as one.
const writesAtOnce = 8

func newKeeper(c *command.Call, repo string) *keeper {
	env := c.Env
	h := home.Find(env.Getenv)
	k := &keeper{
		env: env, repo: repo, dryRun: c.Bool("dry-run"), runs: eval.Open(h.Evals()), rows: local.Open(h.Records()), queued: map[gstack.Kind]int{},
		kinds: map[string]gstack.Kind{
			record.Retro.Table(): gstack.Retros, record.QA.Table(): gstack.QA, record.Ship.Table(): gstack.Ships, record.Triage.Table(): gstack.Verdicts,
		},
	}
	k.writes, k.failed = errgroup.WithContext(context.Background())
	k.writes.SetLimit(writesAtOnce)
	k.set, _ = config.Load(env.Here(), env.Getenv)
	if c.Bool("no-push") {
		return k
	}
	s, err := link.Find(env)
	switch {
	case err != nil:
		term.Warn(env.Stderr, "nothing goes to the team: %v", err)
	case s != nil:
		k.sync, k.queue = s, s.Queue()
		k.sent = k.queue.Sent(s.Home.Migrated())
	}
	return k
}

// Run stores a run.
func (k *keeper) Run(run *result.Run) (fresh bool, err error) {
	e, known, err := k.runs.Has(run)
	if err != nil {
		return false, err
	}
	sends := k.sends(gstack.Runs, run.Repo, run.IngestKey)
	if known && !sends {
		return false, nil
	}
	return !known, k.write(func() error {
		if !known {
			if err := k.runs.Add(e, run); err != nil {
				return err
			}
		}
		if !sends {
			return nil
		}
		if runs.Enqueue(k.env, k.queue, e.ID, run) == "" {
			return errors.New("a run could not be queued for the team")
		}
		return nil
	})
}

// Row stores a record.
func (k *keeper) Row(row record.Row) (fresh bool, err error) {
	if k.dryRun {
		known, failed := k.rows.Has(row)
		fresh, err = !known, failed
	} else {
		fresh, err = k.rows.Put(row)
	}
	if err != nil || !k.sends(k.kinds[row.Table], row.Repo(), row.IngestKey) {
		return fresh, err
	}
	return fresh, k.write(func() error {
		_, err := link.Enqueue(k.queue, []record.Row{row})
		return err
	})
}

// write does what waits for the disk beside other such work; an error may be of
// an earlier one.
func (k *keeper) write(do func() error) error {
	if k.dryRun {
		return nil
	}
	k.writes.Go(do)
	return context.Cause(k.failed)
}

// Setting writes one into the user's file, unless it is set.
func (k *keeper) Setting(key, value string) (fresh bool, why string, err error) {
	v, ok := k.set.Value(key)
	switch {
	case !ok:
		return false, "cairn has no setting of that name", nil
	case v.Source.Kind != config.Default && v.String() != value:
		return false, fmt.Sprintf("it is %s here, by %s", v, v.Source), nil
	case v.Source.Kind != config.Default:
		return false, "", nil
	}
	k.syncOn = k.syncOn || key == config.SyncEnabled && value == "true"
	if k.dryRun {
		return true, "", nil
	}
	_, err = config.SetUser(home.Find(k.env.Getenv), key, value)
	return err == nil, "", err
}

// sends reports whether something is for the team and not queued yet, and takes
// it for queued. Of other repositories nothing is.
func (k *keeper) sends(kind gstack.Kind, repo, key string) bool {
	if k.sync == nil || !k.sync.Enabled && !k.syncOn || repo == "" || !strings.EqualFold(repo, k.repo) || k.sent.Has(key) {
		return false
	}
	k.sent.Add(key)
	k.queued[kind]++
	return true
}

// end waits until what was stored is on the disk, and has it delivered. What was
// queued is queued again the next time if something failed: the server knows it.
func (k *keeper) end() error {
	err := errors.Join(k.writes.Wait(), k.rows.Close())
	if err == nil && len(k.queued) > 0 && !k.dryRun {
		err = k.sent.Save()
		k.sync.DrainBehind(false)
	}
	return err
}
