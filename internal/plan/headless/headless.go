// Package headless drives a project without an orchestrating model: it asks package drive
// what has to be done, starts the command line of a coding agent for each role, and goes
// on until only a person can. It begins with an idea and ends with a pull request.
//
// One run works in a checkout. An agent that outlives a killed run goes on; the next run
// waits for it and reads what it left. What each cost is kept in
// .planning/.cairn/run-NN.jsonl (run-project.jsonl for what comes before there are phases),
// as the agent says it.
package headless

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
)

// Runner runs a project's beginning, or one phase.
type Runner struct {
	*plan.Workspace
	CLI      CLI
	Prompt   func(piece, args string) (string, error) // the words of a role or a command, in this agent's form
	Mention  func(command string) string              // how its user calls a command
	Until    drive.Goal
	Idea     string        // of the project, once
	Said     []drive.Said  // a person's answers to what the run before asked
	Assume   bool          // nothing is asked that an agent could assume
	Ship     bool          // push the branch and open the pull request
	Budget   float64       // dollars in all, 0 for no limit; what has no known price does not count
	Patience time.Duration // of one agent
	Parallel int
	Free     []string // calls of ours that an agent makes without asking
	Allow    []string // what else they may do, as the agent names it
	Getenv   func(string) string
	Env      []string
	Proving  drive.Proving
	Say      func(format string, args ...any) // progress, a line each
	Work     func(name string, ends bool)     // an agent is at work, and no more

	phase  *doc.PhaseID // nil: the project has none yet
	ledger *ledger
}

// Report is what a run did, and what it left to a person.
type Report struct {
	Phase    string             `json:"phase,omitempty"`
	Reached  string             `json:"reached"` // why it ended
	Done     bool               `json:"done"`    // it reached the goal
	Agents   []Entry            `json:"agents"`
	USD      float64            `json:"usd"`
	Unpriced int                `json:"unpriced"` // agents of which the cost is not known
	Asked    []drive.Question   `json:"questions"`
	Then     []string           `json:"then"` // how it goes on, a call or a sentence each
	Pull     *drive.PullRequest `json:"pull_request,omitempty"`
}

// Begin drives the project until it has a roadmap to which a person has agreed.
func (r *Runner) Begin(ctx context.Context) (*Report, error) { return r.drive(ctx, nil) }

// Run drives the phase.
func (r *Runner) Run(ctx context.Context, phase doc.PhaseID) (*Report, error) {
	return r.drive(ctx, &phase)
}

func (r *Runner) drive(ctx context.Context, phase *doc.PhaseID) (rep *Report, err error) {
	r.phase = phase
	rep = &Report{Phase: r.number(), Agents: []Entry{}, Asked: []drive.Question{}, Then: []string{}}
	err = must.Catch(func() {
		if r.ledger = (&ledger{}); !r.DryRun {
			r.ledger = must.Get(openLedger(r.Workspace, r.name()))
			defer r.ledger.close()
		}
		r.run(ctx, rep)
		if rep.Done && phase != nil && r.Until == "" && !r.DryRun {
			r.ship(ctx, rep)
		}
		for _, e := range r.ledger.ended {
			rep.Agents = append(rep.Agents, e)
			if e.USD == nil {
				rep.Unpriced++
			} else {
				rep.USD += *e.USD
			}
		}
	})
	return rep, err
}

