package compact

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/rule"
	"cairn/test/cairntest"
)

// fronts are what runners put before a line, invented: at is the number of the
// line, r what differs from output to output.
var fronts = map[string]func(r *rand.Rand) func(at int) string{
	"time": func(r *rand.Rand) func(int) string {
		return func(at int) string { return clock(at) + ".1234567Z " }
	},
	"time in brackets": func(r *rand.Rand) func(int) string {
		return func(at int) string { return "[" + clock(at)[11:] + "] " }
	},
	"time of ctime": func(r *rand.Rand) func(int) string {
		return func(at int) string { return "Wed Mar  4 " + clock(at)[11:] + " 2026 " }
	},
	"seconds since 1970": func(r *rand.Rand) func(int) string {
		return func(at int) string { return fmt.Sprintf("%d.%03d ", 1772618400+at/7, at%7*140) }
	},
	"seconds since the start": func(r *rand.Rand) func(int) string {
		return func(at int) string { return fmt.Sprintf("[%9.3f] ", float64(at)*0.31) }
	},
	"minutes since the start": func(r *rand.Rand) func(int) string {
		return func(at int) string { return fmt.Sprintf("%02d:%02d ", at/60, at%60) }
	},
	"time and stream": func(r *rand.Rand) func(int) string {
		return func(at int) string { return clock(at) + ".123456789Z " + pick(r, "stdout", "stderr") + " F " }
	},
	"time and code": func(r *rand.Rand) func(int) string {
		code := fmt.Sprintf(" %02dO ", r.IntN(4))
		return func(at int) string { return clock(at) + ".123456Z" + code }
	},
	"time, thread, level": func(r *rand.Rand) func(int) string {
		return func(at int) string {
			return strings.Replace(clock(at), "T", " ", 1) + ",123 [main] INFO  c.example.Runner - "
		}
	},
	"host and process": func(r *rand.Rand) func(int) string {
		return func(at int) string { return "Mar  4 " + clock(at)[11:] + " build-7 ci-runner[4711]: " }
	},
	"name in brackets": func(r *rand.Rand) func(int) string {
		name := pick(r, "test", "0", "pod/web-1/app", "build:unit", "3/7")
		return func(int) string { return "[" + name + "] " }
	},
	"name and bar": func(r *rand.Rand) func(int) string {
		name := pick(r, "web-1", "integration-tests-1", "app")
		return func(int) string { return name + "   | " }
	},
	"coloured name and bar": func(r *rand.Rand) func(int) string {
		return func(int) string { return "\x1b[36mweb-1  |\x1b[0m " }
	},
	"name and colon": func(r *rand.Rand) func(int) string {
		name := pick(r, "@shop/web", "packages/app test", "//web:unit", "web:test", "node1.example.com")
		return func(int) string { return name + ": " }
	},
	"job, step and time": func(r *rand.Rand) func(int) string {
		return func(at int) string { return "unit (1.26)\tRun the tests\t" + clock(at) + ".1234567Z " }
	},
	"name, then time": func(r *rand.Rand) func(int) string {
		return func(at int) string { return "web-1  | " + clock(at) + ".123456789Z " }
	},
	"time, then name": func(r *rand.Rand) func(int) string {
		return func(at int) string { return clock(at)[11:] + " [web] " }
	},
}

func clock(at int) string {
	return fmt.Sprintf("2026-03-04T%02d:%02d:%02d", 10+at/3600, at/60%60, at%60)
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// otherwise are outputs of which something else survives behind a prefix, with why.
var otherwise = map[string]string{
	"files/junit-xml, time, thread, level":   "with a level in front it may be a program's log",
	"logs/syslog, host and process":          "a journal in a journal",
	"ops/gh-run-log, time and stream":        "the lines of one job, torn apart at random: the assertion stays, its summary does not",
	"run/turbo-pass, time and stream":        "a runner's lines behind a time of its own: four tasks that passed, each named",
	"run/turbo-pass, time, thread, level":    "the same",
	"run/turbo-fail-build, host and process": "a runner's lines in a journal: the failed tasks are named at the end",
}

// What survives without a prefix survives with one, whatever it looks like, and
// the result of a tool's output is hardly longer.
func TestPrefixCostsNothing(t *testing.T) {
	cairntest.Long(t)
	lib := rule.Load()
	shapes := slices.Sorted(maps.Keys(fronts))
	for _, name := range fixtures(t) {
		f := readFixture(t, name)
		bare := f.Envelope
		bare.Command = "./ci.sh"
		if f.Tool != "" || strings.Count(f.CombinedText, "\n") < 20 || strings.Contains(f.CombinedText, "\r") {
			continue
		}
		name = strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(name), "testdata/fixtures/"), ".txt")
		i := int(hash(name) >> 8) // a fixture more changes nothing for the others
		want := Compact(bare, Options{Level: Normal, Library: lib})
		for j, shape := range shapes {
			if (i+j)%4 != 0 || otherwise[name+", "+shape] != "" {
				continue
			}
			got := Compact(behind(bare, fronts[shape](rand.New(rand.NewPCG(1, uint64(i))))), Options{Level: Normal, Library: lib})
			flat := squeeze(got.Reduced)
			for l := range strings.Lines(want.Reduced) {
				if l = strings.TrimSpace(l); lines.Classify(l) >= lines.Failure && strings.Contains(f.CombinedText, l) && !strings.Contains(flat, squeeze(l)) {
					t.Errorf("%s, %s: lost %q", name, shape, l)
				}
			}
			family, _, _ := strings.Cut(want.Meta.Rule, "/")
			room := len(want.Reduced)*13/10 + 400
			if slices.Contains([]string{"tests", "build", "lint", "install"}, family) && !strings.HasPrefix(name, "ops/gh-run") && !want.Meta.Unchanged && len(got.Reduced) > room {
				t.Errorf("%s, %s: %d bytes, %d without the prefix; %s", name, shape, len(got.Reduced), len(want.Reduced), got.Meta.Rule)
			}
		}
	}
}

