package plan

import (
	"strings"

	"cairn/internal/plan/doc"
)

// Status is how far a phase is.
type Status string

const (
	StatusNoDirectory Status = "no_directory"
	StatusEmpty       Status = "empty"
	StatusDiscussed   Status = "discussed"
	StatusResearched  Status = "researched"
	StatusPlanned     Status = "planned"
	StatusPartial     Status = "partial"
	StatusComplete    Status = "complete"
	StatusExecuted    Status = "executed" // and not called complete; of package lifecycle alone
)

// Words returns the status in the words that progress uses.
func (s Status) Words() string {
	switch s {
	case StatusNoDirectory, StatusEmpty:
		return "not started"
	case StatusPartial:
		return "in progress"
	}
	return string(s)
}

// Status follows from the files alone, except that what the documents say is
// complete is.
func (p *Phase) Status() Status {
	if p.Claimed() == doc.SaysDone {
		return StatusComplete
	}
	return p.DiskStatus()
}

// DiskStatus is the status that the phase's directory alone shows.
func (p *Phase) DiskStatus() Status {
	done := p.Executed()
	switch {
	case p.Dir == "":
		return StatusNoDirectory
	case len(p.Plans) > 0 && done >= len(p.Plans):
		return StatusComplete
	case done > 0:
		return StatusPartial
	case len(p.Plans) > 0:
		return StatusPlanned
	case p.File("RESEARCH") != "":
		return StatusResearched
	case p.File("CONTEXT") != "":
		return StatusDiscussed
	}
	return StatusEmpty
}

// Executed counts the plans that have a summary.
func (p *Phase) Executed() int {
	n := 0
	for _, f := range p.Plans {
		if f.Summary != "" {
			n++
		}
	}
	return n
}

// unexecuted returns the plans that have no summary.
func (p *Phase) unexecuted() []string {
	var out []string
	for _, f := range p.Plans {
		if f.Summary == "" {
			out = append(out, f.ID)
		}
	}
	return out
}

// Complete reports whether every plan has a summary, and there is one.
func (p *Phase) Complete() bool { return len(p.Plans) > 0 && p.Executed() >= len(p.Plans) }

// Closed reports whether the plan's documents say that the phase is complete,
// and none of them contradicts.
func (tx *Tx) Closed(p *Phase) bool { return p.Claimed() == doc.SaysDone }

// InProgressTable reports whether the roadmap's table of progress has the
// phase.
func (tx *Tx) InProgressTable(p *Phase) bool {
	r := tx.Roadmap()
	if r == nil {
		return false
	}
	_, ok := r.ProgressRow(p.ID, "")
	return ok
}

// hasWord reports whether a text begins with a word, whatever its case and the
// signs before it.
func hasWord(text, word string) bool {
	text = strings.ToLower(strings.TrimLeft(text, "*✓✅[x] "))
	return strings.HasPrefix(text, word)
}
