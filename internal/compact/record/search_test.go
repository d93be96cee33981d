package record

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestGrep(t *testing.T) {
	for _, c := range []struct{ name, in, groups, shown string }{
		{"with numbers", "a/x.go:12:func f() {\na/x.go-13-\treturn\n--\nb-1/y.go:3:f(a, \"x: y\")\n", "a/x.go: 12:func f() {\na/x.go: 13-\treturn\nb-1/y.go: 3:f(a, \"x: y\")", ""},
		{"without", "a/x.go:func f() {\na/x.go:f()\n", "a/x.go: func f() {\na/x.go: f()", ""},
		{"heading", "a/x.go\n12:func f() {\n\nb/y.go\n3:f()\n4-g()\n", "a/x.go: 12:func f() {\nb/y.go: 3:f()\nb/y.go: 4-g()", ""},
		{"lines below a path", "Found 3 matches\na/x.go:\n  Line 12: func f() {\n\n  Line 14: f()\n\nb/y.go:\n  Line 3: f()\n\n(Results truncated.)\n",
			"a/x.go: 12: func f() {\na/x.go: 14: f()\nb/y.go: 3: f()", "Found 3 matches\n(Results truncated.)"},
		{"lines below a file", "File: a/x.go\nL12: func f() {\nL13-   return\n---\nFile: b/y.go\nL3: f()\n", "a/x.go: 12: func f() {\na/x.go: 13-   return\nb/y.go: 3: f()", ""},
		{"blank lines that match", "a/x.go:\na/x.go:\nb/y.go:\n", "a/x.go:  \na/x.go:  \nb/y.go:  ", ""},
		{"numbered names", "adr/x-0001-a.md:1:one\nadr/x-0001-a.md-2-two: 2\nadr/x-0002-b.md:one\nadr/Make-3-x\n", "adr/x-0001-a.md: 1:one\nadr/x-0001-a.md: 2-two: 2\nadr/x-0002-b.md: one\nadr/Make: 3-x", ""},
		{"one file without colons", "12:func f()\n14:func g()\n", "", "12:func f()\n14:func g()"},
		{"one file", "12:\tf: 1\n14:\tg: 2\n", "", "12:\tf: 1\n14:\tg: 2"},
		{"complaints", "a.go:1:x\ngrep: lib: No such file or directory\nBinary file b.o matches\n", "a.go: 1:x", "grep: lib: No such file or directory\nBinary file b.o matches"},
		{"list", "a/x.go\nb/y.go\n", "a/: x.go\nb/: y.go", ""},
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

// Of a line that is too long what was looked for is shown, and where it is.
func TestGrepAround(t *testing.T) {
	p := &grep{}
	p.For([]string{"nothing", "needle"})
	long := strings.Repeat("ä hay(stack); ", 40)
	for in, want := range map[string][]string{
		"12:" + long + "Needle here" + long: {"12:[… ", " bytes …] ", "Needle here", " bytes …]"},
		"12:needle here" + long:             {"12:needle here", " bytes …]"},
		long + "needle":                     {"[… ", "needle"},
		long:                                {"ä hay(stack); ä", " bytes …]"},
		"12:" + long[:100]:                  {"12:" + long[:100]},
	} {
		got := p.around(in)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%q lacks %q", got, w)
			}
		}
		if len(got) > grepWidth+80 || !utf8.ValidString(got) || !strings.HasPrefix(got, want[0]) {
			t.Errorf("%d bytes: %q", len(got), got)
		}
	}
}

func TestPaths(t *testing.T) {
	recs := parse(t, "paths", "./a\n./b/c.go\n./d/e/\nREADME\n/\nfind: ‘./d’: Permission denied\n")
	equal(t, groups(recs), "./: a", "./b/: c.go", "./d/: e/", "./: README")
	equal(t, shown(recs, Keep), "/", "find: ‘./d’: Permission denied")
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
	recs := parseCut(t, "ls", in)
	equal(t, groups(recs), "lib/", "lib/: READ ME.md 1592", "lib/: run.sh -rwxr-xr-x 12", "lib/: bin -> usr/bin", "lib/: iso.md 1592", "lib/: full -rw------- 5", "lib/: null crw-rw-rw-")
	equal(t, shown(recs, Keep), "ls: cannot open directory 'x': Permission denied")
	recs = parseCut(t, "ls", strings.SplitN(in, "\n", 2)[1])
	equal(t, rows(recs), "1592 READ ME.md", "-rwxr-xr-x 12 run.sh", "l bin -> usr/bin", "1592 iso.md", "-rw------- 5 full", "crw-rw-rw- null")
}

