package plancmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/claim"
	"cairn/internal/plan/drive"
	"cairn/internal/plan/wave"
	"cairn/internal/term"
	"cairn/internal/text"
)

func waveVerbs() []*command.Command {
	phase := []command.Arg{{Name: "PHASE"}}
	return []*command.Command{
		{
			Path: "plan phase index", Short: "List a phase's plans by wave",
			Long: "A wave is a level of the dependency graph that the plans' depends_on form. Plans of a\n" +
				"wave run in parallel; those that change the same file run in batches. A dependency\n" +
				"cycle is an error.",
			Args:     phase,
			Examples: []string{"cairn plan phase index 2", "cairn plan phase index 2 --get waves[0].plans[0].id"},
			Effect:   command.Reads, Run: run(phaseIndex),
		},
		{
			Path: "plan plan wave", Short: "Print which plans of a phase can run now, side by side",
			Long: "Selects plans that have no summary. While others are left, the phase is not complete\n" +
				"when the selected ones are. When all are executed the list is empty. What somebody\n" +
				"else has claimed is left out, and named.",
			Args: phase,
			Flags: []command.Flag{
				{Name: "wave", Default: -1, Help: "this wave only"},
				{Name: "gaps-only", Default: false, Help: "only plans that close gaps of the verification"},
			},
			Examples: []string{"cairn plan plan wave 2", "cairn plan plan wave 2 --wave 1 --json", "cairn plan plan wave 2 --gaps-only"},
			Effect:   command.Reads, Run: run(planWave),
		},
		{
			Path: "plan roadmap annotate", Short: "List a phase's plans and waves in the roadmap",
			Args:     phase,
			Examples: []string{"cairn plan roadmap annotate 2", "cairn plan roadmap annotate 2 --dry-run"},
			Effect:   command.Writes, Run: run(annotate),
		},
	}
}

// waveIndex is a phase's plans by wave as the verbs print them.
type waveIndex struct {
	Phase    string    `json:"phase"`
	Waves    []waveRow `json:"waves"`
	Left     []string  `json:"left"`    // unfinished plans that were not chosen
	Claimed  []string  `json:"claimed"` // plans that somebody else has claimed, and until when
	Waiting  []string  `json:"waiting"` // chosen plans whose turn has not come
	Warnings []string  `json:"warnings"`
}

// waveRow is a wave. Its batches run one after the other, the plans of a
// batch together.
type waveRow struct {
	Wave     int            `json:"wave"`
	Plans    []planRow      `json:"plans"`
	Batches  [][]string     `json:"batches"`
	Overlaps []wave.Overlap `json:"overlaps"`
}

type planRow struct {
	ID         string   `json:"id"`
	Path       string   `json:"path"`
	Objective  string   `json:"objective"`
	DependsOn  []string `json:"depends_on"`
	Files      []string `json:"files"`
	Tasks      int      `json:"tasks"`
	Checkpoint bool     `json:"checkpoint"`
	Gap        bool     `json:"gap"`
	MainTree   bool     `json:"main_tree"` // it may touch a submodule: no worktree of its own
	Done       bool     `json:"done"`
}

// arrange reads the plans of the phase that the call names.
func (c *Call) arrange(tx *plan.Tx) (*plan.Phase, []wave.Document, *wave.Schedule) {
	id := c.phaseID("PHASE")
	p := tx.Phase(id)
	if p == nil || p.Dir == "" {
		fail(term.Hint(&plan.PhaseError{Phase: id.String(), What: "has no directory"}, "cairn plan phase list shows the phases"))
	}
	docs := wave.Read(tx, p)
	s, err := wave.Arrange(wave.Plans(docs))
	var cycle *wave.CycleError
	if errors.As(err, &cycle) {
		err = term.Hint(&plan.InputError{Path: p.Dir, What: err.Error()}, "take one of them out of another's depends_on")
	}
	must.OK(err)
	return p, docs, s
}

func phaseIndex(c *Call) *answer.Answer {
	return c.waveIndex(false, func(s *wave.Schedule) wave.Selected { return wave.Selected{Waves: s.Waves} })
}

func planWave(c *Call) *answer.Answer {
	return c.waveIndex(true, func(s *wave.Schedule) wave.Selected {
		sel := wave.Selection{Gaps: c.Bool("gaps-only")}
		if n := c.Int("wave"); c.Set("wave") {
			if !s.Has(n) {
				fail(command.Usagef("the phase has no wave %d", n))
			}
			sel.Wave = &n
		}
		return s.Select(sel)
	})
}

