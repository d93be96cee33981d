package agent

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/settings"
)

// load reads the settings of a project with this config.json.
func load(t *testing.T, config string) (s *settings.Settings, root string) {
	t.Helper()
	root = t.TempDir()
	t.Setenv("HOME", filepath.Join(root, "home"))
	t.Setenv("USERPROFILE", filepath.Join(root, "home")) // where Windows has it
	if err := os.Mkdir(filepath.Join(root, ".planning"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".planning", "config.json"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := plan.Open(root, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.View(func(tx *plan.Tx) error { s = settings.Load(tx); return s.Err() }); err != nil {
		t.Fatal(err)
	}
	return s, root
}

func TestTable(t *testing.T) {
	if len(Roles()) != 33 {
		t.Errorf("%d roles", len(Roles()))
	}
	for _, r := range Roles() {
		for _, tier := range []string{r.Quality, r.Balanced, r.Budget} {
			if !slices.Contains([]string{"opus", "sonnet", "haiku"}, tier) {
				t.Errorf("%s: no tier %q", r.Name, tier)
			}
		}
		if _, ok := settings.Find("models." + r.Phase); !ok {
			t.Errorf("%s: no setting for agents of phase %q", r.Name, r.Phase)
		}
		if !slices.Contains([]string{"light", "standard", "heavy"}, r.Load) {
			t.Errorf("%s: no load %q", r.Name, r.Load)
		}
	}
}

func TestResolve(t *testing.T) {
	const routing = `"dynamic_routing":{"enabled":true,"tier_models":{"light":"l","standard":"s","heavy":"h"}`
	tests := []struct {
		name, config, agent string
		failed              int
		model, effort       string
	}{
		{"balanced by default", `{}`, "gsd-planner", 0, "opus", ""},
		{"without prefix", `{}`, "executor", 0, "sonnet", ""},
		{"our prefix", `{}`, "cairn-codebase-mapper", 0, "haiku", ""},
		{"quality", `{"model_profile":"quality"}`, "gsd-executor", 0, "opus", ""},
		{"adaptive", `{"model_profile":"adaptive"}`, "gsd-intel-updater", 0, "haiku", ""},
		{"inherit", `{"model_profile":"inherit"}`, "gsd-planner", 0, "inherit", ""},
		{"unknown profile", `{"model_profile":"huge"}`, "gsd-planner", 0, "opus", ""},
		{"override", `{"model_overrides":{"gsd-verifier":"openai/x"},"runtime":"codex"}`, "gsd-verifier", 0, "openai/x", ""},
		{"override by another name", `{"model_overrides":{"gsd-verifier":"openai/x"}}`, "verifier", 0, "openai/x", ""},
		{"kind of work", `{"models":{"research":"opus"},"model_profile":"budget"}`, "gsd-phase-researcher", 0, "opus", ""},
		{"kind of work inherits", `{"models":{"research":"inherit"},"runtime":"codex"}`, "gsd-phase-researcher", 0, "inherit", ""},
		{"inherits in any runtime", `{"runtime":"codex","model_profile":"inherit","model_profile_overrides":{"codex":{"inherit":"x"}}}`, "gsd-planner", 0, "inherit", ""},
		{"runtime", `{"runtime":"codex"}`, "gsd-planner", 0, "gpt-5.4", "xhigh"},
		{"runtime with one field of its own", `{"runtime":"codex","model_profile_overrides":{"codex":{"opus":{"model":"big"}}}}`, "gsd-planner", 0, "big", "xhigh"},
		{"runtime with a name of its own", `{"runtime":"codex","model_profile_overrides":{"codex":{"opus":"big"}}}`, "gsd-planner", 0, "big", "xhigh"},
		{"effort is codex's", `{"runtime":"gemini","model_profile_overrides":{"gemini":{"opus":{"reasoning_effort":"high"}}}}`, "gsd-planner", 0, "gemini-3-pro", ""},
		{"runtime without models", `{"runtime":"cursor"}`, "gsd-planner", 0, "opus", ""},
		{"claude is no other runtime", `{"runtime":"claude"}`, "gsd-planner", 0, "opus", ""},
		{"full id", `{"resolve_model_ids":true}`, "gsd-planner", 0, "claude-opus-4-7", ""},
		{"no id", `{"resolve_model_ids":"omit"}`, "gsd-planner", 0, "", ""},
		{"routed by load", `{` + routing + `}}`, "gsd-executor", 0, "s", ""},
		{"escalates once", `{` + routing + `}}`, "gsd-codebase-mapper", 5, "s", ""},
		{"escalates to the top", `{` + routing + `,"max_escalations":9}}`, "gsd-codebase-mapper", 5, "h", ""},
		{"does not escalate", `{` + routing + `,"escalate_on_failure":false}}`, "gsd-codebase-mapper", 5, "l", ""},
		{"unknown agent", `{"model_profile":"budget"}`, "nobody", 0, "haiku", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := load(t, tt.config)
			r := Resolve(s, tt.agent, tt.failed)
			if r.Model != tt.model || r.Effort != tt.effort || r.Unknown != (tt.agent == "nobody") {
				t.Errorf("%q with effort %q, unknown %v; steps:\n%s", r.Model, r.Effort, r.Unknown, strings.Join(r.Steps, "\n"))
			}
		})
	}
}

func TestSteps(t *testing.T) {
	s, _ := load(t, `{"runtime":"codex","models":{"execution":"haiku"}}`)
	want := []string{
		"model_overrides has nothing for gsd-executor",
		"models.execution is haiku",
		"runtime codex has gpt-5.4-mini for haiku",
	}
	if got := Resolve(s, "gsd-executor", 0).Steps; !slices.Equal(got, want) {
		t.Errorf("steps %q", got)
	}
}

func TestLook(t *testing.T) {
	s, root := load(t, `{}`)
	write := func(name string) {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{}
	look := func() Installed { return Look(s, root, func(k string) string { return env[k] }) }

	if in := look(); in.Found || len(in.Missing) != 33 || in.Dir != filepath.Join(root, "home", ".claude", "agents") {
		t.Errorf("nothing is installed: %+v", in)
	}
	write("moved/agents/gsd-planner.md")
	write("moved/agents/planner-of-mine.md")
	env["CLAUDE_CONFIG_DIR"] = filepath.Join(root, "moved")
	if in := look(); !slices.Equal(in.Roles, []string{"planner"}) || len(in.Missing) != 32 || in.All() {
		t.Errorf("one is installed: %+v", in)
	}
	write("moved/agents/cairn-role.md")
	if in := look(); in.All() || !slices.Equal(in.Missing, []string{"executor", "phase-researcher", "verifier", "plan-checker"}) {
		t.Errorf("the one that plays any but the standing is installed: %+v", in)
	}
	for _, r := range Roles() {
		write(".claude/agents/cairn-" + r.Name + ".md")
	}
	if in := look(); !in.All() || in.Dir != filepath.Join(root, ".claude", "agents") {
		t.Errorf("all are installed in the project: %+v", in)
	}
}

func TestName(t *testing.T) {
	for role, want := range map[string]string{"executor": "cairn-executor", "gsd-planner": "cairn-planner", "code-reviewer": "cairn-role", "debugger": "cairn-role"} {
		if got := Name(role); got != want {
			t.Errorf("%s is played by %s", role, got)
		}
	}
	for _, role := range standing {
		if _, ok := Find(role); !ok {
			t.Errorf("%s is no role", role)
		}
	}
}

func TestLookInOtherRuntimes(t *testing.T) {
	for runtime, file := range map[string]string{"copilot": ".github/agents/gsd-verifier.agent.md", "codex": ".codex/agents/gsd-verifier.toml", "opencode": ".opencode/agents/cairn-verifier.md", "": ".gemini/agents/cairn-verifier.md"} {
		s, root := load(t, `{"runtime":"`+runtime+`"}`)
		name := filepath.Join(root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if in := Look(s, root, func(string) string { return "" }); !slices.Equal(in.Roles, []string{"verifier"}) {
			t.Errorf("%s: %+v", runtime, in)
		}
	}
}
