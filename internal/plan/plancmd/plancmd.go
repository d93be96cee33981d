// Package plancmd declares the commands of `cairn plan`. There is one file per
// noun; what a command does belongs to package plan and those beside this one.
//
// Only package cli imports it. It knows nothing of cobra and terminals.
package plancmd

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/content"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/workstream"
	"cairn/internal/term"
)

// Call is one call of a command on a workspace.
type Call struct {
	*command.Call
	*plan.Workspace
	change *plan.Change // what was written, or with --dry-run would be
}

// run makes a command of what needs a plan. Whatever goes wrong ends it; see
// must.
func run(fn func(*Call) *answer.Answer) func(*command.Call) (*answer.Answer, error) {
	return anywhere(func(c *Call) *answer.Answer {
		if !c.Exists() {
			return fail(command.Data(term.Hint(fmt.Errorf("%w in %s", plan.ErrNoProject, c.Root), "cairn plan init makes one")))
		}
		return fn(c)
	})
}

// look makes of a function that reads documents one for run.
func look(fn func(*Call, *plan.Tx) *answer.Answer) func(*Call) *answer.Answer {
	return func(c *Call) (a *answer.Answer) {
		c.look(func(tx *plan.Tx) { a = fn(c, tx) })
		return a
	}
}

// reads is run of look.
func reads(fn func(*Call, *plan.Tx) *answer.Answer) func(*command.Call) (*answer.Answer, error) {
	return run(look(fn))
}

// anywhere is run for what works where there is no plan, too.
func anywhere(fn func(*Call) *answer.Answer) func(*command.Call) (*answer.Answer, error) {
	return func(of *command.Call) (a *answer.Answer, err error) {
		defer debug.SetGCPercent(debug.SetGCPercent(collected))
		w, err := open(of)
		if err != nil {
			return nil, err
		}
		w.DryRun = of.Command.Effect == command.Writes && of.Bool("dry-run")
		w.ShowProgress(of.Stderr)
		w.By = cmp.Or(of.Getenv("GIT_AUTHOR_NAME"), of.Getenv("USER"), of.Getenv("LOGNAME"), of.Getenv("USERNAME"))
		if of.Command.Effect == command.Writes && !mendsMerges(of.Command.Path) {
			if err := w.Merged(of.Context); err != nil {
				return nil, KindOf(err)
			}
		}
		c := &Call{Call: of, Workspace: w}
		err = must.Catch(func() { a = fn(c) })
		var refusal *lifecycle.Refusal
		switch {
		case errors.As(err, &refusal):
			return refused(refusal), nil
		case err != nil || c.change == nil:
			return a, KindOf(err)
		}
		if a.Done = !w.DryRun; w.DryRun {
			diff := c.change.Diff()
			a.Diff = &diff
		}
		return a, nil
	}
}

// collected is how much may be allocated between two collections, in percent of what
// is held: most commands end before the first one, and a change of a large plan
// takes a tenth less time.
const collected = 400

// mendsMerges: these commands work on a plan that a merge left in two versions.
func mendsMerges(path string) bool {
	return path == "plan health" || strings.HasPrefix(path, "plan merge-driver ")
}

// fail ends the command.
func fail(err error) *answer.Answer {
	must.OK(err)
	return nil
}

// open opens the workspace that the flags name, or the one that is current; of a
// command without --ws the whole plan.
func open(c *command.Call) (*plan.Workspace, error) {
	dir, stream, streams := c.String("dir"), "", c.Has("ws")
	if streams {
		stream = c.String("ws")
	}
	if fi, err := os.Stat(c.Path(dir)); err != nil || !fi.IsDir() {
		return nil, command.Usagef("%s is not a directory", dir)
	}
	w, err := plan.Open(c.Path(dir), stream)
	if err == nil && streams && stream == "" {
		w, err = plan.Open(c.Path(dir), workstream.Current(w, c.Getenv))
	}
	return w, command.Usage(err)
}

// KindOf gives an error of the plan its exit code.
func KindOf(err error) error {
	var input *plan.InputError
	var phase *plan.PhaseError
	var unfinished *plan.UnfinishedError
	var executed *plan.ExecutedError
	switch {
	case errors.Is(err, command.ErrUsage):
		return err
	case errors.As(err, &input), errors.As(err, &phase):
		return command.Data(err)
	case errors.As(err, &unfinished), errors.As(err, &executed):
		return command.Gate(err)
	}
	return err
}

// phaseID reads a positional argument as a phase's id.
func (c *Call) phaseID(name string) doc.PhaseID {
	id, ok := doc.ParsePhaseID(c.Arg(name))
	if !ok {
		must.OK(command.Usagef("%q is not a phase: give its number, such as 3 or 2.1", c.Arg(name)))
	}
	return id
}

// look calls fn with the plan as it is.
func (c *Call) look(fn func(*plan.Tx)) {
	must.OK(c.View(func(tx *plan.Tx) error { fn(tx); return nil }))
}

