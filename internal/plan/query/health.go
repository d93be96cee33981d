package query

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"cairn/internal/jsonc"
	"cairn/internal/plan"
	"cairn/internal/plan/health"
	"cairn/internal/plan/settings"
)

var healthCommands = []command{
	{name: "validate health", run: validateHealth},
	{name: "validate context", run: validateContext},
}

// isOldCode tells the older tool's checks from those that only ours has.
func isOldCode(code string) bool { return strings.IndexByte("EWI", code[0]) >= 0 }

// validateHealth answers with the older tool's codes alone. --repair repairs
// all but the list of milestones, which --backfill does.
func validateHealth(c *call) (result, error) {
	repair, backfill := c.switched("repair"), c.switched("backfill")
	opts := health.Options{Getenv: c.Getenv, Now: time.Now(), Only: isOldCode}
	var report *health.Report
	var performed []object
	err := c.View(func(tx *plan.Tx) (err error) {
		if report, err = health.Look(tx, opts); err != nil {
			return err
		}
		report.Findings = append(report.Findings, absentSteps(tx)...)
		return nil
	})
	if err != nil {
		return result{}, err
	}
	if (repair || backfill) && c.Exists() {
		opts.Only = func(code string) bool {
			return isOldCode(code) && (code == "W018" && backfill || code != "W018" && repair)
		}
		if performed, err = c.repair(opts, repair); err != nil {
			return result{}, err
		}
	}
	old := func(level health.Level) []object {
		out := []object{}
		for _, f := range report.Of(level) {
			out = append(out, object{{"code", f.Code}, {"message", f.Message}, {"fix", f.Fix}, {"repairable", f.Repairable}})
		}
		return out
	}
	errors, warnings := old(health.Error), old(health.Warning)
	status := health.Healthy
	switch {
	case len(errors) > 0:
		status = health.Broken
	case len(warnings) > 0:
		status = health.Degraded
	}
	repairable := 0
	for _, o := range append(append([]object{}, errors...), warnings...) {
		if o[3].value == true {
			repairable++
		}
	}
	o := object{
		{"status", status}, {"errors", errors}, {"warnings", warnings}, {"info", old(health.Info)}, {"repairable_count", repairable},
	}
	if len(performed) > 0 {
		o = o.with("repairs_performed", performed)
	}
	return data(o), nil
}

// repair repairs what the checks found, and with steps writes the absent ones.
func (c *call) repair(opts health.Options, steps bool) ([]object, error) {
	var performed []object
	_, repaired, _, err := health.Repair(c.context, c.Workspace, opts)
	if err != nil {
		return nil, err
	}
	for _, r := range repaired {
		performed = append(performed, object{{"action", r.Action}, {"success", true}, {"path", path.Base(r.Path)}})
	}
	if !steps {
		return performed, nil
	}
	_, err = c.change(func(tx *plan.Tx) error {
		for _, f := range absentSteps(tx) {
			s := stepOf(f.Code)
			if _, err := settings.Put(tx, s.key, true); err != nil {
				return err
			}
			performed = append(performed, object{{"action", s.action}, {"success", true}, {"path", settings.FileName}})
		}
		return nil
	})
	return performed, err
}

// workflowStep is a step that the older tool wanted to see in config.json,
// although absent means on.
type workflowStep struct{ code, key, action string }

var workflowSteps = [...]workflowStep{
	{"W008", "workflow.nyquist_validation", "addNyquistKey"},
	{"W016", "workflow.ai_integration_phase", "addAiIntegrationPhaseKey"},
}

func stepOf(code string) workflowStep {
	for _, s := range workflowSteps {
		if s.code == code {
			return s
		}
	}
	return workflowStep{}
}

func absentSteps(tx *plan.Tx) []health.Finding {
	s := settings.Load(tx)
	if s.Err() != nil || !s.Exists() {
		return nil
	}
	workflow, _ := s.At("workflow")
	if _, ok := workflow.(jsonc.Object); !ok {
		return nil
	}
	var out []health.Finding
	for _, st := range workflowSteps {
		if _, ok := s.At(st.key); !ok {
			out = append(out, health.Finding{
				Code: st.code, Level: health.Warning, Repairable: true, Path: tx.Shared(settings.FileName),
				Message: "config.json: " + st.key + " absent (defaults to enabled)", Fix: "run validate health --repair to add it",
			})
		}
	}
	return out
}

// Shares of the context window, in percent, from which a warning is due.
const (
	contextWarning  = 60
	contextCritical = 70
)

func validateContext(c *call) (result, error) {
	asJSON := c.switched("json")
	used, err := c.count("tokens-used")
	if err != nil {
		return result{}, err
	}
	window, err := c.count("context-window")
	if err != nil {
		return result{}, err
	}
	if window == 0 {
		return result{}, fail("usage", "--context-window must be greater than 0")
	}
	percent := int((200*used + window) / (2 * window))
	state, advice := "healthy", "none needed"
	switch {
	case percent >= contextCritical:
		state, advice = "critical", "save the state now, and go on with a fresh context"
	case percent >= contextWarning:
		state, advice = "warning", "finish the task at hand, then start with a fresh context"
	}
	if asJSON {
		return data(object{{"percent", percent}, {"state", state}, {"recommendation", advice}}), nil
	}
	return rawText(fmt.Sprintf("Context: %d%% used (%s)\nRecommendation: %s\n", percent, state, advice)), nil
}

// count takes an option that has to be a whole number, not negative.
func (c *call) count(name string) (int64, error) {
	value, ok := c.flag(name)
	n, err := strconv.ParseInt(value, 10, 64)
	if !ok || err != nil || n < 0 {
		return 0, fail("sdk_missing_arg", "--%s requires a non-negative number", name)
	}
	return n, nil
}
