package check

import (
	"strings"

	"cairn/internal/plan/doc"
)

// Size is how large a plan is, by which the template of its summary is
// chosen.
type Size struct {
	Tasks     int // <task> elements, else headings such as `### Task 1`
	Files     int // different ones, of tasks and frontmatter
	Decisions bool
}

// Measure returns the size of a plan.
func Measure(t *doc.Text) Size {
	p := doc.ReadPlan(t)
	s := Size{Tasks: len(p.Tasks)}
	files := map[string]bool{}
	for _, name := range p.Files {
		files[name] = true
	}
	for _, k := range p.Tasks {
		for _, name := range k.Files {
			files[name] = true
		}
		s.Decisions = s.Decisions || k.Type == "checkpoint:decision"
	}
	if s.Tasks == 0 {
		for _, h := range t.Headings() {
			if strings.HasPrefix(strings.ToLower(h.Text), "task ") {
				s.Tasks++
			}
		}
	}
	for i := t.Body(); i < t.Len(); i++ {
		if t.Code(i) {
			continue
		}
		for _, name := range quotedPaths(t.Line(i)) {
			files[name] = true
		}
		s.Decisions = s.Decisions || strings.Contains(strings.ToLower(t.Line(i)), "decision")
	}
	s.Files = len(files)
	return s
}

// Class is minimal, standard or complex.
func (s Size) Class() string {
	switch {
	case s.Decisions || s.Tasks > 5 || s.Files > 6:
		return "complex"
	case s.Tasks <= 2 && s.Files <= 3:
		return "minimal"
	}
	return "standard"
}
