package check

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"cairn/internal/plan/doc"
)

// tree is a project in memory: path → text.
type tree map[string]string

func (tr tree) Has(name string) bool            { _, ok := tr[name]; return ok }
func (tr tree) Read(name string) (string, bool) { s, ok := tr[name]; return s, ok }

const front = "---\nphase: 1\nplan: 1\ntype: execute\nwave: 1\ndepends_on: []\nfiles_modified: []\nautonomous: true\nmust_haves:\n---\n"

const task = "<task type=\"auto\">\n<name>T</name>\n<files>a.go</files>\n<action>x</action>\n<verify>y</verify>\n<done>z</done>\n</task>\n"

func TestPlanStructure(t *testing.T) {
	for _, c := range []struct{ name, plan, errors, warnings string }{
		{"good", front + task, "", ""},
		{"nothing", "text", "field: phase|field: plan|field: type|field: wave|field: depends_on|field: files_modified|field: autonomous|field: must_haves", "No <task>"},
		{"the other spelling", strings.Replace(front, "files_modified", "files-modified", 1) + task, "", ""},
		{"no name and no action", front + "<task>\n<files>a</files>\n<done>x</done>\n</task>\n", "Task 1 missing <name>|Task 1 missing <action>", "Task 1 missing <verify>"},
		{"bare task", front + "<task>\n<name>T</name>\n<action>x</action>\n</task>\n", "", "'T' missing <verify>|'T' missing <done>|'T' missing <files>"},
		{"checkpoint", front + task + "<task type=\"checkpoint:decision\">\n<decision>x</decision>\n</task>\n", "autonomous is not false", ""},
		{"checkpoint told", strings.Replace(front, "autonomous: true", "autonomous: false", 1) + "<task type=\"checkpoint:human-verify\">\n</task>\n", "", ""},
		{"wave", strings.Replace(front, "wave: 1", "wave: 2", 1) + task, "", "depends_on is empty"},
		{"task in a fence", front + task + "```\n<task>\n</task>\n```\n", "", ""},
		{"frontmatter", strings.Replace(front, "type: execute", "type: execute\n\tx: 1", 1) + task, "", "by a tab"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := PlanStructure(doc.Parse([]byte(c.plan)))
			holds(t, "errors", s.Errors, c.errors)
			holds(t, "warnings", s.Warnings, c.warnings)
		})
	}
}

// holds compares findings with parts of what they should say.
func holds(t *testing.T, what string, got []Finding, parts string) {
	t.Helper()
	want := strings.FieldsFunc(parts, func(r rune) bool { return r == '|' })
	if len(got) < len(want) || len(want) == 0 && len(got) > 0 {
		t.Errorf("%s are %v, want %q", what, got, want)
		return
	}
	for i, part := range want {
		if !strings.Contains(got[i].What, part) {
			t.Errorf("%s: %q has no %q", what, got[i].What, part)
		}
	}
}

