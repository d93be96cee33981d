package plancmd

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/drive"
	"cairn/internal/plan/settings"
	"cairn/internal/term"
	"cairn/internal/text"
)

func stepVerbs() []*command.Command {
	return []*command.Command{{
		Path: "plan step", Short: "Do what needs no model, and print what to do now",
		Long: "Carries a phase that was discussed through planning, execution, verification and\n" +
			"completion. It runs the gates, merges the worktrees of executors that are done, records\n" +
			"what they did, commits, and adds worktrees for the plans that run next. When all are\n" +
			"executed it has the phase proven, by cairn plan prove or, with plan.step_proves, itself;\n" +
			"what is unproven goes to whoever can prove it. Then it prints one thing to do:\n\n" +
			"  spawn  start these agents; run the same command again when all have ended\n" +
			"  ask    ask a person; run it again with --answer\n" +
			"  mend   fix what is named; run it again\n" +
			"  run    another workflow comes first\n" +
			"  done   the phase is complete\n\n" +
			"What is done is read from files and commits, not from what an agent says. Exits 5 if\n" +
			"the phase cannot be executed, with each condition that is not met.",
		Args: []command.Arg{{Name: "PHASE"}},
		Flags: []command.Flag{
			{Name: "result", Default: []string(nil), Help: `what an agent ended with: "01-02 blocked: WHY", "01-02 checkpoint TYPE: QUESTION", "plan-checker issues: WHICH", "plan-checker done:"`},
			{Name: "answer", Default: []string(nil), Help: `a person's answer to what was asked: "01-02: ANSWER"`},
			{Name: "wave", Default: -1, Help: "only this wave"},
			{Name: "gaps-only", Default: false, Help: "only plans that close gaps of the verification"},
			{Name: "until", Default: "", Help: "stop when the phase is so far: discuss, plan, execute, verify"},
			{Name: "skip", Default: []string(nil), Help: "while planning leave out research or check"},
			{Name: "allow-deletions", Default: false, Help: "also merge branches that delete files"},
		},
		Examples: []string{
			"cairn plan step 2",
			`cairn plan step 2 --result "02-03 blocked: the port is in use"`,
			`cairn plan step 2 --answer "02-03: use port 9000" --json`,
		},
		Effect: command.Writes, Run: run(planStep),
	}}
}

func planStep(c *Call) *answer.Answer {
	d := drive.Driver{
		Workspace: c.Workspace, Context: c.Context, Now: time.Now(), Getenv: c.Getenv,
		GapsOnly: c.Bool("gaps-only"), Until: drive.Goal(c.String("until")), Skip: c.List("skip"), Deletions: c.Bool("allow-deletions"),
	}
	if n := c.Int("wave"); c.Set("wave") {
		d.Wave = &n
	}
	if d.Until != "" && !slices.Contains(drive.Goals(), d.Until) {
		return fail(command.Usagef("--until is discuss, plan, execute or verify, not %q", d.Until))
	}
	var said []drive.Said
	for _, text := range c.List("result") {
		s, err := drive.ParseResult(text)
		must.OK(command.Usage(err))
		said = append(said, s)
	}
	for _, text := range c.List("answer") {
		s, err := drive.ParseAnswer(text)
		must.OK(command.Usage(err))
		said = append(said, s)
	}
	steps := c.ticker()
	c.look(func(tx *plan.Tx) {
		d.Proving = c.proving(false, time.Duration(settings.Load(tx).Int("workflow.prove_seconds"))*time.Second, steps.step)
	})
	s := must.Get(d.Step(c.phaseID("PHASE"), said))
	steps.end()
	return &answer.Answer{Data: s, No: s.No(), View: answer.Text(func(w io.Writer) { printStep(w, s) })}
}

func printStep(w io.Writer, s *drive.Step) {
	say := func(line string) { fmt.Fprintln(w, term.Fold(w, line, 7)) }
	for _, line := range s.Did {
		say("did    " + line)
	}
	for _, line := range s.Notes {
		say("note   " + line)
	}
	if s.Check != nil {
		with := "what it uses for that"
		if len(s.Check.Commands) > 0 {
			with = strings.Join(s.Check.Commands, "; ")
		}
		say("first  build and test the whole project: " + with)
	}
	say(fmt.Sprintf("%-6s %s", s.Do, s.Why))
	for _, a := range s.Spawn {
		line := strings.TrimSpace(a.Role + " " + a.Plan)
		if a.Tree != "" {
			line += " in " + a.Tree
		}
		if n := len(a.Tasks); n > 0 {
			line += ", " + text.Count(n, "commit") + " made before"
		}
		if a.Failed != "" {
			line += "; the last one: " + a.Failed
		}
		say("       " + line)
	}
	for _, q := range s.Ask {
		say("       " + q.ID + ": " + q.Question)
		for _, o := range q.Options {
			say("         - " + o)
		}
	}
	if s.Run != "" {
		fmt.Fprintln(w, "next   "+s.Run)
	}
	switch {
	case s.Again == "" || s.Do == drive.Done:
	case len(s.Ask) > 0:
		for _, q := range s.Ask {
			fmt.Fprintf(w, "then   %s --answer %q\n", s.Again, q.ID+": ANSWER")
		}
	default:
		fmt.Fprintln(w, "then   "+s.Again)
	}
}
