package gate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"cairn/internal/plan/doc"
)

func noGit(...string) (string, error) { return "", errors.New("no git") }

// Both forms of a list, in the frontmatter and in the body (F6).
func TestFilesOf(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want []string
	}{
		"inline":            {"---\nfiles_modified: [a.go, \"b c.go\", 'd.go']\n---\n", []string{"a.go", "b c.go", "d.go"}},
		"inline, lines":     {"---\nfiles_modified: [a.go,\n  b.go]\n---\n", []string{"a.go", "b.go"}},
		"block":             {"---\nfiles_modified:\n  - a.go\n  # why\n  - \"b.go\" # x\nother:\n  - c.go\n---\n", []string{"a.go", "b.go"}},
		"block, unindented": {"---\nfiles-modified:\n- a.go\n- b.go\nwave: 1\n---\n", []string{"a.go", "b.go"}},
		"items with words":  {"---\nfiles_modified:\n  - a.go - the server\n  - path: b.go\n    why: x\n  - `c.go` (new)\n---\n", []string{"a.go", "b.go", "c.go"}},
		"key-files":         {"---\nkey-files:\n  created: [a.go]\n  modified:\n    - b.go\n  deleted: [c.go]\n---\n", []string{"a.go", "b.go"}},
		"key-files, flow":   {"---\nkey_files: {created: [a.go, b.go], modified: [c.go]}\n---\n", []string{"a.go", "b.go", "c.go"}},
		"body, twice":       {"# S\n\n**files_modified:**\n- a.go\n\n## Next\n- no.go\n\nfiles_modified: [b.go]\n", []string{"a.go", "b.go"}},
		"a fence":           {"```\nfiles_modified: [a.go]\n```\n", nil},
		"empty":             {"---\nfiles_modified: []\nkey-files:\n---\n", nil},
		"prose":             {"files_modified: none of note\n", nil},
	} {
		got := FilesOf(doc.Parse([]byte(tt.in)))
		if len(got)+len(tt.want) > 0 && !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A decision is found in plans, summaries, listed files and commits.
func TestDecisionsDelivered(t *testing.T) {
	root := repository(t, map[string]string{"src/a.go": "// D-03\n", "src/b.go": "// D-04\n", "src/unlisted.go": "// D-07\n"})
	committed(t, root, "router\n\nas D-05 wants")
	context := file("02-CONTEXT.md", "<decisions>\n- **D-01:** a\n- **D-02:** b\n- **D-03:** c\n- **D-04:** d\n- **D-05:** e\n- **D-06:** f\n- **D-07:** g\n</decisions>\n")
	c, err := DecisionsDelivered(true, &context,
		planOf("prose names D-01\n"),
		[]File{file("02-01-SUMMARY.md", "---\nfiles_modified: [src/a.go]\n---\nD-02\n"), file("02-02-SUMMARY.md", "---\nkey-files:\n  modified:\n    - src/b.go\n---\n")},
		root, gitIn(root))
	var open []string
	for _, d := range c.Open {
		open = append(open, d.ID)
	}
	if r := c.Result; err != nil || r.Passed || r.Blocking || r.No() || !reflect.DeepEqual(open, []string{"D-06", "D-07"}) {
		t.Errorf("open %v, %+v, %v", open, c.Result, err)
	}
}

// The 200th commit counts, the 201st does not (F18).
func TestCommitsSearched(t *testing.T) {
	root := repository(t, nil)
	var asked []string
	git := func(args ...string) (string, error) {
		asked = args
		return gitIn(root)(args...)
	}
	context := file("02-CONTEXT.md", "<decisions>\n- **D-01:** a\n</decisions>\n")
	if _, err := DecisionsDelivered(true, &context, nil, nil, root, git); err != nil || !reflect.DeepEqual(asked, []string{"log", "-n200", "--format=%B"}) {
		t.Errorf("git %q, %v", asked, err)
	}
}

// Only files in the project are read, only their beginning, only so many (F7).
func TestListedFilesBounds(t *testing.T) {
	outside := project(t, map[string]string{"secret": "D-01", "dir/x": "D-01"})
	root := project(t, map[string]string{
		"big.go":     strings.Repeat("x", maxBytes) + " D-01",
		"big-end.go": strings.Repeat("x", maxBytes-5) + " D-01",
	})
	for link, target := range map[string]string{"link": filepath.Join(outside, "secret"), "dir": filepath.Join(outside, "dir")} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Symlink("big-end.go", filepath.Join(root, "inner")); err != nil {
		t.Skip(err)
	}
	context := file("02-CONTEXT.md", "<decisions>\n- **D-01:** a\n</decisions>\n")
	for name, tt := range map[string]struct{ found, warned bool }{
		"big.go":                         {false, false},
		"big-end.go":                     {true, false},
		"inner":                          {true, false},
		"gone.go":                        {false, false},
		"link":                           {false, true},
		"dir/x":                          {false, true},
		"../" + filepath.Base(outside):   {false, true},
		filepath.Join(outside, "secret"): {false, true},
		".":                              {false, true},
	} {
		summary := file("02-01-SUMMARY.md", fmt.Sprintf("---\nfiles_modified: [%q]\n---\n", name))
		c, err := DecisionsDelivered(true, &context, nil, []File{summary}, root, noGit)
		warned := false
		for _, w := range c.Result.Warnings {
			warned = warned || strings.Contains(w, fmt.Sprintf("lists %q", name))
		}
		if err != nil || c.Result.Passed != tt.found || warned != tt.warned {
			t.Errorf("%s: found %v, warned %v, want %+v: %v", name, c.Result.Passed, warned, tt, c.Result.Warnings)
		}
	}
}

func TestListedFilesAtMost(t *testing.T) {
	root := project(t, map[string]string{"z.go": "D-01"})
	list := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  - a%03d.go\n", i)
		}
		return "---\nfiles_modified:\n" + b.String() + "---\n"
	}
	context := file("02-CONTEXT.md", "<decisions>\n- **D-01:** a\n</decisions>\n")
	last := file("02-02-SUMMARY.md", "---\nfiles_modified: [z.go]\n---\n")
	for n, want := range map[int]bool{49: true, 50: false} {
		c, err := DecisionsDelivered(true, &context, nil, []File{file("02-01-SUMMARY.md", list(n)), last}, root, noGit)
		if err != nil || c.Result.Passed != want {
			t.Errorf("%d files before it: %v, %v", n, c.Result.Passed, err)
		}
	}
}

