package query

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// compact is JSON on one line, or the text itself.
func compact(text string) string {
	var v object
	dec := json.NewDecoder(strings.NewReader(text))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return text
	}
	for dec.More() {
		name, _ := dec.Token()
		var value json.RawMessage
		_ = dec.Decode(&value)
		v = v.with(name.(string), value)
	}
	b, _ := marshal(v, "")
	return string(b)
}

func TestConfig(t *testing.T) {
	const file = `{"model_profile":"quality","workflow":{"research":false},"brave_search":"secretkey1234","depth":"quick","list":["a","b"],"none":null}`
	tests := []struct {
		config         string // "" for no file
		args           string
		stdout, stderr string
		code           int
		after          string // "" for unchanged
	}{
		{config: file, args: "config-get model_profile", stdout: `"quality"`},
		{config: file, args: "config-get model_profile --raw", stdout: `quality`},
		{config: file, args: "config-get workflow", stdout: `{"research":false}`},
		{config: file, args: "config-get workflow.research --default true", stdout: `false`},
		{config: file, args: "config-get workflow.verifier --default true", stdout: `"true"`},
		{config: file, args: "config-get workflow.verifier --default true --raw", stdout: `true`},
		{config: file, args: "config-get brave_search", stdout: `"****1234"`},
		{config: file, args: "config-get granularity --raw", stdout: `coarse`},
		{config: file, args: "config-get list --raw", stdout: `a,b`},
		{config: file, args: "config-get none", stdout: `null`},
		{config: file, args: "config-get context_window", stdout: `200000`},
		{config: file, args: "config-get git.create_tag", stdout: `true`},
		{config: file, args: "config-get workflow.verifier", stderr: "Error: Key not found: workflow.verifier\n", code: 1},
		{config: file, args: "config-get workflow.research.deep", stderr: "Error: Key not found: workflow.research.deep\n", code: 1},
		{config: file, args: "config-get x --json-errors", stderr: `{"ok":false,"reason":"config_key_not_found","message":"Key not found: x"}` + "\n", code: 1},
		{config: file, args: "config-get", stderr: "Error: Usage: config-get <key.path> [--default <value>]\n", code: 1},
		{args: "config-get mode", stderr: "Error: No config.json found at DIR/.planning/config.json\n", code: 1},
		{args: "config-get mode --default yolo", stdout: `"yolo"`},
		{config: "{", args: "config-get mode --default yolo", stderr: "Error: Failed to read config.json: .planning/config.json:1: parsing value: unexpected EOF\n", code: 1},

		{config: `{"mode":"yolo"}`, args: "config-set workflow.research false", stdout: `{"updated":true,"key":"workflow.research","value":false}`, after: `{"mode":"yolo","workflow":{"research":false}}`},
		{config: `{ "mode": "yolo" }`, args: "config-set mode interactive --raw", stdout: `mode=interactive`, after: `{ "mode": "interactive" }`},
		{config: `{"context_window":200000}`, args: "config-set context_window 500000", stdout: `{"updated":true,"key":"context_window","value":500000,"previousValue":200000}`, after: `{"context_window":500000}`},
		{config: `{"brave_search":"secretkey1234"}`, args: "config-set brave_search anotherkey9876", stdout: `{"updated":true,"key":"brave_search","value":"****9876","previousValue":"****1234","masked":true}`, after: `{"brave_search":"anotherkey9876"}`},
		{config: `{"commit_docs":true}`, args: "config-set planning.commit_docs false", stdout: `{"updated":true,"key":"planning.commit_docs","value":false}`, after: `{"commit_docs":false,"planning":{"commit_docs":false}}`},
		{config: `{"mode":"yolo"}`, args: "config-set planning.search_gitignored true --raw", stdout: `planning.search_gitignored=true`, after: `{"mode":"yolo","planning":{"search_gitignored":true}}`},
		{config: `{}`, args: `config-set review.default_reviewers ["codex"]`, stdout: `{"updated":true,"key":"review.default_reviewers","value":["codex"]}`, after: "{\n  \"review\": {\n    \"default_reviewers\": [\n      \"codex\"\n    ]\n  }\n}"},
		{config: `{"mode":"yolo"}`, args: "config-set model_overrides.gsd-planner openai/x", stdout: `{"updated":true,"key":"model_overrides.gsd-planner","value":"openai/x"}`, after: `{"mode":"yolo","model_overrides":{"gsd-planner":"openai/x"}}`},
		{config: `{"mode":"yolo"}`, args: "config-set workflow.research perhaps", stdout: `{"updated":true,"key":"workflow.research","value":"perhaps"}`, stderr: "Warning: workflow.research: \"perhaps\" is not true or false; its default counts\n", after: `{"mode":"yolo","workflow":{"research":"perhaps"}}`},
		{config: `{}`, args: "config-set model_profile huge", stderr: "Error: Invalid value for model_profile: \"huge\" is not one of quality, balanced, budget, adaptive, inherit\n", code: 1},
		{config: `{}`, args: "config-set workflow.drift_threshold 0", stderr: "Error: Invalid value for workflow.drift_threshold: 0 is less than 1\n", code: 1},
		{config: `{}`, args: "config-set workflow.reserch true", stderr: "Error: Unknown config key: \"workflow.reserch\". Did you mean \"workflow.research\"?\n", code: 1},
		{config: `{}`, args: "config-set mode", stderr: "Error: Usage: config-set <key.path> <value>\n", code: 1},
		{args: "config-set mode yolo", stdout: `{"updated":true,"key":"mode","value":"yolo"}`, after: "{\n  \"mode\": \"yolo\"\n}\n"},

		{config: `{}`, args: "config-ensure-section", stdout: `{"created":false,"reason":"already_exists"}`},
		{config: `{}`, args: "config-new-project {} --raw", stdout: `exists`},
		{args: "config-new-project [1]", stderr: "Error: Invalid JSON for config-new-project: line 1: an object is expected here\n", code: 1},
		{args: "config-path", stdout: "DIR/.planning/config.json"},

		{config: `{"model_profile":"quality","model_overrides":{"gsd-verifier":"openai/x"}}`, args: "resolve-model gsd-verifier", stdout: `{"model":"openai/x","profile":"quality"}`},
		{config: `{"runtime":"codex"}`, args: "resolve-model gsd-planner", stdout: `{"model":"gpt-5.4","profile":"balanced","reasoning_effort":"xhigh"}`},
		{args: "resolve-model nobody", stdout: `{"model":"sonnet","profile":"balanced","unknown_agent":true}`},
		{args: "resolve-model gsd-planner --raw", stdout: `opus`},
		{args: "resolve-model", stderr: "Error: agent-type required\n", code: 1},
		{config: `{}`, args: "config-set-model-profile huge", stderr: "Error: Invalid profile 'huge'. Valid profiles: quality, balanced, budget, adaptive, inherit\n", code: 1},

		{config: `{"workflow":{"auto_advance":true}}`, args: "check auto-mode", stdout: `{"active":true,"source":"auto_advance","auto_chain_active":false,"auto_advance":true}`},
		{config: `{"workflow":{"auto_advance":true,"_auto_chain_active":true}}`, args: "check.auto-mode --pick source", stdout: `both`},
		{args: "check auto-mode --pick active", stdout: `false`},

		{args: "agent-skills", stdout: `""`},
		{config: `{}`, args: "agent-skills gsd-planner", stdout: ``},
		{config: `{"agent_skills":{"gsd-planner":["skills/a","skills/gone","../b"]}}`, args: "agent-skills gsd-planner",
			stdout: "<agent_skills>\nRead these skills of the user's first:\n- @skills/a/SKILL.md\n</agent_skills>",
			stderr: "Warning: agent_skills.gsd-planner: there is no skills/gone/SKILL.md in the project\nWarning: agent_skills.gsd-planner: there is no ../b/SKILL.md in the project\n"},

		{config: `{"model_profile":"quality","stray":1,"hooks":{"odd":1}}`, args: "resolve-model gsd-executor --raw", stdout: `opus`, stderr: "Warning: unknown config key(s) in config.json, ignored: stray\n"},
		{config: `{"model_profile":`, args: "resolve-model gsd-executor --raw", stdout: `sonnet`, stderr: "Warning: .planning/config.json:1: parsing value: unexpected EOF; the defaults count\n"},
		{config: `{"model_profile":`, args: "state load --pick config.model_profile", stdout: `balanced`, stderr: "Warning: .planning/config.json:1: parsing value: unexpected EOF; the defaults count\n"},

		{args: "websearch go", stdout: `{"available":false,"reason":"BRAVE_API_KEY not set"}`},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			files := map[string]string{".planning/STATE.md": "", "skills/a/SKILL.md": "", "../b/SKILL.md": ""}
			if tt.config != "" {
				files[".planning/config.json"] = tt.config
			}
			dir := project(t, files)
			stdout, stderr, code := ask(t, dir, nil, strings.Fields(tt.args)...)
			stdout = strings.ReplaceAll(compact(stdout), dir, "DIR")
			stderr = strings.ReplaceAll(stderr, dir, "DIR")
			if stdout != tt.stdout || stderr != tt.stderr || code != tt.code {
				t.Errorf("printed %s, said %q, exit %d; want %s, %q, %d", stdout, stderr, code, tt.stdout, tt.stderr, tt.code)
			}
			want := tt.after
			if want == "" {
				want = tt.config
			}
			if b, _ := os.ReadFile(filepath.Join(dir, ".planning", "config.json")); string(b) != want {
				t.Errorf("config.json is %q, want %q", b, want)
			}
		})
	}
}

