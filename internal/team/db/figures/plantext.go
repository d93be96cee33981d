package figures

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
)

// A PlanOf says which plan something is of.
type PlanOf struct{ Repo, Project, Workstream string }

// newestPlan is the detail of the newest snapshot of a plan.
type newestPlan struct {
	PlanOf
	detail []byte
}

func newestPlans(ctx context.Context, tx *db.Tx, r Range) ([]newestPlan, error) {
	w := r.times("occurred_at")
	return db.List(ctx, tx, `select repo_slug, project, workstream, detail from (select repo_slug, project, workstream, detail,
		row_number() over (partition by repo_slug, project, workstream order by occurred_at desc, created_at desc, id) as nth from plan_snapshots where `+w.text+`) s where nth = 1 order by 1, 2, 3`,
		w.args, func(s *newestPlan) []any { return []any{&s.Repo, &s.Project, &s.Workstream, &s.detail} })
}

// A PlanText is what a plan says: its decisions, requirements and blockers, as its
// newest snapshot has them. Where its person does not share that it has none.
type PlanText struct {
	PlanOf
	Decisions    []PlanDecision
	Requirements []PlanRequirement
	Blockers     []PlanBlocker
	// How many more of each the plan has than the snapshot.
	MoreDecisions, MoreRequirements, MoreBlockers int
}

// A PlanDecision of a plan.
type PlanDecision struct{ Ref, Phase, Text, State, By, SupersededBy string }

// A PlanRequirement of a plan.
type PlanRequirement struct{ ID, Text, Phase, State string }

// A PlanBlocker of a plan.
type PlanBlocker struct{ Text, Do string }

// PlanTexts returns what each plan says. What another client wrote in another form
// is left out.
func PlanTexts(ctx context.Context, tx *db.Tx, r Range) ([]PlanText, error) {
	plans, err := newestPlans(ctx, tx, r)
	if err != nil {
		return nil, err
	}
	type values map[string]jsontext.Value
	var out []PlanText
	for _, p := range plans {
		var detail values
		if json.Unmarshal(p.detail, (*map[string]jsontext.Value)(&detail)) != nil {
			continue
		}
		rows := func(key string) (list []func(string) string) {
			var all []jsontext.Value
			_ = json.Unmarshal(detail[key], &all) // what is no list has none
			for _, v := range all {
				var of values
				if json.Unmarshal(v, (*map[string]jsontext.Value)(&of)) == nil && of != nil {
					list = append(list, func(name string) string { return plainText(of[name]) })
				}
			}
			return list
		}
		text := PlanText{PlanOf: p.PlanOf}
		for _, of := range rows("decisions") {
			text.Decisions = append(text.Decisions, PlanDecision{of("ref"), of("phase"), of("text"), of("state"), of("by"), of("superseded_by")})
		}
		for _, of := range rows("requirements") {
			text.Requirements = append(text.Requirements, PlanRequirement{of("id"), of("text"), of("phase"), of("state")})
		}
		for _, of := range rows("blockers") {
			text.Blockers = append(text.Blockers, PlanBlocker{of("text"), of("do")})
		}
		var left values
		_ = json.Unmarshal(detail["left_out"], (*map[string]jsontext.Value)(&left))
		more := func(name string) int {
			if n := plainNumber(left[name]); n != nil {
				return int(*n)
			}
			return 0
		}
		text.MoreDecisions, text.MoreRequirements, text.MoreBlockers = more("decisions"), more("requirements"), more("blockers")
		out = append(out, text)
	}
	return out, nil
}
