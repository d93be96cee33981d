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
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

func verifyVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan verify summary", Short: "Check that a summary's files and commits exist",
			Long: "Checks that every file and commit that a summary names exists, and that it names\n" +
				"some. A section ## Self-Check that reports a failure fails the check, too.",
			Args:     []command.Arg{documentArg},
			Examples: []string{"cairn plan verify summary 02-01", "cairn plan verify summary .planning/phases/02-api/02-01-SUMMARY.md --json"},
			Effect:   command.Reads, Run: reads(runVerifySummary),
		},
		{
			Path: "plan verify references", Short: "Check that the paths named in a document exist",
			Long: "Checks that the paths in a document exist: @dir/file, and `dir/file.ext` in backquotes.\n" +
				"Code fences and comments are skipped.",
			Args:     []command.Arg{documentArg},
			Examples: []string{"cairn plan verify references 02-01", "cairn plan verify references .planning/PROJECT.md --get missing"},
			Effect:   command.Reads, Run: reads(verifyReferences),
		},
		{
			Path: "plan verify paths", Short: "Check that paths exist in the project",
			Args:     []command.Arg{{Name: "PATH", Many: true, Help: "relative to the project"}},
			Examples: []string{"cairn plan verify paths src/api.go docs", "cairn plan verify paths go.mod --json"},
			Effect:   command.Reads, Run: run(verifyPaths),
		},
	}
}

func runVerifySummary(c *Call, tx *plan.Tx) *answer.Answer {
	t, rel := document(c, tx, "SUMMARY")
	s := check.Verify(t, check.Dir(c.Root), func(hash string) bool { return commit.Exists(c.Context, c.Root, hash) }, 0)
	few := false
	d := struct {
		Path      string   `json:"path"`
		Passed    bool     `json:"passed"`
		Files     int      `json:"files"`
		Missing   []string `json:"missing"`
		Commits   []string `json:"commits"`
		Committed bool     `json:"committed"`
		Unknown   []string `json:"unknown_commits"`
		SelfCheck string   `json:"self_check"`
		Tasks     int      `json:"tasks"`        // of its plan that change files
		Made      int      `json:"task_commits"` // of its plan, by their subjects; 0 where nothing names the plan
	}{rel, s.Holds(), s.Checked, answer.List(s.Missing), answer.List(s.Hashes), s.Commits, answer.List(s.Unknown), s.SelfCheck, 0, 0}
	if of, f := tx.Plan(strings.TrimSuffix(path.Base(rel), "-SUMMARY.md")); of != nil {
		made, err := commit.OfPlan(c.Context, c.Root, f.ID)
		must.OK(err)
		d.Tasks = doc.ReadPlan(must.Get(tx.Read(path.Join(of.Dir, f.Path)))).Built()
		for _, m := range made {
			d.Made += min(1, len(m.Files))
		}
		few = d.Made > 0 && d.Made < d.Tasks
	}
	d.Passed = d.Passed && !few
	return &answer.Answer{Data: d, No: !d.Passed, View: answer.Text(func(w io.Writer) {
		for _, name := range d.Missing {
			fmt.Fprintf(w, "%s: not there\n", name)
		}
		if len(d.Commits) > 0 && !d.Committed {
			fmt.Fprintf(w, "none of the commits %v is in the repository\n", d.Commits)
		} else {
			for _, hash := range d.Unknown {
				fmt.Fprintf(w, "%s: not a commit of the repository\n", hash)
			}
		}
		if few {
			fmt.Fprintf(w, "its plan has %s and %s: each task is a commit\n", text.Count(d.Tasks, "task"), text.Count(d.Made, "commit"))
		}
		if !s.Says() {
			fmt.Fprintln(w, "it names no file and no commit")
		}
		if d.SelfCheck == check.SelfFailed {
			fmt.Fprintln(w, "its own check says that it failed")
		}
		fmt.Fprintln(w, tally(d.Files-len(d.Missing), d.Files, "files are there"))
	})}
}

func verifyReferences(c *Call, tx *plan.Tx) *answer.Answer {
	t, _ := document(c, tx, "PLAN")
	return pathsResult(check.LookUp(t, check.Dir(c.Root)))
}

func verifyPaths(c *Call) *answer.Answer {
	r := check.References{Missing: []string{}}
	for _, name := range c.Rest("PATH") {
		r.Total++
		if check.Dir(c.Root).Has(name) {
			r.Found++
		} else {
			r.Missing = append(r.Missing, name)
		}
	}
	return pathsResult(r)
}

func pathsResult(r check.References) *answer.Answer {
	return &answer.Answer{Data: r, No: len(r.Missing) > 0, View: answer.Text(func(w io.Writer) {
		for _, name := range r.Missing {
			fmt.Fprintf(w, "%s: not there\n", name)
		}
		fmt.Fprintln(w, tally(r.Found, r.Total, "paths are there"))
	})}
}
