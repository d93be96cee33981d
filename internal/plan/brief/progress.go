package brief

import (
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Step is how far a phase is on the way through a milestone.
type Step struct {
	Number    string `json:"number"`
	Name      string `json:"name"`
	Directory string `json:"directory,omitempty"` // "" when there is none yet
	Status    string `json:"status"`              // one of the constants below
	Plans     int    `json:"plans"`
	Summaries int    `json:"summaries"`
	Research  bool   `json:"research"`

	// What Board adds.
	Goal      string   `json:"goal,omitempty"`
	Depends   string   `json:"-"`                    // on what, as the roadmap has it
	DependsOn []string `json:"depends_on,omitempty"` // phases, by number
	Waiting   []string `json:"waiting_for,omitempty"`

	Phase *plan.Phase `json:"-"`
}

// Statuses of a Step.
const (
	StepComplete   = "complete"
	StepInProgress = "in_progress"
	StepResearched = "researched"
	StepPending    = "pending"
	StepNotStarted = "not_started" // there is no directory yet
)

// Steps returns the phases of the milestone.
func Steps(tx *plan.Tx) []Step {
	phases := tx.Phases(plan.Current)
	steps := make([]Step, len(phases))
	for i, p := range phases {
		steps[i] = step(tx, p)
	}
	return steps
}

func step(tx *plan.Tx, p *plan.Phase) Step {
	s := Step{
		Number: p.ID.String(), Name: p.Name, Directory: p.Dir, Plans: len(p.Plans), Summaries: p.Executed(),
		Research: p.File("RESEARCH") != "", Phase: p,
	}
	switch {
	case tx.Closed(p):
		s.Status = StepComplete
	case p.Dir == "":
		s.Status = StepNotStarted
	case s.Plans > 0:
		s.Status = StepInProgress
	case s.Research:
		s.Status = StepResearched
	default:
		s.Status = StepPending
	}
	return s
}

// CurrentStep returns the phase in work: the first that has plans and is not
// complete, or that was researched. NextStep returns the first that nothing
// was done for. Both are nil when there is none.
func CurrentStep(steps []Step) *Step { return first(steps, StepInProgress, StepResearched) }

// NextStep is described with CurrentStep.
func NextStep(steps []Step) *Step { return first(steps, StepPending, StepNotStarted) }

func first(steps []Step, statuses ...string) *Step {
	for i := range steps {
		for _, status := range statuses {
			if steps[i].Status == status {
				return &steps[i]
			}
		}
	}
	return nil
}

// Count returns how many steps have a status.
func Count(steps []Step, status string) int {
	n := 0
	for _, s := range steps {
		if s.Status == status {
			n++
		}
	}
	return n
}

// Paused returns when or where work was paused, as STATE.md has it, or "".
func Paused(tx *plan.Tx) string {
	t := tx.ReadIfThere(tx.Path("STATE.md"))
	if t == nil {
		return ""
	}
	return doc.State{Text: t}.PausedAt()
}
