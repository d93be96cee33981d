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
