package query

import (
	"slices"

	"cairn/internal/plan"
	"cairn/internal/plan/gate"
)

var checkCommands = []command{
	{name: "check phase-ready", run: phaseReady},
	{name: "check completion", run: completion},
	{name: "check gates", run: checkGates},
	{name: "check verification-status", run: verificationStatus},
	{name: "check ship-ready", run: shipReady},
	{name: "route next-action", run: nextAction},
	{name: "detect phase-type", run: phaseType},
}

// withPhase calls fn with the phase that the first argument names, nil when
// there is none.
func (c *call) withPhase(fn func(*plan.Tx, *plan.Phase) error) error {
	if c.arg(0) == "" {
		return fail("sdk_missing_arg", "phase number required")
	}
	return c.View(func(tx *plan.Tx) error {
		p, err := phaseOf(tx, c.arg(0))
		if err != nil {
			return err
		}
		return fn(tx, p)
	})
}

func phaseReady(c *call) (result, error) {
	var o object
	err := c.withPhase(func(tx *plan.Tx, p *plan.Phase) error {
		found := p != nil && p.Dir != ""
		number, name, dir := any(c.arg(0)), any(nil), any(nil)
		if found {
			number, name, dir = p.ID.Padded(), p.Slug, p.Dir
		} else {
			p = &plan.Phase{}
		}
		phases, err := tx.Phases(plan.Current)
		if err != nil {
			return err
		}
		met := !slices.ContainsFunc(phases, func(d *plan.Phase) bool {
			return found && d.ID.Compare(p.ID) < 0 && d.Status() != plan.StatusComplete
		})
		about, err := phaseText(tx, p)
		if err != nil {
			return err
		}
		o = object{
			{"found", found}, {"ready", found && met}, {"phase", number}, {"phase_name", name}, {"phase_dir", dir},
			{"has_context", p.File("CONTEXT") != ""}, {"has_research", p.File("RESEARCH") != ""},
			{"has_plans", len(p.Plans) > 0}, {"plan_count", len(p.Plans)}, {"incomplete_plans", len(p.Plans) - p.Executed()},
			{"has_verification", p.File("VERIFICATION") != ""}, {"has_ui_spec", p.File("UI-SPEC") != ""},
			{"has_ui_indicators", len(wordsIn(about, frontendWords())) > 0}, {"dependencies_met", met},
			{"blockers", []string{}}, {"next_step", nextStep(p)},
		}
		return nil
	})
	return data(o), err
}

// nextStep is what a phase's files say is to be done with it.
func nextStep(p *plan.Phase) string {
	switch {
	case p.File("CONTEXT") == "" && p.File("RESEARCH") == "":
		return "discuss"
	case len(p.Plans) == 0:
		return "plan"
	case p.Executed() < len(p.Plans):
		return "execute"
	case p.File("VERIFICATION") == "":
		return "verify"
	}
	return "complete"
}

func shipReady(c *call) (result, error) {
	var o object
	err := c.withPhase(func(tx *plan.Tx, p *plan.Phase) error {
		if p == nil {
			p = &plan.Phase{}
		}
		verification, err := gate.Document(tx, p, "VERIFICATION")
		if err != nil {
			return err
		}
		subject := gate.Look(c.context, tx, p)
		s := gate.Ship(p, verification, subject.Git, subject.Settings.BaseBranch, subject.HasGH())
		blockers := []string{}
		for _, m := range s.Result.Missing {
			blockers = append(blockers, m.ID+": "+m.Text)
		}
		o = object{
			{"ready", s.Result.Passed}, {"verification_passed", s.Verified}, {"clean_tree", s.Clean},
			{"on_feature_branch", s.Feature}, {"current_branch", orNull(s.Branch)}, {"base_branch", s.Base},
			{"remote_configured", s.Remote}, {"gh_available", s.GH}, {"gh_authenticated", false}, {"blockers", blockers},
		}
		return nil
	})
	return data(o), err
}

// frontOf returns a value of a document's frontmatter, "" without one.
func frontOf(f *gate.File, key string) string {
	if f == nil {
		return ""
	}
	return f.Front().Get(key).Text()
}

// rowsOf returns the rows of a document's tables that have a status: what
// each is about, and its status in the case it is written in.
func rowsOf(f *gate.File) (rows []statusRow) {
	if f == nil {
		return nil
	}
	for _, tb := range f.Tables(f.Body(), f.Len()) {
		column := tb.Column("Status", "Result", "Verdict")
		if column < 0 {
			continue
		}
		about := tb.Column("Description", "Truth", "Test", "Name", "Item", "Must-have", "Requirement")
		if about < 0 {
			about = min(1, column)
		}
		for i := range tb.Rows {
			rows = append(rows, statusRow{about: tb.Cell(i, about), status: tb.Cell(i, column)})
		}
	}
	return rows
}

type statusRow struct{ about, status string }

// has reports whether the row's status has one of the words.
func (r statusRow) has(words ...string) bool { return len(wordsIn(r.status, words)) > 0 }

func phaseText(tx *plan.Tx, p *plan.Phase) (string, error) {
	r, err := tx.Roadmap()
	goal, _ := p.Field(r, "Goal")
	return p.Name + "\n" + goal.Value, err
}
