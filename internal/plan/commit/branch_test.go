package commit

import (
	"context"
	"strings"
	"testing"

	"cairn/internal/plan"
)

func TestBranch(t *testing.T) {
	for _, c := range []struct{ name, config, path, want string }{
		{"no strategy", `{}`, ".planning/phases/02-api/02-01-PLAN.md", ""},
		{"a phase", `{"git":{"branching_strategy":"phase"}}`, ".planning/phases/02-api/02-01-PLAN.md", "gsd/phase-02-api"},
		{"a template", `{"git":{"branching_strategy":"phase","phase_branch_template":"p/{phase}"}}`, ".planning/phases/02-api", "p/02"},
		{"no phase's file", `{"git":{"branching_strategy":"phase"}}`, ".planning/STATE.md", ""},
		{"a milestone", `{"git":{"branching_strategy":"milestone"}}`, ".planning/STATE.md", "gsd/v1.0-first-light"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t)
			r.write(".planning/config.json", c.config)
			r.write(".planning/phases/02-api/02-01-PLAN.md", "")
			r.write(".planning/ROADMAP.md", "## v1.0 First Light\n\n### Phase 2: API\n")
			r.write(".planning/STATE.md", "---\nmilestone: v1.0\n---\n")
			w, err := plan.At(r.dir, "", "")
			if err != nil {
				t.Fatal(err)
			}
			var got string
			err = w.View(func(tx *plan.Tx) (err error) { got = Branch(tx, []string{"src/a.go", c.path}); return nil })
			if err != nil || got != c.want {
				t.Errorf("branch is %q, want %q (%v)", got, c.want, err)
			}
		})
	}
}

func TestRequireAndSwitch(t *testing.T) {
	r := newRepo(t)
	ctx := context.Background()
	if err := RequireBranch(ctx, r.dir, "main"); err != nil {
		t.Error(err)
	}
	err := RequireBranch(ctx, r.dir, "gsd/x")
	if err == nil || !strings.Contains(err.Error(), "gsd/x, and main is checked out") {
		t.Errorf("error is %v", err)
	}
	for _, branch := range []string{"gsd/x", "main", "gsd/x", "gsd/x", ""} { // made, left, found again, there already
		if err := Switch(ctx, r.dir, branch); err != nil {
			t.Fatal(err)
		}
		if got := r.git("branch", "--show-current"); branch != "" && got != branch {
			t.Errorf("on %s, want %s", got, branch)
		}
	}
	r.git("switch", "-q", "--detach")
	if err := RequireBranch(ctx, r.dir, "main"); err == nil || !strings.Contains(err.Error(), "no branch is checked out") {
		t.Errorf("error is %v", err)
	}
}
