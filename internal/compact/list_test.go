package compact

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/test/cairntest"
)

// lists are outputs of rows that each name row{i}x, for i in steps of 7 but
// for the first, whose numbers are folded.
var lists = []struct {
	command string
	row     func(i int) string
}{
	{"find .", func(i int) string { return fmt.Sprintf("./packages/pkg%d/src/row%dx.ts", i/500, i) }},
	{"find . -name '*.ts'", func(i int) string { return fmt.Sprintf("./packages/pkg%d/src/row%dx.ts", i%40, i) }},
	{"find . -type f", func(i int) string { return fmt.Sprintf("./d%d/row%dx", i, i) }},
	{"git ls-files", func(i int) string { return fmt.Sprintf("row%dx.go", i) }},
	{"fd", func(i int) string { return fmt.Sprintf("a/b%d/c%d/row%dx.py", i/300, i/20, i) }},
	{"grep -rl foo .", func(i int) string { return fmt.Sprintf("lib/part%d/row%dx.c", i/7, i) }},
	{"grep -rn foo .", func(i int) string { return fmt.Sprintf("lib/part%d/x.c:%d:\tcall(row%dx);", i/9, i+1, i) }},
	{"rg foo", func(i int) string { return fmt.Sprintf("lib/x.c:%d:row%dx", i+1, i) }},
	{"rg -c foo", func(i int) string { return fmt.Sprintf("lib/part%d/row%dx.c:%d", i%30, i, i%5+1) }},
	{"git status --porcelain", func(i int) string {
		return fmt.Sprintf("%s src/m%d/row%dx.go", []string{" M", "??", "D "}[i%3], i%20, i)
	}},
	{"git diff --stat", func(i int) string { return fmt.Sprintf(" src/m%d/row%dx.go | %3d ++--", i%20, i, i%90+1) }},
	{"git diff --name-status", func(i int) string { return fmt.Sprintf("%c\tsrc/m%d/row%dx.go", "MAD"[i%3], i%20, i) }},
	{"git diff --name-only", func(i int) string { return fmt.Sprintf("src/m%d/row%dx.go", i%20, i) }},
	{"git log --oneline", func(i int) string { return fmt.Sprintf("%07x Change the thing in row%dx", 0xabcdef0+i, i) }},
	{"git branch -a", func(i int) string { return fmt.Sprintf("  remotes/origin/topic/row%dx", i) }},
	{"git tag", func(i int) string { return fmt.Sprintf("v1.row%dx", i) }},
	{"git shortlog -sn", func(i int) string { return fmt.Sprintf("%6d\tAuthor row%dx", 9000-i, i) }},
	{"ls -la", func(i int) string { return fmt.Sprintf("-rw-r--r-- 1 dev dev %7d Nov 20 15:02 row%dx.c", i*17, i) }},
	{"ls", func(i int) string { return fmt.Sprintf("row%dx.c", i) }},
	{"du -a", func(i int) string { return fmt.Sprintf("%d\t./lib/row%dx.c", i%90*4, i) }},
	{"wc -l *.c", func(i int) string { return fmt.Sprintf("%7d row%dx.c", i%900, i) }},
	{"pip list", func(i int) string { return fmt.Sprintf("row%dx                  1.0.%d", i, i%9) }},
	{"dpkg -l", func(i int) string { return fmt.Sprintf("ii  row%dx      1.0.%d-1     amd64    a package", i, i%9) }},
}

var rowName = regexp.MustCompile(`row(?:(\d+)|\{(\d+)\.\.(\d+)\})x`)

// One row more changes little: no count of rows or bytes at which a list
// suddenly shows less. Up to where it is cut every row is there.
func TestListsHaveNoCliff(t *testing.T) {
	cairntest.Long(t)
	for i, l := range lists {
		step := 7
		if i == 0 {
			step = 1
		}
		t.Run(l.command, func(t *testing.T) {
			var text strings.Builder
			rows := 0
			show := func(n int) (names, bytes int) {
				if n < rows {
					text.Reset()
					rows = 0
				}
				for ; rows < n; rows++ {
					text.WriteString(l.row(rows*step) + "\n")
				}
				out := reduce(l.command, text.String()).Reduced
				seen := map[int]bool{}
				for _, m := range rowName.FindAllStringSubmatch(out, -1) {
					from, _ := strconv.Atoi(m[1] + m[2])
					to := from
					if m[3] != "" {
						to, _ = strconv.Atoi(m[3])
					}
					for ; from <= to; from++ {
						seen[from] = true
					}
				}
				return len(seen), len(out)
			}
			counts := []int{listRows - 1, listRows, listRows + 1}
			for n := 1; n <= 5000; n += 1 + n/15 {
				counts = append(counts, n)
			}
			slices.Sort(counts)
			cut, most := false, 0
			for _, n := range counts {
				names, bytes := show(n)
				next, nextBytes := show(n + 1)
				if names == n {
					most = n
				}
				if cut = cut || names < n; !cut && next < n-4 {
					t.Errorf("of %d rows %d are shown, of %d %d", n, names, n+1, next)
				}
				if next < names-max(7, names/50) && cut {
					t.Errorf("of %d rows %d are shown, of %d %d", n, names, n+1, next)
				}
				if nextBytes < bytes*9/10-200 && next < n+1 {
					t.Errorf("%d rows take %d bytes, %d take %d", n, bytes, n+1, nextBytes)
				}
				if nextBytes > listRoom+1500 {
					t.Errorf("%d rows take %d bytes", n+1, nextBytes)
				}
			}
			if most < 100 {
				t.Errorf("only up to %d rows are all shown", most)
			}
			if n, _ := show(5000); n < most/4 {
				t.Errorf("%d of 5,000 rows are shown, while %d can be", n, most)
			}
		})
	}
}