// The section is written once, replaced and taken out again; what is around
// it and the status stay as they are.
func TestRecord(t *testing.T) {
	const before = "---\r\nstatus: passed\r\n---\r\n\r\n# Verification\r\n\r\n| a |\r\n|---|\r\n| 1 |\r\n"
	open := func(ids ...string) Coverage {
		c := Coverage{Total: 3}
		for _, id := range ids {
			c.Open = append(c.Open, doc.Decision{ID: id})
			c.Result.Message += "- **" + id + "**\n"
		}
		return c
	}
	v := doc.Parse([]byte(before))
	Record(v, open("D-01", "D-02"))
	once := string(v.Bytes())
	if !strings.HasPrefix(once, before) || strings.Count(once, "## Decision coverage (warning)\r\n") != 1 || !strings.Contains(once, "- **D-02**\r\n") {
		t.Errorf("got %q", once)
	}
	Record(v, open("D-01", "D-02"))
	if twice := string(v.Bytes()); twice != once {
		t.Errorf("a second time\n%s", twice)
	}
	v.Insert(v.Len(), "## After")
	Record(v, open("D-02"))
	after := string(v.Bytes())
	if strings.Contains(after, "D-01") || strings.Count(after, recordBegin) != 1 || !strings.HasSuffix(after, recordEnd+"\r\n## After\r\n") {
		t.Errorf("got %q", after)
	}
	Record(v, Coverage{Result: Result{Skipped: true}})
	if string(v.Bytes()) != after {
		t.Error("a skipped gate changed the section")
	}
	Record(v, open())
	if got := string(v.Bytes()); got != before+"## After\r\n" {
		t.Errorf("got %q", got)
	}
}