// A link is told with its target where that is near; a mode that is not the
// usual one stays.
func TestLsLinks(t *testing.T) {
	in := `total 20
lrwxrwxrwx 1 root root 12 Nov 20 15:02 liba.so -> liba.so.1
lrwxrwxrwx 1 root root 12 Nov 20 15:02 liba.so.1 -> liba.so.1.2
-rwxr-xr-x 1 root root 4096 Nov 20 15:02 liba.so.1.2
lrwxrwxrwx 1 root root 12 Nov 20 15:02 gone -> /opt/gone
drwxr-xr-x 1 root root 12 Nov 20 15:02 v2
lrwxrwxrwx 1 root root 12 Nov 20 15:02 was -> v2
lrwxrwxrwx 1 root root 12 Nov 20 15:02 x -> y
lrwxrwxrwx 1 root root 12 Nov 20 15:02 y -> x
`
	recs := parseCut(t, "ls", in)
	equal(t, rows(recs), "l liba.so -> ….1 -> ….1.2 (-rwxr-xr-x 4096)", "l gone -> /opt/gone", "d v2", "l was -> v2", "l x -> y -> x")
	scrambleBy(t, parseCut, "ls", in)
}

// rows returns what stands alone of a list.
func rows(recs []Record) (out []string) {
	for _, r := range recs {
		if r.List == ListRow {
			out = append(out, cmp.Or(r.Row, r.Lines[0].Text))
		}
	}
	return out
}

func TestTree(t *testing.T) {
	in := ".\n├── lib\n│   ├── f.go\n│   └── [4.0K]  sub\n│       └── g.go\n└── z.go -> lib/f.go\n\n2 directories, 3 files\n"
	recs := parseCut(t, "tree", in)
	equal(t, groups(recs), "./: lib", "./lib/: f.go", "./lib/: [4.0K]  sub", "./lib/sub/: g.go", "./: z.go -> lib/f.go")
	equal(t, shown(recs, Keep), ".", "2 directories, 3 files")
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

// Output of a tool that nobody knows is a list if its first lines look so; a
// failure in it stays one.
func TestGuess(t *testing.T) {
	for _, c := range []struct{ name, row, want string }{
		{"paths", "src/mod%d/file%d.rs", "src/mod7/: file7.rs"},
		{"settings", "NAME_%d=/usr/share/%d", "NAME_7=/usr/share/7"},
		{"words", "unit-%d.service%d", "unit-7.service7"},
		{"columns", "unit-%02d    active  %d minutes", "unit-07    active  7 minutes"},
		{"tabs", "unit %d\tactive\t%d", "unit 7\tactive\t7"},
		{"modes", "-rw-r--r-- dev/dev   %d 2026-11-20 15:02 a/b%d", "-rw-r--r-- dev/dev   7 2026-11-20 15:02 a/b7"},
		{"a log", "INFO     request %d took %d ms", ""},
		{"text", "The %d. sentence of a text has words, and then %d more.", ""},
		{"numbers", "%d%d", ""},
		{"code", "%040d%030d/+xY", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			for i := range 60 {
				fmt.Fprintf(&b, c.row+"\n", i, i)
			}
			b.WriteString("error: disk full\n")
			recs := parse(t, "guess", b.String())
			got := append(groups(recs), rows(recs)...)
			if n := len(got); c.want == "" && n != 0 || c.want != "" && (n != 60 || got[7] != c.want) {
				t.Errorf("%d rows: %q", n, got)
			}
			equal(t, shown(recs, Failure), "error: disk full")
			scramble(t, "guess", b.String())
		})
	}
}
