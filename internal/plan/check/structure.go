package check

import (
	"fmt"
	"slices"

	"cairn/internal/plan/doc"
)

// Structure is what a plan lacks to be executed.
type Structure struct {
	Errors   []Finding
	Warnings []Finding
	Tasks    []TaskParts
	Fields   []string // the keys of the frontmatter
}

// TaskParts says which parts a task has.
type TaskParts struct {
	Name       string `json:"name"`
	HasFiles   bool   `json:"hasFiles"`
	HasAction  bool   `json:"hasAction"`
	HasVerify  bool   `json:"hasVerify"`
	HasDone    bool   `json:"hasDone"`
	Checkpoint bool   `json:"-"`
}

// PlanStructure checks a plan's frontmatter and its tasks. A checkpoint waits
// for a person: it says what was built or what is to be decided, and needs
// none of the other parts.
func PlanStructure(t *doc.Text) Structure {
	var s Structure
	front, p := t.Front(), doc.ReadPlan(t)
	if front != nil {
		for _, e := range front.Entries {
			s.Fields = append(s.Fields, e.Key)
		}
	}
	missing, _, _ := Required(front, SchemaPlan)
	for _, field := range missing {
		s.Errors = append(s.Errors, Finding{What: "Missing required frontmatter field: " + field})
	}
	for i, k := range p.Tasks {
		s.addTask(i+1, k)
	}
	if len(p.Tasks) == 0 {
		s.Warnings = append(s.Warnings, Finding{What: "No <task> elements found"})
	}
	if p.Wave > 1 && len(p.DependsOn) == 0 {
		s.Warnings = append(s.Warnings, Finding{What: fmt.Sprintf("Wave is %d but depends_on is empty", p.Wave)})
	}
	if i := slices.IndexFunc(p.Tasks, doc.Task.Checkpoint); i >= 0 && p.Autonomous {
		s.Errors = append(s.Errors, Finding{p.Tasks[i].Line + 1, "Has checkpoint tasks but autonomous is not false"})
	}
	for _, problem := range t.FrontProblems() {
		s.Warnings = append(s.Warnings, Finding{problem.Line + 1, "frontmatter: " + problem.What})
	}
	return s
}

func (s *Structure) addTask(number int, k doc.Task) {
	parts := TaskParts{
		Name: k.Name, HasFiles: len(k.Files) > 0, HasAction: k.Action != "", HasVerify: k.Verify != "", HasDone: k.Done != "",
		Checkpoint: k.Checkpoint(),
	}
	if parts.Name == "" {
		parts.Name = "unnamed"
	}
	s.Tasks = append(s.Tasks, parts)
	if parts.Checkpoint {
		return
	}
	called := fmt.Sprintf("Task '%s'", parts.Name)
	if k.Name == "" {
		called = fmt.Sprintf("Task %d", number)
		s.Errors = append(s.Errors, Finding{k.Line + 1, called + " missing <name> element"})
	}
	if !parts.HasAction {
		s.Errors = append(s.Errors, Finding{k.Line + 1, called + " missing <action>"})
	}
	for _, part := range []struct {
		has  bool
		name string
	}{{parts.HasVerify, "verify"}, {parts.HasDone, "done"}, {parts.HasFiles, "files"}} {
		if !part.has {
			s.Warnings = append(s.Warnings, Finding{k.Line + 1, called + " missing <" + part.name + ">"})
		}
	}
}
