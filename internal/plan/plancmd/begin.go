package plancmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/merge"
	"cairn/internal/project"
	"cairn/internal/term"
)

// beginVerbs are those of plan itself that begin things: a plan, and each
// step of it.
func beginVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan init", Short: "Create .planning/ with the documents of a plan",
			Long: "Writes PROJECT.md, REQUIREMENTS.md, ROADMAP.md, STATE.md and config.json with gaps to\n" +
				"fill, and prints the next command. Existing files are not changed. In a repository\n" +
				"with code it also prints what it found there, and git is told to merge the plan record\n" +
				"by record (see cairn plan merge-driver install).",
			Flags: []command.Flag{
				{Name: "name", Default: "", Help: "the project's name (its directory's)"},
				{Name: "goal", Default: "", Help: "what it is, in a sentence"},
			},
			Examples: []string{"cairn plan init", `cairn plan init --name Widget --goal "Orders, without the paper"`},
			Effect:   command.Writes, Run: anywhere(begin),
		},
		{
			Path: "plan next", Short: "Show the next step, and why",
			Tool: &command.Tool{Name: "plan_next", Does: "What to do next in the plan, why, and what blocks it."},
			Long: "Prints the workflow to run, the phase, the reason, and what blocks it. Interrupted\n" +
				"work comes first, then what is missing, then the first unfinished phase of the\n" +
				"milestone.",
			Examples: []string{"cairn plan next", "cairn plan next --get command"},
			Effect:   command.Reads, Run: anywhere(look(next)),
		},
		{
			Tool: &command.Tool{Name: "plan_context", Does: "All that a workflow of the plan needs, as JSON.", Params: []command.Param{
				{Name: "workflow", OneOf: brief.Workflows(), Required: true},
				{Name: "subject", Does: "phase number; for todos an area, for quick a description"},
			}},
			Path: "plan context", Short: "Print everything a workflow needs, as JSON",
			Long: "Workflows: " + strings.Join(brief.Workflows(), ", ") + ".\n\nWhat seldom changes comes first, so that a prompt which begins with it is cached.\nPaths are relative to the project.",
			Args: []command.Arg{
				{Name: "WORKFLOW"},
				{Name: "SUBJECT", Help: "the phase; of todos an area, of quick a description, of remove-workspace a name", Optional: true, Many: true},
			},
			Flags: []command.Flag{
				{Name: "agent", Default: []string(nil), Help: "add this role: its model and reading list"},
			},
			Examples: []string{"cairn plan context execute-phase 3", "cairn plan context phase-op 3 --agent ui-auditor --get reads"},
			Effect:   command.Reads, Run: anywhere(printContext),
		},
	}
}

func begin(c *Call) *answer.Answer {
	b, driver := makePlan(c, c.String("name"), c.String("goal"))
	return &answer.Answer{Data: b, View: answer.Text(func(w io.Writer) {
		for _, rel := range b.Created {
			fmt.Fprintln(w, "created "+rel)
		}
		if driver.Any() {
			fmt.Fprintln(w, "git     merges the plan record by record: .gitattributes, .git/config")
		}
		for _, rel := range b.Kept {
			fmt.Fprintln(w, "kept    "+rel)
		}
		if b.Code.Grown() {
			fmt.Fprintln(w, "\nThere is a project already: "+strings.Join(found(b.Code), ", ")+".")
		}
		fmt.Fprintln(w)
		printNext(w, b.Next)
	})}
}

// makePlan writes the documents of a plan that are not there. One that was not there at all
// is trusted: whoever calls this made it.
func makePlan(c *Call, name, goal string) (*brief.Beginning, merge.Change) {
	made := !c.Exists()
	b := update(c, func(tx *plan.Tx) *brief.Beginning { return brief.Begin(tx, name, goal, time.Now(), c.Getenv) })
	setup := merge.Setup{Root: c.Root, Command: merge.Command(merge.Self())}
	var driver merge.Change
	if !c.DryRun {
		var err error
		if driver, _, err = setup.Ensure(c.Context, false); err != nil {
			term.Warn(c.Stderr, "git does not merge the plan record by record: %v", err)
		}
	}
	if made && c.Exists() { // one that was there may be a stranger's
		if err := project.Open(home.Find(c.Getenv), home.Repo(c.Root)).TrustPlan(); err != nil {
			term.Warn(c.Stderr, "the plan is not trusted here, so agents are not told where it stands: %v; cairn trust does it", err)
		}
	}
	return b, driver
}

// found names what a survey saw, the most telling first.
func found(s *brief.Survey) []string {
	out := s.Packages
	if s.Code != "" {
		out = append(out[:len(out):len(out)], "code ("+s.Code+")")
	}
	if len(s.Docs) > 0 {
		out = append(out, fmt.Sprintf("%d Markdown files", len(s.Docs)))
	}
	if s.Git {
		out = append(out, "a git repository")
	}
	return out
}

func next(_ *Call, tx *plan.Tx) *answer.Answer {
	n := brief.FindNext(tx)
	return &answer.Answer{Data: n, View: answer.Text(func(w io.Writer) { printNext(w, n) })}
}

func printNext(w io.Writer, n *brief.Next) {
	for _, b := range n.Blocked {
		fmt.Fprintf(w, "before  %s\n        %s\n", strings.TrimSpace(b.Path+" "+b.What), b.Do)
	}
	run := n.Command
	if n.Phase != "" {
		run += " " + n.Phase + "  (" + n.Name + ")"
	}
	fmt.Fprintf(w, "next    %s\nbecause %s\n", run, n.Reason)
}

func printContext(c *Call) *answer.Answer {
	home, err := os.UserHomeDir()
	if err != nil {
		home = c.Root
	}
	for _, role := range c.List("agent") {
		if _, ok := agent.Find(role); !ok {
			return fail(term.Hint(command.Usagef("there is no role %q", role), "cairn plan content list agents shows them"))
		}
	}
	var b *brief.Brief
	err = c.View(func(tx *plan.Tx) (err error) {
		b = brief.Make(tx, brief.Request{
			Workflow: c.Arg("WORKFLOW"), Subject: strings.Join(c.Rest("SUBJECT"), " "), Now: time.Now(),
			Agents: c.List("agent"), Home: home, Getenv: c.Getenv, Context: c.Context,
		})
		return nil
	})
	var unknown *brief.UnknownError
	if errors.As(err, &unknown) {
		return fail(term.Hint(command.Usage(err), "there are %s", strings.Join(brief.Workflows(), ", ")))
	}
	var subject *brief.SubjectError
	if errors.As(err, &subject) {
		return fail(command.Usage(err))
	}
	must.OK(err)
	return &answer.Answer{Data: b, View: answer.Text(func(w io.Writer) {
		enc := json.NewEncoder(w) // on one line: it is read by a model
		enc.SetEscapeHTML(false)
		_ = enc.Encode(b)
	})}
}