func (r *Runner) run(ctx context.Context, rep *Report) {
	branch, _ := git.Branch(ctx, r.Root)
	trusted := programs(r.Root)
	r.resume()
	r.strangers(ctx)
	said := append(r.orphans(ctx), r.Said...)
	until, gaps := r.Until, false
	for ctx.Err() == nil {
		if now, err := git.Branch(ctx, r.Root); r.phase != nil && branch != "" && (err != nil || now != branch) && ctx.Err() == nil {
			rep.Then = append(rep.Then, "git switch "+branch, r.again())
			r.leave(rep, drive.Question{ID: "branch", Type: "decision", Question: "the branch was switched from " + branch + " to " + cmp.Or(now, "none") + " while agents worked on it; what they made is merged where the plan is"})
			return
		}
		if r.phase == nil && trusted == "" {
			trusted = programs(r.Root) // the repository was just made
		}
		if programs(r.Root) != trusted {
			rep.Then = append(rep.Then, r.again())
			r.leave(rep, drive.Question{ID: "programs", Type: "human-action", Question: "what git runs in this repository was changed while agents worked: look at .git/config, .git/hooks and .git/info/attributes before anything is committed or merged"})
			return
		}
		d := drive.Driver{
			Workspace: r.Workspace, Context: ctx, Now: time.Now(), Getenv: r.Getenv, Until: until, Runtime: r.CLI.Name, Proving: r.Proving,
			Alone: true, Assume: r.Assume,
		}
		var s *drive.Step
		if r.phase == nil {
			s = must.Get(d.Begin(r.Idea, said))
		} else {
			s = must.Get(d.Step(*r.phase, said))
		}
		said = nil
		for _, line := range s.Did {
			r.Say("did    %s", line)
		}
		for _, line := range s.Notes {
			r.Say("note   %s", line)
		}
		if r.DryRun {
			rep.Reached = "would " + string(s.Do) + ": " + s.Why
			if s.Do == drive.Done {
				rep.Reached = s.Why
			}
			return
		}
		switch {
		case s.Do == drive.Spawn && r.spent():
			rep.Then = append(rep.Then, r.again()+" --budget DOLLARS")
			r.leave(rep, drive.Question{ID: "budget", Type: "decision", Question: fmt.Sprintf("the budget of $%.2f is spent; give more?", r.Budget)})
			return
		case s.Do == drive.Spawn:
			said = r.spawn(ctx, s.Spawn)
		case s.Do == drive.Done && gaps:
			until, gaps = r.Until, false // planned what closes the gaps: execute that
		case s.Do == drive.Done:
			rep.Done, rep.Reached = true, s.Why
			return
		case s.Do == drive.Ask:
			again := r.again()
			for _, q := range s.Ask {
				again += fmt.Sprintf(" --answer %q", q.ID+": ANSWER")
			}
			rep.Then = append(rep.Then, again)
			r.leave(rep, s.Ask...)
			return
		case s.Do == drive.Run && strings.HasPrefix(s.Run, "plan-phase ") && strings.HasSuffix(s.Run, " --gaps") && r.ledger.gaps == 0:
			r.ledger.gaps++
			until, gaps = drive.Plan, true
		default:
			question := s.Why
			if s.Run != "" {
				rep.Then = append(rep.Then, r.Mention(s.Run)+", in "+r.CLI.Name)
				question = s.Run + ": " + s.Why
			}
			rep.Then = append(rep.Then, r.again())
			r.leave(rep, drive.Question{ID: r.name(), Type: "decision", Question: question})
			return
		}
	}
	rep.Reached = "interrupted"
	rep.Then = append(rep.Then, r.again())
}

// number is the phase's as people write it, name as files have it.
func (r *Runner) number() string {
	if r.phase == nil {
		return ""
	}
	return r.phase.String()
}

func (r *Runner) name() string {
	if r.phase == nil {
		return "project"
	}
	return r.phase.Padded()
}

// again is the call that goes on.
func (r *Runner) again() string {
	call := strings.TrimSpace("cairn plan run " + r.number())
	if r.Stream != "" {
		call += " --ws " + r.Stream
	}
	if r.CLI.Name != CLIs()[0].Name {
		call += " --agent " + r.CLI.Name
	}
	if r.Until != "" {
		call += " --until " + string(r.Until)
	}
	if r.Assume {
		call += " --assume"
	}
	if r.Ship {
		call += " --ship"
	}
	for _, what := range r.Allow {
		call += " --allow " + strconv.Quote(what)
	}
	return call
}

// resume takes back the question that an earlier run has left in the plan: one that still
// stands is asked again.
func (r *Runner) resume() {
	var left *plan.Waiting
	must.OK(r.View(func(tx *plan.Tx) error { left = tx.Waiting(); return nil }))
	if left == nil || left.Phase == nil || *left.Phase != r.name() && *left.Phase != r.number() {
		return
	}
	must.Get(r.Update(context.Background(), "run", func(tx *plan.Tx) error { tx.Resume(); return nil }))
}

func (r *Runner) spent() bool { return r.Budget > 0 && r.ledger.usd() >= r.Budget }