// What a list leaves out can be had, and so can what is only folded.
func TestCutListsAreStored(t *testing.T) {
	for _, l := range lists {
		for _, n := range []int{60, 2000} {
			var b strings.Builder
			for i := range n {
				b.WriteString(l.row(i*7) + "\n")
			}
			res := Compact(Envelope{Command: l.command, CombinedText: b.String(), ExitCode: new(int)}, Options{Level: Normal, Tee: Tee{Dir: t.TempDir()}})
			if res.Meta.TeeID == "" && !res.Meta.Unchanged {
				t.Errorf("%s, %d rows: not stored", l.command, n)
			}
		}
	}
}

// A limit that the command has is respected: names are all there, and of long
// rows twice as many as without it.
func TestListsAskedFor(t *testing.T) {
	var names, log, matches strings.Builder
	for i := range 600 {
		fmt.Fprintf(&names, "%07x row%dx\n", 0xabcdef0+i, i)
		fmt.Fprintf(&log, "%07x Change row%dx in a way that has to be told in some more words\n", 0xabcdef0+i, i)
		fmt.Fprintf(&matches, "lib/part%d/x.c:%d:\tcall(row%dx, with some, more_arguments, than, usual);\n", i/30, i+1, i)
	}
	for _, c := range []struct {
		command, without, output string
	}{
		{"git log --oneline -600", "git log --oneline", log.String()},
		{"git log --oneline -n 600", "git log --oneline", log.String()},
		{"git log --oneline --max-count=600", "git log --oneline -n 300000", log.String()},
		{"git log --oneline | head -600", "git log --oneline | head -c 300000", log.String()},
		{"git log --oneline | tail -n 600 | cat", "git log --oneline | cat", log.String()},
		{"grep -rn call lib | head -n600", "grep -rn call lib", matches.String()},
		{"grep -rn call lib | sort | head -600", "grep -rn call lib | sort", matches.String()},
		{"grep -m 600 -rn call lib", "grep -rn call lib", matches.String()},
	} {
		asked, free := len(rowName.FindAllString(reduce(c.command, c.output).Reduced, -1)), len(rowName.FindAllString(reduce(c.without, c.output).Reduced, -1))
		if asked < free*3/2 || free == 0 {
			t.Errorf("%s: %d of 600 rows, %d without the limit", c.command, asked, free)
		}
	}
	if n := len(rowName.FindAllString(reduce("git log --oneline -600", names.String()).Reduced, -1)); n != 600 {
		t.Errorf("%d of 600 short rows that were asked for", n)
	}
}