// What config-set writes does its work: gsd-tools refused the same.
func TestConfigSetWhole(t *testing.T) {
	dir := project(t, map[string]string{".planning/config.json": "{}"})
	for value, want := range map[string]string{
		`ship.pr_body_sections [{"heading":"Risks","source":"PLAN.md ## Risks || VERIFICATION.md ## Manual","template":"{phase_name} {padded_phase}"}]`: "",
		`ship.pr_body_sections []`:                                                                       "",
		`ship.pr_body_sections [{"fallback":"x"}]`:                                                       "section 1: it has no heading",
		`ship.pr_body_sections [{"heading":"A\nB","fallback":"x"}]`:                                      "section 1: the heading has more than one line",
		`ship.pr_body_sections [{"heading":"A"}]`:                                                        "neither source, template nor fallback",
		`ship.pr_body_sections [{"heading":"A","fallback":"x"},{"heading":"B","source":"EVIL.md ## X"}]`: `section 2: "EVIL.md ## X" is not FILE.md ## Heading`,
		`ship.pr_body_sections [{"heading":"A","source":"PLAN.md"}]`:                                     `"PLAN.md" is not`,
		`ship.pr_body_sections [{"heading":"A","template":"{secret}"}]`:                                  "{secret} is none of",
		`ship.pr_body_sections [{"heading":"A","enabled":"yes","fallback":"x"}]`:                         "enabled is not true or false",
		`review.default_reviewers gemini,codex`:                                                          "",
		`review.default_reviewers []`:                                                                    "an empty list names nobody",
		`git.phase_branch_template work`:                                                                 "{phase} has to be in it",
		`tavily_search tvly-0123456789`:                                                                  "", // gsd-core's
		`workflow.smart_zone_tokens 5`:                                                                   "",
		`tavily_serch x`:                                                                                 "Unknown config key",
	} {
		key, typed, _ := strings.Cut(value, " ")
		stdout, stderr, code := ask(t, dir, nil, "--json-errors", "config-set", key, typed)
		if (code == 0) != (want == "") || !strings.Contains(stderr, strings.ReplaceAll(want, `"`, `\"`)) || code == 1 && !strings.Contains(stderr, `"config_invalid_key"`) {
			t.Errorf("%s: exit %d, said %s", value, code, stderr)
		}
		if strings.Contains(stdout, "0123456789") {
			t.Errorf("%s: a secret is shown: %s", value, stdout)
		}
	}
}

