package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/test/plantest"
)

const dir = "phases/02-api/"

// done is a project whose phase 2 may make every move: phase 1 is complete,
// and everything that proves phase 2 is there.
func done() map[string]string {
	return map[string]string{
		"ROADMAP.md": "# R\n- [x] **Phase 1: Base**\n- [ ] **Phase 2: API**\n\n### Phase 1: Base\n### Phase 2: API\n**Depends on:** Phase 1\n**Requirements:** A-01\n" +
			"Plans:\n- [x] 02-01: store\n- [ ] 02-02: routes\n",
		"REQUIREMENTS.md":          "- [ ] **A-01**: one\n",
		dir + "02-CONTEXT.md":      "<decisions>\n- **D-01:** keep it\n</decisions>\n",
		dir + "02-RESEARCH.md":     "## Open Questions\n- Which? RESOLVED: that\n",
		dir + "02-01-PLAN.md":      "---\nrequirements: [A-01]\nmust_haves:\n  truths: [D-01]\n---\n<objective>\nStore\n</objective>\n",
		dir + "02-02-PLAN.md":      "---\ndepends_on: [\"02-01\"]\n---\n<objective>\nRoutes\n</objective>\n",
		dir + "02-01-SUMMARY.md":   "---\nrequirements-completed: [A-01]\n---\n",
		dir + "02-02-SUMMARY.md":   "done\n",
		dir + "02-VERIFICATION.md": "---\nstatus: passed\n---\n",
		dir + "02-UAT.md":          "---\nstatus: complete\n---\n\n### 1. It\nresult: pass\n",
		dir + "02-REVIEW.md":       "---\ncritical: 1\nstatus: issues_found\n---\n",
		dir + "02-REVIEW-FIX.md":   "---\nfixed: 1\nskipped: 0\nstatus: all_fixed\n---\n",
		dir + "02-SECURITY.md":     "| ID | Threat | Severity | Status |\n|---|---|---|---|\n| T-1 | a | high | closed |\n",
		dir + "02-VALIDATION.md":   "---\nstatus: verified\n---\n",
	}
}

