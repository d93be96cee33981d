package plancmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
)

func gateVerbs() []*command.Command {
	short := map[string]string{
		"ready":        "Check that the phase has what the stage works on",
		"research":     "Check that RESEARCH.md leaves no question open",
		"requirements": "Check that each requirement of the phase is planned or done",
		"decisions":    "Check that each decision of CONTEXT.md is planned or built",
		"schema":       "Check that database schemas the phase changes are pushed",
		"drift":        "List what is new in the code since it was mapped",
		"threats":      "Check that no severe threat of SECURITY.md is open",
		"ship":         "Check that the phase can be shipped",
	}
	var out []*command.Command
	for _, name := range gate.Names() {
		out = append(out, gateVerb(name, short[name], gate.Stages(name)))
	}
	all := gateVerb("all", "Run every gate of a stage", []gate.Stage{gate.Plan, gate.Execute, gate.Verify})
	all.Tool = &command.Tool{
		Name: "gate", Does: "Whether a gate of a phase passes, and what it misses.",
		Params: []command.Param{
			{Name: "name", OneOf: append(gate.Names(), "all"), Required: true},
			{Name: "phase", Does: "its number; default: the current one"},
			{Name: "stage", OneOf: []string{"plan", "execute", "verify"}},
		},
		Of: func(paths map[string]*command.Command, params map[string]any) *command.Command {
			return paths["plan gate "+params["name"].(string)]
		},
		Data: func(_ *command.Call, a *answer.Answer) any {
			if gates, ok := a.Data.([]gate.Result); ok {
				return map[string]any{"gates": gates}
			}
			return a.Data
		},
	}
	return append(out, all)
}

func gateVerb(name, short string, stages []gate.Stage) *command.Command {
	v := &command.Command{
		Path: "plan gate " + name, Short: short, Long: gateLong(name, short),
		Args: []command.Arg{{Name: "PHASE", Help: "its number; the current phase when it is left out", Optional: true}},
		Flags: []command.Flag{{Name: "stage", Default: string(stages[0]), Help: "the step that the gate closes: " +
			join(stages)}},
		Examples: []string{
			"cairn plan gate " + name + " 3",
			"cairn plan gate " + name + " 3 --stage " + string(stages[len(stages)-1]) + " --json",
		},
		Effect: command.Reads,
	}
	if name == "decisions" || name == "all" {
		v.Effect = command.Writes // of the verify stage
	}
	if name == "schema" || name == "all" {
		v.Flags = append(v.Flags, command.Flag{Name: "skip-schema", Default: false, Help: "pass although schemas are not pushed"})
	}
	v.Run = run(func(c *Call) *answer.Answer { return runGate(c, name, stages) })
	return v
}

func gateLong(name, short string) string {
	long := short + ".\n\n"
	switch name {
	case "decisions":
		long += "After planning, each decision to track must be cited in a plan's must_haves,\n" +
			"truths, objective or tasks: by its id, or by six of its words in a row. After\n" +
			"execution it needs something that the phase's own commits made: a file of the task\n" +
			"that cites it, or its id in such a file or in a commit's message. What is missing is\n" +
			"written into VERIFICATION.md as a warning and blocks nothing."
	case "schema":
		long += "A push counts as done when a summary or one of the last 50 commits names its\n" +
			"command; in the plan stage a plan must. GSD_SKIP_SCHEMA_CHECK=true is --skip-schema."
	case "drift":
		long += "It never blocks: at workflow.drift_threshold new directories, barrels, migrations\n" +
			"and routes it suggests workflow.drift_action."
	case "threats":
		long += "A threat is severe from workflow.security_block_on on. Without SECURITY.md, or with\n" +
			"workflow.security_enforcement off, the gate is skipped."
	case "all":
		long += "These are the gates that have the stage; ship is asked by itself."
	}
	return strings.TrimSpace(long) + "\n\nExit codes: 0 pass or skipped, 5 no, 3 what it had to read is not readable."
}

func runGate(c *Call, name string, stages []gate.Stage) *answer.Answer {
	stage := gate.Stage(c.String("stage"))
	if !slices.Contains(stages, stage) {
		return fail(command.Usagef("gate %s has no stage %q: give %s", name, stage, join(stages)))
	}
	var results []gate.Result
	see := func(tx *plan.Tx) {
		subject := lifecycle.New(c.Context, tx).Subject(gatePhase(c, tx, name))
		subject.Record = stage == gate.Verify
		subject.SkipSchema = c.Has("skip-schema") && c.Bool("skip-schema") || c.Getenv("GSD_SKIP_SCHEMA_CHECK") == "true"
		if name == "all" {
			results = subject.All(stage)
		} else {
			results = []gate.Result{subject.Run(name, stage)}
		}
	}
	look := c.look
	if stage == gate.Verify && (name == "decisions" || name == "all") {
		look = c.Update
	}
	must.OK(readable(must.Catch(func() { look(see) })))
	res := &answer.Answer{}
	res.Data = results
	if name != "all" {
		res.Data = results[0]
	}
	res.No = slices.ContainsFunc(results, gate.Result.No)
	res.View = answer.Text(func(w io.Writer) { printGates(w, results) })
	return res
}

// readable makes an input error of whatever kept a gate from reading.
func readable(err error) error {
	var input *plan.InputError
	if err == nil || errors.As(err, &input) || errors.Is(err, command.ErrUsage) || errors.Is(err, plan.ErrLocked) {
		return err
	}
	return &plan.InputError{Path: plan.Planning, What: err.Error()}
}

// gatePhase returns the phase that the gate is asked about.
func gatePhase(c *Call, tx *plan.Tx, name string) *plan.Phase {
	if c.Arg("PHASE") == "" {
		p := tx.CurrentPhase()
		if p == nil && name != "drift" {
			fail(&plan.InputError{Path: tx.Path("ROADMAP.md"), What: "has no phase that is current: give its number"})
		}
		return p
	}
	id := c.phaseID("PHASE")
	p := tx.Phase(id)
	if p == nil {
		fail(&plan.InputError{Path: tx.Path("ROADMAP.md"), What: "has no phase " + id.String()})
	}
	return p
}

func printGates(w io.Writer, results []gate.Result) {
	for _, r := range results {
		verdict := "pass"
		switch {
		case r.Skipped:
			verdict = "skip"
		case r.No():
			verdict = "NO"
		case !r.Passed:
			verdict = "warn"
		}
		message := r.Message
		if r.Skipped {
			message = r.Reason
		}
		fmt.Fprintf(w, "%s  %s (%s): %s\n", verdict, r.Gate, r.Stage, message)
		for _, warning := range r.Warnings {
			fmt.Fprintf(w, "      note: %s\n", warning)
		}
	}
}

func join(stages []gate.Stage) string {
	var out []string
	for _, s := range stages {
		out = append(out, string(s))
	}
	return strings.Join(out, ", ")
}
