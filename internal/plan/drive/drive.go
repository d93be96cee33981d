// Package drive carries a phase from its decisions to its completion: it does what needs no
// model (worktrees, merges, records, gates, commits) and answers with the one thing that a
// model or a person has to do next. The verb `cairn plan step` is a call of it.
//
// What is done is read from files and commits alone, never from what an agent says of
// itself. What nobody else keeps, it keeps in .planning/.cairn/: how often a plan was handed
// out, and what an agent said that ended without its work.
package drive

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/proof/record"
	"cairn/internal/plan/settings"
)

// Kind is what kind of thing has to be done.
type Kind string

const (
	Spawn Kind = "spawn" // start these agents; step again when all have ended
	Ask   Kind = "ask"   // ask a person; step again with the answers
	Mend  Kind = "mend"  // put right what Why says; then step again
	Run   Kind = "run"   // run another workflow first
	Done  Kind = "done"  // the phase is complete, or has reached the goal that was set
)

// Step is what was done, and what has to be done now.
type Step struct {
	Phase  string         `json:"phase"`
	Do     Kind           `json:"do"`
	Why    string         `json:"why"`
	Did    []string       `json:"did"`
	Spawn  []Agent        `json:"spawn,omitempty"`
	Ask    []Question     `json:"ask,omitempty"`
	Run    string         `json:"run,omitempty"`         // a workflow and its arguments
	Check  *Check         `json:"check_first,omitempty"` // build and test the whole project before anything else
	Unmet  []gate.Missing `json:"unmet,omitempty"`       // conditions that keep the phase from being executed
	Notes  []string       `json:"notes,omitempty"`
	Told   map[string]any `json:"settings,omitempty"`    // those that decide how the rest is done
	Other  *Other         `json:"other_agent,omitempty"` // executes the plans instead
	Again  string         `json:"again,omitempty"`       // the call that goes on from here
	phase  *plan.Phase
	refuse bool
}

// No reports whether conditions forbid the step.
func (s *Step) No() bool { return s.refuse }

// Check is due after work was merged. Without commands the settings name none.
type Check struct {
	Commands []string `json:"commands"`
}

// Other is a command line that takes a prompt on standard input and executes plans.
type Other struct {
	Command string `json:"command"`
	Seconds int    `json:"timeout"`
}

// Agent is a role to start, with what it is given.
type Agent struct {
	Role         string              `json:"role"`
	Command      string              `json:"command,omitempty"` // of ours, with its arguments, that it follows by itself instead of a role
	Agent        string              `json:"agent"`             // that is installed for it
	Model        string              `json:"model,omitempty"`
	Plan         string              `json:"plan,omitempty"` // its id
	Path         string              `json:"path,omitempty"` // of the plan
	Tree         string              `json:"tree,omitempty"` // its worktree; "" is the project itself
	Reads        []string            `json:"reads"`
	Tasks        []commit.TaskCommit `json:"tasks_done,omitempty"` // committed by an executor before it
	Failed       string              `json:"failed,omitempty"`     // why the last one did not finish
	Answer       string              `json:"answer,omitempty"`     // of a person, to what it asked
	Fixes        int                 `json:"fixes"`                // tries to make a red task green
	Words        []string            `json:"words,omitempty"`      // tdd, --no-verify
	Inline       bool                `json:"inline,omitempty"`     // so small that whoever steps may do it
	Write        string              `json:"write,omitempty"`      // the document that it writes
	Plans        []string            `json:"plans,omitempty"`      // of a verifier: paths
	Proof        *Proof              `json:"proof,omitempty"`      // of a verifier
	Files        []string            `json:"files,omitempty"`      // of a reviewer
	Directory    string              `json:"directory,omitempty"`  // of the phase, for who plans
	Goal         string              `json:"goal,omitempty"`
	Criteria     []string            `json:"success_criteria,omitempty"`
	Requirements []string            `json:"requirements,omitempty"`
}

// Question is one for a person. Its answer comes back with its id.
type Question struct {
	ID       string   `json:"id"` // the plan's, or verifier
	Type     string   `json:"type"`
	Question string   `json:"question"`
	Options  []string `json:"options,omitempty"`
}

// Goal is how far a phase is to be driven.
type Goal string

const (
	Discuss Goal = "discuss" // it is said how it is built
	Plan    Goal = "plan"    // it can be executed
	Execute Goal = "execute" // every plan is
	Verify  Goal = "verify"  // and somebody has judged it
)

// Goals returns them in order.
func Goals() []Goal { return []Goal{Discuss, Plan, Execute, Verify} }

// Driver drives one phase of a workspace.
type Driver struct {
	*plan.Workspace
	Context   context.Context
	Now       time.Time
	Getenv    func(string) string
	GapsOnly  bool     // only plans that close gaps
	Wave      *int     // only this wave; nil for all
	Until     Goal     // stop when the phase is so far
	Skip      []string // research, check
	Deletions bool     // merge branches that delete files: a person has looked
	Alone     bool     // no model is there that runs workflows: see follow and accept
	Assume    bool     // an agent that follows a command asks nothing: what it would ask are its assumptions
	Runtime   string   // whose models the agents get; "" for the settings'
	Proving   Proving  // without Trees nothing is proven

	proof    *record.Verdict // holds, and leaves nothing unproven
	settings *settings.Settings
	step     *Step
	journal  *journal
	accepted bool   // a person was asked in this step
	of       string // what the journal is of: a phase's number, or the project
}

// Step hears what ended agents said and what people answered, does what can be done, and
// says what is next.
func (d *Driver) Step(id doc.PhaseID, said []Said) (s *Step, err error) {
	err = must.Catch(func() { s = d.next(id, said) })
	return s, err
}

