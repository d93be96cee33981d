package record

import (
	"fmt"
	"strings"
	"testing"
)

func TestGoTestVerbose(t *testing.T) {
	rs := parse(t, "gotest", `=== RUN   TestA
=== RUN   TestA/one
    a_test.go:9: a note of a test that passes
=== RUN   TestA/two
a line printed by two
    a_test.go:12: got 1, want 2
=== NAME  TestA/one
    a_test.go:10: still fine
--- FAIL: TestA (0.00s)
    --- PASS: TestA/one (0.00s)
    --- FAIL: TestA/two (0.00s)
FAIL
FAIL	example.com/a	0.002s
ok  	example.com/b	0.001s
FAIL
`)
	want := `a line printed by two
    a_test.go:12: got 1, want 2
--- FAIL: TestA (0.00s)
    --- FAIL: TestA/two (0.00s)
FAIL	example.com/a	0.002s
`
	if got := kept(rs); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestGoTestPlain(t *testing.T) {
	rs := parse(t, "gotest", `# example.com/c
./c.go:3:5: undefined: x
	have (int)
--- FAIL: TestB (0.01s)
    --- FAIL: TestB/deep (0.00s)
        --- FAIL: TestB/deep/er (0.00s)
            b_test.go:4: 
                	Error:      	Not equal:
                	expected: 1
FAIL
coverage: 50.0% of statements
exit status 1
FAIL	example.com/b	0.002s
FAIL	example.com/c [build failed]
ok  	example.com/d	0.001s
`)
	want := `# example.com/c
./c.go:3:5: undefined: x
	have (int)
--- FAIL: TestB (0.01s)
        --- FAIL: TestB/deep/er (0.00s)
            b_test.go:4: 
                	Error:      	Not equal:
                	expected: 1
FAIL	example.com/b	0.002s
FAIL	example.com/c [build failed]
`
	if got := kept(rs); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestGoTestExample(t *testing.T) {
	in := "--- FAIL: ExampleSum (0.00s)\ngot:\n2\nwant:\n3\nFAIL\nexit status 1\nFAIL\texample.com/b\t0.002s\n"
	want := "--- FAIL: ExampleSum (0.00s)\ngot:\n2\nwant:\n3\nFAIL\texample.com/b\t0.002s\n"
	if got := kept(parse(t, "gotest", in)); got != want {
		t.Errorf("got:\n%s", got)
	}
}

// Of a test that logs much, the message is kept and the log is thinned.
func TestGoTestLongOutput(t *testing.T) {
	in := "--- FAIL: TestLog (0.00s)\n" + strings.Repeat("    log_test.go:5: step\n", 40) +
		"    log_test.go:6: broken\n        expected: 1\n" + strings.Repeat("    log_test.go:5: step\n", 60) + "FAIL\n"
	got := kept(parse(t, "gotest", in))
	if !strings.Contains(got, "    log_test.go:6: broken\n        expected: 1\n") || strings.Count(got, "step") > 30 {
		t.Errorf("got:\n%s", got)
	}
}

func TestGoTestPassed(t *testing.T) {
	rs := parse(t, "gotest", `goos: linux
BenchmarkAdd-8 1000000 1042 ns/op
PASS
ok  	example.com/d	0.001s	coverage: 80.1% of statements
?   	example.com/e	[no test files]
fuzz: elapsed: 0s, execs: 0 (0/sec)
fuzz: elapsed: 3s, execs: 12 (4/sec)
ok  	example.com/f	3.001s
`)
	want := `BenchmarkAdd-8 1000000 1042 ns/op
ok  	example.com/d	0.001s	coverage: 80.1% of statements
fuzz: elapsed: 3s, execs: 12 (4/sec)
ok  	example.com/f	3.001s
`
	if got := kept(rs); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestGoTestSameReason(t *testing.T) {
	var in strings.Builder
	for _, n := range []string{"a", "b", "c"} {
		in.WriteString("--- FAIL: Test/" + n + " (0.00s)\n    x_test.go:7: connection refused\n")
	}
	keys := map[string]bool{}
	sites := ""
	for _, r := range parse(t, "gotest", in.String()) {
		keys[r.Key], sites = true, sites+" "+r.Site
	}
	if len(keys) != 1 || sites != " Test/a Test/b Test/c" {
		t.Errorf("keys %v, sites %q", keys, sites)
	}
}

// A test that was running when its binary died explains the death.
func TestGoTestKilled(t *testing.T) {
	rs := parse(t, "gotest", "=== RUN   TestBig\n    big_test.go:5: allocating 90 GB\nsignal: killed\nFAIL\texample.com/big\t9.1s\n")
	want := "=== RUN   TestBig\n    big_test.go:5: allocating 90 GB\nsignal: killed\nFAIL\texample.com/big\t9.1s\n"
	if got := kept(rs); got != want {
		t.Errorf("got:\n%s", got)
	}
}

const goDump = `panic: runtime error: index out of range [3] with length 3 [recovered, repanicked]

goroutine 7 [running]:
testing.tRunner.func1.2({0x55dac0, 0x6d1e50})
	/usr/local/go/src/testing/testing.go:1974 +0x232
panic({0x55dac0?, 0x6d1e50?})
	/opt/go1.26/src/runtime/panic.go:860 +0x13a
github.com/lib/pq.(*conn).Exec(0x0)
	/home/dev/go/pkg/mod/github.com/lib/pq@v1.10.9/conn.go:30 +0xb0
shop/cart.(*Cart).Total(0x3)
	/home/dev/shop/cart/cart.go:30 +0xb0
shop/cart.TestTotal(0x2f006ef9e6c8)
	/home/dev/shop/cart/cart_test.go:14 +0xa8
created by testing.(*T).Run in goroutine 1
	/usr/local/go/src/testing/testing.go:2101 +0x4c5

goroutine 1 [chan receive]:
testing.(*T).Run(0x30793d120248, {0x589cc8?, 0x0?}, 0x596c20)
	/usr/local/go/src/testing/testing.go:2109 +0x4e5
exit status 2
FAIL	shop/cart	0.006s
`

func TestGoPanic(t *testing.T) {
	want := `panic: runtime error: index out of range [3] with length 3 [recovered, repanicked]
	/home/dev/shop/cart/cart.go:30 +0xb0
	/home/dev/shop/cart/cart_test.go:14 +0xa8
exit status 2
FAIL	shop/cart	0.006s
`
	if got := kept(parse(t, "gotest", goDump)); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestGotestsum(t *testing.T) {
	in := `✓  clock (cached)
∅  cmd
✖  glob (12ms)

=== Failed
=== FAIL: glob TestMatch/deep (0.00s)
    glob_test.go:27: no match
    --- FAIL: TestMatch/deep (0.00s)

=== FAIL: glob TestMatch (0.00s)

DONE 12 tests, 2 failures in 0.812s
`
	want := `✖  glob (12ms)
=== FAIL: glob TestMatch/deep (0.00s)
    glob_test.go:27: no match
    --- FAIL: TestMatch/deep (0.00s)
=== FAIL: glob TestMatch (0.00s)
DONE 12 tests, 2 failures in 0.812s
`
	if got := kept(parse(t, "gotest", in)); got != want {
		t.Errorf("got:\n%s", got)
	}
	scramble(t, "gotest", in)
}

func TestGoFrames(t *testing.T) {
	for _, tt := range []struct {
		fn, file string
		own      bool
	}{
		{"net/http.(*conn).serve(0x1)", "/opt/hostedtoolcache/go/1.26/x64/src/net/http/server.go:2109 +0x4e5", false},
		{"net/http.(*conn).serve(0x1)", "net/http/server.go:2109 +0x4e5", false}, // -trimpath
		{"runtime.mapaccess2_faststr()", "/usr/local/go/src/internal/runtime/maps/runtime_faststr.go:161 +0x0", false},
		{"created by time.goFunc", "/usr/local/go/src/time/sleep.go:215 +0x2d", false},
		{"github.com/a/b.F(...)", "/home/dev/go/pkg/mod/github.com/a/b@v1.0.0/f.go:3", false},
		{"github.com/a/b.F(...)", "/home/dev/shop/vendor/github.com/a/b/f.go:3", false},
		{"main.main()", "_testmain.go:52 +0x9b", false},
		{"main.main()", "/home/dev/shop/main.go:5 +0x1", true},
		{"shop/cart.(*Cart[...]).Total(0x3)", "/home/dev/src/shop/cart/cart.go:30 +0xb0", true},
		{"example.com/shop/cart.Total()", "/home/dev/src/internal/shop/cart.go:30 +0xb0", true},
		{"log/audit.Write()", "/home/dev/log/audit/write.go:1", true},
	} {
		if got := ownGoFrame(tt.fn, tt.file); got != tt.own {
			t.Errorf("%s %s: own is %v", tt.fn, tt.file, got)
		}
	}
}

func TestGoBuildFailed(t *testing.T) {
	in := "# a/z\nz.go:1:1: undefined: x\n"
	for _, p := range []string{"a/b", "a/c", "a/d", "a/e", "a/z"} {
		in += "FAIL\t" + p + " [build failed]\n"
	}
	sites := ""
	for _, r := range parse(t, "gotest", in) {
		sites += r.Site
	}
	if sites != "a/ba/ca/da/ea/z" {
		t.Errorf("packages named beside the count: %q", sites)
	}
}

// What is held of a stream that never ends a record stays bounded.
func TestGoHoldsLittle(t *testing.T) {
	p, out := &goTest{}, 0
	emit := func(r Record) { out += len(r.Lines) }
	p.Line(Line{Text: "=== RUN   TestA"}, emit)
	for i := range 3 * goHoldAll {
		p.Line(Line{N: 2*i + 1, Text: fmt.Sprintf("=== NAME  Test%d", i%600)}, emit)
		p.Line(Line{N: 2*i + 2, Text: "chatter"}, emit)
	}
	if held := 1 + 6*goHoldAll - out; held > goHoldAll+2 {
		t.Errorf("%d lines are held", held)
	}
	e := newGoEvents()
	for i := range 5000 {
		e.line(Line{N: i, Text: `{"Action":"output","Package":"a","Output":"ok  \ta\t0.1s\n"}`}, emit)
	}
	if e.close(emit); len(e.packages) != 1 {
		t.Errorf("%d packages", len(e.packages))
	}
}

func TestGoEvents(t *testing.T) {
	event := func(action, pkg, test, output string) string {
		return `{"Time":"2026-01-02T03:04:05Z","Action":"` + action + `","Package":"` + pkg + `","Test":"` + test + `","Output":"` + output + `\n"}` + "\n"
	}
	in := event("output", "a", "TestA", "=== RUN   TestA") +
		event("output", "b", "TestA", "=== RUN   TestA") +
		event("output", "b", "TestA", "    b_test.go:3: fine") +
		event("output", "a", "TestA", "    a_test.go:3: broken") +
		event("output", "a", "TestA", "--- FAIL: TestA (0.00s)") +
		event("output", "b", "TestA", "--- PASS: TestA (0.00s)") +
		event("output", "b", "", `ok  \tb\t0.1s`)
	var rs []Record
	p := New("gotest")
	for i, l := range strings.Split(strings.TrimSuffix(in, "\n"), "\n") {
		p.Line(Line{N: i, Text: l}, func(r Record) { rs = append(rs, r) })
	}
	p.Close(func(r Record) { rs = append(rs, r) })
	got := kept(rs)
	want := "    a_test.go:3: broken\n--- FAIL: TestA (0.00s)\n"
	if got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestGoTestScrambled(t *testing.T) {
	scramble(t, "gotest", goDump+"=== RUN   TestA\nx\n    --- FAIL: TestA/b (0.00s)\n        a_test.go:1: no\n==================\nWARNING: DATA RACE\nRead at 0x00 by goroutine 9:\n  a.b()\n      /a/b.go:1 +0x1\n\nPrevious write at 0x00 by goroutine 1:\n==================\n"+goDump)
}

// What tests printed that did not end comes in the same order every time.
func TestGoTestCutOff(t *testing.T) {
	var in strings.Builder
	for i := range 40 {
		fmt.Fprintf(&in, "=== RUN   TestN%d\n    n_test.go:%d: said by %d\n", i, i+1, i)
	}
	first := fmt.Sprint(parse(t, "gotest", in.String()))
	for range 5 {
		if again := fmt.Sprint(parse(t, "gotest", in.String())); again != first {
			t.Fatalf("two orders of the same output:\n%.300s\n%.300s", first, again)
		}
	}
}

// A message that an earlier test said is listed with its place, and what a test
// says itself stays; its first message whatever it quotes.
func TestGoTestSaysOnce(t *testing.T) {
	var in strings.Builder
	for i := range 9 {
		fmt.Fprintf(&in, "--- FAIL: TestShip%c (0.00s)\n    ship_test.go:%d0: dial the harbour: refused\n    ship_test.go:%d5: sent \"crate %d\", got \"\"\n", 'A'+i, i+1, i+1, i)
	}
	in.WriteString("--- FAIL: TestLast (0.00s)\n    ship_test.go:104: dial the harbour: refused\n    ship_test.go:110: the keel has 3 planks\nFAIL\n")
	keys := map[string][]string{}
	names := 0
	for _, r := range parse(t, "gotest", in.String()) {
		for _, l := range r.Lines {
			if strings.HasPrefix(l.Text, "--- FAIL") && (r.Class == Keep || r.Class == Failure) {
				names++
			}
		}
		if strings.HasPrefix(r.Key, "message ") {
			keys[r.Key] = append(keys[r.Key], r.Site)
		}
	}
	if got := keys["message : dial the harbour: refused\n"]; names != 10 || len(got) != 7 || got[6] != "ship_test.go:104" {
		t.Errorf("%d names, %v", names, keys) // three of ten only have other values: they are alike as a whole
	}
	if len(keys) != 8 || keys["message : the keel has 3 planks\n"] == nil {
		t.Errorf("%d messages: %v", len(keys), keys)
	}
}

// What a program says that go runs, and the places of its panic, each once.
func TestGoRunPanics(t *testing.T) {
	const in = "casting off\npanic: no wind\n\ngoroutine 1 [running]:\nmain.(*Boat).sail(0x1, 0x2)\n\t/home/dev/boat/boat.go:7 +0x3a\nmain.(*Boat).sail(0x1, 0x3)\n\t/home/dev/boat/boat.go:7 +0x2b\nmain.main()\n\t/home/dev/boat/main.go:12 +0xa5\nexit status 2\n"
	rs := parse(t, "gorun", in)
	want := "panic: no wind\n\t/home/dev/boat/boat.go:7 +0x3a\n\t/home/dev/boat/main.go:12 +0xa5\n"
	if got := kept(rs); !strings.HasPrefix(got, want) {
		t.Errorf("got:\n%s", got)
	}
	if got := classes(rs); got["casting off"] != Body || got["exit status 2"] < Body {
		t.Errorf("%v", got)
	}
	rs = parse(t, "gorun", "# example.com/boat\n./boat.go:3:5: undefined: sail\n")
	if got := kept(rs); got != "# example.com/boat\n./boat.go:3:5: undefined: sail\n" {
		t.Errorf("got:\n%s", got)
	}
	scramble(t, "gorun", in+"# example.com/boat\n./boat.go:3:5: undefined: sail\n")
}
