package item

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.Local)

// project makes a workspace of files, given as path and content in turn.
func project(t *testing.T, files ...string) *plan.Workspace {
	t.Helper()
	root := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(root, ".planning", filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := plan.At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func update(t *testing.T, w *plan.Workspace, fn func(*plan.Tx) error) {
	t.Helper()
	if _, err := w.Update(context.Background(), "test", fn); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, w *plan.Workspace, rel string) string {
	t.Helper()
	b, err := os.ReadFile(w.Abs(rel))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func all(t *testing.T, w *plan.Workspace, k Kind) []Item {
	t.Helper()
	var items []Item
	if err := w.View(func(tx *plan.Tx) (err error) {
		items = All(tx, k)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return items
}

func TestReadTodo(t *testing.T) {
	for name, text := range map[string]string{
		"frontmatter": "---\ncreated: 2026-01-01\ntitle: \"Fix: it\"\narea: api\nfiles:\n  - src/a.go:3\n  - b.go\n---\nBody\n",
		"bare":        "created: 2026-01-01\ntitle: Fix: it\narea: api\nfiles: src/a.go:3, b.go\n\nBody\n",
		"bare list":   "\r\ncreated: 2026-01-01\r\ntitle: Fix: it\r\narea: api\r\nfiles:\r\n- src/a.go:3\r\n- b.go\r\n\r\nBody\r\n",
		"heading":     "# Fix: it\n\ncreated: 2026-01-01\narea: api\nfiles: [src/a.go:3, b.go]\n\nBody\n",
	} {
		got := all(t, project(t, "todos/pending/x.md", text), Todo)
		if len(got) != 1 {
			t.Fatalf("%s: %d todos", name, len(got))
		}
		it := got[0]
		if it.Title != "Fix: it" || it.Created != "2026-01-01" || it.Area != "api" || strings.Join(it.Files, " ") != "src/a.go:3 b.go" {
			t.Errorf("%s: %+v", name, it)
		}
		if strings.TrimSpace(it.Body) != "Body" || !it.Open {
			t.Errorf("%s: body %q, open %v", name, it.Body, it.Open)
		}
	}
}

func TestBodyIsNoField(t *testing.T) {
	got := all(t, project(t, "todos/pending/x.md", "title: One\n\narea: a word in the text\n"), Todo)
	if got[0].Area != "" {
		t.Errorf("area is %q", got[0].Area)
	}
}

func TestCloseTodo(t *testing.T) {
	for text, want := range map[string]string{
		"---\ntitle: A\r\nx:  1 # kept\n---\nbody": "---\ntitle: A\r\nx:  1 # kept\ncompleted: 2026-03-04\n---\nbody",
		"title: A\r\n\r\nbody":                     "completed: 2026-03-04\r\ntitle: A\r\n\r\nbody",
		"just text":                                "completed: 2026-03-04\n\njust text",
	} {
		w := project(t, "todos/pending/a.md", text)
		update(t, w, func(tx *plan.Tx) error {
			it, already := Close(tx, Todo, "a.md", noon)
			if already || it.Open || it.Path != ".planning/todos/completed/a.md" {
				t.Errorf("%+v, already %v", it, already)
			}
			return nil
		})
		if got := content(t, w, ".planning/todos/completed/a.md"); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
		if _, err := os.Stat(w.Abs(".planning/todos/pending/a.md")); err == nil {
			t.Error("it is still pending")
		}
	}
}

func TestCloseKeepsWhatIsThere(t *testing.T) {
	w := project(t, "todos/pending/a.md", "title: new\n", "todos/completed/a.md", "title: old\n")
	update(t, w, func(tx *plan.Tx) error {
		Close(tx, Todo, "a", noon)
		return nil
	})
	if got := content(t, w, ".planning/todos/completed/a.md"); got != "title: old\n" {
		t.Errorf("the older one became %q", got)
	}
	if got := content(t, w, ".planning/todos/completed/a-2.md"); got != "completed: 2026-03-04\ntitle: new\n" {
		t.Errorf("got %q", got)
	}
}

func TestCloseTwice(t *testing.T) {
	w := project(t, "todos/done/a.md", "title: old\n")
	update(t, w, func(tx *plan.Tx) error {
		_, already := Close(tx, Todo, "a", noon)
		if !already {
			t.Error("a todo in done/ was closed again")
		}
		return nil
	})
}

func TestNamesAreNoPaths(t *testing.T) {
	w := project(t, "secret.md", "secret\n", "todos/pending/a.md", "title: a\n")
	for _, name := range []string{"../../secret.md", "../pending/a.md", "..", ".", "", "/etc/passwd", `..\..\secret.md`, "a\x00.md", "C:a.md", ".hidden.md"} {
		for _, k := range []Kind{Todo, Note, Seed, Thread, Debug, Quick} {
			_, err := w.Update(context.Background(), "test", func(tx *plan.Tx) error {
				Close(tx, k, name, noon)
				return nil
			})
			if err == nil || !strings.Contains(err.Error(), "is a path") || strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("%s %q: %v", k, name, err)
			}
		}
	}
	if got := content(t, w, ".planning/secret.md"); got != "secret\n" {
		t.Errorf("the secret became %q", got)
	}
}

func TestAddTwiceInASecond(t *testing.T) {
	w := project(t)
	for _, k := range []Kind{Todo, Note, Seed, Thread, Debug, Quick} {
		for range 3 {
			update(t, w, func(tx *plan.Tx) error {
				Add(tx, k, Draft{Title: "Größe: prüfen | jetzt", Body: "more\ntext"}, noon)
				return nil
			})
		}
		items := all(t, w, k)
		names := map[string]bool{}
		for _, it := range items {
			names[it.Name] = true
			if !it.Open || it.Title != "Größe: prüfen | jetzt" {
				t.Errorf("%s: %+v", k, it)
			}
		}
		if len(names) != 3 {
			t.Errorf("%s: names %v", k, names)
		}
	}
}

func TestAddTodoFile(t *testing.T) {
	w := project(t)
	update(t, w, func(tx *plan.Tx) error {
		Add(tx, Todo, Draft{Title: "Log: more", Files: []string{"a.go"}, Body: "why\n"}, noon)
		return nil
	})
	want := "---\ncreated: 2026-03-04\ntitle: \"Log: more\"\narea: general\nfiles: [a.go]\n---\n\nwhy\n"
	if got := content(t, w, ".planning/todos/pending/2026-03-04-log-more.md"); got != want {
		t.Errorf("got %q", got)
	}
}

func TestResolve(t *testing.T) {
	w := project(t,
		"threads/old.md", "# Thread: Caching\n\n## Status: OPEN\n\ntext\n",
		"threads/new.md", "---\nstatus: in_progress\nupdated: 2026-01-01\n---\n# Thread: New\n",
		"debug/race.md", "---\nstatus: investigating\n---\n## Current Focus\nnext_action: add a log\n",
		"debug/knowledge-base.md", "# Known\n",
		"seeds/SEED-001-later.md", "---\nid: SEED-001\nstatus: dormant\n---\n# Later\n",
	)
	if it := all(t, w, Debug); len(it) != 1 || it[0].Next != "add a log" {
		t.Errorf("debug sessions: %+v", it)
	}
	update(t, w, func(tx *plan.Tx) error {
		for name, k := range map[string]Kind{"old": Thread, "new": Thread, "race": Debug, "seed-001": Seed} {
			Close(tx, k, name, noon)
		}
		return nil
	})
	for rel, want := range map[string]string{
		"threads/old.md":          "# Thread: Caching\n\n## Status: RESOLVED\n\ntext\n",
		"threads/new.md":          "---\nstatus: resolved\nupdated: 2026-03-04\n---\n# Thread: New\n",
		"debug/resolved/race.md":  "---\nstatus: resolved\n---\n## Current Focus\nnext_action: add a log\n",
		"seeds/SEED-001-later.md": "---\nid: SEED-001\nstatus: implemented\n---\n# Later\n",
	} {
		if got := content(t, w, ".planning/"+rel); got != want {
			t.Errorf("%s became %q", rel, got)
		}
	}
}

func TestQuick(t *testing.T) {
	if id := QuickID(time.Date(2026, 1, 2, 0, 0, 3, 0, time.UTC)); id != "260102-001" {
		t.Errorf("id is %s", id)
	}
	if id := QuickID(time.Date(2026, 1, 2, 23, 59, 59, 0, time.UTC)); id != "260102-xbz" {
		t.Errorf("id is %s", id)
	}
	w := project(t, "STATE.md", "# State\n\n### Quick Tasks Completed\n\n| # | Description | Date | Commit | Directory |\n|---|---|---|---|---|\n\n## Session\n",
		"quick/260101-abc-fix-x/260101-abc-SUMMARY.md", "---\nstatus: incomplete\n---\ntext\n")
	update(t, w, func(tx *plan.Tx) error {
		it, _ := Close(tx, Quick, "260101-abc", noon)
		if it.Open {
			t.Errorf("%+v", it)
		}
		return nil
	})
	if got := content(t, w, ".planning/quick/260101-abc-fix-x/260101-abc-SUMMARY.md"); got != "---\nstatus: complete\n---\ntext\n" {
		t.Errorf("the summary became %q", got)
	}
	row := "| 260101-abc | fix x | 2026-03-04 |  | [260101-abc-fix-x](quick/260101-abc-fix-x/) |"
	if got := content(t, w, ".planning/STATE.md"); !strings.Contains(got, "|---|---|---|---|---|\n"+row+"\n\n## Session") {
		t.Errorf("STATE.md became %q", got)
	}
}

func TestQuickWithASummary(t *testing.T) {
	w := project(t, "STATE.md", "# State\n", "quick/260101-abc-fix-x/260101-abc-SUMMARY.md", "---\nstatus: complete\n---\n**Commit:** 4f2c91e\n")
	for range 2 {
		update(t, w, func(tx *plan.Tx) error {
			_, already := Close(tx, Quick, "260101-abc", noon)
			if !already {
				t.Error("the summary says that it is complete")
			}
			return nil
		})
	}
	row := "| 260101-abc | fix x | 2026-03-04 | 4f2c91e | [260101-abc-fix-x](quick/260101-abc-fix-x/) |"
	if got := content(t, w, ".planning/STATE.md"); strings.Count(got, row) != 1 {
		t.Errorf("STATE.md became %q", got)
	}
}

func TestMatchTopic(t *testing.T) {
	todos := []Item{
		{Name: "none", Title: "Write documentation", Area: "general"},
		{Name: "word", Title: "Rotate the tokens", Area: "general"},
		{Name: "all", Title: "Improve login tokens", Area: "auth", Files: []string{"./src/login.go:12"}},
	}
	topic := Topic{Text: "Authentication. Login with tokens, for users", Files: []string{"src/login.go"}}
	got := MatchTopic(todos, topic)
	if len(got) != 2 || got[0].Item.Name != "all" || got[0].Score != 1.1 || got[1].Score != 0.2 {
		t.Fatalf("%+v", got)
	}
	if want := "keywords: login, tokens|area: auth|files: ./src/login.go:12"; strings.Join(got[0].Reasons, "|") != want {
		t.Errorf("reasons %q", got[0].Reasons)
	}
}

// A workstream has items of its own and sees those that were there before it.
func TestItemsOfAWorkstream(t *testing.T) {
	w := project(t, "todos/pending/a.md", "# A\n", "todos/completed/b.md", "# B\n", "workstreams/x/todos/pending/c.md", "# C\n", "workstreams/x/STATE.md", "# S\n")
	names := func(w *plan.Workspace) (out []string) {
		for _, it := range all(t, w, Todo) {
			out = append(out, it.Name)
		}
		return out
	}
	inside, err := plan.At(w.Root, "", "x")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names(inside), " "); got != "c a b" {
		t.Errorf("inside: %s", got)
	}
	if got := strings.Join(names(w), " "); got != "a b" {
		t.Errorf("outside: %s", got)
	}
}
