package settings

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/term"
	"cairn/test/plantest"
)

// project makes a project of these files and opens it.
func project(t *testing.T, stream string, files map[string]string) *plan.Workspace {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("USERPROFILE", filepath.Join(dir, "home")) // where Windows has it
	plantest.Write(t, dir, files)
	w, err := plan.Open(dir, stream)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func view(t *testing.T, w *plan.Workspace) (s *Settings) {
	t.Helper()
	if err := w.View(func(tx *plan.Tx) error { s = Load(tx); return nil }); err != nil {
		t.Fatal(err)
	}
	return s
}

func config(text string) map[string]string { return map[string]string{".planning/config.json": text} }

var update = flag.Bool("update", false, "write docs/plan-settings.md")

func TestPageIsCurrent(t *testing.T) {
	const name = "../../../docs/plan-settings.md"
	if *update {
		if err := os.WriteFile(name, []byte(Page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(name)
	if err != nil || string(b) != Page() {
		t.Error("docs/plan-settings.md is not what the table says: go test ./internal/plan/settings -update")
	}
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rows() {
		if seen[r.Key] {
			t.Errorf("%s is there twice", r.Key)
		}
		seen[r.Key] = true
		if r.Default != "" && r.Default != "null" && r.fallback() == nil {
			t.Errorf("%s: its default %s is no value for it", r.Key, r.Default)
		}
		if r.Kind == Enum && len(r.Allowed) == 0 {
			t.Errorf("%s allows nothing", r.Key)
		}
		if !strings.HasSuffix(r.Doc, ".") {
			t.Errorf("%s: %q is no sentence", r.Key, r.Doc)
		}
		for _, old := range r.Names {
			if _, ok := Find(old); ok {
				t.Errorf("%s: its older name %s is a key", r.Key, old)
			}
		}
	}
}

// A setting that nothing reads promises what never happens. A program names it
// in full, or a prompt does; the few that are put together are named here.
func TestEverySettingIsRead(t *testing.T) {
	together := map[string]string{"models.": "../agent/agent.go", "dynamic_routing.tier_models.": "../agent/agent.go"}
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var text strings.Builder
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		switch ext := filepath.Ext(name); {
		case err != nil || d.IsDir() && d.Name() == "testdata":
			return cmp.Or(err, fs.SkipDir)
		case strings.HasSuffix(name, "_test.go"), ext != ".go" && ext != ".md":
		case filepath.Dir(name) == filepath.Join("..", "settings") && (strings.HasPrefix(d.Name(), "rows") || d.Name() == "flat.go"):
		default:
			text.WriteString(read(name) + "\n")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range Rows() {
		key, _, _ := strings.Cut(r.Key, ".*")
		named := regexp.MustCompile(regexp.QuoteMeta(key) + `(?:[^a-z_]|$)`).MatchString(text.String())
		for prefix, file := range together {
			if leaf, ok := strings.CutPrefix(key, prefix); ok {
				named = strings.Contains(read(file), strconv.Quote(leaf))
			}
		}
		if !named {
			t.Errorf("nothing reads %s", r.Key)
		}
	}
}

// What nothing reads any more stays in a file, is no fault of it, and is not set.
func TestRetired(t *testing.T) {
	const before = `{"claude_md_assembly":{"mode":"link","blocks":{"a":"embed"}},"claude_md_path":"./X.md","code_quality":{"fallow":{"mcp":true,"profile":"strict"}},` +
		`"graphify":{"auto_update":true},"learnings":{"max_inject":3},"models":{"completion":"opus"},` +
		`"workflow":{"plan_bounce":true,"plan_bounce_passes":2,"plan_bounce_script":"x","plan_chunked":false}}`
	w := project(t, "", config(before))
	if warnings := view(t, w).Warnings(); len(warnings) != 0 {
		t.Errorf("%v", warnings)
	}
	if err := w.View(func(tx *plan.Tx) error {
		b, err := tx.ReadBytes(tx.Path(FileName))
		if string(b) != before {
			t.Errorf("%s", b)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	_, err := w.Update(context.Background(), "", func(tx *plan.Tx) error {
		Set(tx, "workflow.plan_bounce", "true")
		return nil
	})
	if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "no effect") || !strings.Contains(term.HintOf(err), "config unset workflow.plan_bounce") {
		t.Errorf("%v", err)
	}
	for _, r := range Rows() {
		if Retired(r.Key) {
			t.Errorf("%s is retired and a setting", r.Key)
		}
	}
}

// What another tool reads stays in a file and is no fault of it; cairn says whose it is.
func TestSuccessors(t *testing.T) {
	w := project(t, "", config(`{"tavily_search":true,"plan_review":{"source_grounding":false},"workflow":{"api_coverage_gate":true}}`))
	if warnings := view(t, w).Warnings(); len(warnings) != 0 {
		t.Errorf("%v", warnings)
	}
	for _, key := range []string{"planning.search_gitignored", "planning.granularity", "phase_id_convention", "planner.stall_threshold_minutes", "gates.confirm_plan", "safety.always_confirm_destructive", "worktree.baseRef", "effort.default", "fast_mode.enabled", "model_policy.provider"} {
		tree := `"x"`
		for _, name := range slices.Backward(strings.Split(key, ".")) {
			tree = `{"` + name + `":` + tree + `}`
		}
		for _, warned := range view(t, project(t, "", config(tree))).Warnings() {
			if warned.Unknown {
				t.Errorf("%v", warned)
			}
		}
	}
	if got := view(t, project(t, "", config(`{"phase_id_convention":"milestone-prefixed"}`))).Warnings(); len(got) != 1 || got[0].Unknown {
		t.Errorf("%v", got)
	}
	if got := view(t, project(t, "", config(`{"phase_id_convention":null}`))).Warnings(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := Mask("tavily_search", "tvly-0123456789"); got != "****6789" {
		t.Errorf("a key of gsd-core's is shown: %v", got)
	}
	_, err := w.Update(context.Background(), "", func(tx *plan.Tx) error {
		Set(tx, "ref_search", "true")
		return nil
	})
	if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "gsd-core") {
		t.Errorf("%v", err)
	}
	for _, r := range Rows() {
		if Successors(r.Key) {
			t.Errorf("%s is of gsd-core and a setting", r.Key)
		}
	}
}

func TestValues(t *testing.T) {
	tests := []struct {
		name, root, stream string
		key                string
		want               any
		source             string
	}{
		{"absent flag is on", `{"workflow":{}}`, "", "workflow.context_coverage_gate", true, "default"},
		{"set", "{\n \"workflow\": {\n  \"research\": false}}", "", "workflow.research", false, "project .planning/config.json:3"},
		{"a string is a flag", `{"workflow":{"research":"FALSE"}}`, "", "workflow.research", false, "project .planning/config.json:1"},
		{"wrong type is on", `{"workflow":{"research":0}}`, "", "workflow.research", true, "default"},
		{"no object", `{"workflow":"off"}`, "", "workflow.research", true, "default"},
		{"workstream wins", `{"workflow":{"research":false}}`, `{"workflow":{"research":true}}`, "workflow.research", true, "workstream .planning/workstreams/side/config.json:1"},
		{"workstream is merged", `{"workflow":{"research":false}}`, `{"workflow":{"verifier":false}}`, "workflow.research", false, "project .planning/config.json:1"},
		{"null hides", `{"workflow":{"research":false}}`, `{"workflow":{"research":null}}`, "workflow.research", true, "default"},
		{"null object hides", `{"workflow":{"research":false}}`, `{"workflow":null}`, "workflow.research", true, "default"},
		{"older name", `{"branching_strategy":"phase"}`, "", "git.branching_strategy", "phase", "project .planning/config.json:1 (as branching_strategy)"},
		{"newer name wins", `{"branching_strategy":"phase","git":{"branching_strategy":"milestone"}}`, "", "git.branching_strategy", "milestone", "project .planning/config.json:1"},
		{"older value", `{"depth":"comprehensive"}`, "", "granularity", "fine", "project .planning/config.json:1 (as depth)"},
		{"section of older files", `{"planning":{"commit_docs":false}}`, "", "commit_docs", false, "project .planning/config.json:1 (as planning.commit_docs)"},
		{"not of the list", `{"mode":"fast"}`, "", "mode", "interactive", "default"},
		{"number", `{"workflow":{"drift_threshold":7}}`, "", "workflow.drift_threshold", 7, "project .planning/config.json:1"},
		{"too small", `{"workflow":{"drift_threshold":0}}`, "", "workflow.drift_threshold", 3, "default"},
		{"comments", "{// why\n\"mode\": \"yolo\", /* more */}", "", "mode", "yolo", "project .planning/config.json:2"},
		{"byte order mark", "\ufeff{\"mode\":\"yolo\"}", "", "mode", "yolo", "project .planning/config.json:1"},
		{"name of the user's", `{"model_overrides":{"gsd-planner":"x/y"}}`, "", "model_overrides.gsd-planner", "x/y", "project .planning/config.json:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files, stream := config(tt.root), ""
			if tt.stream != "" {
				stream = "side"
				files[".planning/workstreams/side/config.json"] = tt.stream
			}
			v, ok := view(t, project(t, stream, files)).Value(tt.key)
			if !ok || v.Any != tt.want || v.Source.String() != tt.source {
				t.Errorf("%s = %v from %s, want %v from %s", tt.key, v.Any, v.Source, tt.want, tt.source)
			}
		})
	}
}

func TestParallelization(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true, `{"parallelization":false}`: false,
		`{"parallelization":{"enabled":false,"plan_level":true}}`: false,
		`{"parallelization":{"plan_level":true}}`:                 true,
		`{"parallelization":{"enabled":"no"}}`:                    true,
	} {
		if got := view(t, project(t, "", config(text))).Bool("parallelization"); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestWarnings(t *testing.T) {
	w := project(t, "", config(`{
  "mode": "fast",
  "hooks": {"cleverness": 1},
  "git": 3,
  "brave_search": ["secret"],
  "depth": "quick",
  "features": {"any": true},
  "model_profil": "quality"
}`))
	var got []string
	for _, w := range view(t, w).Warnings() {
		got = append(got, w.String())
	}
	want := []string{
		`.planning/config.json:2: mode: "fast" is not one of interactive, yolo; its default counts`,
		`.planning/config.json:3: hooks.cleverness: there is no such setting`,
		`.planning/config.json:4: git: 3 is not an object`,
		`.planning/config.json:5: brave_search: this is not true, false or a text; its default counts`,
		`.planning/config.json:8: model_profil: there is no such setting; model_profile is one`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestBrokenFile(t *testing.T) {
	s := view(t, project(t, "", config("{\n \"mode\": yolo\n}")))
	if s.Err() == nil || !strings.HasPrefix(s.Err().Error(), ".planning/config.json:2: ") {
		t.Errorf("error %v", s.Err())
	}
	if s.Text("mode") != "interactive" || !s.Exists() {
		t.Error("a broken file should be there and mean the defaults")
	}
}

func TestSecretsAreMasked(t *testing.T) {
	s := view(t, project(t, "", config(`{"brave_search":"abcdefgh1234","exa_search":"short","firecrawl":""}`)))
	b, err := json.Marshal(s.Flat())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"brave_search":"****1234"`, `"exa_search":"****"`, `"firecrawl":"(unset)"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s is missing in %s", want, b)
		}
	}
	if got, _ := s.At("brave_search"); got != "****1234" {
		t.Errorf("At gives %v", got)
	}
}

func TestFlat(t *testing.T) {
	s := view(t, project(t, "", config(`{"models":{"research":"haiku"},"workflow":{"tdd_mode":true},"multiRepo":true}`)))
	var names []string
	for _, m := range s.Flat() {
		names = append(names, m.Name)
	}
	if len(names) != 38 || names[0] != "model_profile" || names[37] != "claude_md_assembly" {
		t.Errorf("members %q", names)
	}
	b, _ := json.Marshal(s.Flat())
	for _, want := range []string{
		`"quick_branch_template":null`, `"tdd_mode":true`, `"sub_repos":[]`, `"subagent_timeout":300000`,
		`"model_overrides":null,"models":{"research":"haiku"}`, `"agent_skills":{},"manager":{}`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s is missing in %s", want, b)
		}
	}
}

func TestSubRepos(t *testing.T) {
	w := project(t, "", map[string]string{
		".planning/config.json": `{"sub_repos":["gone"]}`,
		"api/.git/HEAD":         "x", "web/.git": "gitdir: x", "docs/a": "x",
	})
	if got := view(t, w).SubRepos(); !slices.Equal(got, []string{"api", "web"}) {
		t.Errorf("sub-repositories %q", got)
	}
}

func TestReadWritesNothing(t *testing.T) {
	const text = `{"depth":"quick","sub_repos":["api"],"unknown":1}`
	w := project(t, "", config(text))
	s := view(t, w)
	s.Flat()
	s.Values()
	if b, _ := os.ReadFile(w.Abs(".planning/config.json")); string(b) != text {
		t.Errorf("the file is now %s", b)
	}
	if entries, _ := os.ReadDir(w.Abs(".planning")); len(entries) != 1 {
		t.Errorf("new files: %v", entries)
	}
}

func TestFresh(t *testing.T) {
	w := project(t, "", map[string]string{"home/.gsd/defaults.json": `{"depth":"comprehensive","planning":{"commit_docs":false},"workflow":{"research":false}}`})
	getenv := func(name string) string { return map[string]string{"BRAVE_API_KEY": "k"}[name] }
	choices := jsonc.Object{{Name: "mode", Value: "yolo"}, {Name: "workflow", Value: jsonc.Object{{Name: "verifier", Value: false}}}}
	tree := Fresh(choices, getenv)
	for key, want := range map[string]any{
		"mode": "yolo", "granularity": "fine", "commit_docs": false, "brave_search": true, "firecrawl": false,
		"workflow.verifier": false, "workflow.research": false, "workflow.plan_check": true,
		"git.branching_strategy": "none", "git.quick_branch_template": nil,
	} {
		if got, ok := at(tree, key); !ok || got != want {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	_, err := w.Update(t.Context(), "init", func(tx *plan.Tx) error {
		_, created := Create(tx, tree)
		if !created {
			t.Error("not created")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if warnings := view(t, w).Warnings(); len(warnings) > 0 {
		t.Errorf("a new file has %v", warnings)
	}
}

// A file of very many keys is read in a time that grows with its length; one
// that grows with its square would run into the test's timeout.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&b, "\"k%d\": {\"a\": 1},\n", i)
	}
	w := project(t, "", map[string]string{".planning/config.json": "{" + b.String() + `"mode": "yolo"}`})
	s := view(t, w)
	if got := len(s.Warnings()); got != maxWarnings || s.Text("mode") != "yolo" {
		t.Errorf("%d warnings, mode %s", got, s.Text("mode"))
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"mode":"yolo","workflow":{"research":0},"depth":"quick"}`), "workflow.research", "false")
	f.Add([]byte("\ufeff{/* */\"a\":[1,{}],}"), "model_overrides.x", "y")
	f.Add([]byte(`{"workflow":null,"mode":"a","mode":"yolo"}`), "mode", "yolo")
	dir := f.TempDir()
	f.Setenv("HOME", dir)
	if err := os.Mkdir(filepath.Join(dir, ".planning"), 0o755); err != nil {
		f.Fatal(err)
	}
	w, err := plan.At(dir, "", "")
	if err != nil {
		f.Fatal(err)
	}
	w.DryRun = true
	f.Fuzz(func(t *testing.T, text []byte, key, value string) {
		_, err := w.Update(t.Context(), "fuzz", func(tx *plan.Tx) error {
			tx.Write(".planning/config.json", text)
			s := Load(tx)
			s.Values()
			s.Warnings()
			if _, err := json.Marshal(s.Flat()); err != nil {
				t.Errorf("flat: %v", err)
			}
			if must.Catch(func() { Set(tx, key, value) }) != nil {
				return nil
			}
			r, _ := Find(key)
			want, _ := r.Parse(value)
			if v, ok := Load(tx).Value(key); !ok || literal(v.Any) != literal(want) {
				t.Errorf("%s set to %v is %v", key, want, v.Any)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
