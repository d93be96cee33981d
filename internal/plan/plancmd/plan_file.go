package plancmd

import (
	"fmt"
	"io"
	"path"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/check"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/template"
	"cairn/internal/text"
)

func planFileVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan check", Short: "Check the plans of a phase, or one plan",
			Long:     "Checks a plan's frontmatter and tasks; of a phase every plan. Exits 5 if one is not valid.",
			Args:     []command.Arg{{Name: "PLAN", Help: "a plan's id, such as 02-01, or its path; or a phase, such as 2"}},
			Examples: []string{"cairn plan check 02-01", "cairn plan check 2 --json"},
			Effect:   command.Reads, Run: run(checkPlans),
		},
		{
			Path: "plan plan check", Short: "Check a plan's frontmatter and tasks",
			Args:     []command.Arg{documentArg},
			Examples: []string{"cairn plan plan check 02-01", "cairn plan plan check .planning/phases/02-api/02-01-PLAN.md --json"},
			Effect:   command.Reads, Run: run(planCheck),
		},
		{
			Path: "plan plan tasks", Short: "List a plan's tasks",
			Args:     []command.Arg{documentArg},
			Examples: []string{"cairn plan plan tasks 02-01", "cairn plan plan tasks 02-01 --get tasks[0].files"},
			Effect:   command.Reads, Run: run(planTasks),
		},
		{
			Path: "plan plan artifacts", Short: "Check the files a plan's must_haves promise",
			Args:     []command.Arg{documentArg},
			Examples: []string{"cairn plan plan artifacts 02-01", "cairn plan plan artifacts 02-01 --json"},
			Effect:   command.Reads, Run: run(planArtifacts),
		},
		{
			Path: "plan plan links", Short: "Check the connections a plan's must_haves promise",
			Long: "Checks the connections that a plan's must_haves promise. A link's pattern, a regular\n" +
				"expression, must match its source or its target; without a pattern the source must\n" +
				"name the target.",
			Args:     []command.Arg{documentArg},
			Examples: []string{"cairn plan plan links 02-01", "cairn plan plan links 02-01 --json"},
			Effect:   command.Reads, Run: run(planLinks),
		},
	}
}

// withPlan calls fn with the plan that FILE names.
func withPlan(c *Call, fn func(t *doc.Text, rel string)) {
	c.look(func(tx *plan.Tx) { fn(document(c, tx, "PLAN")) })
}

// planChecked is what `plan check` found.
type planChecked struct {
	Path     string          `json:"path"`
	Valid    bool            `json:"valid"`
	Errors   []check.Finding `json:"errors"`
	Warnings []check.Finding `json:"warnings"`
	Tasks    int             `json:"tasks"`
}

// gaps returns the lines that still have what the plan's template leaves to
// be filled in, such as [purpose].
func gaps(t *doc.Text) []check.Finding {
	out := []check.Finding{}
	names, _ := template.Fields("plan")
	for i := range t.Len() {
		for _, name := range names {
			gap := "[" + strings.ReplaceAll(name, "_", " ") + "]"
			if !t.Code(i) && strings.Contains(t.Line(i), gap) {
				out = append(out, check.Finding{Line: i + 1, What: gap + " is not filled in"})
			}
		}
	}
	return out
}

func checkedPlan(t *doc.Text, rel string) planChecked {
	s := check.PlanStructure(t)
	errors := append(gaps(t), s.Errors...)
	return planChecked{rel, len(errors) == 0, errors, append([]check.Finding{}, s.Warnings...), len(s.Tasks)}
}

func planCheck(c *Call) *answer.Answer {
	var d planChecked
	withPlan(c, func(t *doc.Text, rel string) { d = checkedPlan(t, rel) })
	return &answer.Answer{Data: d, No: !d.Valid, View: answer.Text(d.print)}
}

func (d planChecked) print(w io.Writer) {
	for _, f := range d.Errors {
		fmt.Fprintln(w, place(d.Path, f, "error"))
	}
	for _, f := range d.Warnings {
		fmt.Fprintln(w, place(d.Path, f, "warning"))
	}
	if d.Valid {
		word := "well formed"
		if len(d.Warnings) > 0 {
			word = "valid"
		}
		fmt.Fprintf(w, "%s: %s, %s\n", d.Path, word, text.Count(d.Tasks, "task"))
	}
}

