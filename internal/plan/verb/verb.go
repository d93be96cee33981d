// Package verb declares the verbs of `cairn plan`: one value per verb, from
// which the command, its help, its completion, its page in the documentation
// and the check of what prompts call are all made. There is one file per
// noun; what a verb does belongs to package plan and those beside this one.
//
// Only package cli imports it. It knows nothing of cobra, exit codes or
// terminals.
package verb

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"cairn/internal/plan"
	"cairn/internal/plan/content"
	"cairn/internal/plan/doc"
)

// Verb is one command: `cairn plan NOUN NAME ARGS --FLAGS`.
type Verb struct {
	Noun     string // "" for a verb of plan itself
	Name     string
	Args     []Arg
	Flags    []Flag
	Short    string // one line, no full stop
	Long     string // more, or ""
	Examples []string
	Effect   Effect
	Anywhere bool // also where there is no plan
	Run      func(*Call) (*Result, error)
}

// Effect is what a verb does to the world. A writer takes --dry-run.
type Effect string

const (
	Reads  Effect = "reads"
	Writes Effect = "writes"
)

// Arg is a positional argument. Only the last may be optional or many.
type Arg struct {
	Name     string // as help shows it: PHASE, FILE, TEXT
	Help     string
	Optional bool
	Many     bool // one or more; with Optional none or more
}

// Flag is an option. Its kind follows from Default: bool, string, int or
// []string (given several times).
type Flag struct {
	Name     string
	Short    string // one letter, or ""
	Default  any
	Help     string
	Required bool
}

// Call is one call of a verb.
type Call struct {
	Context context.Context
	*plan.Workspace
	Getenv func(string) string
	Stdin  io.Reader
	// Style returns how a coding agent is spoken to, and Calls every command
	// line of cairn: what the verbs of content ask of the command line.
	Style func(runtime string) (content.Style, error)
	Calls func() []content.Call
	verb  *Verb
	args  []string
	flags map[string]any
}

// Result is what a verb has to say.
type Result struct {
	Data   any               // for --json and --get; has JSON tags
	Text   func(w io.Writer) // for people; nil prints nothing
	Talk   string            // for people beside the data, on stderr: what was done, or why there is nothing
	No     bool              // a check said no
	Change *plan.Change      // what was written, or with --dry-run would be
}

// NewCall makes a call; flags holds a value for each of the verb's flags.
func NewCall(ctx context.Context, w *plan.Workspace, v *Verb, args []string, flags map[string]any) *Call {
	return &Call{Context: ctx, Workspace: w, verb: v, args: args, flags: flags}
}

// Arg returns a positional argument by name, "" when it was not given.
func (c *Call) Arg(name string) string {
	if i := c.index(name); i < len(c.args) {
		return c.args[i]
	}
	return ""
}

// Rest returns the arguments of one that takes many.
func (c *Call) Rest(name string) []string {
	return c.args[min(c.index(name), len(c.args)):]
}

func (c *Call) index(name string) int {
	i := slices.IndexFunc(c.verb.Args, func(a Arg) bool { return a.Name == name })
	if i < 0 {
		panic("verb " + c.verb.Noun + " " + c.verb.Name + " declares no argument " + name)
	}
	return i
}

// Phase reads a positional argument as a phase's id.
func (c *Call) Phase(name string) (doc.PhaseID, error) {
	id, ok := doc.ParsePhaseID(c.Arg(name))
	if !ok {
		return id, &UsageError{fmt.Sprintf("%q is not a phase: give its number, such as 3 or 2.1", c.Arg(name))}
	}
	return id, nil
}

// Given reports whether the flag has another value than its default.
func (c *Call) Given(flag string) bool {
	switch v := c.flags[flag].(type) {
	case bool:
		return v
	case string:
		return v != ""
	case int:
		return strconv.Itoa(v) != fmt.Sprint(c.defaultOf(flag))
	case []string:
		return len(v) > 0
	}
	return false
}

