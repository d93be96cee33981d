package content_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/content"
	"cairn/internal/plan/drive"
	"cairn/internal/plan/settings"
	"cairn/test/plantest"
)

var span = regexp.MustCompile("`([a-z_.]+)( [a-z]+)?`")

// A setting that a command's words use is one that its context prints, or one
// that they ask for or set by name.
func TestSettingsAreGiven(t *testing.T) {
	w := everySetting(t)
	for _, c := range commandsAsTold(t) {
		given, all := givenTo(t, w, c)
		if all {
			continue
		}
		for _, m := range span.FindAllStringSubmatch(c.text, -1) {
			if _, is := settings.Find(m[1]); is && strings.Contains(m[1], ".") && !slices.Contains(given, m[1]) {
				t.Errorf("%s: it uses %s, which no context of it prints", c.Name, m[1])
			}
		}
	}
}

// givenTo returns the settings that a command's calls print or name; all when
// it is told to ask for any.
func givenTo(t *testing.T, w *plan.Workspace, c told) (given []string, all bool) {
	t.Helper()
	given = []string{"workflow.text_mode"} // printed when it is on
	for _, call := range content.CallsOf(c.text) {
		switch {
		case len(call) > 2 && call[1] == "config" && call[2] == "list", len(call) > 3 && call[1] == "config" && call[3] == "KEY":
			return nil, true
		case len(call) > 3 && call[1] == "config":
			given = append(given, call[3])
		case len(call) > 1 && call[1] == "step":
			given = append(given, drive.SettingsTold()...)
		case len(call) > 2 && call[1] == "context":
			r := brief.Request{Workflow: call[2], Now: time.Unix(0, 0), Home: t.TempDir(), Getenv: func(string) string { return "" }, Context: t.Context()}
			if len(call) > 3 && call[3] == "N" {
				r.Subject = "1"
			}
			for i, word := range call[:len(call)-1] {
				if word == "--agent" {
					r.Agents = append(r.Agents, call[i+1])
				}
			}
			if strings.HasSuffix(r.Workflow, "workspace") {
				continue // it is not about a project
			}
			if err := w.View(func(tx *plan.Tx) error {
				given = slices.AppendSeq(given, maps.Keys(brief.Make(tx, r).Settings))
				return nil
			}); err != nil {
				t.Errorf("%s: %v: %v", c.Name, call, err)
			}
		}
	}
	return given, false
}

// everySetting is a project in which each setting has a value.
func everySetting(t *testing.T) *plan.Workspace {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	config := map[string]any{"features": map[string]any{"thinking_partner": true}}
	for _, row := range settings.Rows() {
		if row.Kind == settings.Text && !strings.Contains(row.Key, "*") {
			in, keys := config, strings.Split(row.Key, ".")
			for _, section := range keys[:len(keys)-1] {
				if in[section] == nil {
					in[section] = map[string]any{}
				}
				in = in[section].(map[string]any)
			}
			in[keys[len(keys)-1]] = "x"
		}
	}
	data, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	plantest.Write(t, root, map[string]string{
		".planning/PROJECT.md": "# P\n", ".planning/STATE.md": "# S\n", ".planning/config.json": string(data),
		".planning/ROADMAP.md": "## Phases\n\n### Phase 1: A\n\n**Goal:** g\n",
	})
	w, err := plan.At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}
