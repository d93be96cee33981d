package query

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/health"
	"cairn/internal/plan/settings"
)

// isOldCode tells the older tool's checks from those that only ours has.
func isOldCode(code string) bool { return strings.IndexByte("EWI", code[0]) >= 0 }

// validateHealth answers with the older tool's codes alone. --repair repairs
// all but the list of milestones, which --backfill does.
func validateHealth(c *call) result {
	repair, backfill := c.given("repair"), c.given("backfill")
	opts := health.Options{Getenv: c.Getenv, Now: time.Now(), Only: isOldCode}
	var report *health.Report
	var performed []object
	c.look(func(tx *plan.Tx) {
		report = health.Look(tx, opts)
		absentSteps(tx, func(code, key, _ string) {
			report.Findings = append(report.Findings, health.Finding{
				Code: code, Level: health.Warning, Repairable: true, Path: tx.Shared(settings.FileName),
				Message: "config.json: " + key + " absent (defaults to enabled)", Fix: "run validate health --repair to add it",
			})
		})
	})
	if (repair || backfill) && c.Exists() {
		opts.Only = func(code string) bool {
			return isOldCode(code) && (code == "W018" && backfill || code != "W018" && repair)
		}
		performed = c.repair(opts, repair)
	}
	repairable := 0
	old := func(level health.Level) []object {
		return each(report.Of(level), func(f health.Finding) object {
			if f.Repairable && level != health.Info {
				repairable++
			}
			return object{{"code", f.Code}, {"message", f.Message}, {"fix", f.Fix}, {"repairable", f.Repairable}}
		})
	}
	errors, warnings := old(health.Error), old(health.Warning)
	status := health.Healthy
	switch {
	case len(errors) > 0:
		status = health.Broken
	case len(warnings) > 0:
		status = health.Degraded
	}
	o := object{
		{"status", status}, {"errors", errors}, {"warnings", warnings}, {"info", old(health.Info)}, {"repairable_count", repairable},
	}
	if len(performed) > 0 {
		o = o.with("repairs_performed", performed)
	}
	return data(o)
}

// repair repairs what the checks found, and with steps writes the absent ones.
func (c *call) repair(opts health.Options, steps bool) (performed []object) {
	done := func(action, file string) {
		performed = append(performed, object{{"action", action}, {"success", true}, {"path", path.Base(file)}})
	}
	_, repaired, _, err := health.Repair(c.context, c.Workspace, opts)
	must.OK(err)
	for _, r := range repaired {
		done(r.Action, r.Path)
	}
	if steps {
		c.change(func(tx *plan.Tx) {
			absentSteps(tx, func(_, key, action string) {
				settings.Put(tx, key, true)
				done(action, settings.FileName)
			})
		})
	}
	return performed
}

// workflowSteps are the steps that the older tool wanted to see in config.json,
// although absent means on.
var workflowSteps = [...]struct{ code, key, action string }{
	{"W008", "workflow.nyquist_validation", "addNyquistKey"},
	{"W016", "workflow.ai_integration_phase", "addAiIntegrationPhaseKey"},
}

// absentSteps calls absent for each step that config.json does not have.
func absentSteps(tx *plan.Tx, absent func(code, key, action string)) {
	s := settings.Load(tx)
	workflow, _ := s.At("workflow")
	if _, ok := workflow.(jsonc.Object); !ok || s.Err() != nil || !s.Exists() {
		return
	}
	for _, st := range workflowSteps {
		if _, ok := s.At(st.key); !ok {
			absent(st.code, st.key, st.action)
		}
	}
}

// Shares of the context window, in percent, from which a warning is due.
const (
	contextWarning  = 60
	contextCritical = 70
)

func validateContext(c *call) result {
	used, window := c.count("tokens-used"), c.count("context-window")
	require(window != 0, "usage", "--context-window must be greater than 0")
	percent := int((200*used + window) / (2 * window))
	state, advice := "healthy", "none needed"
	switch {
	case percent >= contextCritical:
		state, advice = "critical", "save the state now, and go on with a fresh context"
	case percent >= contextWarning:
		state, advice = "warning", "finish the task at hand, then start with a fresh context"
	}
	if c.given("json") {
		return data(object{{"percent", percent}, {"state", state}, {"recommendation", advice}})
	}
	return rawText(fmt.Sprintf("Context: %d%% used (%s)\nRecommendation: %s\n", percent, state, advice))
}

// count takes an option that has to be a whole number, not negative.
func (c *call) count(name string) int64 {
	n, err := strconv.ParseInt(c.opt(name), 10, 64)
	require(err == nil && n >= 0, missing, "--%s requires a non-negative number", name)
	return n
}

