package wave

import (
	"path"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Document is a plan's file: the Plan, and what a list of plans shows of it.
type Document struct {
	Plan
	File      string // relative to the phase's directory
	Objective string // its first line
	Tasks     int
	Keys      []string // of the frontmatter, in order
}

// Read reads the plans of a phase.
func Read(tx *plan.Tx, p *plan.Phase) []Document {
	var out []Document
	for _, f := range p.Plans {
		d := read(must.Get(tx.Read(path.Join(p.Dir, f.Path))))
		d.ID, d.File, d.Done = f.ID, f.Path, f.Summary != ""
		if number := plan.CanonicalPlanID(f.ID); path.Dir(f.Path) == "plans" && isNumber(number) {
			d.Also = p.ID.Padded() + "-" + number
		}
		out = append(out, d)
	}
	return out
}

// Plans returns what Arrange takes.
func Plans(docs []Document) []Plan {
	out := make([]Plan, len(docs))
	for i, d := range docs {
		out[i] = d.Plan
	}
	return out
}

// Submodules lists the directories of the project's submodules, from
// .gitmodules.
func Submodules(tx *plan.Tx) []string {
	b, err := tx.ReadBytes(".gitmodules")
	if err != nil {
		return nil // there are none, or none that git would find
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(key) == "path" {
			out = append(out, strings.Trim(strings.TrimSpace(value), `"`))
		}
	}
	return out
}

func read(t *doc.Text) Document {
	p := doc.ReadPlan(t)
	d := Document{
		Plan:      Plan{DependsOn: p.DependsOn, Files: p.Files, Checkpoint: !p.Autonomous, Gap: p.GapClosure},
		Objective: p.Objective, Tasks: countTasks(t),
	}
	if n, err := strconv.Atoi(t.Front().Get("wave").Text()); err == nil {
		d.Declared = &n
	}
	if front := t.Front(); front != nil {
		for _, e := range front.Entries {
			d.Keys = append(d.Keys, e.Key)
		}
	}
	return d
}

// countTasks counts the opening <task> tags, or in a plan without them the
// headings `## Task 1`. A tag that is never closed counts: it is a task that
// somebody has to fix.
func countTasks(t *doc.Text) int {
	n := 0
	for i := t.Body(); i < t.Len(); i++ {
		if t.Code(i) {
			continue
		}
		for rest := t.Line(i); ; n++ {
			_, after, found := strings.Cut(rest, "<task")
			for found && after != "" && strings.IndexByte(" \t>/", after[0]) < 0 { // <tasks>
				_, after, found = strings.Cut(after, "<task")
			}
			if !found {
				break
			}
			rest = after
		}
	}
	if n > 0 {
		return n
	}
	for _, h := range t.Headings() {
		if number, ok := strings.CutPrefix(h.Text, "Task "); ok && h.Level >= 2 && number != "" && number[0] >= '0' && number[0] <= '9' {
			n++
		}
	}
	return n
}
