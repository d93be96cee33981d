package settings

import (
	"maps"
	"os"
	"testing"
)

func TestCommitDocsFollowsGitignore(t *testing.T) {
	repo := map[string]string{".git/HEAD": "x", ".planning/STATE.md": "x"}
	tests := []struct {
		name  string
		files map[string]string
		want  string // "" is on
	}{
		{"no pattern", nil, ""},
		{"by name", map[string]string{".gitignore": "*.log\n.planning\n"}, "gitignore .gitignore"},
		{"as directory", map[string]string{".gitignore": "/.planning/ \r\n"}, "gitignore .gitignore"},
		{"by glob", map[string]string{".gitignore": ".plan*\n"}, "gitignore .gitignore"},
		{"only what is in it", map[string]string{".gitignore": ".planning/*\n"}, ""},
		{"comment", map[string]string{".gitignore": "#.planning\n"}, ""},
		{"taken back", map[string]string{".gitignore": ".*\n!.planning\n"}, ""},
		{"elsewhere", map[string]string{".gitignore": "/docs/.planning\n"}, ""},
		{"anywhere", map[string]string{".gitignore": "**/.planning\n"}, "gitignore .gitignore"},
		{"exclude", map[string]string{".git/info/exclude": ".planning\n"}, "gitignore .git/info/exclude"},
		{"told otherwise", map[string]string{".gitignore": ".planning", ".planning/config.json": `{"commit_docs":true}`}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := maps.Clone(repo)
			maps.Copy(files, tt.files)
			v, _ := view(t, project(t, "", files)).Value("commit_docs")
			if got := v.Source.String(); (tt.want == "") != (v.Any == true) || tt.want != "" && got != tt.want {
				t.Errorf("commit_docs is %v from %s", v.Any, got)
			}
		})
	}
	t.Run("no repository", func(t *testing.T) {
		w := project(t, "", map[string]string{".planning/STATE.md": "x", ".gitignore": ".planning"})
		if !view(t, w).Bool("commit_docs") {
			t.Error("ignored without a repository")
		}
	})
}

func TestIgnoredFromAbove(t *testing.T) {
	w := project(t, "", map[string]string{".git/HEAD": "x", ".gitignore": "/sub/pro*/\n", "sub/project/.planning/STATE.md": "x"})
	if got := Ignored(w.Root+"/sub/project", ".planning"); got != ".gitignore" {
		t.Errorf("ignored by %q", got)
	}
	if err := os.WriteFile(w.Root+"/.gitignore", []byte("/.planning\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := Ignored(w.Root+"/sub/project", ".planning"); got != "" {
		t.Errorf("a pattern of the root's own directory: ignored by %q", got)
	}
}