func look(t *testing.T, files map[string]string, without string, fn func(*Look, *plan.Phase)) {
	t.Helper()
	root := t.TempDir()
	plantest.Write(t, filepath.Join(root, plan.Planning), files)
	w, err := plan.At(root, "", "")
	if err == nil {
		err = w.View(func(tx *plan.Tx) error {
			l := New(context.Background(), tx)
			l.without = without
			fn(l, tx.Phase(doc.PhaseID{Number: 2}))
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func conditions(open []gate.Missing) []string {
	var out []string
	for _, m := range open {
		if !slices.Contains(out, m.Condition) {
			out = append(out, m.Condition)
		}
	}
	return out
}

// What is done may move on in every way.
func TestNothingIsMissing(t *testing.T) {
	look(t, done(), "", func(l *Look, p *plan.Phase) {
		for _, m := range Moves() {
			if open := l.Unmet(p, m); len(open) > 0 {
				t.Errorf("%s: %+v", m, open)
			}
		}
		if s := l.Of(p); s != Verified {
			t.Error(s)
		}
	})
}

// Each condition has a project in which it alone does not hold: it is named
// there, with a remedy, by each of its moves, and by nothing else. Without the
// condition the project would pass: every one is needed.
func TestEachConditionCounts(t *testing.T) {
	roadmap := done()["ROADMAP.md"]
	plan1, plan2 := done()[dir+"02-01-PLAN.md"], done()[dir+"02-02-PLAN.md"]
	witness := map[string]map[string]string{
		"roadmap":      {"ROADMAP.md": "# R\n- [x] **Phase 1: Base**\n", dir + "02-01-SUMMARY.md": "x\n"},
		"open":         {"ROADMAP.md": strings.Replace(roadmap, "[ ] **Phase 2", "[x] **Phase 2", 1)},
		"context":      {dir + "02-CONTEXT.md": "# Phase 2\n\n<decisions>\n### Agent's Discretion\n</decisions>\n"},
		"plans":        {dir + "02-01-PLAN.md": "-", dir + "02-02-PLAN.md": "-", dir + "02-CONTEXT.md": "It is small.\n", "ROADMAP.md": strings.Replace(roadmap, "A-01", "TBD", 1)},
		"listed":       {"ROADMAP.md": roadmap + "- [ ] 02-03: more\n"},
		"filled":       {dir + "02-02-PLAN.md": plan2 + "<task>\n<action>[action]</action>\n</task>\n"},
		"waits":        {dir + "02-02-PLAN.md": strings.Replace(plan2, "02-01", "02-09", 1)},
		"cycle":        {dir + "02-01-PLAN.md": strings.Replace(plan1, "---\n", "---\ndepends_on: [\"02-02\"]\n", 1)},
		"research":     {dir + "02-RESEARCH.md": "## Open Questions\n- Which?\n"},
		"requirements": {dir + "02-01-PLAN.md": strings.Replace(plan1, "A-01", "A-02", 1)},
		"decisions":    {dir + "02-01-PLAN.md": strings.Replace(plan1, "D-01", "no", 1)},
		"push":         {dir + "02-01-PLAN.md": strings.Replace(plan1, "---\n", "---\nfiles_modified: [prisma/schema.prisma]\n", 1), dir + "02-01-SUMMARY.md": done()[dir+"02-01-SUMMARY.md"] + "npx prisma db push\n"},
		"depends":      {"ROADMAP.md": strings.Replace(roadmap, "[x] **Phase 1", "[ ] **Phase 1", 1)},
		"summaries":    {dir + "02-02-SUMMARY.md": "-"},
		"delivered":    {dir + "02-01-SUMMARY.md": "done\n"},
		"pushed":       {dir + "02-02-PLAN.md": strings.Replace(plan2, "---\n", "---\nfiles_modified: [prisma/schema.prisma]\n", 1) + "run npx prisma db push\n"},
		"verification": {dir + "02-VERIFICATION.md": "---\nstatus: gaps_found\n---\n"},
		"proof":        {dir + "02-PROOF.jsonl": `{"verdict":{"for":"x","proven":false,"unproven":["verify: 02-01/1"]}}` + "\n"},
		"uat":          {dir + "02-UAT.md": "---\nstatus: complete\n---\n\n### 1. It\nresult: issue\nseverity: blocker\n"},
		"review":       {dir + "02-REVIEW-FIX.md": "-"},
		"threats":      {dir + "02-SECURITY.md": "| ID | Threat | Severity | Status |\n|---|---|---|---|\n| T-1 | a | high | open |\n"},
		"validation":   {dir + "02-VALIDATION.md": "---\nstatus: draft\nnyquist_compliant: false\n---\n"},
	}
	for _, c := range Conditions() {
		files := done()
		maps.Copy(files, witness[c.ID])
		if witness[c.ID] == nil {
			t.Fatalf("%s has no witness", c.ID)
		}
		for name, content := range files {
			if content == "-" {
				delete(files, name)
			}
		}
		for _, m := range Moves() {
			look(t, files, "", func(l *Look, p *plan.Phase) {
				open := l.Unmet(p, m)
				want := ""
				if slices.Contains(c.Moves, m) {
					want = c.ID
				}
				if got := strings.Join(conditions(open), " "); got != want {
					t.Errorf("%s, %s: %q does not hold, want %q: %+v", c.ID, m, got, want, open)
				}
				for _, it := range open {
					if len(it.Remedies) == 0 || it.Text == "" && it.ID == "" {
						t.Errorf("%s: %+v says not how to fix it", c.ID, it)
					}
				}
			})
			look(t, files, c.ID, func(l *Look, p *plan.Phase) {
				if open := l.Unmet(p, m); len(open) > 0 {
					t.Errorf("%s taken out, %s: %+v", c.ID, m, open)
				}
			})
		}
	}
}

// The state of a phase, as its files come.
func TestStates(t *testing.T) {
	all := done()
	files := map[string]string{"ROADMAP.md": all["ROADMAP.md"], "REQUIREMENTS.md": all["REQUIREMENTS.md"]}
	for _, step := range []struct {
		file, content string
		want          State
	}{
		{"", "", NotStarted},
		{dir + "02-CONTEXT.md", "", Discussing},
		{dir + "02-CONTEXT.md", all[dir+"02-CONTEXT.md"], Discussed},
		{dir + "02-RESEARCH.md", all[dir+"02-RESEARCH.md"], Researched},
		{dir + "02-01-PLAN.md", all[dir+"02-01-PLAN.md"], Planning}, // the roadmap lists 02-02, too
		{dir + "02-02-PLAN.md", all[dir+"02-02-PLAN.md"], Planned},
		{dir + "02-01-SUMMARY.md", all[dir+"02-01-SUMMARY.md"], Executing},
		{dir + "02-02-SUMMARY.md", "x", Executed},
		{dir + "02-VERIFICATION.md", "---\nstatus: gaps_found\n---\n", Gaps},
		{dir + "02-03-PLAN.md", "---\ngap_closure: true\n---\n", Executing},
		{dir + "02-03-SUMMARY.md", "x", Executed},
		{dir + "02-VERIFICATION.md", "---\nstatus: human_needed\n---\n", Accepting},
		{dir + "02-VERIFICATION.md", "---\nstatus: passed\n---\n", Accepting},
		{dir + "02-UAT.md", all[dir+"02-UAT.md"], Verified},
		{dir + "02-SECURITY.md", "| ID | Threat | Severity | Status |\n|---|---|---|---|\n| T-1 | a | high | open |\n", Findings},
		{"ROADMAP.md", strings.Replace(all["ROADMAP.md"], "[ ] **Phase 2", "[x] **Phase 2", 1), Complete},
	} {
		if step.file != "" {
			files[step.file] = step.content
		}
		look(t, files, "", func(l *Look, p *plan.Phase) {
			if got := l.Of(p); got != step.want {
				t.Errorf("after %s: %s, want %s: %s", step.file, got, step.want, fmt.Sprint(conditions(l.Unmet(p, Finish))))
			}
		})
	}
}

// Words in brackets that no template writes are the plan's own.
func TestBracketsOfOthersAreNoGaps(t *testing.T) {
	files := done()
	files[dir+"02-02-PLAN.md"] += "- Type: [optional]\n\n[see below]\n"
	look(t, files, "", func(l *Look, p *plan.Phase) {
		if open := l.Unmet(p, Ready); len(open) > 0 {
			t.Errorf("%+v", open)
		}
	})
}

// A list leaves planned phases unread after the first few, one phase never.
func TestLongLists(t *testing.T) {
	files := map[string]string{"ROADMAP.md": ""}
	for i := 1; i <= 14; i++ {
		files["ROADMAP.md"] += fmt.Sprintf("### Phase %d: P\n", i)
		files[fmt.Sprintf("phases/%02d-p/%02d-01-PLAN.md", i, i)] = "x\n"
	}
	look(t, files, "", func(l *Look, _ *plan.Phase) {
		phases := l.Phases(plan.Current)
		for i, s := range l.All(phases) {
			if want := map[bool]State{true: Planned, false: Drafted}[i < deepLooks]; s != want {
				t.Errorf("phase %d is %s, want %s", i+1, s, want)
			}
			if s := l.Of(phases[i]); s != Planned {
				t.Errorf("phase %d by itself is %s", i+1, s)
			}
		}
	})
}

// A gate of readiness says what the machine says.
func TestGatesAskTheMachine(t *testing.T) {
	files := done()
	delete(files, dir+"02-02-SUMMARY.md")
	files[dir+"02-VERIFICATION.md"] = "---\nstatus: gaps_found\n---\n"
	look(t, files, "", func(l *Look, p *plan.Phase) {
		s := l.Subject(p)
		if r := s.Run("ready", gate.Verify); !r.No() || r.Missing[0].ID != "02-02" {
			t.Errorf("%+v", r)
		}
		if r := s.Run("ready", gate.Execute); r.No() {
			t.Errorf("%+v", r)
		}
		if r := s.Run("ship", gate.Verify); !r.No() || r.Missing[0].Condition != "summaries" || r.Missing[1].Condition != "verification" {
			t.Errorf("%+v", r)
		}
	})
}

// A complete phase can be completed again, but not after a plan was added and not
// executed.
func TestCompletedAgain(t *testing.T) {
	files := done()
	files["ROADMAP.md"] = strings.Replace(files["ROADMAP.md"], "[ ] **Phase 2", "[x] **Phase 2", 1)
	look(t, files, "", func(l *Look, p *plan.Phase) {
		if r := l.Ask(p, Finish, Override{}); r != nil {
			t.Errorf("%+v", r)
		}
	})
	files[dir+"02-03-PLAN.md"] = "x\n"
	look(t, files, "", func(l *Look, p *plan.Phase) {
		if err := must.Catch(func() { l.Ask(p, Finish, Override{}) }); err == nil {
			t.Error("it is completed with a plan that was not executed")
		}
	})
}

// Planning ahead of a dependency is allowed and told; one that there is not is
// an error.
func TestDependencies(t *testing.T) {
	files := done()
	files["ROADMAP.md"] = strings.Replace(files["ROADMAP.md"], "[x] **Phase 1", "[ ] **Phase 1", 1)
	look(t, files, "", func(l *Look, p *plan.Phase) {
		if r := l.Subject(p).Run("ready", gate.Plan); !r.Passed || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "phase 1") {
			t.Errorf("%+v", r)
		}
	})
	files["ROADMAP.md"] = strings.Replace(files["ROADMAP.md"], "Depends on:** Phase 1", "Depends on:** Phase 77", 1)
	look(t, files, "", func(l *Look, p *plan.Phase) {
		var input *plan.InputError
		if err := must.Catch(func() { l.Subject(p).Run("ready", gate.Plan) }); !errors.As(err, &input) {
			t.Error(err)
		}
	})
}

// The page has the tables, row by row.
func TestPage(t *testing.T) {
	b, err := os.ReadFile("../../../docs/plan-lifecycle.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range States() {
		if !strings.Contains(string(b), "\n| "+string(s)+" | ") {
			t.Errorf("docs/plan-lifecycle.md has no state %s", s)
		}
	}
	for _, c := range Conditions() {
		var moves []string
		for _, m := range c.Moves {
			moves = append(moves, string(m))
		}
		row := fmt.Sprintf("| %s | %s | %s | %s |", c.ID, c.What, strings.Join(moves, ", "), c.Workflow)
		if !strings.Contains(string(b), row+"\n") {
			t.Errorf("docs/plan-lifecycle.md does not have\n%s", row)
		}
	}
}
