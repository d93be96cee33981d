package brief

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/test/plantest"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// project makes a workspace of files: name → content.
func project(t *testing.T, files map[string]string) *plan.Workspace {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	root := t.TempDir()
	plantest.Write(t, root, files)
	w, err := plan.At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func view(t *testing.T, w *plan.Workspace, fn func(*plan.Tx) error) {
	t.Helper()
	if err := w.View(fn); err != nil {
		t.Fatal(err)
	}
}

func nothing(string) string { return "" }

// A milestone that was only begun has no phases; those of the one before,
// whose directories are still there, are not its own.
func TestNextOfAMilestoneThatWasBegun(t *testing.T) {
	w := project(t, map[string]string{
		".planning/PROJECT.md":                   "# P",
		".planning/STATE.md":                     "---\nmilestone: v1.1\n---\n",
		".planning/ROADMAP.md":                   "<details>\n<summary>✅ v1.0 First - SHIPPED 2026-03-04</summary>\n\n### Phase 1: Base\n\n</details>\n\n## 🚧 v1.1 Next\n",
		".planning/phases/01-base/01-01-PLAN.md": "",
	})
	view(t, w, func(tx *plan.Tx) error {
		n := FindNext(tx)
		if n.Command != "new-milestone" {
			t.Errorf("%+v", n)
		}
		return nil
	})
}

// What a plan needs next, as it grows file by file.
func TestNext(t *testing.T) {
	const dir = ".planning/phases/01-base/"
	files := map[string]string{}
	for _, step := range []struct{ file, content, command, phase, reason string }{
		{"", "", "new-project", "", "no plan"},
		{"go.mod", "module x", "map-codebase", "", "code that a map would explain"},
		{".planning/codebase/STACK.md", "# Stack", "new-project", "", "no plan"},
		{".planning/PROJECT.md", "# P", "new-project", "", "no roadmap"},
		{".planning/ROADMAP.md", "# R\n\n### Phase 1: [phase name]\n", "new-project", "", "still the template"},
		{".planning/ROADMAP.md", "# R\n", "new-milestone", "", "no phase"},
		{".planning/ROADMAP.md", "### Phase 1: Base\n**Goal:** [to be planned]\n**Requirements:** A-1\n### Phase 2: Top\n", "discuss-phase", "1", "nothing was done"},
		{".planning/STATE.md", "# S\n", "discuss-phase", "1", ""},
		{dir + "01-RESEARCH.md", "", "discuss-phase", "1", "nothing says what was decided"},
		{dir + "01-CONTEXT.md", "# C\n\n<decisions>\n### [area]\n\n- **D-01:** [decision]\n</decisions>\n", "discuss-phase", "1", "nothing says"},
		{dir + "01-CONTEXT.md", "<decisions>\n- **D-01:** keep it\n</decisions>\n", "plan-phase", "1", "researched"},
		{dir + "01-01-PLAN.md", "---\nrequirements: [A-1]\n---\n<objective>\n[objective]\n</objective>\n", "plan-phase", "1", "cannot be executed yet"},
		{dir + "01-01-PLAN.md", "---\nrequirements: [A-1]\n---\nx\n", "plan-phase", "1", "cannot be executed yet"},
		{dir + "01-01-PLAN.md", "---\nrequirements: [A-1]\nmust_haves:\n  truths: [D-01]\n---\n", "execute-phase", "1", "1 plan; wave 1, plan 01-01 is next"},
		{dir + "01-02-PLAN.md", "---\ndepends_on: [\"01-01\", \"01-07\"]\n---\n", "plan-phase", "1", "cannot be executed yet"},
		{dir + "01-02-PLAN.md", "---\ndepends_on: [\"01-01\"]\n---\n", "execute-phase", "1", "2 plans"},
		{dir + "01-01-SUMMARY.md", "---\nrequirements-completed: [A-1]\n---\n", "execute-phase", "1", "1 of 2 plans still to be executed; wave 2, plan 01-02"},
		{dir + "01-02-SUMMARY.md", "", "verify-work", "1", "nobody verified it"},
		{dir + "01-VERIFICATION.md", "---\nstatus: pending\n---\n", "verify-work", "1", "pending, not passed"},
		{dir + "01-VERIFICATION.md", "---\nstatus: gaps_found\n---\n", "plan-phase", "1", "found gaps"},
		{dir + "01-03-PLAN.md", "---\ngap_closure: true\n---\n", "execute-phase", "1", "1 of 3 plans"},
		{dir + "01-03-SUMMARY.md", "", "verify-work", "1", "plans that close its gaps were executed since"},
		{dir + "01-VERIFICATION.md", "---\nstatus: gaps_found\nre_verification: {previous_status: gaps_found}\n---\n", "plan-phase", "1", "found gaps"},
		{dir + "01-VERIFICATION.md", "---\nstatus: human_needed\n---\n", "verify-work", "1", "person"},
		{dir + "01-VERIFICATION.md", "---\nstatus: passed\n---\n", "verify-work", "1", "no UAT.md"},
		{dir + "01-UAT.md", "---\nstatus: complete\n---\n### 1. It\nresult: issue\nseverity: blocker\n", "verify-work", "1", "found an issue blocker"},
		{dir + "01-UAT.md", "---\nstatus: complete\n---\n### 1. It\nresult: pass\n", "discuss-phase", "2", ""},
		{".planning/config.json", `{"workflow":{"skip_discuss":true}}`, "plan-phase", "2", "skip_discuss"},
		{".planning/HANDOFF.json", "{}", "resume-work", "", "HANDOFF.json"},
		{".planning/STATE.md", "**Paused At:** task 3\n", "resume-work", "", "task 3"},
	} {
		if step.file != "" {
			files[step.file] = step.content
		}
		view(t, project(t, files), func(tx *plan.Tx) error {
			n := FindNext(tx)
			if n.Command != step.command || n.Phase != step.phase || !strings.Contains(n.Reason, step.reason) {
				t.Errorf("after %s: %+v", step.file, n)
			}
			return nil
		})
	}
}

// Work that was paused before there is a roadmap is taken up first; a new
// workstream has a project, and wants a milestone.
func TestNextWithoutRoadmap(t *testing.T) {
	w := project(t, map[string]string{
		".planning/PROJECT.md": "# P", ".planning/.continue-here.md": "x", ".planning/workstreams/side/STATE.md": "# S",
	})
	side, err := plan.At(w.Root, "", "side")
	if err != nil {
		t.Fatal(err)
	}
	for command, w := range map[string]*plan.Workspace{"resume-work": w, "new-milestone": side} {
		view(t, w, func(tx *plan.Tx) error {
			n := FindNext(tx)
			if n.Command != command {
				t.Errorf("%+v, want %s", n, command)
			}
			return nil
		})
	}
}

// Every brief says whether to ask, and how when that is not as usual.
func TestManner(t *testing.T) {
	for config, want := range map[string]map[string]any{
		`{}`: {"mode": "interactive"},
		`{"mode":"yolo","workflow":{"text_mode":true}}`: {"mode": "yolo", "workflow.text_mode": true},
	} {
		view(t, project(t, map[string]string{".planning/config.json": config}), func(tx *plan.Tx) error {
			b := Make(tx, Request{Workflow: "list-workspaces", Now: noon, Getenv: nothing})
			if !reflect.DeepEqual(b.Settings, want) {
				t.Errorf("%s: %v", config, b.Settings)
			}
			return nil
		})
	}
}

// A phase that is finished and not completed comes before the next one, and
// before the end of the milestone.
func TestNextAsksForCompletion(t *testing.T) {
	files := map[string]string{
		".planning/PROJECT.md":                        "# P",
		".planning/STATE.md":                          "# S",
		".planning/ROADMAP.md":                        "- [ ] **Phase 1: Base**\n- [ ] **Phase 2: Top**\n\n### Phase 1: Base\n### Phase 2: Top\n",
		".planning/phases/01-base/01-01-PLAN.md":      "",
		".planning/phases/01-base/01-01-SUMMARY.md":   "",
		".planning/phases/01-base/01-VERIFICATION.md": "---\nstatus: passed\n---\n",
		".planning/phases/01-base/01-UAT.md":          "---\nstatus: complete\n---\n",
		".planning/phases/01-base/01-CONTEXT.md":      "It is small.\n",
	}
	want := func(command, blocked string) {
		t.Helper()
		view(t, project(t, files), func(tx *plan.Tx) error {
			n := FindNext(tx)
			var do []string
			for _, b := range n.Blocked {
				do = append(do, b.Do)
			}
			if got := strings.Join(do, " "); n.Command != command || got != blocked {
				t.Errorf("%s after %q, want %s after %q", n.Command, got, command, blocked)
			}
			return nil
		})
	}
	want("discuss-phase", "cairn plan phase complete 1")
	files[".planning/ROADMAP.md"] = strings.ReplaceAll(files[".planning/ROADMAP.md"], "[ ] **Phase 2", "[x] **Phase 2")
	want("complete-milestone", "cairn plan phase complete 1")
	files[".planning/ROADMAP.md"] = strings.ReplaceAll(files[".planning/ROADMAP.md"], "[ ]", "[x]")
	want("complete-milestone", "")
	// a milestone that only STATE.md names has nothing that could be completed
	files[".planning/STATE.md"] = "---\nmilestone: v1.1\n---\n# S\n"
	files[".planning/ROADMAP.md"] = "- v1.0 One - Phases 1-2 (shipped 2026-03-01)\n\n" + files[".planning/ROADMAP.md"]
	want("new-milestone", "")
}

func TestNextIsBlocked(t *testing.T) {
	w := project(t, map[string]string{
		".planning/PROJECT.md":   "# P",
		".planning/ROADMAP.md":   "### Phase 1: Base\n**Depends on:** Phase 2\n### Phase 2: Top\n",
		".planning/STATE.md":     "---\nstatus: error\n---\n\n## Error\n\nthe build fails\n",
		".planning/WAITING.json": "{}",
	})
	view(t, w, func(tx *plan.Tx) error {
		n := FindNext(tx)
		var got []string
		for _, b := range n.Blocked {
			got = append(got, strings.TrimSpace(b.Path+" "+b.What))
			if b.Do == "" {
				t.Errorf("no remedy: %+v", b)
			}
		}
		want := []string{
			".planning/STATE.md says that the status is error", ".planning/STATE.md has an Error section: the build fails",
			".planning/WAITING.json holds a question that nobody has answered", "phase 1 depends on phase 2, which is not complete",
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("blocked by %q", got)
		}
		return nil
	})
}

func TestBoard(t *testing.T) {
	const dir = ".planning/phases/"
	w := project(t, map[string]string{
		".planning/ROADMAP.md": "### Phase 1: A\n### Phase 2: B\n**Depends on:** Phase 3\n### Phase 3: C\n**Depends on:** Phase 2\n### Phase 4: D\n**Depends on:** Phase 8\n" +
			"### Phase 5: E\n",
		dir + "01-a/01-01-PLAN.md": "", dir + "01-a/01-01-SUMMARY.md": "", dir + "01-a/01-02-PLAN.md": "",
		dir + "05-e/05-CONTEXT.md":                              "",
		".planning/milestones/v0.9-phases/08-old/08-01-PLAN.md": "",
	})
	view(t, w, func(tx *plan.Tx) error {
		_, actions := Board(tx)
		var got []string
		for _, a := range actions {
			got = append(got, a.Do+" "+a.Phase)
		}
		if want := "execute 1, plan 5, discuss 4"; strings.Join(got, ", ") != want {
			t.Errorf("actions are %v, want %s", got, want)
		}
		return nil
	})
}

func TestBegin(t *testing.T) {
	w := project(t, map[string]string{".planning/PROJECT.md": "# Mine\n", "package.json": "{}", "docs/a.md": ""})
	begin := func() *Beginning {
		var b *Beginning
		if _, err := w.Update(context.Background(), "init", func(tx *plan.Tx) error {
			b = Begin(tx, "Widget", "Orders without paper", noon, func(name string) string {
				return map[string]string{"EXA_API_KEY": "k"}[name]
			})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := begin()
	if strings.Join(b.Kept, " ") != ".planning/PROJECT.md" || len(b.Created) != 4 || b.Next.Command != "map-codebase" || !b.Code.Grown() {
		t.Errorf("%+v, next %+v", b, b.Next)
	}
	for rel, want := range map[string]string{".planning/PROJECT.md": "# Mine\n", ".planning/config.json": "{\n  \"git\": {\n    \"phase_branch_template\": \"phase/{phase}-{slug}\",\n    \"milestone_branch_template\": \"milestone/{milestone}-{slug}\"\n  },\n  \"exa_search\": true\n}\n"} {
		if got, err := os.ReadFile(w.Abs(rel)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", rel, got, err)
		}
	}
	if b := begin(); len(b.Created) != 0 || len(b.Kept) != 5 {
		t.Errorf("the second time %+v", b)
	}
}

func TestMakeNamesNoAbsolutePath(t *testing.T) {
	w := project(t, map[string]string{
		".planning/ROADMAP.md": "### Phase 1: A\n", ".planning/STATE.md": "# S\n", ".planning/PROJECT.md": "# P\n",
		".planning/phases/01-a/01-UAT.md": "", ".git/HEAD": "", "main.go": "", "gsd-workspaces/x/WORKSPACE.md": "# x\n",
		".planning/config.json":               `{"brave_search":"secretkey1234"}`,
		".planning/todos/pending/a.md":        "title: A\n",
		"gsd-workspaces/x/.planning/STATE.md": "",
	})
	for _, name := range Workflows() {
		subject := map[string]string{"remove-workspace": "x", "todos": ""}[name]
		if subject == "" && strings.Contains("phase-op plan-phase execute-phase verify-work", name) {
			subject = "1"
		}
		view(t, w, func(tx *plan.Tx) error {
			b := Make(tx, Request{Workflow: name, Subject: subject, Now: noon, Home: w.Root, Getenv: nothing, Context: context.Background()})
			text, err := json.Marshal(b)
			for _, bad := range []string{w.Root, os.Getenv("HOME"), "secretkey"} {
				if strings.Contains(string(text), bad) {
					t.Errorf("%s: %s is in %s", name, bad, text)
				}
			}
			if !strings.HasSuffix(string(text), `"now":"2026-03-04T12:00:00Z"}`) || !strings.HasPrefix(string(text), `{"workflow":"`+name) {
				t.Errorf("%s: what changes is not last: %s", name, text)
			}
			return err
		})
	}
	err := w.View(func(tx *plan.Tx) error {
		Make(tx, Request{Workflow: "plan-phase", Subject: "7", Getenv: nothing})
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "phase 7: is neither in the roadmap nor on disk") {
		t.Errorf("%v", err)
	}
}

func TestDocs(t *testing.T) {
	w := project(t, map[string]string{
		"README.md": "<!-- generated-by: cairn-doc-writer -->\n", "docs/guide/a.md": "", ".planning/PROJECT.md": "", "node_modules/x/README.md": "",
		"package.json": `{"bin":"x.js"}`, "pnpm-workspace.yaml": "packages:\n  - 'apps/*'\n  - \"libs/*\"\nother:\n  - no\n",
		"LICENSE": "", "Dockerfile": "", "tests/a": "", "docs/.vitepress/config.js": "", "src/routes/a.js": "",
	})
	d := LookAtDocs(w.Root)
	if want := []DocFile{{"README.md", true}, {"docs/guide/a.md", false}}; !reflect.DeepEqual(d.Existing, want) {
		t.Errorf("existing: %v", d.Existing)
	}
	if want := []string{"apps/*", "libs/*"}; !reflect.DeepEqual(d.Workspaces, want) || !d.Monorepo {
		t.Errorf("workspaces: %v", d.Workspaces)
	}
	if !d.Package || !d.API || !d.CLI || !d.OpenSource || !d.Deployed || !d.Tests || !d.VitePress || d.MkDocs || d.Docusaurus || d.Storybook {
		t.Errorf("%+v", d)
	}
}

func TestSpaces(t *testing.T) {
	w := project(t, map[string]string{
		"gsd-workspaces/two/WORKSPACE.md":         "# Two\n\nStrategy: clone\n\n| Repo | Source | Branch |\n|---|---|---|\n| app | /src/app | feat |\n| ../out | x | y |\n",
		"gsd-workspaces/two/app/new.txt":          "",
		"gsd-workspaces/two/.planning/PROJECT.md": "",
		"gsd-workspaces/none/readme":              "",
	})
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	if out, err := exec.Command("git", "init", "-q", w.Abs("gsd-workspaces/two/app")).CombinedOutput(); err != nil {
		t.Skipf("git: %v %s", err, out)
	}
	all := Spaces(w.Root)
	if len(all) != 1 || all[0].Name != "two" || all[0].Strategy != "clone" || !all[0].Project || len(all[0].Repos) != 1 {
		t.Errorf("%+v", all)
	}
	one, err := FindSpace(context.Background(), w.Root, "two")
	if err != nil || !one.Repos[0].Dirty || one.Repos[0].Branch != "feat" {
		t.Errorf("%+v, %v", one, err)
	}
	for _, name := range []string{"../two", "", "..", "a/b", "nope"} {
		if _, err := FindSpace(context.Background(), w.Root, name); err == nil {
			t.Errorf("%q is a workspace", name)
		}
	}
	if repos := ChildRepos(context.Background(), w.Abs("gsd-workspaces/two")); len(repos) != 1 || !repos[0].Dirty {
		t.Errorf("%+v", repos)
	}
}