// behind puts a prefix before each line.
func behind(env Envelope, front func(at int) string) Envelope {
	var b strings.Builder
	for i, l := range strings.Split(strings.TrimSuffix(env.CombinedText, "\n"), "\n") {
		b.WriteString(front(i) + l + "\n")
	}
	env.CombinedText = b.String()
	return env
}

func goTests(fail bool) string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "=== RUN   TestCart%d\n--- PASS: TestCart%d (0.00s)\n", i, i)
	}
	if fail {
		b.WriteString("=== RUN   TestTotal\n    cart_test.go:14: got 450, want 400\n--- FAIL: TestTotal (0.00s)\nFAIL\nFAIL\texample.com/shop/cart\t0.012s\nFAIL\n")
	} else {
		b.WriteString("PASS\nok  \texample.com/shop/cart\t0.012s\n")
	}
	return b.String()
}

// woven are the lines of several services, each with its name, in turns.
func woven(names []string, outputs ...string) string {
	var b strings.Builder
	left := make([][]string, len(outputs))
	for i, o := range outputs {
		left[i] = strings.Split(strings.TrimSuffix(o, "\n"), "\n")
	}
	for more := true; more; {
		more = false
		for i := range left {
			for n := 0; n < 3 && len(left[i]) > 0; n++ {
				b.WriteString(strings.TrimRight(fmt.Sprintf("%-8s | %s", names[i], left[i][0]), " ") + "\n")
				left[i], more = left[i][1:], true
			}
		}
	}
	return b.String()
}

func pytestFails() string {
	return "============ test session starts ============\ncollected 30 items\n\n" + strings.Repeat("tests/test_a.py ..........\n", 20) +
		"\n================ FAILURES ================\n______ test_total ______\n\n    def test_total():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:2: AssertionError\n" +
		"======== short test summary info ========\nFAILED tests/test_a.py::test_total - assert 1 == 2\n======== 1 failed, 29 passed in 0.1s ========\n"
}

// Two services in turns: each is cut by the rule of what it runs.
func TestServicesInTurns(t *testing.T) {
	out := " Network shop_default  Created\n Container shop-api-1  Started\nAttaching to api-1, worker-1\n" +
		woven([]string{"api-1", "worker-1"}, goTests(true), pytestFails()) + "api-1 exited with code 1\n"
	for _, command := range []string{"docker compose up", "./ci.sh", "cat job.log", "make test"} {
		res := reduce(command, out)
		holds(t, res, 40, "\napi-1:\n", "--- FAIL: TestTotal", "    cart_test.go:14: got 450, want 400", "\nworker-1:\n",
			"E       assert 1 == 2", "FAILED tests/test_a.py::test_total\n", "api-1 exited with code 1")
	}
}

// A prefix may begin late and end early.
// When a program logged a line is not when a runner passed it on: behind a name,
// a time in front of a level is the program's, whatever the width of the level.
func TestTimesOfALog(t *testing.T) {
	for _, front := range []string{"[shop] ", "shop-1  | ", "@org/shop: "} {
		var b strings.Builder
		for i := range 900 {
			level, said := " INFO", fmt.Sprintf("parcel %d was sent", i)
			if i%90 == 7 {
				level, said = "DEBUG", "a cache was cold"
			}
			if i == 850 {
				level, said = "ERROR", "the scale of dock 4 does not answer"
			}
			fmt.Fprintf(&b, "%s2026-11-03 04:%02d:%02d.250 %s 1 --- [exec-%d] c.e.Depot : %s\n", front, i/60, i%60, level, i%8, said)
			if i == 850 {
				fmt.Fprintf(&b, "%[1]sjava.io.IOException: no route to the scale\n%[1]s\tat c.e.Scale.read(Scale.java:81)\n", front)
				for n := range 50 {
					fmt.Fprintf(&b, "%s\tat org.springframework.web.F%d.invoke(F%d.java:%d)\n", front, n, n, 100+n)
				}
			}
		}
		holds(t, reduce("npx run-p shop", b.String()), 50, "2026-11-03 04:14:10.250 ERROR", "dock 4", "Scale.java:81")
	}
}

