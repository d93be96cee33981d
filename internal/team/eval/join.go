package eval

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/atomicfile"
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

// Partials are what the parallel workers of one run wrote, a file each:
// worker_PID.json in a directory of the suite's.
type Partials struct {
	Run      *result.Run // all of them as one
	Warnings []string
	files    []partial
}

type partial struct {
	name string
	info os.FileInfo
}

// workersApart is how far apart the files of one run may be written; more
// looks like a file that a crashed run left.
const workersApart = 24 * time.Hour

// HasPartials reports whether a worker wrote to dir.
func HasPartials(dir string) (bool, error) {
	names, err := partialNames(dir)
	return len(names) > 0, err
}

func partialNames(dir string) ([]string, error) {
	return filepath.Glob(filepath.Join(globQuote(dir), "worker_*.json"))
}

// ReadPartials reads and joins the workers' files in dir. Nil without error
// means that there are none. A file that cannot be read is an error: what a
// worker did must not get lost unseen.
func ReadPartials(dir string) (*Partials, error) {
	names, err := partialNames(dir)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	slices.Sort(names)
	p := &Partials{}
	var runs []*result.Run
	var written []time.Time
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		data, err := atomicfile.ReadRegular(name, result.MaxBytes)
		if err != nil {
			return nil, err
		}
		run, warnings, err := result.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, w := range warnings {
			p.Warnings = append(p.Warnings, name+": "+w)
		}
		written = append(written, info.ModTime())
		p.files = append(p.files, partial{name, info})
		runs = append(runs, run)
	}
	if apart := slices.MaxFunc(written, time.Time.Compare).Sub(slices.MinFunc(written, time.Time.Compare)); apart > workersApart {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s: the workers' files were written %s apart; one may be of an older run", dir, apart.Round(time.Hour)))
	}
	p.Run, err = MergeWorkers(runs)
	return p, err
}

// Remove removes the files that were read, but not one that was written since.
func (p *Partials) Remove() error {
	for _, f := range p.files {
		now, err := os.Stat(f.name)
		if err != nil || !now.ModTime().Equal(f.info.ModTime()) || now.Size() != f.info.Size() {
			continue
		}
		if err := os.Remove(f.name); err != nil {
			return err
		}
	}
	return nil
}

// MergeWorkers joins what the workers of one run did. Of a case and attempt
// that several did, the one that took longest counts: the others were cut off
// or came from a cache. Costs are added up.
func MergeWorkers(runs []*result.Run) (*result.Run, error) {
	if len(runs) == 0 {
		return nil, fmt.Errorf("no worker's results are there")
	}
	joined := *runs[0]
	joined.Results, joined.Costs, joined.ByCategory = nil, nil, nil
	joined.DurationSeconds, joined.TotalCostUSD, joined.WallClockMS = 0, 0, 0
	at := map[string]int{}
	for _, run := range runs {
		if run.GitSHA != joined.GitSHA && run.GitSHA != "" && joined.GitSHA != "" {
			return nil, fmt.Errorf("workers ran on two commits, %s and %s", joined.GitSHA, run.GitSHA)
		}
		if t := run.Timestamp; !t.IsZero() && (joined.Timestamp.IsZero() || t.Before(joined.Timestamp.Time)) {
			joined.Timestamp = t
		}
		joined.WallClockMS = max(joined.WallClockMS, run.WallClockMS)
		joined.DurationSeconds += run.DurationSeconds
		joined.TotalCostUSD += run.TotalCostUSD
		for _, r := range run.Results {
			key := fmt.Sprintf("%s\x00%d", run.Key(&r), r.Try())
			i, known := at[key]
			switch {
			case !known:
				at[key] = len(joined.Results)
				joined.Results = append(joined.Results, r)
			case r.DurationMS > joined.Results[i].DurationMS:
				joined.Results[i] = r
			}
		}
		joined.Costs = result.AddCosts(joined.Costs, run.Costs)
	}
	joined.Recount()
	return &joined, joined.Check()
}

// globQuote makes a directory's name stand for itself in a pattern.
func globQuote(dir string) string {
	quote := strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`)
	if filepath.Separator == '\\' {
		quote = strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`)
	}
	return quote.Replace(dir)
}
