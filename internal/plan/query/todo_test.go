package query

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTodos(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/todos/pending/a.md":     "title: Improve login\narea: auth\ncreated: 2026-01-01\n",
		".planning/todos/pending/b.md":     "only text\n",
		".planning/todos/pending/note.txt": "",
		".planning/ROADMAP.md":             "### Phase 1: Login\n**Goal:** Authentication works\n",
	})
	for _, tc := range []struct{ call, field, want string }{
		{"list-todos", "count", "2"},
		{"list-todos", "todos[0]", `{"file":"a.md","created":"2026-01-01","title":"Improve login","area":"auth","path":".planning/todos/pending/a.md"}`},
		{"list-todos", "todos[1]", `{"file":"b.md","created":"unknown","title":"Untitled","area":"general","path":".planning/todos/pending/b.md"}`},
		{"list-todos auth", "count", "1"},
		{"list-todos nothing", "todos", "[]"},
		{"init todos auth", "area_filter", "auth"},
		{"init todos auth", "todo_count", "1"},
		{"todo match-phase 1", "matches", `[{"file":"a.md","title":"Improve login","area":"auth","score":0.5,"reasons":["keywords: login","area: auth"]}]`},
		{"todo match-phase 1", "todo_count", "2"},
		{"todo match-phase 7", "matches", "[]"},
	} {
		if got := pickOf(t, dir, tc.call, tc.field); got != tc.want {
			t.Errorf("%s: %s is %s, want %s", tc.call, tc.field, got, tc.want)
		}
	}
}

func TestTodoComplete(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/todos/pending/a.md": "title: A\n\nbody\n",
		".planning/secret.md":          "secret\n",
	})
	for _, name := range []string{"../../secret.md", "../pending/a.md", "/etc/passwd", ".."} {
		out, stderr, code := ask(t, dir, nil, "todo", "complete", name)
		if code != 1 || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "is a path") {
			t.Errorf("%s: rc %d, %q, %q", name, code, out, stderr)
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, ".planning", "secret.md")); err != nil || string(b) != "secret\n" {
		t.Errorf("the secret is %q, %v", b, err)
	}
	if got := pickOf(t, dir, "todo complete a.md", "completed"); got != "true" {
		t.Errorf("completed is %q", got)
	}
	b, err := os.ReadFile(filepath.Join(dir, ".planning", "todos", "completed", "a.md"))
	if err != nil || !strings.HasPrefix(string(b), "completed: 20") || !strings.HasSuffix(string(b), "\ntitle: A\n\nbody\n") {
		t.Errorf("it became %q, %v", b, err)
	}
}
