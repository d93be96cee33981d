package drive

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/claim"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/wave"
	"cairn/internal/plan/worktree"
)

// batch is the plans that can be executed side by side now.
type batch struct {
	number     int // of the wave
	plans      []wave.Document
	submodules []string
	left       []string // plans that were not chosen
	claimed    []string // plans that somebody else has claimed
}

// batch finds the first batch that has a plan which is not executed.
func (d *Driver) batch() (b batch) {
	d.view(func(tx *plan.Tx) {
		p := tx.Phase(d.step.phase.ID)
		docs := wave.Read(tx, p)
		for i, doc := range docs { // whose summary does not hold is not done
			docs[i].Done = doc.Done && d.journal.of(doc.ID).Failed == ""
		}
		s, err := wave.Arrange(wave.Plans(docs))
		var cycle *wave.CycleError
		if errors.As(err, &cycle) {
			err = &plan.InputError{Path: p.Dir, What: err.Error()}
		}
		must.OK(err)
		claims, _ := claim.List(tx, d.Now)
		chosen := s.Select(wave.Selection{Wave: d.Wave, Gaps: d.GapsOnly})
		b.submodules, b.left = wave.Submodules(tx), chosen.Left
		for _, w := range chosen.Waves {
			w.Plans = slices.DeleteFunc(w.Plans, func(p wave.Plan) bool {
				other, ok := claim.Others(claims, p.ID, d.By)
				if ok {
					b.claimed = append(b.claimed, other.String())
				}
				return ok
			})
			if len(w.Plans) == 0 {
				continue
			}
			b.number = w.Number
			first := w.Batches()[0]
			if !d.settings.Bool("parallelization") {
				first = first[:1]
			}
			for _, doc := range docs {
				if slices.ContainsFunc(first, func(p wave.Plan) bool { return p.ID == doc.ID }) {
					b.plans = append(b.plans, doc)
				}
			}
			return
		}
	})
	return b
}

// handOut answers with the executors to start, or with what a person has to say first.
func (d *Driver) handOut() bool {
	b := d.batch()
	if len(b.plans) == 0 {
		if len(b.left) > 0 {
			d.step.Again = ""
			return d.say(Done, "what was asked for is executed; left: %s", strings.Join(b.left, ", "))
		}
		return len(b.claimed) > 0 && d.say(Ask, "others have claimed every plan that is left: %s", strings.Join(b.claimed, "; "))
	}
	if d.asks(b) {
		return true
	}
	id := d.step.phase.ID
	d.change(func(tx *plan.Tx) {
		p := tx.Phase(id)
		tx.EditState(func(s *plan.State) {
			s.Begin(s.Known(plan.PhaseWork{Number: id.String(), Plans: -1, Done: p.Executed()}))
		})
	})
	d.commit("docs("+id.Padded()+"): wave "+itoa(b.number)+" begins", plan.Planning)
	d.step.Spawn = d.executors(b, d.trees(b))
	if command := d.settings.Text("workflow.cross_ai_command"); d.settings.Bool("workflow.cross_ai_execution") && command != "" {
		d.step.Other = &Other{command, d.settings.Int("workflow.cross_ai_timeout")}
	}
	for _, a := range d.step.Spawn { // it is told once
		h := d.journal.of(a.Plan)
		h.Times, h.At, h.Failed, h.Answer = h.Times+1, cmp.Or(h.At, d.Now.Truncate(time.Second)), "", ""
	}
	d.keep()
	d.checked()
	return d.say(Spawn, "wave %d of phase %s", b.number, id)
}

// checked says with which commands the whole project is built and tested.
func (d *Driver) checked() {
	if d.step.Check == nil {
		return
	}
	d.step.Check.Commands = []string{}
	for _, key := range []string{"workflow.build_command", "workflow.test_command"} {
		if command := strings.TrimSpace(d.settings.Text(key)); command != "" {
			d.step.Check.Commands = append(d.step.Check.Commands, command)
		}
	}
}

// asks collects what a person has to say or do before these plans go on.
func (d *Driver) asks(b batch) bool {
	for _, doc := range b.plans {
		h := d.journal.of(doc.ID)
		if setup := d.setup(doc); setup != "" && !h.SetUp {
			h.Question, h.Type, h.SetUp = "set this up first: "+setup, "human-action", true
			d.keep()
		}
		switch {
		case h.Question != "":
			d.step.Ask = append(d.step.Ask, Question{ID: doc.ID, Type: h.Type, Question: h.Question})
		case h.Times > d.budget() && h.Answer == "":
			d.step.Ask = append(d.step.Ask, Question{
				ID: doc.ID, Type: "decision", Question: cmp.Or(h.Failed, "it was handed out "+itoa(h.Times)+" times and is not done"),
				Options: []string{"try again: say what to do otherwise", "change the plan first, then try again", "stop"},
			})
		}
	}
	return len(d.step.Ask) > 0 && d.say(Ask, "a person has to say how these go on")
}

