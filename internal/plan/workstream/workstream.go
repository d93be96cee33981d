// Package workstream keeps several milestones of a project apart: each has
// its own roadmap, state, requirements and phases under
// .planning/workstreams/NAME, and all share PROJECT.md, config.json and what
// was learned of the code. It makes, lists and archives them and remembers
// which one is worked on.
//
// The verbs and the queries of the plan import it. What is in a workstream
// belongs to package plan, which takes one for a workspace like any other.
package workstream

import (
	"path"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// dirName is where workstreams are in the planning directory.
const dirName = "workstreams"

// Stream is a workstream and how far it is.
type Stream struct {
	Name         string
	Path         string // .planning/workstreams/NAME
	Roadmap      bool   // whether it has the file
	State        bool
	Requirements bool
	Status       string // of STATE.md, "" when it says none
	CurrentPhase string
	LastActivity string
	Phases       []Phase // those with a directory
	Planned      int     // phases of its roadmap and its disk together
}

// Phase is a phase of a workstream.
type Phase struct {
	Directory string `json:"directory"` // its name alone
	Plans     int    `json:"plans"`
	Summaries int    `json:"summaries"`
	Complete  bool   `json:"complete"`
}

// Complete counts the phases that are.
func (s *Stream) Complete() int {
	n := 0
	for _, p := range s.Phases {
		if p.Complete {
			n++
		}
	}
	return n
}

// Plans counts the plans of all phases, and those that have a summary.
func (s *Stream) Plans() (plans, summaries int) {
	for _, p := range s.Phases {
		plans += p.Plans
		summaries += p.Summaries
	}
	return plans, summaries
}

// Percent is how much of the stream's phases is complete.
func (s *Stream) Percent() int { return plan.Percent(s.Complete(), s.Planned) }

// Path returns the directory of a workstream of w's project.
func Path(w *plan.Workspace, name string) string { return w.Shared(dirName, name) }

// Open returns a workstream of w's project as a workspace. It need not exist.
func Open(w *plan.Workspace, name string) (*plan.Workspace, error) {
	return plan.At(w.Root, strings.Trim(strings.TrimPrefix(w.Shared(), plan.Planning), "/"), name)
}

// Names lists the workstreams of the project. Without any the project is flat.
func Names(tx *plan.Tx) []string {
	entries := tx.ReadDir(tx.Shared(dirName))
	var out []string
	for _, e := range entries {
		if e.Dir && plan.ValidStream(e.Name) {
			out = append(out, e.Name)
		}
	}
	return out
}

// Has reports whether the project has a workstream of that name.
func Has(tx *plan.Tx, name string) bool {
	return plan.ValidStream(name) && tx.Has(Path(tx.Workspace, name))
}

// List reads every workstream of the project.
func List(w *plan.Workspace) ([]*Stream, error) {
	var names []string
	err := w.View(func(tx *plan.Tx) (err error) {
		names = Names(tx)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []*Stream
	for _, name := range names {
		s, err := Read(w, name)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// Read reads one workstream.
func Read(w *plan.Workspace, name string) (*Stream, error) {
	sub, err := Open(w, name)
	if err != nil {
		return nil, err
	}
	s := &Stream{Name: name, Path: sub.Path()}
	return s, sub.View(func(tx *plan.Tx) error { s.read(tx); return nil })
}

func (s *Stream) read(tx *plan.Tx) {
	s.Roadmap, s.Requirements = tx.Has(tx.Path("ROADMAP.md")), tx.Has(tx.Path("REQUIREMENTS.md"))
	t := tx.ReadIfThere(tx.Path("STATE.md"))
	if s.State = t != nil; s.State {
		state := doc.State{Text: t}
		s.Status, s.CurrentPhase, s.LastActivity = state.Value("Status"), state.Value("Current Phase"), state.Value("Last Activity")
	}
	phases := tx.Phases(plan.WithIdeas)
	seen := map[string]bool{}
	for _, p := range phases {
		if !p.ID.Backlog() {
			s.Planned++
		}
		s.add(p, seen)
	}
	for _, p := range tx.Phases(plan.Everything) { // also directories that the roadmap lacks, or has as shipped
		if p.Archived == "" && p.Dir != "" && !seen[p.Dir] {
			if p.Section != nil || p.Box != nil {
				s.Planned++
			}
			s.add(p, seen)
		}
	}
	s.Planned = max(s.Planned, s.Complete())
}

func (s *Stream) add(p *plan.Phase, seen map[string]bool) {
	if p.Dir == "" || seen[p.Dir] {
		return
	}
	seen[p.Dir] = true
	s.Phases = append(s.Phases, Phase{Directory: path.Base(p.Dir), Plans: len(p.Plans), Summaries: p.Executed(), Complete: p.Complete()})
}
