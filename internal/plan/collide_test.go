package plan

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"cairn/internal/plan/doc"
	"cairn/test/plantest"
)

// branches is a project in a repository.
func branches(t *testing.T, files map[string]string) (*Workspace, func(args ...string)) {
	t.Helper()
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	plantest.Write(t, root, files)
	git("init", "-q", "-b", "main")
	plantest.Write(t, root, map[string]string{".git/info/attributes": "* merge=union\n"})
	git("add", "-A")
	git("commit", "-qm", "plan")
	w, err := At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return w, git
}

func settle(t *testing.T, w *Workspace) (found []string) {
	t.Helper()
	if _, err := w.Update(context.Background(), "health", func(tx *Tx) error {
		all := tx.Collisions()
		for _, c := range all {
			found = append(found, c.String())
		}
		tx.Settle(context.Background(), all)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

const oneHead = "# Roadmap\n\n## Phases\n\n- [ ] **Phase 1: Base** - it\n\n## Phase Details\n\n### Phase 1: Base\n**Goal:** it\n\n## Progress\n\n| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n| 1. Base | 0/0 | Not started | - |\n"

// A merge without the driver, where somebody kept both sides' lines: each phase
// gets its section, line and row, and what its branch said of it.
func TestCollisionWithoutTheDriver(t *testing.T) {
	w, git := branches(t, map[string]string{
		".planning/ROADMAP.md":              oneHead,
		".planning/STATE.md":                "# State\n\n### Decisions\n\n- [Phase 1]: old\n",
		".planning/REQUIREMENTS.md":         "- [ ] **A-01**: a\n- [ ] **A-02**: b\n\n| Requirement | Phase | Status |\n|---|---|---|\n| A-01 | Phase 1 | Pending |\n",
		".planning/phases/01-base/.gitkeep": "",
	})
	add := func(name, decision, requirement string) {
		_, err := w.Update(context.Background(), "add", func(tx *Tx) error {
			p := tx.AddPhase(NewPhase{Name: name})
			tx.Write(p.Dir+"/02-01-PLAN.md", []byte("---\nphase: 02-"+p.Slug+"\ndepends_on: [\"02-00\"]\n---\nSee .planning/phases/02-"+p.Slug+"/02-CONTEXT.md\n"))
			tx.EditState(func(s *State) { s.Decide(Decision{Phase: "2", Summary: decision}) })
			q := tx.Requirements()
			q.AppendRow(q.Trace, requirement, "Phase 2", "Pending")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		git("add", "-A")
		git("commit", "-qm", name)
	}
	git("checkout", "-qb", "other")
	add("Search", "index in memory", "A-02")
	git("checkout", "-q", "main")
	add("Billing", "cents", "A-03")
	git("merge", "-q", "--no-edit", "other")
	found := settle(t, w)
	if len(found) != 1 || found[0] != "phase 2 is 02-billing too; 02-search becomes phase 3" {
		t.Errorf("found %q", found)
	}
	for name, want := range map[string][]string{
		"ROADMAP.md":                      {"### Phase 2: Billing\n", "### Phase 3: Search\n", "**Phase 2: Billing**", "**Phase 3: Search**", "| 2. Billing |", "| 3. Search |"},
		"STATE.md":                        {"- [Phase 1]: old\n", "- [Phase 2]: cents\n", "- [Phase 3]: index in memory\n"},
		"REQUIREMENTS.md":                 {"| A-02 | Phase 3 | Pending |", "| A-03 | Phase 2 | Pending |"},
		"phases/03-search/03-01-PLAN.md":  {"phase: 03-search\n", "depends_on: [03-00]\n", "phases/03-search/03-CONTEXT.md"},
		"phases/02-billing/02-01-PLAN.md": {"phase: 02-billing\n", "phases/02-billing/02-CONTEXT.md"},
	} {
		b, err := os.ReadFile(w.Abs(w.Path(name)))
		for _, s := range want {
			if err != nil || !strings.Contains(string(b), s) {
				t.Errorf("%s is without %q (%v):\n%s", name, s, err, b)
			}
		}
	}
	if again := settle(t, w); again != nil {
		t.Errorf("after it: %q", again)
	}
	for range 1 {
		if _, err := w.Undo(context.Background(), false); err != nil || !exists(w.Abs(".planning/phases/02-search/02-01-PLAN.md")) {
			t.Errorf("undone: %v", err)
		}
	}
}

// A file that git moved into the directory of the phase's new number gets that
// number; another number is taken where the phase has such a plan.
func TestMisnumbered(t *testing.T) {
	w, _ := branches(t, map[string]string{
		".planning/ROADMAP.md":                      oneHead,
		".planning/phases/01-base/01-01-PLAN.md":    "---\nphase: 01-base\n---\n",
		".planning/phases/01-base/02-01-PLAN.md":    "---\nphase: 02-base\ndepends_on: [\"02-00\"]\n---\n",
		".planning/phases/01-base/02-CONTEXT.md":    "x\n",
		".planning/phases/01-base/2024-notes.md":    "x\n",
		".planning/phases/02-own-way/07-01-PLAN.md": "x\n",
	})
	if _, err := w.Update(context.Background(), "health", func(tx *Tx) error {
		for _, m := range tx.Misnumbered() {
			tx.Renumber(m)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"01-base/01-02-PLAN.md", "01-base/01-CONTEXT.md", "01-base/2024-notes.md", "02-own-way/07-01-PLAN.md"} {
		if !exists(w.Abs(".planning/phases/" + name)) {
			t.Errorf("no %s", name)
		}
	}
	b, _ := os.ReadFile(w.Abs(".planning/phases/01-base/01-02-PLAN.md"))
	if s := string(b); !strings.Contains(s, "phase: 01-base\n") || !strings.Contains(s, "depends_on: [01-00]") {
		t.Errorf("its frontmatter is\n%s", s)
	}
}

// What one person keeps in one tree is no collision of two branches: nothing is
// renumbered.
func TestNoCollision(t *testing.T) {
	for name, c := range map[string]struct {
		roadmap string
		dirs    []string
		found   int // what a person has to decide
	}{
		"a shipped milestone's phase":       {"<details>\n<summary>✅ v1.0</summary>\n\n### Phase 1: Old\n</details>\n\n" + oneHead, []string{"01-old", "01-base"}, 0},
		"a directory that nothing tells of": {oneHead, []string{"01-base", "01-what"}, 1},
		"an older phase of the same name":   {strings.ReplaceAll(oneHead, "Phase 1:", "Phase 9:"), []string{"04-base", "09-base"}, 1},
		"a section twice":                   {oneHead + "\n### Phase 1: Base\nmore\n", []string{"01-base"}, 1},
		"a renamed phase":                   {oneHead, []string{"01-foundation"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{".planning/ROADMAP.md": c.roadmap}
			for _, d := range c.dirs {
				files[".planning/phases/"+d+"/"+d[:2]+"-CONTEXT.md"] = "x\n"
			}
			w, _ := branches(t, files)
			before := tree(t, w)
			found := settle(t, w)
			if len(found) != c.found {
				t.Errorf("found %q", found)
			}
			equalTrees(t, tree(t, w), before)
		})
	}
}

// Of two that nothing tells apart the one with more done keeps the number, then the
// first in the alphabet.
func TestWhichKeepsTheNumber(t *testing.T) {
	dir := func(slug string, done int) *Phase {
		p := &Phase{ID: doc.PhaseID{Number: 4}, Dir: "phases/04-" + slug, Slug: slug, Files: []string{"x.md"}}
		for range done {
			p.Plans = append(p.Plans, PlanFile{Summary: "x"})
		}
		return p
	}
	for _, c := range []struct {
		dirs []*Phase
		in   []placed
		want string
	}{
		{[]*Phase{dir("b", 0), dir("a", 0)}, nil, "phase 4 is 04-a too; 04-b becomes phase 5"},
		{[]*Phase{dir("b", 1), dir("a", 0)}, nil, "phase 4 is 04-b too; 04-a becomes phase 5"},
		{[]*Phase{dir("b", 1), dir("a", 0)}, []placed{{doc.RoadmapPhase{ID: doc.PhaseID{Number: 4}}, "a"}}, "phase 4 is 04-a too; 04-b becomes phase 5"},
		{[]*Phase{dir("b", 1), dir("a", 0)}, []placed{{doc.RoadmapPhase{ID: doc.PhaseID{Number: 7}}, "b"}}, "phase 4 is 04-a too; 04-b becomes phase 7"},
	} {
		f := &finder{dirs: slices.Clone(c.dirs), taken: c.dirs, entries: c.in}
		f.dirsOf(doc.PhaseID{Number: 4})
		if len(f.found) != 1 || f.found[0].String() != c.want {
			t.Errorf("got %q, want %q", f.found, c.want)
		}
	}
}