// waveIndex answers with the chosen plans. What somebody else has claimed is named,
// and with skip left out.
func (c *Call) waveIndex(skip bool, choose func(*wave.Schedule) wave.Selected) *answer.Answer {
	var index waveIndex
	settings := c.loadSettings()
	c.look(func(tx *plan.Tx) {
		p, docs, s := c.arrange(tx)
		chosen := choose(s)
		index = waveIndex{Phase: p.ID.String(), Waves: []waveRow{}, Left: answer.List(chosen.Left), Waiting: answer.List(chosen.Waiting), Claimed: []string{}, Warnings: []string{}}
		claims, _ := claim.List(tx, time.Now())
		submodules := wave.Submodules(tx)
		for _, w := range chosen.Waves {
			w.Plans = slices.DeleteFunc(slices.Clone(w.Plans), func(p wave.Plan) bool {
				other, ok := claim.Others(claims, p.ID, c.By)
				if ok = ok && !p.Done; ok {
					index.Claimed = append(index.Claimed, other.String())
				}
				return ok && skip
			})
			if len(w.Plans) == 0 {
				continue
			}
			row := waveRow{Wave: w.Number, Batches: batches(w, settings.Bool("parallelization")), Overlaps: answer.List(w.Overlaps())}
			for _, d := range docs {
				if slices.Contains(ids(w.Plans), d.ID) {
					row.Plans = append(row.Plans, newPlanRow(d, p, submodules))
				}
			}
			index.Waves = append(index.Waves, row)
		}
		for _, m := range s.Warnings {
			index.Warnings = append(index.Warnings, m.String())
		}
	})
	return &answer.Answer{Data: index, View: answer.Text(index.print)}
}

// batches divides a wave; without parallelization each plan is one.
func batches(w wave.Wave, parallel bool) [][]string {
	var out [][]string
	if !parallel {
		for _, p := range w.Plans {
			out = append(out, []string{p.ID})
		}
		return out
	}
	for _, batch := range w.Batches() {
		out = append(out, ids(batch))
	}
	return out
}

func newPlanRow(d wave.Document, p *plan.Phase, submodules []string) planRow {
	return planRow{
		ID: d.ID, Path: p.Dir + "/" + d.File, Objective: d.Objective, DependsOn: answer.List(d.DependsOn), Files: answer.List(d.Files),
		Tasks: d.Tasks, Checkpoint: d.Checkpoint, Gap: d.Gap, MainTree: d.MainTree(submodules), Done: d.Done,
	}
}

func ids(plans []wave.Plan) []string {
	var out []string
	for _, p := range plans {
		out = append(out, p.ID)
	}
	return out
}

func (x waveIndex) print(w io.Writer) {
	t := term.NewColumns(w)
	if len(x.Waves) > 0 {
		fmt.Fprintln(t, "WAVE\tPLAN\tTASKS\t\tOBJECTIVE")
	}
	for _, row := range x.Waves {
		for _, p := range row.Plans {
			fmt.Fprintf(t, "%d\t%s\t%d\t%s\t%s\n", row.Wave, p.ID, p.Tasks, p.marks(), p.Objective)
		}
	}
	_ = t.Flush()
	for _, row := range x.Waves {
		for _, o := range row.Overlaps {
			fmt.Fprintf(w, "wave %d: %s all change %s, so they run one after the other\n", row.Wave, strings.Join(o.Plans, ", "), o.Path)
		}
	}
	for _, warning := range x.Warnings {
		fmt.Fprintln(w, warning)
	}
	for _, c := range x.Claimed {
		fmt.Fprintln(w, c)
	}
	if len(x.Waiting) > 0 {
		fmt.Fprintf(w, "too early for %s: earlier waves are not finished\n", strings.Join(x.Waiting, ", "))
	}
	if len(x.Left) > 0 {
		fmt.Fprintf(w, "left for later: %s\n", strings.Join(x.Left, ", "))
	}
}

func (p planRow) marks() string {
	switch {
	case p.Done:
		return "done"
	case p.Checkpoint:
		return "stops for you"
	case p.Gap:
		return "closes a gap"
	}
	return ""
}

// annotated is what annotate wrote.
type annotated struct {
	*plan.Annotated
	Listed int `json:"listed"` // plans that the roadmap did not list before
}

func annotate(c *Call) *answer.Answer {
	var done annotated
	c.Update(func(tx *plan.Tx) {
		p, docs, s := c.arrange(tx)
		done.Listed, done.Annotated = drive.Annotate(tx, p, docs, s)
	})
	done.Updated = len(c.change.Files) > 0
	return &answer.Answer{Data: done, View: answer.Text(func(w io.Writer) {
		if !done.Updated {
			fmt.Fprintln(w, "the roadmap has all of it")
			return
		}
		fmt.Fprintf(w, "phase %s: %s listed, %s", done.Phase, text.Count(done.Listed, "plan"), text.Count(done.Waves, "wave"))
		if n := len(done.Shared); n > 0 {
			fmt.Fprintf(w, ", %s that plans share", text.Count(n, "constraint"))
		}
		fmt.Fprintln(w)
	})}
}