func TestConfigNewProject(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	dir := project(t, nil)
	stdout, stderr, code := ask(t, dir, nil, "config-new-project", `{"mode":"yolo","workflow":{"research":false},"extra":1}`)
	if compact(stdout) != `{"created":true,"path":".planning/config.json"}` || code != 0 {
		t.Fatalf("printed %s, said %s", stdout, stderr)
	}
	for key, want := range map[string]string{
		"mode": "yolo", "workflow.research": "false", "workflow.plan_check": "true", "extra": "1",
		"git.branching_strategy": "none", "model_profile": "balanced", "git.quick_branch_template": "null", "git.create_tag": "true",
	} {
		if got, _, _ := ask(t, dir, nil, "config-get", key, "--raw"); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	before, _ := os.ReadFile(filepath.Join(dir, ".planning", "config.json"))
	if _, _, code := ask(t, dir, nil, "config-set-model-profile", "Budget"); code != 0 {
		t.Error("the profile could not be set")
	}
	after, _ := os.ReadFile(filepath.Join(dir, ".planning", "config.json"))
	if want := strings.Replace(string(before), `"balanced"`, `"budget"`, 1); string(after) != want {
		t.Errorf("config.json is now %s", after)
	}
}

func TestConfigGatesKeys(t *testing.T) {
	stdout, _, _ := ask(t, project(t, map[string]string{".planning/config.json": `{"workflow":{"context_coverage_gate":"off"}}`}), nil, "check.config-gates")
	const want = `{"workflow":null,"research_enabled":true,"plan_checker_enabled":true,"nyquist_validation":true,"security_enforcement":true,` +
		`"security_asvs_level":1,"security_block_on":"high","ui_phase":true,"ui_safety_gate":true,"ui_review":true,"text_mode":false,` +
		`"auto_advance":false,"auto_chain_active":false,"code_review":true,"code_review_depth":"standard","context_window":200000,` +
		`"discuss_mode":"discuss","use_worktrees":true,"skip_discuss":false,"max_discuss_passes":3,"node_repair":true,` +
		`"research_before_questions":false,"verifier":true,"plan_check":true,"subagent_timeout":300000,"context_coverage_gate":true}`
	if got := compact(stdout); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestText(t *testing.T) {
	for args, want := range map[string]string{
		"generate-slug|Hello, World Über|--raw":                              "hello-world-uber",
		"generate-slug|--raw|" + strings.Repeat("ab ", 40):                   strings.Repeat("ab-", 19) + "ab",
		"agent|classify-failure|Usage limit reached, try again in 5 minutes": `{"class":"quota-exceeded","sentinel":"usage limit","retryAfterSeconds":300}`,
		"agent|classify-failure|classifyHandoffIfNeeded is not defined":      `{"class":"classify-handoff-bug"}`,
		"agent|classify-failure|exit 1":                                      `{"class":"unknown-failure"}`,
	} {
		stdout, stderr, _ := ask(t, t.TempDir(), nil, strings.Split(args, "|")...)
		if got := compact(stdout); got != want {
			t.Errorf("%s: %s %s", args, got, stderr)
		}
	}
	stdout, _, _ := ask(t, t.TempDir(), nil, "current-timestamp", "filename", "--raw")
	if len(stdout) != len("2026-01-02T03-04-05") || strings.ContainsAny(stdout, ":.Z") {
		t.Errorf("timestamp %q", stdout)
	}
}