// A search that is cut still names every file, with the lines of its matches or,
// in very many, with how many there are; equal matches stand once.
func TestSearchesNameEveryFile(t *testing.T) {
	for _, c := range []struct{ files, each int }{{3, 200}, {40, 12}, {150, 2}, {150, 9}} {
		var b strings.Builder
		for f := range c.files {
			for i := range c.each {
				fmt.Fprintf(&b, "src/part%d/file%d.go:%d:\tif err := step%d(ctx, first, second); err != nil {\n", f/20, f, 10*i+7, f*i)
			}
		}
		res := reduce("grep -rn step src", b.String())
		if len(res.Reduced) > len(b.String())*4/5 {
			t.Errorf("%d files of %d: %d of %d bytes", c.files, c.each, len(res.Reduced), b.Len())
		}
		for f := range c.files {
			if !strings.Contains(res.Reduced, fmt.Sprintf("file%d.go", f)) {
				t.Errorf("%d files of %d: file%d.go is not named", c.files, c.each, f)
			}
		}
		if c.each == 12 && !strings.Contains(res.Reduced, "17,27,37") {
			t.Errorf("lines are not named: %s", res.Reduced[:500])
		}
	}
	// Where not all lines are named, how many there are is said.
	var many strings.Builder
	for f := range 60 {
		for i := range 40 + f {
			fmt.Fprintf(&many, "src/file%d.go:%d:\tif err := step%d(ctx, first, second, third, fourth); err != nil {\n", f, 3*i+7, f*i)
		}
	}
	if out := reduce("grep -rn step src | head -2000", many.String()).Reduced; !strings.Contains(out, " ×8") || !strings.Contains(out, ",…") && !strings.Contains(out, " more: ") {
		t.Errorf("counts are missing:\n%s", out[:min(len(out), 2000)])
	}
	// What the first file says is not told of the next.
	var b strings.Builder
	for f := range 60 {
		fmt.Fprintf(&b, "doc/file%d.md:7:Step one: run the installer and wait until it says that it is done\ndoc/file%d.md:9:Step two: call handler%d with the arguments that are listed below\n", f, f, f)
	}
	told := reduce("grep -rn Step doc", b.String()).Reduced
	if strings.Count(told, "run the installer") != 1 || strings.Count(told, "call handler") < 25 || !strings.Contains(told, "7") {
		t.Errorf("repeated texts crowd out the others:\n%s", told)
	}
	same := reduce("grep -rn return src", strings.Repeat("src/a.go:3:\treturn nil, fmt.Errorf(\"no such thing as this\")\nsrc/a.go:5:\treturn x\n", 200))
	if !strings.Contains(same.Reduced, "3,3,3") || len(same.Reduced) > 4000 {
		t.Errorf("equal matches are not put together: %s", same.Reduced[:500])
	}
}

// What `kubectl get -A` tells of a pod that is well is shortened in many of one
// namespace: each says so, and the output is stored.
func TestShortenedRowsAreMarked(t *testing.T) {
	var b strings.Builder
	b.WriteString("NAMESPACE   NAME         READY   STATUS    RESTARTS   AGE\n")
	for i := range 30 {
		fmt.Fprintf(&b, "shop        web-%02d       1/1     Running   0          3d\n", i)
	}
	res := Compact(Envelope{Command: "kubectl get pods -A", CombinedText: b.String(), ExitCode: new(int)}, Options{Level: Normal, Tee: Tee{Dir: t.TempDir()}})
	if n := strings.Count(res.Reduced, " …, web-") + strings.Count(res.Reduced, " …\n"); n != 22 || strings.Count(res.Reduced, "web-") != 30 {
		t.Errorf("%d of 22 shortened rows are marked: %s", n, res.Reduced)
	}
	if !strings.Contains(res.Reduced, "cairn compact show "+res.Meta.TeeID) || res.Meta.TeeID == "" {
		t.Errorf("no way back: %s", res.Reduced)
	}
}

// Rows of a table that are the same but for their first cells are one, and its
// first column is said once where all rows have it; a row in trouble stands alone.
func TestTableRowsThatSayTheSame(t *testing.T) {
	table := " Schema | Name | Type | Owner \n--------+------+------+-------\n"
	for _, n := range []string{"a", "b", "c", "d"} {
		table += " public | " + n + " | table | ann \n"
	}
	exit := 0
	got := Compact(Envelope{Command: "psql -c '\\d'", CombinedText: table + "(4 rows)\n", ExitCode: &exit}, Options{Level: Normal}).Reduced
	if want := "Name  [… all rows: Schema=public, Type=table, Owner=ann …]\na\nb\nc\nd\n(4 rows)\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got:\n%s", got)
	}
	pods := "NAME                       READY   STATUS             RESTARTS   AGE\n"
	for _, p := range []string{"web-7c9d8b6f5d-x2kqp", "web-7c9d8b6f5d-b8m4z", "web-7c9d8b6f5d-qq7vn", "web-7c9d8b6f5d-lz5tc"} {
		pods += fmt.Sprintf("%-26s 1/1     Running            0          3d4h\n", p)
	}
	pods += "api-0                      0/1     CrashLoopBackOff   9          3d4h\napi-1                      0/1     CrashLoopBackOff   9          3d4h\n"
	got = Compact(Envelope{Command: "kubectl get pods", CombinedText: pods, ExitCode: &exit}, Options{Level: Normal}).Reduced
	if want := "web-7c9d8b6f5d-x2kqp, web-7c9d8b6f5d-b8m4z, web-7c9d8b6f5d-qq7vn, web-7c9d8b6f5d-lz5tc  1/1  Running"; !strings.Contains(got, want) || strings.Contains(got, "[… ") && strings.Contains(got, " line") && strings.Contains(got, "lines …]") || strings.Count(got, "CrashLoop") != 2 {
		t.Errorf("got:\n%s", got)
	}
}
