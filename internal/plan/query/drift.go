package query

import (
	"cairn/internal/plan"
	"cairn/internal/plan/gate"
)

var driftCommands = []command{
	{name: "verify schema-drift", run: reads(schemaDrift)},
	{name: "verify codebase-drift", run: reads(codebaseDrift)},
}

func schemaDrift(c *call, tx *plan.Tx) (result, error) {
	skip := c.switched("skip") || c.Getenv("GSD_SKIP_SCHEMA_CHECK") == "true"
	if c.arg(0) == "" {
		return result{}, fail("usage", "Usage: verify schema-drift <phase> [--skip]")
	}
	p, err := phaseOf(tx, c.arg(0))
	if err != nil {
		return result{}, err
	}
	if p == nil || p.Dir == "" {
		return drifted(gate.Schema{Result: gate.Result{Passed: true, Message: "Phase directory not found: " + c.arg(0)}}), nil
	}
	plans, err := gate.Plans(tx, p)
	if err != nil {
		return result{}, err
	}
	summaries, err := gate.Summaries(tx, p)
	if err != nil {
		return result{}, err
	}
	subject := gate.Look(c.context, tx, p)
	subject.SkipSchema = skip
	return drifted(subject.Schema(gate.Execute, plans, summaries)), nil
}

func drifted(s gate.Schema) result {
	return data(object{
		{"drift_detected", len(s.Unpushed) > 0}, {"blocking", s.Result.No()}, {"schema_files", list(s.Files)}, {"orms", list(s.ORMs)},
		{"unpushed_orms", list(s.Unpushed)}, {"message", s.Result.Message}, {"skipped", s.Result.Skipped},
	})
}

func codebaseDrift(c *call, tx *plan.Tx) (result, error) {
	subject := gate.Look(c.context, tx, nil)
	settings := subject.Settings
	d, err := subject.Drift()
	if err != nil { // this gate never fails
		d.Result.Skipped, d.Result.Reason = true, err.Error()
		d.Result.Message = err.Error()
	}
	var reason any
	if d.Result.Skipped {
		reason = d.Result.Reason
	}
	directive := "none"
	if d.Required {
		directive = settings.DriftAction
	}
	return data(object{
		{"skipped", d.Result.Skipped}, {"reason", reason}, {"action_required", d.Required}, {"directive", directive},
		{"spawn_mapper", directive == "auto-remap"}, {"affected_paths", list(d.Affected)},
		{"elements", list(d.Elements)}, {"threshold", settings.DriftThreshold}, {"action", settings.DriftAction},
		{"last_mapped_commit", orNull(d.LastMapped)}, {"message", d.Result.Message},
	}), nil
}