// checkPlans is planCheck for a plan or for all of a phase.
func checkPlans(c *Call) *answer.Answer {
	d := struct {
		Valid bool          `json:"valid"`
		Plans []planChecked `json:"plans"`
	}{true, []planChecked{}}
	var p *plan.Phase
	c.look(func(tx *plan.Tx) {
		id, ok := doc.ParsePhaseID(c.Arg("PLAN"))
		if ok {
			p = tx.Phase(id)
		}
		if p == nil {
			t, rel := documentOf(c, tx, c.Arg("PLAN"), "PLAN")
			d.Plans = append(d.Plans, checkedPlan(t, rel))
			return
		}
		for _, f := range p.Plans {
			rel := path.Join(p.Dir, f.Path)
			d.Plans = append(d.Plans, checkedPlan(must.Get(tx.Read(rel)), rel))
		}
	})
	for _, one := range d.Plans {
		d.Valid = d.Valid && one.Valid
	}
	a := &answer.Answer{Data: d, No: !d.Valid, View: answer.Text(func(w io.Writer) {
		for _, one := range d.Plans {
			one.print(w)
		}
	})}
	if len(d.Plans) == 0 {
		a.Said = "phase " + p.ID.String() + " has no plans"
	}
	return a
}

func place(name string, f check.Finding, kind string) string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d: %s: %s", name, f.Line, kind, f.What)
	}
	return fmt.Sprintf("%s: %s: %s", name, kind, f.What)
}

// taskRow is a task as the verbs print it.
type taskRow struct {
	Number     int      `json:"number"`
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	Checkpoint bool     `json:"checkpoint"`
	Behavior   bool     `json:"adds_behavior"` // see check.Behavior
	Files      []string `json:"files"`
	Action     string   `json:"action"`
	Verify     string   `json:"verify"`
	Done       string   `json:"done"`
}

func planTasks(c *Call) *answer.Answer {
	d := struct {
		Path  string    `json:"path"`
		Tasks []taskRow `json:"tasks"`
	}{Tasks: []taskRow{}}
	withPlan(c, func(t *doc.Text, rel string) {
		d.Path = rel
		for i, k := range doc.ReadPlan(t).Tasks {
			row := taskRow{
				Number: i + 1, Name: k.Name, Type: k.Type, Checkpoint: k.Checkpoint(), Behavior: check.TaskBehavior(k).Adds(),
				Files: k.Files, Action: k.Action, Verify: k.Verify, Done: k.Done,
			}
			if row.Type == "" {
				row.Type = "auto"
			}
			d.Tasks = append(d.Tasks, row)
		}
	})
	return &answer.Answer{Data: d, View: table("TASK\tTYPE\tFILES\tNAME", d.Tasks, func(k taskRow) string {
		return fmt.Sprintf("%d\t%s\t%d\t%s", k.Number, k.Type, len(k.Files), k.Name)
	})}
}

func planArtifacts(c *Call) *answer.Answer {
	d := struct {
		Path      string           `json:"path"`
		Passed    int              `json:"passed"`
		Total     int              `json:"total"`
		Artifacts []check.Artifact `json:"artifacts"`
	}{}
	withPlan(c, func(t *doc.Text, rel string) {
		d.Path, d.Artifacts = rel, check.Artifacts(doc.ReadPlan(t).MustHaves, check.Dir(c.Root))
	})
	d.Total = len(d.Artifacts)
	for _, a := range d.Artifacts {
		if a.Passed {
			d.Passed++
		}
	}
	return &answer.Answer{Data: d, No: d.Passed < d.Total, View: answer.Text(func(w io.Writer) {
		for _, a := range d.Artifacts {
			for _, issue := range a.Issues {
				fmt.Fprintf(w, "%s: %s\n", a.Path, issue)
			}
		}
		fmt.Fprintln(w, tally(d.Passed, d.Total, "artifacts are as promised"))
	})}
}

func planLinks(c *Call) *answer.Answer {
	d := struct {
		Path     string       `json:"path"`
		Verified int          `json:"verified"`
		Total    int          `json:"total"`
		Links    []check.Link `json:"links"`
	}{}
	withPlan(c, func(t *doc.Text, rel string) {
		d.Path, d.Links = rel, check.Links(doc.ReadPlan(t).MustHaves, check.Dir(c.Root))
	})
	d.Total = len(d.Links)
	for _, l := range d.Links {
		if l.Verified {
			d.Verified++
		}
	}
	return &answer.Answer{Data: d, No: d.Verified < d.Total, View: answer.Text(func(w io.Writer) {
		for _, l := range d.Links {
			if !l.Verified {
				fmt.Fprintf(w, "%s → %s: %s\n", l.From, l.To, l.Detail)
			}
		}
		fmt.Fprintln(w, tally(d.Verified, d.Total, "links are there"))
	})}
}
