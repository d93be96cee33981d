package query

import "cairn/internal/plan"

var digestCommands = []command{
	{name: "history-digest", run: reads(historyDigest)},
}

func historyDigest(c *call, tx *plan.Tx) (result, error) {
	d, err := tx.Digest()
	if err != nil {
		return result{}, err
	}
	phases := object{}
	for _, p := range d.Phases {
		phases = phases.with(p.ID, object{
			{"name", p.Name}, {"provides", list(p.Provides)}, {"affects", list(p.Affects)}, {"patterns", list(p.Patterns)},
		})
	}
	decisions := []object{}
	for _, it := range d.Decisions {
		decisions = append(decisions, object{{"phase", it.Phase}, {"decision", it.Text}})
	}
	return data(object{{"phases", phases}, {"decisions", decisions}, {"tech_stack", list(d.Tech)}}), nil
}