func TestArtifacts(t *testing.T) {
	files := tree{"a.ts": "export const load = 1\nexport const x = 2\n"}
	m := doc.MustHaves{Artifacts: []doc.Artifact{
		{Path: "a.ts", MinLines: 2, Contains: []string{"const x"}, Exports: []string{"load"}},
		{Path: "a.ts", MinLines: 3, Contains: []string{"nope"}, Exports: []string{"loa"}},
		{Path: "b.ts"},
	}}
	got := Artifacts(m, files)
	want := []Artifact{
		{Path: "a.ts", Exists: true, Issues: []string{}, Passed: true},
		{Path: "a.ts", Exists: true, Issues: []string{"Only 2 lines, need 3", "Missing pattern: nope", "Missing export: loa"}},
		{Path: "b.ts", Issues: []string{"File not found"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestLinks(t *testing.T) {
	files := tree{"a.go": "import other\n", "other": "func Call()\n"}
	for _, c := range []struct {
		link doc.KeyLink
		ok   bool
	}{
		{doc.KeyLink{From: "a.go", To: "other"}, true},
		{doc.KeyLink{From: "a.go", To: "missing"}, false},
		{doc.KeyLink{From: "a.go"}, false},
		{doc.KeyLink{From: "none", To: "other"}, false},
		{doc.KeyLink{From: "a.go", To: "other", Pattern: `import\s+oth`}, true},
		{doc.KeyLink{From: "a.go", To: "other", Pattern: `Call\(`}, true},
		{doc.KeyLink{From: "a.go", To: "other", Pattern: `Calls`}, false},
		{doc.KeyLink{From: "a.go", To: "other", Pattern: `(`}, false},
	} {
		got := Links(doc.MustHaves{KeyLinks: []doc.KeyLink{c.link}}, files)[0]
		if got.Verified != c.ok || got.Detail == "" {
			t.Errorf("%+v: %+v", c.link, got)
		}
	}
}

func TestLookUp(t *testing.T) {
	text := "See @src/a.go, @src/b.go. and `docs/c.md` or `d.md`, `https://x.y/z.html`, me@host/x, `src/*.go`, `a b/c.d`, `x/noext`, @scope/name/deep.\n@src/a.go\n```\n@in/fence.go\n```\n<!-- @in/comment.go -->\n"
	got := LookUp(doc.Parse([]byte(text)), tree{"src/a.go": "", "docs/c.md": "", "package.json": `{"dependencies": {"@scope/name": "1"}}`})
	want := References{Found: 2, Missing: []string{"src/b.go"}, Total: 3}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestVerify(t *testing.T) {
	text := "---\nkey-files:\n  created: [c.go]\n---\n# S\nCreated `src/a.go` and `src/b.go`, commit abc1234 of 20260102, facade7 and deadbeef.\nRemoved `src/old.go`.\n"
	known := func(hash string) bool { return hash == "abc1234" }
	s := Verify(doc.Parse([]byte(text)), tree{"src/a.go": "", "c.go": ""}, known, 0)
	want := Summary{Checked: 3, Found: 2, Missing: []string{"src/b.go"}, Hashes: []string{"abc1234", "facade7"}, Commits: true, Unknown: []string{"facade7"}, SelfCheck: SelfMissing}
	if !reflect.DeepEqual(s, want) || s.Passed() || s.Holds() {
		t.Errorf("got %+v", s)
	}
	if s := Verify(doc.Parse([]byte(text)), tree{"src/a.go": ""}, known, 1); s.Checked != 1 || !s.Passed() {
		t.Errorf("of one file: %+v", s)
	}
	if s := Verify(doc.Parse([]byte(text)), tree{"src/a.go": ""}, func(string) bool { return false }, 1); s.Passed() {
		t.Error("no commit is known and it passed")
	}
	for text, want := range map[string]string{
		"## Self-Check: PASSED\n\n## Later\nit failed\n": SelfPassed,
		"## Self-Check: FAILED\n":                        SelfFailed,
		"## Self-Check\n- a: passed\n- b: FAILED\n":      SelfFailed,
		"## Self Check\nAll passed, 0 failed.\n":         SelfPassed,
		"## Self-Check\nno words\n":                      SelfMissing,
		"```\n## Self-Check: FAILED\n```\n":              SelfMissing,
	} {
		if got := Verify(doc.Parse([]byte(text)), tree{}, known, 0).SelfCheck; got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestTaskBehavior(t *testing.T) {
	for text, want := range map[string]bool{
		`<task tdd="true"><behavior>adds</behavior><files>src/a.go, src/a_test.go</files></task>`:               true,
		`<task><behavior>adds</behavior><files>src/a.go</files></task>`:                                         false,
		`<task tdd="true"><behavior> </behavior><files>src/a.go</files></task>`:                                 false,
		`<task tdd="true"><behavior>x</behavior><files>a_test.go, README.md, x.json</files></task>`:             false,
		`<task tdd="true"><behavior>x</behavior><files>tests/a.py, vite.config.ts, .eslintrc.js</files></task>`: false,
	} {
		k, ok := doc.ReadTask(text)
		if b := TaskBehavior(k); !ok || b.Adds() != want || b.Reason() == "" {
			t.Errorf("%s: %+v", text, b)
		}
	}
}

func TestParseStory(t *testing.T) {
	s, errs := ParseStory("As an  admin, I want to see\nlogs, so that I sleep.")
	if len(errs) > 0 || s != (Story{"admin", "see logs", "I sleep"}) {
		t.Errorf("%+v, %v", s, errs)
	}
	for text, want := range map[string]int{"": 3, "As a user, I want to log in.": 1, "I want to x, so that y.": 1, "As a u, I want to x, so that y": 1, "so that I want to be": 2} {
		if _, errs := ParseStory(text); len(errs) != want {
			t.Errorf("%q: %q", text, errs)
		}
	}
}

func TestDir(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(root, "a.txt"), filepath.Join(outside, "secret.txt")} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(root, "out")); err != nil {
		t.Skip(err)
	}
	d := Dir(root)
	for name, want := range map[string]bool{"a.txt": true, "./a.txt": true, filepath.Join(root, "a.txt"): true, "b.txt": false, "out/secret.txt": false, "../x": false, "": true} {
		if got := d.Has(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	if _, ok := d.Read("out/secret.txt"); ok {
		t.Error("a file outside of the project was read")
	}
	if text, ok := d.Read("a.txt"); !ok || text != "x" {
		t.Errorf("read %q", text)
	}
}
