package record

import (
	"strings"
	"testing"
)

const mavenOutput = `[INFO] Scanning for projects...
[INFO] 
[INFO] --- maven-compiler-plugin:3.10.1:compile (default-compile) @ x ---
Downloading from central: https://example.com/a.jar
[WARNING] a.jar has been relocated
[ERROR] /home/dev/x/A.java:[11,16] cannot find symbol
  symbol:   variable nights
[INFO] Running com.example.ATest
[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in com.example.BTest
[ERROR] Tests run: 6, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in com.example.ATest
[ERROR] bus(com.example.ATest)  Time elapsed: 0.001 s  <<< FAILURE!
java.lang.AssertionError: expected:<1> but was:<2>
	at org.junit.Assert.fail(Assert.java:89)
	at org.junit.Assert.assertEquals(Assert.java:120)
	at com.example.ATest.bus(ATest.java:14)

[ERROR]   ATest.bus:14 expected:<1> but was:<2>
[ERROR] Tests run: 9, Failures: 1, Errors: 0, Skipped: 0
[INFO] BUILD FAILURE
[INFO] Total time:  5.688 s
[ERROR] Failed to execute goal x: Compilation failure: Compilation failure: 
[ERROR] /home/dev/x/A.java:[11,16] cannot find symbol
[ERROR]   symbol:   variable nights
[ERROR] -> [Help 1]
[ERROR] 
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR] [Help 1] http://example.com/MojoFailureException`

func TestMaven(t *testing.T) {
	rs := parse(t, "maven", mavenOutput)
	want := `[ERROR] /home/dev/x/A.java:[11,16] cannot find symbol
  symbol:   variable nights
[ERROR] Tests run: 6, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in com.example.ATest
[ERROR] bus(com.example.ATest)  Time elapsed: 0.001 s  <<< FAILURE!
java.lang.AssertionError: expected:<1> but was:<2>
	at com.example.ATest.bus(ATest.java:14)
[ERROR]   ATest.bus:14 expected:<1> but was:<2>
[ERROR] Tests run: 9, Failures: 1, Errors: 0, Skipped: 0
[INFO] BUILD FAILURE
[INFO] Total time:  5.688 s
[ERROR] Failed to execute goal x: Compilation failure: Compilation failure: 
`
	if got := kept(rs); got != want {
		t.Errorf("kept:\n%s", got)
	}
	told := 0
	for _, r := range rs {
		if strings.Contains(r.Lines[0].Text, "[11,16]") && r.Class == Good {
			told++
		}
		if strings.Contains(r.Lines[0].Text, "[11,16]") && r.Site != "/home/dev/x/A.java:11:16" {
			t.Errorf("site %q", r.Site)
		}
	}
	if told != 1 {
		t.Errorf("the summary tells %d errors again, want 1 as Good", told)
	}
	scramble(t, "maven", mavenOutput)
}
