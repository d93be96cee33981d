package compact

import (
	"strings"
	"testing"
)

// What testify prints around an error is told by the result and the place.
func TestTestify(t *testing.T) {
	shown := func(in string) string {
		_, body, _ := strings.Cut(Compact(Envelope{Command: "go test ./...", CombinedText: in, ExitCode: new(1)}, Options{Level: Normal}).Reduced, "\n")
		return body
	}
	const in = `--- FAIL: TestTide (0.00s)
    tide_test.go:20: 
        	Error Trace:	/home/dev/tide/tide_test.go:20
        	            				/home/dev/tide/tide_test.go:34
        	            				/home/dev/go/pkg/mod/github.com/stretchr/testify@v1.11.1/suite/suite.go:115
        	Error:      	Not equal: 
        	            	expected: "high water"
        	            	actual  : "low water"
        	            	
        	            	Diff:
        	            	--- Expected
        	            	+++ Actual
        	            	@@ -1 +1 @@
        	            	-high water
        	            	+low water
        	Test:       	TestTide
        	Messages:   	at noon
    tide_test.go:22: 
        	Error Trace:	/home/dev/tide/tide_test.go:22
        	Error:      	Should be true
        	Test:       	TestTide
    tide_test.go:23: the moon is 	Error:	up
FAIL
`
	want := `--- FAIL: TestTide (0.00s)
    tide_test.go:20: Not equal:
        Error Trace: /home/dev/tide/tide_test.go:34
        expected: "high water"
        actual  : "low water"
        Messages: at noon
    tide_test.go:22: Should be true
    tide_test.go:23: the moon is 	Error:	up
`
	if got := shown(in); got != want {
		t.Errorf("got:\n%s", got)
	}
	long := strings.Repeat("tide ", 40)
	in2 := strings.NewReplacer("high water", "high "+long, "low water", "low "+long).Replace(in)
	if got := shown(in2); !strings.Contains(got, "        +++ Actual\n") {
		t.Errorf("the diff of a long value is gone:\n%s", got)
	}
}

// Packages that passed are named once for each directory, benchmarks without padding.
func TestGoPackagesPassed(t *testing.T) {
	in := "ok  \texample.com/port\t0.4s\nok  \texample.com/port/crane\t1.2s\n?   \texample.com/port/cmd\t[no test files]\n" +
		"ok  \texample.com/port/crane/hook\t0.1s\nok  \texample.com/port/quay\t0.3s\nok  \texample.com/port/tug\t(cached)\n" +
		"ok  \texample.com/port/rope\t0.2s\tcoverage: 12.5% of statements\n"
	want := "ok example.com/port 0.4s, example.com/port/{crane 1.2s, quay 0.3s}, example.com/port/crane/hook 0.1s\n" +
		"ok  \texample.com/port/tug\t(cached)\nok  \texample.com/port/rope\t0.2s\tcoverage: 12.5% of statements\n"
	got := Compact(Envelope{Command: "go test ./...", CombinedText: in, ExitCode: new(int)}, Options{Level: Normal}).Reduced
	if _, got, _ = strings.Cut(got, "\n"); got != want {
		t.Errorf("got:\n%s", got)
	}
	in = "goos: linux\ngoarch: amd64\npkg: example.com/port\ncpu: Some CPU @ 2.00GHz\nBenchmarkLoad-8    \t 1000000\t      1042 ns/op\t       8 B/op\nPASS\nok  \texample.com/port\t1.4s\n"
	want = "BenchmarkLoad-8 1000000 1042 ns/op 8 B/op\nok  \texample.com/port\t1.4s\n"
	got = Compact(Envelope{Command: "go test -bench .", CombinedText: in, ExitCode: new(int)}, Options{Level: Normal}).Reduced
	if _, got, _ = strings.Cut(got, "\n"); got != want {
		t.Errorf("got:\n%s", got)
	}
}
