package query

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cairn/internal/plan"
)

func stateValidate(_ *call, s *plan.State) (result, error) {
	d, err := s.Validate()
	if err != nil {
		return result{}, err
	}
	drift := object{}
	if d.PlanCount != nil {
		drift = drift.with("plan_count", d.PlanCount)
	}
	if d.Verification != nil {
		drift = drift.with("verification_status", d.Verification)
	}
	return data(object{{"valid", len(d.Warnings) == 0}, {"warnings", d.Warnings}, {"drift", drift}}), nil
}

// stateSync with --verify tells what it would change.
func stateSync(c *call) (result, error) {
	_, verify := c.options()["verify"]
	if verify {
		return readsState(func(_ *call, s *plan.State) (result, error) {
			changes, err := s.Sync()
			return data(object{{"synced", len(changes) == 0}, {"changes", changes}, {"dry_run", true}}), err
		})(c)
	}
	return writesState(func(_ *call, s *plan.State) (result, error) {
		changes, err := s.Sync()
		return data(object{{"synced", true}, {"changes", changes}, {"dry_run", false}}), err
	})(c)
}

func statePrune(c *call) (result, error) {
	keep := 3
	if v := c.value("keep-recent", -1); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 {
			return result{}, fail("usage", "--keep-recent must be a non-negative integer")
		}
		keep = n
	}
	_, dry := c.options()["dry-run"]
	w := *c.Workspace
	w.DryRun = w.DryRun || dry
	dc := *c
	dc.Workspace = &w
	return writesState(func(c *call, s *plan.State) (result, error) {
		p, err := s.Prune(keep)
		if err != nil {
			return dataBool(problem(err.Error()), false), nil
		}
		var archive any
		if p.Total > 0 {
			archive = plan.ArchiveFile
		}
		o := object{
			{"pruned", p.Total > 0 && !dry}, {"cutoff_phase", p.Cutoff}, {"keep_recent", p.Keep}, {"sections", p.Sections},
			{"total_archived", p.Total}, {"archive_file", archive},
		}
		if dry {
			o = o.with("dry_run", true)
		}
		if p.Cutoff <= 0 {
			o = o.with("reason", fmt.Sprintf("Only %d phases — nothing to prune with --keep-recent %d", p.Cutoff+p.Keep, keep))
		}
		return dataBool(o, p.Total > 0 && !dry), nil
	})(&dc)
}

func stateWait(c *call) (result, error) {
	w := plan.Waiting{Type: cmp.Or(c.value("type", 0), "decision_point"), Question: c.value("question", 1)}
	for o := range strings.SplitSeq(c.value("options", 2), "|") {
		if o = strings.TrimSpace(o); o != "" {
			w.Options = append(w.Options, o)
		}
	}
	if phase := c.value("phase", 3); phase != "" {
		w.Phase = &phase
	}
	_, err := c.Update(c.context, "query state", func(tx *plan.Tx) error { return tx.Wait(w) })
	return dataBool(object{{"signaled", true}, {"path", c.Abs(c.Path(plan.WaitingFile))}}, true), err
}

func stateResume(c *call) (result, error) {
	waits := false
	err := c.View(func(tx *plan.Tx) error {
		waits = tx.Has(tx.Path(plan.WaitingFile))
		return nil
	})
	if waits && err == nil {
		_, err = c.Update(c.context, "query state", func(tx *plan.Tx) (err error) {
			waits, err = tx.Resume()
			return err
		})
	}
	return dataBool(object{{"resumed", true}, {"removed", waits}}, waits), err
}
