package record

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestGrep(t *testing.T) {
	for _, c := range []struct{ name, in, groups, shown string }{
		{"with numbers", "a/x.go:12:func f() {\na/x.go-13-\treturn\n--\nb-1/y.go:3:f(a, \"x: y\")\n", "a/x.go: 12:func f() {\na/x.go: 13-\treturn\nb-1/y.go: 3:f(a, \"x: y\")", ""},
		{"without", "a/x.go:func f() {\na/x.go:f()\n", "a/x.go: func f() {\na/x.go: f()", ""},
		{"heading", "a/x.go\n12:func f() {\n\nb/y.go\n3:f()\n4-g()\n", "a/x.go: 12:func f() {\nb/y.go: 3:f()\nb/y.go: 4-g()", ""},
		{"lines below a path", "Found 3 matches\na/x.go:\n  Line 12: func f() {\n\n  Line 14: f()\n\nb/y.go:\n  Line 3: f()\n\n(Results truncated.)\n",
			"a/x.go: 12: func f() {\na/x.go: 14: f()\nb/y.go: 3: f()", "Found 3 matches\n(Results truncated.)"},
		{"lines below a file", "File: a/x.go\nL12: func f() {\nL13-   return\n---\nFile: b/y.go\nL3: f()\n", "a/x.go: 12: func f() {\na/x.go: 13-   return\nb/y.go: 3: f()", ""},
		{"blank lines that match", "a/x.go:\na/x.go:\nb/y.go:\n", "a/x.go: \na/x.go: \nb/y.go: ", ""},
		{"numbered names", "adr/x-0001-a.md:1:one\nadr/x-0001-a.md-2-two: 2\nadr/x-0002-b.md:one\nadr/Make-3-x\n", "adr/x-0001-a.md: 1:one\nadr/x-0001-a.md: 2-two: 2\nadr/x-0002-b.md: one\nadr/Make: 3-x", ""},
		{"one file without colons", "12:func f()\n14:func g()\n", "", "12:func f()\n14:func g()"},
		{"one file", "12:\tf: 1\n14:\tg: 2\n", "", "12:\tf: 1\n14:\tg: 2"},
		{"complaints", "a.go:1:x\ngrep: lib: No such file or directory\nBinary file b.o matches\n", "a.go: 1:x", "grep: lib: No such file or directory\nBinary file b.o matches"},
		{"list", "a/x.go\nb/y.go\n", "", "a/x.go\nb/y.go"},
		{"log", "2026-11-20 10:00:00 INFO a\n2026-11-20 10:00:01 ERROR b\n", "", "2026-11-20 10:00:00 INFO a\n2026-11-20 10:00:01 ERROR b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			recs := parse(t, "grep", c.in)
			equal(t, groups(recs), c.groups)
			equal(t, shown(recs, Body, Keep, Failure), c.shown)
			scramble(t, "grep", c.in)
		})
	}
}

func TestGrepCountsBeyondTheLimit(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "lib/f%d.go:%d:%s\n", i/10, i, strings.Repeat("foo ", i%100))
	}
	recs := parseCut(t, "grep", b.String())
	rows := 0
	for _, r := range recs {
		if !r.Tally {
			rows++
		}
	}
	if rows != grepMatches {
		t.Errorf("%d matches are shown", rows)
	}
	equal(t, notes(recs), "[… 450 more matches, counted by file …]")
}

func TestPaths(t *testing.T) {
	equal(t, shown(parse(t, "paths", "./a\n./b/c.go\nfind: ‘./d’: Permission denied\n"), Keep), "./a", "./b/c.go", "find: ‘./d’: Permission denied")
	equal(t, groups(parse(t, "paths", strings.Repeat("./lib/a.go\nREADME\n", 20)))[:2], "./lib/: a.go", "./: README")
	got := groups(parse(t, "paths", strings.Repeat("./lib/a.go\nREADME\n.env\n", 200)))
	equal(t, got[:9], "*.go: ./lib/a.go", "[… no extension …]: README", "[… no extension …]: .env", "*.go: ./lib/a.go", "[… no extension …]: README", "[… no extension …]", "*.go: ./lib/a.go", "[… no extension …]", "[… no extension …]")
}

func TestLs(t *testing.T) {
	in := `lib:
total 112
drwxr-xr-x 27 root root 4096 Nov 20 15:02 .
drwxr-xr-x  8 root root 4096 Nov 20 15:05 ..
-rw-r--r--  1 root staff 1592 Nov 20 15:02 READ ME.md
-rwxr-xr-x  1 root root 12 Nov 20  2024 run.sh
lrwxrwxrwx  1 root root 7 Nov 20 15:02 bin -> usr/bin
-rw-r--r--  1 root root 1592 2026-11-20 15:02 iso.md
-rw-------  1 root root 5 2026-11-20 15:02:01.5 +0000 full
crw-rw-rw-  1 root root 1, 3 Nov 20 15:02 null
ls: cannot open directory 'x': Permission denied
`
	equal(t, shown(parseCut(t, "ls", in), Keep), "lib:", "1592 READ ME.md", "-rwxr-xr-x 12 run.sh", "l bin -> usr/bin", "1592 iso.md", "-rw------- 5 full", "crw-rw-rw- null", "ls: cannot open directory 'x': Permission denied")
	if n := len(shown(parseCut(t, "ls", strings.Repeat("name.go\n", 500)), Keep)); n != lsRows {
		t.Errorf("%d of 500 names are kept", n)
	}
}

func TestTree(t *testing.T) {
	in := ".\n├── lib\n" + strings.Repeat("│   ├── f.go\n", 20) + "│   └── sub\n│       └── g.go\n└── z.go\n\n2 directories, 22 files\n"
	got := shown(parseCut(t, "tree", in), Keep)
	want := append(append([]string{".", "lib"}, slices.Repeat([]string{" f.go"}, treeRows)...), "z.go", "2 directories, 22 files")
	equal(t, got, want...)
	scrambleBy(t, parseCut, "tree", in)
}

// Each of a tool's own complaints stays, or at least its path.
func TestComplaints(t *testing.T) {
	in := ""
	for i := range 50 {
		in += fmt.Sprintf("lib/a%d.go\nfind: ‘/root/d%d’: Permission denied\n", i, i)
	}
	recs := parse(t, "paths", in)
	whole, sites := 0, 0
	for _, r := range recs {
		if strings.HasPrefix(r.Lines[0].Text, "find: ") {
			if r.Key == "" {
				whole++
			} else if r.Site == fmt.Sprintf("/root/d%d", whole+sites) {
				sites++
			}
		}
	}
	if whole != complaintsShown || sites != 50-complaintsShown {
		t.Errorf("%d whole, %d by their path", whole, sites)
	}
	for s, want := range map[string]string{
		"find: '/a b': Permission denied":         "/a b",
		"du: cannot read directory '/x': Refused": "/x",
		"grep: lib: Is a directory":               "lib",
		"fatal: no":                               "",
	} {
		if got := complainsOf(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// Lines of a search in one file do not name it, and the first is no heading.
func TestGrepOneFile(t *testing.T) {
	recs := parse(t, "grep", "1:# Makefile\n2-all: x.o\n12:install: all\n")
	equal(t, shown(recs, Keep), "1:# Makefile", "2-all: x.o", "12:install: all")
}
