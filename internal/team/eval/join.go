package eval

import (
	"fmt"
	"slices"

	"cairn/internal/team/result"
	"cairn/internal/text"
)

// Attempts adds to a selection what was run again on the same code: runs of
// the same repository, commit, prompt, label and tier, without uncommitted
// changes, whatever the suite.
func (s *Selection) Attempts(entries []Entry) {
	one := s.Entries[0]
	if one.ID == "" || one.SHA == "" || one.Dirty {
		s.Note = joinNotes(s.Note, "it has no commit of its own, so no other run is known to be of the same code")
		return
	}
	s.Entries = only(entries, func(e *Entry) bool {
		return e.ID == one.ID || e.Repo == one.Repo && sameCommit(e.SHA, one.SHA) && !e.Dirty && e.PromptSHA == one.PromptSHA &&
			e.Label == one.Label && e.Kind == one.Kind && e.Scope == one.Scope && e.JudgeTier == one.JudgeTier
	})
	if len(s.Entries) > 1 {
		s.Note = joinNotes(s.Note, fmt.Sprintf("%s at %s, taken together", text.Count(len(s.Entries), "run"), short(one.SHA)))
	}
}

// Open loads the run of a selection, or joins them.
func (s *Store) Open(sel *Selection) error {
	runs := make([]*result.Run, len(sel.Entries))
	for i, e := range sel.Entries {
		run, err := s.Load(e)
		if err != nil {
			return err
		}
		runs[i] = run
	}
	sel.Run = Join(runs)
	return nil
}

// Join makes one run of runs of the same code, the newest first: the results
// of a case in several of them become its attempts, from the oldest on, and
// other suites stand side by side. What the runs say of themselves is taken
// from the newest. Joining one run gives that run.
func Join(runs []*result.Run) *result.Run {
	if len(runs) == 1 {
		return runs[0]
	}
	joined := *runs[0]
	joined.ID, joined.IngestKey = "", ""
	joined.Results, joined.Costs, joined.ByCategory = nil, nil, nil
	joined.Counts, joined.DurationSeconds, joined.WallClockMS, joined.TotalCostUSD = result.Counts{}, 0, 0, 0
	for _, run := range runs {
		if run.Suite != joined.Suite {
			joined.Suite = ""
		}
	}
	tries := map[string]int{}
	for _, run := range slices.Backward(runs) {
		add(&joined, run, tries)
	}
	return &joined
}

func add(to, run *result.Run, tries map[string]int) {
	to.Counts.Add(run.Counts)
	to.DurationSeconds += run.DurationSeconds
	to.WallClockMS += run.WallClockMS
	to.TotalCostUSD += run.TotalCostUSD
	for name, n := range run.ByCategory {
		if to.ByCategory == nil {
			to.ByCategory = result.Categories{}
		}
		n.Add(to.ByCategory[name])
		to.ByCategory[name] = n
	}
	to.Costs = result.AddCosts(to.Costs, run.Costs)
	for _, r := range run.Results {
		key := run.Key(&r)
		tries[key]++
		r.Attempt = tries[key]
		if r.Suite == "" && to.Suite == "" {
			r.Suite = run.Suite
		}
		to.Results = append(to.Results, r)
	}
}
