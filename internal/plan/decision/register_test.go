package decision

import (
	"strings"
	"testing"

	"cairn/internal/plan"
	"cairn/test/plantest"
)

func read(t *testing.T, files map[string]string, fn func(*Register)) {
	t.Helper()
	root := t.TempDir()
	plantest.Write(t, root, files)
	w, err := plan.At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.View(func(tx *plan.Tx) error {
		r := Read(tx)
		r.Trace()
		fn(r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

const (
	passed = "---\nstatus: passed\n---\n"
	cites  = "---\nmust_haves:\n  truths:\n    - \"IDS\"\n---\n"
)

func planOf(ids string) string { return strings.ReplaceAll(cites, "IDS", ids) }

// Where a decision stands follows from the plans that cite it: those of its own
// phase, and only where there is none those of others.
func TestStates(t *testing.T) {
	read(t, map[string]string{
		".planning/ROADMAP.md":                                "# R\n\n### Phase 1: A\n**Goal:** g\n\n### Phase 2: B\n**Goal:** g\n",
		".planning/phases/01-a/01-CONTEXT.md":                 "<decisions>\n- **D-01:** a\n- **D-02:** b\n- **D-03:** c\n  - Replaced by: D-01\n- **D-04 [deferred]:** d\n- **D-05:** e\n</decisions>\n",
		".planning/phases/01-a/01-01-PLAN.md":                 planOf("D-01"),
		".planning/phases/01-a/01-01-SUMMARY.md":              "# S\n",
		".planning/phases/01-a/01-VERIFICATION.md":            passed,
		".planning/phases/02-b/02-CONTEXT.md":                 "<decisions>\n- **D-06:** f\n- **D-07:** g\n- **D-:** none\n</decisions>\n",
		".planning/phases/02-b/02-01-PLAN.md":                 planOf("D-06 D-01 D-05"),
		".planning/phases/02-b/02-02-PLAN.md":                 planOf("D-07"),
		".planning/phases/02-b/02-02-SUMMARY.md":              "# S\n",
		".planning/phases/02-b/02-VERIFICATION.md":            passed,
		".planning/milestones/v0.9-phases/01-z/01-CONTEXT.md": "<decisions>\n- **D-20:** z\n</decisions>\n",
	}, func(r *Register) {
		var got []string
		for _, d := range r.All {
			got = append(got, d.Ref+" "+string(d.State)+" "+strings.Join(d.Plans, ","))
		}
		want := "D-20 open |D-01 verified 01-01,02-01|D-02 open |D-03 superseded |D-04 untracked |D-05 planned 02-01|D-06 planned 02-01|D-07 built 02-02"
		if strings.Join(got, "|") != want {
			t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
		}
		if len(r.Malformed) != 1 || r.Malformed[0].Line != 4 {
			t.Error(r.Malformed)
		}
		if r.Next() != 21 { // an archived phase has D-20
			t.Error(r.Next())
		}
	})
}

// Where a decision is proven is what the last proof of its phase says.
func TestProven(t *testing.T) {
	read(t, map[string]string{
		".planning/ROADMAP.md":                "# R\n\n### Phase 1: A\n**Goal:** g\n",
		".planning/phases/01-a/01-CONTEXT.md": "<decisions>\n- **D-01:** a\n- **D-02:** b\n- **D-03:** c\n</decisions>\n",
		".planning/phases/01-a/01-PROOF.jsonl": `{"verdict":{"for":"old","commit":"old","claims":[{"id":"D-03","kind":"decision","verdict":"proven","what":""}]}}` + "\n" +
			`{"verdict":{"for":"x","commit":"abc","claims":[{"id":"D-01","kind":"decision","verdict":"proven","what":"","evidence":["a.go"]},{"id":"D-02","kind":"decision","verdict":"unproven","what":""},{"id":"D-03","kind":"requirement","verdict":"proven","what":""}]}}` + "\n",
	}, func(r *Register) {
		if p := r.All[0].Proof; p == nil || p.Verdict != "proven" || p.Commit != "abc" || strings.Join(p.Where, " ") != "a.go" {
			t.Errorf("%+v", p)
		}
		if p := r.All[1].Proof; p == nil || p.Verdict != "unproven" || p.Where == nil {
			t.Errorf("%+v", p)
		}
		if r.All[2].Proof != nil {
			t.Errorf("%+v", r.All[2].Proof)
		}
	})
}

func TestFind(t *testing.T) {
	context := "<decisions>\n- **D-01:** a\n| D-02 | b |\n- **D-03:** c\n</decisions>\n"
	read(t, map[string]string{
		".planning/ROADMAP.md":                                "# R\n\n### Phase 1: A\n**Goal:** g\n\n### Phase 2: B\n**Goal:** g\n",
		".planning/phases/01-a/01-CONTEXT.md":                 context,
		".planning/phases/02-b/02-CONTEXT.md":                 strings.ReplaceAll(context, "D-03", "D-09"),
		".planning/milestones/v0.9-phases/01-z/01-CONTEXT.md": context,
	}, func(r *Register) {
		for ref, want := range map[string]string{
			"01/D-01": ".planning/phases/01-a/01-CONTEXT.md", "2/D-01": ".planning/phases/02-b/02-CONTEXT.md", "D-09": ".planning/phases/02-b/02-CONTEXT.md",
			"D-01": "is the id of several decisions", "D-10": "is no decision of this plan", "d-1": "is no decision: give its id", "03/D-01": "is no decision of this plan",
		} {
			d, err := r.Find(ref)
			if err != nil && !strings.Contains(err.Error(), want) || err == nil && d.File.Path != want {
				t.Errorf("%s: %v %v", ref, d, err)
			}
		}
		row, by := find(t, r, "01/D-02"), find(t, r, "D-09")
		if err := r.Supersede(row, by, "2026-03-01", "x"); err == nil || !strings.Contains(err.Error(), "01-CONTEXT.md:3: is a row of a table") {
			t.Error(err)
		}
	})
}

func find(t *testing.T, r *Register, ref string) *Decision {
	t.Helper()
	d, err := r.Find(ref)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
