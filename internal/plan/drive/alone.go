package drive

import (
	"strings"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/settings"
)

// byItself does what a workflow would have a model do, where none is there to run it: an
// agent drafts, a person is asked. It returns false for what is left to a person's agent.
func (d *Driver) byItself(workflow string) bool {
	switch workflow {
	case "discuss-phase":
		return d.follow(workflow, d.step.Phase, "nobody has said how the phase is built")
	case "verify-work":
		return d.accept()
	}
	return false
}

// follow answers with an agent that follows a command of ours. What only a person can
// say it ends with; the answer starts it again.
func (d *Driver) follow(command, args, why string) bool {
	h := d.journal.of(command)
	if d.stuck(command, why, h) {
		return true
	}
	a := Agent{Role: command, Command: strings.TrimSpace(command + " " + args), Reads: []string{}, Failed: h.Failed, Answer: h.Answer}
	if d.Assume {
		a.Words = []string{"assume"}
	}
	h.Rounds++
	d.spawn(a, h)
	return d.say(Spawn, "%s", why)
}

// Begin says what it takes until the project has a roadmap, and a person has agreed to it.
// The idea is kept: it has to be given once.
func (d *Driver) Begin(idea string, said []Said) (s *Step, err error) {
	err = must.Catch(func() { s = d.begin(idea, said) })
	return s, err
}

func (d *Driver) begin(idea string, said []Said) *Step {
	const command = "new-project"
	d.step = &Step{Did: []string{}}
	d.hear("project", said)
	if idea != "" && idea != d.journal.Idea {
		d.journal.Idea = idea
		d.keep()
	}
	var next *brief.Next
	var phases []string
	d.view(func(tx *plan.Tx) {
		d.settings, next = settings.Load(tx), brief.FindNext(tx)
		for _, p := range tx.Phases(plan.Current) {
			phases = append(phases, p.ID.String()+" "+p.Name)
		}
	})
	h := d.journal.of(command)
	none := next.Command == command || next.Command == "map-codebase" // the command describes what code there is
	switch {
	case none && d.journal.Idea == "":
		d.say(Mend, "%s, and nobody has said what is to be built: cairn plan run --idea TEXT", next.Reason)
	case none:
		if !git.Repo(d.Root) && !d.DryRun {
			must.Get(git.Run(d.Context, d.Root, "init", "--quiet"))
			d.did("git init")
		}
		d.follow(command, d.journal.Idea, next.Reason)
	case h.Rounds == 0 || h.Verdict == "done" || d.Assume || agrees(h.Answer):
		if h.Rounds > 0 && h.Verdict != "done" {
			h.Verdict, h.Answer = "done", ""
			d.keep()
			d.commit("docs: the project begins", plan.Planning)
		}
		d.done("there is a roadmap")
	case h.Answer != "" || h.Question != "":
		d.follow(command, d.journal.Idea, "a person wants the project otherwise")
	default:
		d.step.Ask = []Question{{
			ID: command, Type: "decision",
			Question: "is this the project? Read PROJECT.md (what is assumed is marked there), REQUIREMENTS.md and ROADMAP.md: " + strings.Join(phases, "; "),
			Options:  []string{"yes", "no: say what is to be otherwise"},
		}}
		d.say(Ask, "the roadmap is a draft until a person agrees")
	}
	return d.step
}

// agrees reads a person's yes.
func agrees(answer string) bool {
	switch strings.ToLower(strings.Trim(answer, " .!")) {
	case "yes", "y", "ok", "pass", "passed", "agreed":
		return true
	}
	return false
}
