package settings

import (
	"errors"
	"os"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/term"
)

func TestSet(t *testing.T) {
	tests := []struct{ name, before, key, value, after string }{
		{"replaces one value", "{\n\t// why\n\t\"mode\": \"interactive\", // here\n\t\"x\": {\"a\":1}\n}\n", "mode", "yolo",
			"{\n\t// why\n\t\"mode\": \"yolo\", // here\n\t\"x\": {\"a\":1}\n}\n"},
		{"adds to a section", "{\r\n  \"workflow\": {\r\n    \"research\": true\r\n  }\r\n}", "workflow.verifier", "false",
			"{\r\n  \"workflow\": {\r\n    \"research\": true,\r\n    \"verifier\": false\r\n  }\r\n}"},
		{"adds a section", "{\n  \"mode\": \"yolo\"\n}\n", "git.branching_strategy", "phase",
			"{\n  \"mode\": \"yolo\",\n  \"git\": {\n    \"branching_strategy\": \"phase\"\n  }\n}\n"},
		{"a null section", "{\"workflow\": null}", "workflow.drift_threshold", "5", "{\"workflow\": {\"drift_threshold\":5}}"},
		{"makes the file", "", "context_window", "500000", "{\n  \"context_window\": 500000\n}\n"},
		{"a list", "{}", "review.default_reviewers", "codex, gemini", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := config(tt.before)
			if tt.before == "" {
				files = map[string]string{".planning/STATE.md": "x"}
			}
			w := project(t, "", files)
			if _, err := w.Update(t.Context(), "config set", func(tx *plan.Tx) error {
				Set(tx, tt.key, tt.value)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			b, _ := os.ReadFile(w.Abs(".planning/config.json"))
			if tt.after != "" && string(b) != tt.after {
				t.Errorf("got  %q\nwant %q", b, tt.after)
			}
			if v, _ := view(t, w).Value(tt.key); v.Source.Kind != RootFile {
				t.Errorf("%s comes from %s", tt.key, v.Source)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	tests := []struct {
		before, key, value string
		is                 error
		text, hint         string
	}{
		{"{}", "workflow.reserch", "true", ErrUnknown, "workflow.reserch: there is no such setting", "did you mean workflow.research?"},
		{"{}", "hooks.research_questions", "true", ErrUnknown, "hooks.research_questions: there is no such setting", "did you mean workflow.research_before_questions?"},
		{"{}", "model_profile", "huge", ErrValue, `model_profile: not a value for this setting: "huge" is not one of quality, balanced, budget, adaptive, inherit`, ""},
		{"{}", "workflow.research", "perhaps", ErrValue, `workflow.research: not a value for this setting: "perhaps" is not true or false`, ""},
		{"{}", "workflow.drift_threshold", "0", ErrValue, "workflow.drift_threshold: not a value for this setting: 0 is less than 1", ""},
		{"{}", "git.phase_branch_template", "work", ErrValue, "git.phase_branch_template: not a value for this setting: {phase} has to be in it", ""},
		{"{\n\"workflow\": 1}", "workflow.research", "true", nil, ".planning/config.json:2: workflow is not an object", ""},
		{"{", "workflow.research", "true", nil, ".planning/config.json:1: parsing value: unexpected EOF", ""},
	}
	for _, tt := range tests {
		w := project(t, "", config(tt.before))
		_, err := w.Update(t.Context(), "config set", func(tx *plan.Tx) error {
			Set(tx, tt.key, tt.value)
			return nil
		})
		if err == nil || err.Error() != tt.text || tt.is != nil && !errors.Is(err, tt.is) || tt.hint != "" && term.HintOf(err) != tt.hint {
			t.Errorf("%s=%s: %v (hint %q)", tt.key, tt.value, err, term.HintOf(err))
		}
		if b, _ := os.ReadFile(w.Abs(".planning/config.json")); string(b) != tt.before {
			t.Errorf("%s=%s: the file is now %q", tt.key, tt.value, b)
		}
	}
}

func TestMaskChange(t *testing.T) {
	w := project(t, "", config(`{"brave_search":"abcdefgh1234","mode":"yolo"}`))
	change, err := w.Update(t.Context(), "config set", func(tx *plan.Tx) error {
		Set(tx, "brave_search", "zyxwvuts9876")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	MaskChange(change)
	const want = `{"brave_search":"****1234","mode":"yolo"} {"brave_search":"****9876","mode":"yolo"}`
	if got := string(change.Files[0].Before) + " " + string(change.Files[0].After); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestUnset(t *testing.T) {
	w := project(t, "", config("{\n  // one\n  \"mode\": \"yolo\",\n  \"stray\": 1,\n  \"brave_search\": \"abcdefgh1234\"\n}\n"))
	unset := func(key string) (e Edited, err error) {
		_, err = w.Update(t.Context(), "config unset", func(tx *plan.Tx) error {
			e = Unset(tx, key)
			return nil
		})
		return e, err
	}
	if e, err := unset("brave_search"); err != nil || e.Before != "****1234" || !e.Had {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := unset("stray"); err != nil {
		t.Errorf("an unknown key that is there: %v", err)
	}
	if e, err := unset("git.base_branch"); err != nil || e.Had {
		t.Errorf("a key that is not there: %+v, %v", e, err)
	}
	if _, err := unset("nothing.like.it"); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown key that is not there: %v", err)
	}
	if b, _ := os.ReadFile(w.Abs(".planning/config.json")); string(b) != "{\n  // one\n  \"mode\": \"yolo\"\n}\n" {
		t.Errorf("the file is now %q", b)
	}
}