// leave ends a run with what only a person can say, and keeps the first of it in the plan.
func (r *Runner) leave(rep *Report, questions ...drive.Question) {
	rep.Asked = append(rep.Asked, questions...)
	rep.Reached = "a person has to decide"
	if len(questions) == 0 {
		return
	}
	q, number := questions[0], cmp.Or(r.number(), r.name())
	must.Get(r.Update(context.Background(), "run", func(tx *plan.Tx) error {
		tx.Wait(plan.Waiting{Type: q.Type, Question: q.Question, Options: q.Options, Phase: &number})
		return nil
	}))
}

// spawn runs agents side by side and returns what came of those that did not just do it.
func (r *Runner) spawn(ctx context.Context, agents []drive.Agent) []drive.Said {
	said := make([]*drive.Said, len(agents))
	errs := make([]error, len(agents))
	slots := make(chan struct{}, max(r.Parallel, 1))
	var all sync.WaitGroup
	for i, a := range agents {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			said[i], errs[i] = r.one(ctx, a)
		})
	}
	all.Wait()
	for _, err := range errs {
		must.OK(err)
	}
	return present(said)
}

func present(said []*drive.Said) (out []drive.Said) {
	for _, s := range said {
		if s != nil {
			out = append(out, *s)
		}
	}
	return out
}

// one runs one agent to its end.
func (r *Runner) one(ctx context.Context, a drive.Agent) (*drive.Said, error) {
	words, err := r.words(a)
	if err != nil {
		return nil, err
	}
	row, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	id, name := cmp.Or(a.Plan, a.Role), strings.TrimSpace(a.Role+" "+a.Plan)
	r.Say("start  %s", name)
	r.Work(name, false)
	defer r.Work(name, true)
	e, err := r.start(ctx, a, words+"\n\nWhat you are given, as JSON:\n\n"+string(row)+"\n")
	if err != nil {
		return nil, err
	}
	r.Say("end    %s: %s, %s%s", name, e.Result, (time.Duration(e.Seconds) * time.Second).String(), price(e.USD))
	return hear(a.Role, id, e), nil
}

// words are what an agent is told: its role, or the command that it follows and what is
// different without a person.
func (r *Runner) words(a drive.Agent) (string, error) {
	if a.Command == "" {
		return r.Prompt("agents/"+a.Role, "")
	}
	name, args, _ := strings.Cut(a.Command, " ")
	words, err := r.Prompt("commands/"+name, args)
	if err != nil {
		return "", err
	}
	alone, err := r.Prompt("workflows/run/alone", "")
	return words + "\n\n" + alone, err
}

func price(usd *float64) string {
	if usd == nil {
		return ", cost not known"
	}
	return fmt.Sprintf(", $%.2f", *usd)
}

// mostHeard is how much of an agent's last message is handed on.
const mostHeard = 6000

// hear reads an agent's last line. That it is done is no news: its files say so, but for a
// checker, who leaves none.
func hear(role, id string, e Entry) *drive.Said {
	kind, what, _ := strings.Cut(e.Result, " — ")
	kind = strings.TrimSpace(kind)
	switch {
	case role == "plan-checker" && (kind == "done" || kind == "issues"):
		findings := strings.TrimSpace(e.Text)
		return &drive.Said{ID: role, Verdict: kind, Blocked: findings[max(0, len(findings)-mostHeard):]}
	case kind == "done" || kind == "issues" || role == "verifier" && kind == "checkpoint":
		return nil
	case kind == "checkpoint":
		typ, question, ok := strings.Cut(what, ":")
		if !ok {
			typ, question = "decision", what
		}
		return &drive.Said{ID: id, Type: strings.TrimSpace(typ), Question: cmp.Or(strings.TrimSpace(question), "it stopped at a checkpoint")}
	}
	return &drive.Said{ID: id, Blocked: cmp.Or(strings.TrimSpace(what), strings.TrimSpace(e.Result), "it ended without a result")}
}

// resultOf returns what follows the last RESULT: of a message.
func resultOf(text string) string {
	lines := strings.Split(text, "\n")
	for _, line := range slices.Backward(lines) {
		line = strings.Trim(line, " \t`*")
		if rest, ok := strings.CutPrefix(line, "RESULT:"); ok {
			return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(rest, " - ", " — "), " -- ", " — "))
		}
	}
	return ""
}
