package plan

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

// Evolution is a change of the roadmap that its readers should know of.
type Evolution struct {
	Phase  string
	Action string // one of EvolutionActions
	After  string // the phase it was put after, or ""
	Note   string
	Urgent bool
}

// EvolutionActions are what can have happened to a phase.
func EvolutionActions() []string { return []string{"inserted", "removed", "moved", "edited", "added"} }

// Check reports an action that is none.
func (e Evolution) Check() error {
	if !slices.Contains(EvolutionActions(), e.Action) {
		return fmt.Errorf("%q is none of %s", e.Action, strings.Join(EvolutionActions(), ", "))
	}
	return nil
}

// String prints the change as an item's text.
func (e Evolution) String() string {
	text := "Phase " + e.Phase + " " + e.Action
	if e.After != "" {
		text += " after Phase " + e.After
	}
	if e.Note != "" {
		text += ": " + e.Note
	}
	if e.Urgent {
		text += " (URGENT)"
	}
	return doc.OneLine(text)
}

// Evolve lists a change of the roadmap, and reports false when it is listed
// already.
func (s *State) Evolve(e Evolution) bool {
	entry := e.String()
	sec, ok := s.Own("Roadmap Evolution")
	if !ok {
		if outer, ok := s.Section("Accumulated Context"); ok {
			s.AddSectionIn(outer, "Roadmap Evolution", "- "+entry)
		} else {
			s.AddSection(2, "Accumulated Context", "### Roadmap Evolution", "", "- "+entry)
		}
		return true
	}
	if slices.Contains(s.ItemTexts(sec), entry) {
		return false
	}
	s.AddItem(sec, entry)
	return true
}