func (c *Call) defaultOf(flag string) any {
	for _, f := range c.verb.Flags {
		if f.Name == flag {
			return f.Default
		}
	}
	panic("verb " + c.verb.Noun + " " + c.verb.Name + " declares no flag " + flag)
}

// Bool, String, Int and List return a flag's value.
func (c *Call) Bool(flag string) bool     { return c.flags[flag].(bool) }
func (c *Call) String(flag string) string { return c.flags[flag].(string) }
func (c *Call) Int(flag string) int       { return c.flags[flag].(int) }
func (c *Call) List(flag string) []string { return c.flags[flag].([]string) }

// Update changes the plan under its lock; the journal names the change after
// the verb.
func (c *Call) Update(fn func(*plan.Tx) error) (*plan.Change, error) {
	name := c.verb.Name
	if c.verb.Noun != "" {
		name = c.verb.Noun + " " + name
	}
	return c.Workspace.Update(c.Context, name, fn)
}

// reads makes a verb of a look at the plan.
func reads(fn func(*Call, *plan.Tx) (*Result, error)) func(*Call) (*Result, error) {
	return func(c *Call) (res *Result, err error) {
		err = c.View(func(tx *plan.Tx) error {
			res, err = fn(c, tx)
			return err
		})
		return res, err
	}
}

// update is Update for a function that has something to say.
func update[T any](c *Call, fn func(*plan.Tx) (T, error)) (done T, change *plan.Change, err error) {
	change, err = c.Update(func(tx *plan.Tx) error {
		done, err = fn(tx)
		return err
	})
	return done, change, err
}

// updateState is update for a change of STATE.md.
func updateState[T any](c *Call, fn func(*plan.State) (T, error)) (T, *plan.Change, error) {
	return update(c, func(tx *plan.Tx) (done T, err error) {
		err = tx.EditState(func(s *plan.State) error {
			done, err = fn(s)
			return err
		})
		return done, err
	})
}

// UsageError says that the arguments make no sense.
type UsageError struct{ What string }

func (e *UsageError) Error() string { return e.What }

// Noun is a word that has verbs.
type Noun struct{ Name, Short string }

// Nouns lists the nouns in the order a newcomer should read them.
func Nouns() []Noun {
	return []Noun{
		{"phase", "Phases: what is to be done, in order"},
		{"plan", "Plans: what one agent does in one go"},
		{"state", "State: where the work stands, what was decided, what is in the way"},
		{"roadmap", "The roadmap: milestones and their phases"},
		{"requirements", "Requirements: what the project must do, and where it is done"},
		{"milestone", "Milestones: phases that are shipped together"},
		{"gate", "Gates: what stands between the steps of a phase"},
		{"verify", "Checks of documents against the project"},
		{"todo", "Todos: what is to be done some time, outside of the phases"},
		{"note", "Notes: thoughts to keep"},
		{"seed", "Seeds: ideas that wait for their time"},
		{"thread", "Threads: notes on one question, over many sessions"},
		{"debug", "Debug sessions: a problem, and what was tried"},
		{"quick", "Quick tasks: small work outside of the phases"},
		{"workstream", "Workstreams: milestones beside each other"},
		{"worktree", "Git worktrees of agents: their work brought home"},
		{"frontmatter", "Frontmatter of any document, edited line by line"},
		{"template", "Templates: documents as they begin"},
		{"config", "Settings of the project's plan; every value knows where it came from"},
		{"model", "Models: which agent gets which"},
		{"content", "Content: the prompts that agents are given, and what they cost"},
	}
}

// All lists every verb, by noun.
func All() []*Verb {
	return slices.Concat(
		beginVerbs(), lookVerbs(), ownVerbs(), commitVerbs(),
		phaseVerbs(), planFileVerbs(), waveVerbs(), reviewVerbs(),
		stateVerbs(), roadmapVerbs(), requirementsVerbs(), milestoneVerbs(),
		gateVerbs(), verifyVerbs(), auditVerbs(),
		itemVerbs(), workstreamVerbs(), worktreeVerbs(),
		frontmatterVerbs(), templateVerbs(), configVerbs(), modelVerbs(), contentVerbs(),
	)
}
