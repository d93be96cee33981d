package collect

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/workstream"
	"cairn/internal/team/record"
)

// plan collects how far the plan is, and each workstream of it.
func (c *Collector) plan(ctx context.Context, _ *Ledger) (items []Item, err error) {
	w, err := plan.At(string(c.Repo), "", "")
	if err != nil || !w.Exists() {
		return nil, err
	}
	var names []string
	if err := w.View(func(tx *plan.Tx) (err error) {
		names = workstream.Names(tx)
		return nil
	}); err != nil {
		return nil, err
	}
	for _, name := range append([]string{""}, names...) {
		of := w
		if name != "" {
			if of, err = workstream.Open(w, name); err != nil {
				return nil, err
			}
		}
		p, err := c.snapshot(ctx, of)
		if err != nil {
			return nil, err
		}
		if name == "" && len(names) > 0 && p.Phases == 0 { // all there is is in workstreams
			continue
		}
		it, err := planItem(p)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

// snapshot counts as STATE.md does: the phases of the current milestone; one is
// done when the roadmap has ticked it or all its plans are executed. The status of
// each is what `cairn plan progress` says, in the words that records have always had.
func (c *Collector) snapshot(ctx context.Context, w *plan.Workspace) (record.PlanSnapshot, error) {
	p := record.PlanSnapshot{Repo: c.Slug, Workstream: w.Stream, At: changedAt(w.Abs(w.Path()))}
	err := w.View(func(tx *plan.Tx) error {
		version, name := tx.Milestone()
		counts, look := tx.Counters(), lifecycle.New(ctx, tx)
		p.Milestone = strings.TrimSpace(version + " " + name)
		p.Phases, p.PhasesDone, p.Plans, p.PlansDone = counts.Phases, counts.PhasesDone, counts.Plans, counts.PlansDone
		for _, ph := range tx.Phases(plan.Current) {
			p.Detail.Phases = append(p.Detail.Phases, record.PlanPhase{
				Number: ph.ID.String(), Name: ph.Name, Status: look.Stage(ph), Plans: len(ph.Plans), PlansDone: ph.Executed(),
			})
		}
		p.RequirementsDone, p.Requirements = tx.RequirementCounts()
		return nil
	})
	return p, err
}

// changedAt is when something below a directory was last written, added or
// removed; not later than now.
func changedAt(dir string) (last time.Time) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if fi, err := d.Info(); err == nil && fi.Mode()&os.ModeSymlink == 0 && fi.ModTime().After(last) {
			last = fi.ModTime()
		}
		return nil
	})
	if now := time.Now(); last.After(now) {
		return now
	}
	return last
}
