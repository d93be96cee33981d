package query

import (
	"slices"

	"cairn/internal/plan"
	"cairn/internal/plan/gate"
)

var checkCommands = []command{
	{name: "check phase-ready", run: onPhase(phaseReady)},
	{name: "check completion", run: completion},
	{name: "check gates", run: reads(checkGates)},
	{name: "check verification-status", run: onPhase(verificationStatus)},
	{name: "check ship-ready", run: onPhase(shipReady)},
	{name: "route next-action", run: reads(nextAction)},
	{name: "detect phase-type", run: onPhase(phaseType)},
}

func phaseReady(c *call, tx *plan.Tx, p *plan.Phase) (result, error) {
	found := p != nil && p.Dir != ""
	number, name, dir := any(c.arg(0)), any(nil), any(nil)
	if found {
		number, name, dir = p.ID.Padded(), p.Slug, p.Dir
	} else {
		p = &plan.Phase{}
	}
	phases, err := tx.Phases(plan.Current)
	if err != nil {
		return result{}, err
	}
	met := !slices.ContainsFunc(phases, func(d *plan.Phase) bool {
		return found && d.ID.Compare(p.ID) < 0 && d.Status() != plan.StatusComplete
	})
	about, err := phaseText(tx, p)
	return data(object{
		{"found", found}, {"ready", found && met}, {"phase", number}, {"phase_name", name}, {"phase_dir", dir},
		{"has_context", p.File("CONTEXT") != ""}, {"has_research", p.File("RESEARCH") != ""},
		{"has_plans", len(p.Plans) > 0}, {"plan_count", len(p.Plans)}, {"incomplete_plans", len(p.Plans) - p.Executed()},
		{"has_verification", p.File("VERIFICATION") != ""}, {"has_ui_spec", p.File("UI-SPEC") != ""},
		{"has_ui_indicators", len(wordsIn(about, frontendWords())) > 0}, {"dependencies_met", met},
		{"blockers", []string{}}, {"next_step", nextStep(p)},
	}), err
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

func shipReady(c *call, tx *plan.Tx, p *plan.Phase) (result, error) {
	if p == nil {
		p = &plan.Phase{}
	}
	verification, err := gate.Document(tx, p, "VERIFICATION")
	if err != nil {
		return result{}, err
	}
	subject := gate.Look(c.context, tx, p)
	s := gate.Ship(p, verification, subject.Git, subject.Settings.BaseBranch, subject.HasGH())
	blockers := []string{}
	for _, m := range s.Result.Missing {
		blockers = append(blockers, m.ID+": "+m.Text)
	}
	return data(object{
		{"ready", s.Result.Passed}, {"verification_passed", s.Verified}, {"clean_tree", s.Clean},
		{"on_feature_branch", s.Feature}, {"current_branch", orNull(s.Branch)}, {"base_branch", s.Base},
		{"remote_configured", s.Remote}, {"gh_available", s.GH}, {"gh_authenticated", false}, {"blockers", blockers},
	}), nil
}

func phaseText(tx *plan.Tx, p *plan.Phase) (string, error) {
	r, err := tx.Roadmap()
	goal, _ := p.Field(r, "Goal")
	return p.Name + "\n" + goal.Value, err
}