// setup is what a person has to set up for a plan outside of the code: its user_setup.
func (d *Driver) setup(doc wave.Document) string {
	var all []string
	d.view(func(tx *plan.Tx) {
		n := must.Get(tx.Read(path.Join(d.step.phase.Dir, doc.File))).Front().Get("user_setup")
		if n == nil {
			return
		}
		for _, it := range n.Items {
			var parts []string
			for _, e := range it.Entries {
				parts = append(parts, e.Key+": "+e.Node.Text())
			}
			all = append(all, cmp.Or(strings.Join(parts, ", "), it.Text()))
		}
	})
	return strings.Join(all, "; ")
}

// budget is how often a plan that failed is handed out again without asking.
func (d *Driver) budget() int {
	if !d.settings.Bool("workflow.node_repair") {
		return 0
	}
	return d.settings.Int("workflow.node_repair_budget")
}

// trees makes the worktrees of a batch; without any the plans are executed one after the
// other in the project itself, the first of them now.
func (d *Driver) trees(b batch) map[string]*worktree.Added {
	out := map[string]*worktree.Added{}
	have := d.open()
	for _, doc := range b.plans {
		had := slices.ContainsFunc(have, func(e worktree.Entry) bool { return worktree.PlanOf(e.Branch) == doc.ID })
		if !had && (len(b.plans) == 1 || !d.apart() || doc.MainTree(b.submodules)) {
			continue
		}
		if d.DryRun {
			d.did("add a worktree for %s", doc.ID)
			continue
		}
		a := must.Get(worktree.Add(d.Context, d.Root, worktree.At(d.Workspace, doc.ID), doc.ID))
		a.Phase, a.Wave = d.step.phase.ID.String(), b.number
		if !a.Kept {
			d.did("add the worktree %s", d.Rel(a.Path))
		}
		d.change(func(tx *plan.Tx) { worktree.Record(tx, a.Entry) })
		out[doc.ID] = a
	}
	return out
}

// apart reports whether executors may have worktrees: the settings want them, the plan is
// in the commit they begin at, and that is on a branch.
func (d *Driver) apart() bool {
	if !d.settings.Bool("workflow.use_worktrees") || !d.settings.Bool("commit_docs") || !git.Repo(d.Root) {
		return false
	}
	if _, err := git.Branch(d.Context, d.Root); err != nil {
		d.note("no worktrees: no branch is checked out")
		return false
	}
	if out, err := git.Run(d.Context, d.Root, "status", "--porcelain", "--", plan.Planning); err != nil || out != "" {
		d.note("no worktrees: planning documents are not committed")
		return false
	}
	return true
}

func (d *Driver) note(text string) {
	if !slices.Contains(d.step.Notes, text) {
		d.step.Notes = append(d.step.Notes, text)
	}
}

// executors is who executes the batch. Without worktrees only the first does now.
func (d *Driver) executors(b batch, trees map[string]*worktree.Added) (out []Agent) {
	of := d.brief("execute-phase")
	inProject := false
	for _, doc := range b.plans {
		tree, apart := trees[doc.ID]
		if !apart {
			if inProject {
				continue
			}
			inProject = true
		}
		h := d.journal.of(doc.ID)
		a := Agent{
			Role: "executor", Model: of.Agents["executor"], Plan: doc.ID, Path: path.Join(d.step.phase.Dir, doc.File), Reads: of.Reads["executor"],
			Failed: h.Failed, Answer: h.Answer, Fixes: d.budget(),
			Inline: len(b.plans) == 1 && !apart && doc.Tasks <= d.settings.Int("workflow.inline_plan_threshold"),
		}
		at := d.Root
		if apart {
			a.Tree, at = tree.Path, tree.Path
			if d.settings.Bool("workflow.worktree_skip_hooks") {
				a.Words = append(a.Words, "--no-verify")
			}
		}
		if d.settings.Bool("workflow.tdd_mode") {
			a.Words = append(a.Words, "tdd")
		}
		if git.Repo(at) {
			a.Tasks = must.Get(commit.OfPlan(d.Context, at, doc.ID))
		}
		out = append(out, a)
	}
	return out
}