func (d *Driver) next(id doc.PhaseID, said []Said) *Step {
	d.step = &Step{Phase: id.String(), Did: []string{}, Again: "cairn plan step " + id.String()}
	if d.Stream != "" {
		d.step.Again += " --ws " + d.Stream
	}
	if d.Until != "" {
		d.step.Again += " --until " + string(d.Until)
	}
	if d.Wave != nil {
		d.step.Again += " --wave " + itoa(*d.Wave)
	}
	if d.GapsOnly {
		d.step.Again += " --gaps-only"
	}
	d.hear(id.Padded(), said)
	state := d.look(id)
	if d.reopen() {
		state = d.look(id)
	}
	if d.Until == Discuss && !slices.Contains([]lifecycle.State{lifecycle.NotStarted, lifecycle.Discussing}, state) {
		return d.done("it is said how the phase is built")
	}
	if d.planning(state) {
		return d.step
	}
	if d.Until == Plan && state != lifecycle.Complete {
		return d.workflow()
	}
	state = d.look(id)
	switch state {
	case lifecycle.Complete:
		return d.done(fmt.Sprintf("phase %s is complete", id))
	case lifecycle.NotStarted, lifecycle.Discussing, lifecycle.Discussed, lifecycle.Researched, lifecycle.Drafted, lifecycle.Planning:
		return d.workflow()
	case lifecycle.Planned, lifecycle.Executing:
		if d.refused() {
			return d.step
		}
	}
	if d.bringHome() {
		return d.step
	}
	d.record()
	if d.handOut() {
		return d.step
	}
	if state = d.look(id); d.Until == Execute {
		return d.done("every plan is executed")
	}
	return d.afterPlans(id, state)
}

// did notes what was done; of a dry run, what would be.
func (d *Driver) did(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if d.DryRun {
		line = "would " + line
	}
	d.step.Did = append(d.step.Did, line)
}

// say ends the step: this has to be done now.
func (d *Driver) say(do Kind, why string, args ...any) bool {
	d.step.Do, d.step.Why = do, fmt.Sprintf(why, args...)
	for i, a := range d.step.Spawn {
		d.step.Spawn[i].Agent = agent.Name(a.Role)
	}
	d.step.Told = map[string]any{}
	for _, key := range SettingsTold() {
		if v, ok := d.settings.Value(key); ok && do != Done {
			d.step.Told[key] = v.Any
		}
	}
	return true
}

func (d *Driver) done(why string) *Step {
	d.say(Done, "%s", why)
	d.step.Again = ""
	return d.step
}

// SettingsTold returns the settings whose values a step tells with what has to be done.
func SettingsTold() []string {
	return []string{"workflow.auto_advance", "workflow.human_verify_mode", "workflow.node_repair_budget", "executor.stall_threshold_minutes"}
}

// look reads the phase as it is now, and its state.
func (d *Driver) look(id doc.PhaseID) (state lifecycle.State) {
	d.view(func(tx *plan.Tx) {
		d.settings = settings.Load(tx)
		p := tx.Phase(id)
		if p == nil {
			must.Fail(&plan.PhaseError{Phase: id.String(), What: "is neither in the roadmap nor on disk"})
		}
		d.step.phase, d.step.Phase = p, p.ID.String()
		state = lifecycle.New(d.Context, tx).Of(p)
	})
	return state
}

func (d *Driver) view(fn func(*plan.Tx)) {
	must.OK(d.View(func(tx *plan.Tx) error { fn(tx); return nil }))
}

func (d *Driver) change(fn func(*plan.Tx)) {
	must.Get(d.Update(d.Context, "step", func(tx *plan.Tx) error { fn(tx); return nil }))
}

// refused: what keeps the phase from being executed is listed at once.
func (d *Driver) refused() bool {
	d.step.Unmet = d.unmet(lifecycle.Begin)
	if len(d.step.Unmet) == 0 {
		return false
	}
	d.step.refuse = true
	return d.say(Mend, "the phase cannot be executed yet: %s", named(d.step.Unmet))
}

// workflow answers with the workflow that a phase needs now.
func (d *Driver) workflow() *Step {
	var n *brief.Next
	d.view(func(tx *plan.Tx) { n = brief.PhaseNext(lifecycle.New(d.Context, tx), tx.Phase(d.step.phase.ID)) })
	if n == nil {
		return d.done("nothing is left to do")
	}
	if d.Alone && d.byItself(n.Command) {
		return d.step
	}
	d.step.Run = n.Command + " " + d.step.Phase
	if n.Command == "plan-phase" && d.step.phase.Executed() > 0 {
		d.step.Run += " --gaps"
	}
	for _, b := range n.Blocked {
		d.step.Notes = append(d.step.Notes, strings.TrimSpace(b.Path+" "+b.What)+" ("+b.Do+")")
	}
	d.say(Run, "%s", n.Reason)
	return d.step
}

// brief is what a workflow of the phase has to know, with these roles besides its own.
func (d *Driver) brief(workflow string, roles ...string) (of *brief.Brief) {
	d.view(func(tx *plan.Tx) {
		of = brief.Make(tx, brief.Request{
			Workflow: workflow, Subject: d.step.Phase, Agents: roles, Runtime: d.Runtime, Now: d.Now, Getenv: d.Getenv, Context: d.Context,
		})
	})
	return of
}

// commit commits planning documents, all of them without paths.
func (d *Driver) commit(message string, paths ...string) {
	if !git.Repo(d.Root) {
		d.note("nothing is committed: the project is in no git repository")
		return
	}
	res := must.Get(Commit(d.Context, d.Workspace, commit.Request{Message: message, Paths: slices.Clone(paths), DryRun: d.DryRun}))
	if len(res.Files) > 0 {
		d.did("commit %q", message)
	}
}