// Update changes the plan under its lock; the journal names the change after
// the command.
func (c *Call) Update(fn func(*plan.Tx)) {
	c.change = must.Get(c.Workspace.Update(c.Context, strings.TrimPrefix(c.Command.Path, "plan "), func(tx *plan.Tx) error { fn(tx); return nil }))
}

// update is Update for a function that has something to say.
func update[T any](c *Call, fn func(*plan.Tx) T) (done T) {
	c.Update(func(tx *plan.Tx) { done = fn(tx) })
	return done
}

// updateState is update for a change of STATE.md.
func updateState[T any](c *Call, fn func(*plan.State) T) (done T) {
	editState(c, func(s *plan.State) { done = fn(s) })
	return done
}

// Prompts is what the commands of content ask of the command line.
type Prompts struct {
	// Style returns how a coding agent is spoken to.
	Style func(env *command.Env, runtime string) (content.Style, error)
	// Calls returns every command line of cairn.
	Calls func() []content.Call
}

// Commands lists every command, by noun, in the order a newcomer should read them.
func Commands(prompts Prompts) []*command.Command {
	all := slices.Concat(
		words(), beginVerbs(), stepVerbs(), lookVerbs(), ownVerbs(), commitVerbs(),
		phaseVerbs(), planFileVerbs(), taskVerbs(), waveVerbs(), reviewVerbs(),
		stateVerbs(), roadmapVerbs(), decisionsVerbs(), requirementsVerbs(), milestoneVerbs(),
		gateVerbs(), verifyVerbs(), proveVerbs(), auditVerbs(),
		itemVerbs(), workstreamVerbs(), worktreeVerbs(), claimVerbs(), mergeVerbs(), runVerbs(prompts),
		frontmatterVerbs(), templateVerbs(), configVerbs(), modelVerbs(), contentVerbs(prompts),
	)
	for _, c := range all {
		for i := range c.Args {
			if c.Args[i].Name == "PHASE" {
				c.Args[i].Values = phases
			}
		}
		if c.Effect == command.Writes {
			c.Flags = append(c.Flags, dryRun)
		}
	}
	return all
}

var dryRun = command.Flag{Name: "dry-run", Default: false, Help: "change nothing, print the change as a diff"}

// phases offers the phases of the plan to a shell.
func phases(c *command.Call) (out []string) {
	w, err := open(c)
	if err != nil {
		return nil
	}
	_ = w.View(func(tx *plan.Tx) error {
		for _, p := range tx.Phases(plan.WithIdeas) {
			out = append(out, p.ID.String()+"\t"+p.Name)
		}
		return nil
	})
	return out
}

// words are plan itself and its nouns, under which the commands stand.
func words() []*command.Command {
	all := []*command.Command{{
		Path:  "plan",
		Short: "Keep a project's plan: phases, decisions, progress, gates",
		Long: "The plan is Markdown under .planning/. Every change is made under one lock,\n" +
			"keeps what it does not concern byte for byte, and cairn plan undo undoes it.",
		Examples: []string{"cairn plan init", "cairn plan next"},
		Flags: []command.Flag{
			{Name: "dir", Short: "C", Default: ".", Help: "a directory of the project"},
			{Name: "ws", Default: "", Help: "the workstream"},
			command.JSONFlag, command.GetFlag,
		},
		Effect: command.Reads, Run: anywhere(standing),
	}}
	for _, n := range [][2]string{
		{"phase", "Add, list, change and complete phases"},
		{"plan", "List, check and run the plans of a phase"},
		{"task", "Commit and list the tasks of a plan"},
		{"state", "Read and change STATE.md: position, decisions, blockers"},
		{"roadmap", "Read and update the roadmap"},
		{"decisions", "List and number the decisions of a phase"},
		{"requirements", "List, trace and complete requirements"},
		{"milestone", "Start, complete and archive milestones"},
		{"gate", "Check whether a phase may go to its next step"},
		{"verify", "Check documents against the project"},
		{"todo", "Manage todos outside of the phases"},
		{"note", "Write down and list notes"},
		{"seed", "Manage ideas for later"},
		{"thread", "Manage notes on one question across sessions"},
		{"debug", "Manage debug sessions: a problem and what was tried"},
		{"quick", "Manage small tasks outside of the phases"},
		{"workstream", "Manage milestones that run side by side"},
		{"worktree", "Manage agents' git worktrees and merge their work"},
		{"merge-driver", "Merge plans of two branches record by record"},
		{"frontmatter", "Read and edit a document's frontmatter"},
		{"template", "List and fill document templates"},
		{"config", "Read and change the settings of the plan"},
		{"model", "Show which model each agent gets"},
		{"content", "List, print and check the prompts agents are given"},
	} {
		all = append(all, &command.Command{Path: "plan " + n[0], Short: n[1]})
	}
	return all
}