func phaseCompleteness(c *call, tx *plan.Tx, p *plan.Phase) result {
	if p.Dir == "" {
		return problem("Phase not found", member{"phase", c.arg(0)})
	}
	incomplete, errs, warnings := unsummarized(p), []string{}, []string{}
	orphans := each(p.Orphans(), func(name string) string { return strings.TrimSuffix(path.Base(name), "-SUMMARY.md") })
	if len(incomplete) > 0 {
		errs = append(errs, "Plans without summaries: "+strings.Join(incomplete, ", "))
	}
	if len(orphans) > 0 {
		warnings = append(warnings, "Summaries without plans: "+strings.Join(orphans, ", "))
	}
	return dataRaw(object{
		{"complete", len(errs) == 0}, {"phase", dirNumber(p)}, {"plan_count", len(p.Plans)}, {"summary_count", len(p.Summaries())},
		{"incomplete_plans", incomplete}, {"orphan_summaries", orphans}, {"errors", errs}, {"warnings", warnings},
	}, either(len(errs) == 0, "complete", "incomplete"))
}

func validateConsistency(c *call, tx *plan.Tx) result {
	r := tx.Roadmap()
	if r == nil {
		return consistency([]string{"ROADMAP.md not found"}, []string{})
	}
	phases := phaseDirs(tx, false)
	warnings := list(roadmapGaps(r, phases, tx.Phases(plan.WithIdeas)))
	var plans []string
	for _, p := range phases {
		plans = append(plans, each(p.Plans, func(f plan.PlanFile) string { return path.Join(p.Dir, f.Path) })...)
	}
	fronts := tx.Fronts(plans, "wave")
	for _, p := range phases {
		warnings = append(warnings, planGaps(p, fronts[:len(p.Plans)])...)
		fronts = fronts[len(p.Plans):]
	}
	return consistency([]string{}, warnings)
}

func consistency(errs, warnings []string) result {
	return dataRaw(object{
		{"passed", len(errs) == 0}, {"errors", errs}, {"warnings", warnings}, {"warning_count", len(warnings)},
	}, either(len(errs) == 0, "passed", "failed"))
}

// roadmapGaps compares roadmap and disk both ways, and the whole numbers.
func roadmapGaps(r *doc.Roadmap, dirs, current []*plan.Phase) (warnings []string) {
	var numbers []int
	for _, p := range current {
		if p.Section != nil && p.Dir == "" {
			warnings = append(warnings, fmt.Sprintf("Phase %s in ROADMAP.md but no directory on disk", p.Section.Written))
		}
	}
	for _, p := range dirs {
		if _, ok := r.Phase(p.ID); !ok {
			if _, ok := r.Box(p.ID); !ok {
				warnings = append(warnings, fmt.Sprintf("Phase %s exists on disk but not in ROADMAP.md", dirNumber(p)))
			}
		}
		if p.ID.Whole() && !p.ID.Backlog() && !slices.Contains(numbers, p.ID.Number) {
			numbers = append(numbers, p.ID.Number)
		}
	}
	for i := 1; i < len(numbers); i++ {
		if numbers[i] != numbers[i-1]+1 {
			warnings = append(warnings, fmt.Sprintf("Gap in phase numbering: %d → %d", numbers[i-1], numbers[i]))
		}
	}
	return warnings
}

// planGaps checks the files of one phase; fronts are its plans' frontmatters.
func planGaps(p *plan.Phase, fronts []*doc.Node) (warnings []string) {
	dir := path.Base(p.Dir)
	last := 0
	for _, f := range p.Plans {
		n := planNumber(f.ID)
		if n > 0 && last > 0 && n > last+1 {
			warnings = append(warnings, fmt.Sprintf("Gap in plan numbering in %s: plan %d → %d", dir, last, n))
		}
		last = max(last, n)
	}
	for _, name := range p.Orphans() {
		warnings = append(warnings, fmt.Sprintf("Summary %s in %s has no matching PLAN.md", name, dir))
	}
	for i, f := range p.Plans {
		if fronts[i].Get("wave").Text() == "" {
			warnings = append(warnings, fmt.Sprintf("%s/%s: missing 'wave' in frontmatter", dir, f.Path))
		}
	}
	return warnings
}

// planNumber returns 2 of 01-02 and of 01-02-extra, 0 when there is none.
func planNumber(id string) int {
	_, after, ok := strings.Cut(plan.CanonicalPlanID(id), "-")
	if !ok {
		return 0
	}
	n, _ := strconv.Atoi(after)
	return n
}
