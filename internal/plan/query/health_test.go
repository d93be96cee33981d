package query

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func healthy() map[string]string {
	return map[string]string{
		".planning/PROJECT.md":                "# P\n\n## What This Is\n\n## Core Value\n\n## Requirements\n",
		".planning/ROADMAP.md":                "# R\n\n### Phase 1: A\n",
		".planning/STATE.md":                  "# State\n\n**Current Phase:** 1\n",
		".planning/config.json":               `{"model_profile":"balanced","workflow":{"nyquist_validation":true,"ai_integration_phase":true}}`,
		".planning/phases/01-a/01-01-PLAN.md": "", ".planning/phases/01-a/01-01-SUMMARY.md": "",
	}
}

func TestValidateHealth(t *testing.T) {
	for name, tc := range map[string]struct {
		change  map[string]string
		args    string
		codes   string
		status  string
		count   int
		actions string
	}{
		"healthy":        {nil, "", "", "healthy", 0, ""},
		"only ours":      {map[string]string{".planning/phases/01-a/01-PLAN-notes.md": "", ".planning/phases/01-a/01-07-SUMMARY.md": ""}, "", "", "healthy", 0, ""},
		"nyquist":        {map[string]string{".planning/config.json": `{"workflow":{"ai_integration_phase":false}}`}, "", "W008", "degraded", 1, ""},
		"nyquist fixed":  {map[string]string{".planning/config.json": `{"workflow":{"research":true}}`}, "--repair", "W008 W016", "degraded", 2, "addNyquistKey addAiIntegrationPhaseKey"},
		"no config":      {map[string]string{".planning/config.json": ""}, "--repair", "W003", "degraded", 1, "createConfig"},
		"config reset":   {map[string]string{".planning/config.json": "{not json"}, "--repair", "E005", "broken", 1, "resetConfig"},
		"no state":       {map[string]string{".planning/STATE.md": ""}, "--repair", "E004", "broken", 1, "regenerateState"},
		"not backfilled": {map[string]string{".planning/milestones/v0.9-ROADMAP.md": "x"}, "--repair", "W018", "degraded", 1, ""},
		"backfilled":     {map[string]string{".planning/milestones/v0.9-ROADMAP.md": "x"}, "--repair --backfill", "W018", "degraded", 1, "backfillMilestones"},
		"not repairable": {map[string]string{".planning/PROJECT.md": "", ".planning/phases/01-a/01-02-PLAN.md": ""}, "--repair", "E002 I001", "broken", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := healthy()
			for file, content := range tc.change {
				if files[file] = content; content == "" && !strings.Contains(file, "phases") {
					delete(files, file)
				}
			}
			out, stderr, code := ask(t, project(t, files), nil, append([]string{"validate", "health"}, strings.Fields(tc.args)...)...)
			var got struct {
				Status                 string
				Errors, Warnings, Info []struct {
					Code, Message, Fix string
					Repairable         bool
				}
				Count     int `json:"repairable_count"`
				Performed []struct {
					Action, Path string
					Success      bool
				} `json:"repairs_performed"`
			}
			if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
				t.Fatalf("%v: %s%s", err, out, stderr)
			}
			var codes, actions []string
			for _, f := range slices.Concat(got.Errors, got.Warnings, got.Info) {
				codes = append(codes, f.Code)
			}
			for _, p := range got.Performed {
				actions = append(actions, p.Action)
			}
			if c, a := strings.Join(codes, " "), strings.Join(actions, " "); c != tc.codes || a != tc.actions || got.Status != tc.status || got.Count != tc.count {
				t.Errorf("%s: %s, %d repairable, repaired %q\n%s", got.Status, c, got.Count, a, out)
			}
			if strings.Contains(out, "repairs_performed") != (tc.actions != "") {
				t.Errorf("repairs_performed is there without repairs, or not with them:\n%s", out)
			}
		})
	}
}

func TestRepairKeepsSettings(t *testing.T) {
	files := healthy()
	files[".planning/config.json"] = "{\n  \"workflow\": {\"research\": false} // mine\n}\n"
	dir := project(t, files)
	ask(t, dir, nil, "validate", "health", "--repair")
	if got := read(t, dir, ".planning/config.json"); !strings.Contains(got, `"research": false`) || !strings.Contains(got, "// mine") || !strings.Contains(got, `"nyquist_validation": true`) {
		t.Errorf("config.json is\n%s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, ".planning/config.json"), []byte("{broken"), 0o644); err != nil {
		t.Fatal(err)
	}
	ask(t, dir, nil, "validate", "health", "--repair")
	if got := read(t, dir, ".planning/config.json.broken"); got != "{broken" {
		t.Errorf("the broken file is %q", got)
	}
}

func TestHealthWithoutPlan(t *testing.T) {
	out, _, code := ask(t, t.TempDir(), nil, "validate", "health", "--repair")
	if code != 0 || !strings.Contains(flat(out), `{"status":"broken","errors":[{"code":"E001"`) {
		t.Errorf("%d\n%s", code, out)
	}
}

func TestValidateContext(t *testing.T) {
	dir := t.TempDir()
	for call, want := range map[string]string{
		"--tokens-used 59 --context-window 100 --json --pick state": "healthy",
		"--tokens-used 60 --context-window 100 --json --pick state": "warning",
		"--context-window=100 --tokens-used=70 --json --pick state": "critical",
		"--tokens-used 1 --context-window 3 --json --pick percent":  "33",
		"--tokens-used 65 --context-window 100":                     "Context: 65% used (warning)\nRecommendation: finish the task at hand, then start with a fresh context\n",
	} {
		if got, stderr, code := ask(t, dir, nil, append([]string{"validate", "context"}, strings.Fields(call)...)...); got != want || code != 0 {
			t.Errorf("%s: %q %s", call, got, stderr)
		}
	}
	for _, call := range []string{"", "--tokens-used 5", "--tokens-used x --context-window 100", "--tokens-used 5 --context-window 0", "--tokens-used -5 --context-window 100"} {
		if out, stderr, code := ask(t, dir, nil, append([]string{"validate", "context"}, strings.Fields(call)...)...); code != 1 || out != "" || !strings.Contains(stderr, "--") {
			t.Errorf("%q: %d %s%s", call, code, out, stderr)
		}
	}
}
