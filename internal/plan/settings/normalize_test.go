package settings

import (
	"os"
	"slices"
	"testing"

	"cairn/internal/plan"
)

func TestNormalize(t *testing.T) {
	tests := []struct {
		name, before, after string
		want                []Renaming
	}{
		{"nothing to do", `{"mode":"yolo", "stray":1}`, `{"mode":"yolo", "stray":1}`, nil},
		{"into a section", "{\n  // how\n  \"branching_strategy\": \"phase\",\n  \"git\": {\n    \"create_tag\": false\n  }\n}\n",
			"{\n  // how\n  \"git\": {\n    \"create_tag\": false,\n    \"branching_strategy\": \"phase\"\n  }\n}\n",
			[]Renaming{{"branching_strategy", "git.branching_strategy"}}},
		{"the newer one counts", `{"branching_strategy":"phase","git":{"branching_strategy":"none"}}`, `{"git":{"branching_strategy":"none"}}`,
			[]Renaming{{"branching_strategy", "git.branching_strategy"}}},
		{"a value's newer name", `{"depth":"comprehensive"}`, `{"granularity":"fine"}`, []Renaming{{"depth", "granularity"}}},
		{"out of a section", `{"a":1,"planning":{"commit_docs":false}}`, `{"a":1,"commit_docs":false}`, []Renaming{{"planning.commit_docs", "commit_docs"}}},
		{"many repositories", `{"multiRepo":true}`, `{"planning":{"sub_repos":["api"]}}`, []Renaming{{"multiRepo", "planning.sub_repos"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := config(tt.before)
			files["api/.git/HEAD"] = "x"
			w := project(t, "", files)
			for range 2 { // the second time there is nothing left
				var got []Renaming
				if _, err := w.Update(t.Context(), "migrate", func(tx *plan.Tx) (err error) {
					got = Normalize(tx, ".planning/config.json")
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("renamed %v", got)
				}
				if b, _ := os.ReadFile(w.Abs(".planning/config.json")); compactJSON(string(b)) != compactJSON(tt.after) {
					t.Errorf("got  %s\nwant %s", b, tt.after)
				}
				tt.want = nil
			}
		})
	}
}

// compactJSON drops the blanks that depend on how the file is laid out, where
// the test is on one line.
func compactJSON(s string) string {
	if s == "" || s[len(s)-1] == '\n' {
		return s
	}
	out := []rune{}
	for _, r := range s {
		if r != ' ' && r != '\n' {
			out = append(out, r)
		}
	}
	return string(out)
}
