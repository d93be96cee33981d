package plancmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

func stateVerbs() []*command.Command {
	return slices.Concat(stateFieldVerbs(), stateWorkVerbs(), stateNoteVerbs())
}

func stateFieldVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan state show", Short: "Show where the work stands",
			Examples: []string{"cairn plan state show", "cairn plan state show --get session.stopped_at"},
			Effect:   command.Reads, Run: run(stateShow),
		},
		{
			Path: "plan state get", Short: "Print STATE.md, or a field or section of it",
			Args:     []command.Arg{{Name: "NAME", Optional: true, Help: "a field such as Status, a section's heading, or a key of the frontmatter"}},
			Examples: []string{"cairn plan state get Status", "cairn plan state get \"Decisions Made\""},
			Effect:   command.Reads, Run: run(stateGet),
		},
		{
			Path: "plan state set", Short: "Change a field of STATE.md",
			Args: []command.Arg{{Name: "FIELD"}, {Name: "VALUE", Help: "becomes one line"}},
			Examples: []string{
				"cairn plan state set Status \"Ready to plan\"",
				"cairn plan state set \"Last activity\" \"2026-03-04 — reviewed\" --dry-run",
			},
			Effect: command.Writes, Run: run(stateSet),
		},
		{
			Path: "plan state sync", Short: "Update plan counts and progress from the files",
			Examples: []string{"cairn plan state sync", "cairn plan state sync --dry-run"},
			Effect:   command.Writes, Run: run(stateSync),
		},
		{
			Path: "plan state validate", Short: "Check STATE.md against the files",
			Examples: []string{"cairn plan state validate", "cairn plan state validate --json"},
			Effect:   command.Reads, Run: run(stateValidate),
		},
		{
			Path: "plan state prune", Short: "Move old entries of STATE.md to the archive",
			Long: "Moves decisions, what was completed, resolved blockers and metrics of old phases\n" +
				"to " + plan.ArchiveFile + ". An entry that names no phase stays.",
			Flags:    []command.Flag{{Name: "keep", Default: 3, Help: "how many phases before the current one to keep"}},
			Examples: []string{"cairn plan state prune", "cairn plan state prune --keep 5 --dry-run"},
			Effect:   command.Writes, Run: run(statePrune),
		},
	}
}

// viewState reads STATE.md.
func viewState(c *Call, fn func(*plan.State)) {
	c.look(func(tx *plan.Tx) { fn(tx.State()) })
}

// editState changes STATE.md.
func editState(c *Call, fn func(*plan.State)) {
	c.Update(func(tx *plan.Tx) {
		tx.EditState(fn)
	})
}

func snapshot(c *Call) (snap plan.Snapshot) {
	viewState(c, func(s *plan.State) { snap = s.Snapshot() })
	return snap
}

func stateShow(c *Call) *answer.Answer {
	snap := snapshot(c)
	return &answer.Answer{Data: snap, View: answer.Text(func(w io.Writer) {
		t := term.NewColumns(w)
		row := func(name string, parts ...*string) {
			var words []string
			for _, p := range parts {
				if p != nil && !doc.Unset(*p) {
					words = append(words, *p)
				}
			}
			if len(words) > 0 {
				fmt.Fprintf(t, "%s\t%s\n", name, strings.Join(words, " · "))
			}
		}
		row("phase", snap.CurrentPhase, snap.CurrentPhaseName)
		row("plan", snap.CurrentPlan)
		row("status", snap.Status)
		if snap.Percent != nil {
			fmt.Fprintf(t, "progress\t%d%%\n", *snap.Percent)
		}
		if what := snap.LastActivityDesc; what != nil && !strings.Contains(*snap.LastActivity, *what) {
			row("activity", snap.LastActivity, what)
		} else {
			row("activity", snap.LastActivity)
		}
		row("paused", snap.PausedAt)
		row("stopped", snap.Session.StoppedAt, snap.Session.ResumeFile)
		for _, b := range snap.Blockers {
			row("blocker", &b)
		}
		fmt.Fprintf(t, "decisions\t%d\n", len(snap.Decisions))
		_ = t.Flush()
	})}
}

func stateGet(c *Call) *answer.Answer {
	name := c.Arg("NAME")
	var value string
	viewState(c, func(s *plan.State) {
		found := true
		if name == "" {
			value = s.String()
		} else if value, found = s.Lookup(name); !found {
			noField(c, s, name)
		}
	})
	data := map[string]string{"content": value}
	if name != "" {
		data = map[string]string{name: value}
	}
	return &answer.Answer{Data: data, View: answer.Line("%s", strings.TrimSuffix(value, "\n"))}
}

func noField(c *Call, s *plan.State, name string) {
	err := &plan.InputError{Path: c.Path("STATE.md"), What: fmt.Sprintf("there is no field %q", name)}
	fail(term.Hint(err, "there are: %s", strings.Join(s.Names(), ", ")))
}

func stateSet(c *Call) *answer.Answer {
	name, value := c.Arg("FIELD"), c.Arg("VALUE")
	editState(c, func(s *plan.State) {
		if !s.SetValue(name, value) {
			noField(c, s, name)
		}
	})
	return &answer.Answer{Data: map[string]string{"field": name, "value": value}, Said: name + " is " + doc.OneLine(value) + " now"}
}

func stateSync(c *Call) *answer.Answer {
	changes := updateState(c, (*plan.State).Sync)
	return &answer.Answer{Data: map[string][]string{"changes": changes}, View: lines(changes), Said: ifNone(changes, "STATE.md agrees with the files already")}
}

func stateValidate(c *Call) *answer.Answer {
	var d plan.Drift
	viewState(c, func(s *plan.State) { d = s.Validate() })
	return &answer.Answer{Data: d, View: lines(d.Warnings), Said: ifNone(d.Warnings, "STATE.md agrees with the files"), No: len(d.Warnings) > 0}
}

func statePrune(c *Call) *answer.Answer {
	if c.Int("keep") < 0 {
		return fail(command.Usagef("--keep is a number of phases, 0 or more"))
	}
	p := updateState(c, func(s *plan.State) plan.Pruned { return s.Prune(c.Int("keep")) })
	return &answer.Answer{Data: p, View: answer.Text(func(w io.Writer) {
		if p.Total == 0 {
			fmt.Fprintln(w, "nothing to prune")
		}
		for _, sec := range p.Sections {
			fmt.Fprintf(w, "%d of %s to %s\n", sec.Entries, sec.Section, c.Path(plan.ArchiveFile))
		}
	})}
}