func TestPrefixInPart(t *testing.T) {
	out := "preparing the machine\nfetching the image\n\nready\n"
	for l := range strings.Lines(goTests(true)) {
		out += "[runner:7] " + l
	}
	out += "cleaning up\nerror: the volume /data could not be removed: device busy\n"
	res := reduce("./ci.sh", out)
	holds(t, res, 14, "\n[runner:7]:\n", "\n--- FAIL: TestTotal", "    cart_test.go:14: got 450, want 400", "\nerror: the volume /data could not be removed: device busy")
}

// A command that the runner repeats begins a piece, whose rule is that of the
// command; in a diff nothing does.
func TestAnnouncedCommand(t *testing.T) {
	out := "$ go vet ./...\n$ go test -v ./...\n" + goTests(true) + "$ pytest\n" + pytestFails()
	env := behind(Envelope{Command: "glab ci trace", CombinedText: out}, fronts["time and code"](rand.New(rand.NewPCG(1, 1))))
	res := Compact(env, Options{Level: Normal})
	holds(t, res, 30, "$ pytest", "--- FAIL: TestTotal", "FAILED tests/test_a.py::test_total")

	diff := "diff --git a/ci.sh b/ci.sh\nindex 1..2 100755\n--- a/ci.sh\n+++ b/ci.sh\n@@ -1,30 +1,30 @@\n"
	for i := range 30 {
		diff += fmt.Sprintf("- go test -run Old%d\n+ go test -run New%d\n", i, i)
	}
	env = behind(Envelope{Command: "cat job.log", CombinedText: diff}, fronts["time"](nil))
	if res := Compact(env, Options{Level: Normal}); res.Meta.Rule != "git/diff" {
		t.Errorf("rule %s:\n%s", res.Meta.Rule, res.Reduced)
	}
}

// Tools whose lines begin alike have no prefix: they stay as they were.
func TestNoPrefix(t *testing.T) {
	rows := func(format string) string {
		var b strings.Builder
		for i := range 60 {
			fmt.Fprintf(&b, format+"\n", i)
		}
		return b.String()
	}
	for command, out := range map[string]string{
		"./list.sh":   rows("warning: unused variable x%d"),
		"./build.sh":  rows("CC      src/file%d.o"),
		"./report.sh": rows("2026-11-20 10:00:00 INFO  job %d is done"),
		"./search.sh": rows("src/main.go:%d: return nil"),
		"./rows.sh":   rows("| %d | name | 12 |"),
		"git status":  rows("\tmodified:   src/file%d.go"),
	} {
		s := NewStream(Envelope{Command: command}, Options{Level: Normal})
		s.Write([]byte(out))
		s.Finish(nil)
		if s.pieces != nil {
			t.Errorf("%s: taken for a prefix: %+v", command, s.layout)
		}
	}
}

// A script that says what it runs is read command by command, with no prefix and
// whatever it ends with.
func TestScriptOfSeveralTools(t *testing.T) {
	out := "+ go vet ./...\n+ go test -v ./...\n" + goTests(true) + "+ pytest\n" + pytestFails() + "+ echo done\ndone\n"
	res := reduce("./ci.sh", out)
	holds(t, res, 22, "\n+ pytest\n", "--- FAIL: TestTotal", "    cart_test.go:14: got 450, want 400", "E       assert 1 == 2", "tests/test_a.py:2: AssertionError")
	if strings.Contains(res.Reduced, "--- PASS") || strings.Contains(res.Reduced, "tests/test_a.py ....") {
		t.Errorf("cut by no rule:\n%s", res.Reduced)
	}
}

// A command that fetches what others printed does not decide what it is.
func TestFetchedOutput(t *testing.T) {
	for _, command := range []string{"curl -s https://ci.example.com/job/7/consoleText", "gh api repos/o/r/actions/jobs/7/logs"} {
		res := reduce(command, pytestFails())
		if res.Meta.Rule != "tests/pytest" {
			t.Errorf("%s: rule %s", command, res.Meta.Rule)
		}
	}
}

// However many names there are, so many pieces are told apart, and of the others
// each line keeps its name.
func TestManyNames(t *testing.T) {
	var b strings.Builder
	for i := range 600 {
		fmt.Fprintf(&b, "[svc-%d] === RUN   Test%d\n[svc-%d] --- PASS: Test%d (0.00s)\n", i%4, i, i%4, i)
	}
	for i := range 500 {
		fmt.Fprintf(&b, "[svc-%d] --- FAIL: TestLate%d (0.00s)\n[svc-%d]     late_test.go:%d: too late\n", i, i, i, i)
	}
	s := NewStream(Envelope{Command: "./ci.sh"}, Options{Level: Normal})
	s.Write([]byte(b.String()))
	res := s.Finish(nil)
	if s.pieces == nil || len(s.pieces.order) > maxPieces+1 || len(s.pieces.by) > maxPieces+1 {
		t.Fatalf("%+v", s.pieces)
	}
	holds(t, res, 1000, "\n[svc-3]:\n", "\n(others):\n", "[svc-64] --- FAIL: TestLate64")
}
