package record

import (
	"strings"
	"testing"
)

const junitTreeText = `.
+-- JUnit Jupiter [OK]
| '-- MillTest [OK]
|   +-- rests() [OK]
|   '-- grinds() [X] expected: <4> but was: <3>
`

const junitFailures = `
Failures (2):
  JUnit Jupiter:MillTest:grinds()
    MethodSource [className = 'MillTest', methodName = 'grinds', methodParameterTypes = '']
    => org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
       org.junit.jupiter.api.AssertEquals.assertEquals(AssertEquals.java:145)
       org.example.MillTest.grinds(MillTest.java:8)
       java.base/java.lang.reflect.Method.invoke(Method.java:569)
       [...]
  JUnit Jupiter:MillTest:grindsTwice()
    MethodSource [className = 'MillTest', methodName = 'grindsTwice', methodParameterTypes = '']
    => org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
       org.example.MillTest.grindsTwice(MillTest.java:9)
       [...]

Test run finished after 75 ms
[         3 tests found           ]
[         0 tests aborted         ]
[         2 tests failed          ]
`

// The tree's failures are told again in the list; without the list they stay.
func TestJUnitConsole(t *testing.T) {
	rs := parse(t, "diag", junitTreeText+junitFailures)
	want := `Failures (2):
  JUnit Jupiter:MillTest:grinds()
    => org.opentest4j.AssertionFailedError: expected: <4> but was: <3>
       org.example.MillTest.grinds(MillTest.java:8)
[         3 tests found           ]
[         2 tests failed          ]
`
	if got := kept(rs); got != want {
		t.Errorf("kept:\n%s\nwant:\n%s", got, want)
	}
	again := ""
	for _, r := range rs {
		if strings.Contains(r.Site, "grindsTwice") {
			again = r.Site
		}
	}
	if again != "MillTest:grindsTwice() MillTest.java:9" {
		t.Errorf("the second failure is at %q", again)
	}
	if got := kept(parse(t, "diag", junitTreeText)); !strings.Contains(got, "grinds() [X] expected: <4> but was: <3>") || strings.Contains(got, "rests") {
		t.Errorf("of the tree alone:\n%s", got)
	}
}

// The last own frame of a stack is most often the test.
func TestMavenLastFrame(t *testing.T) {
	text := `[ERROR] testAnt  Time elapsed: 0.01 s  <<< ERROR!
java.lang.IllegalStateException: no file
	at org.example.A.a(A.java:1)
	at org.example.A.b(A.java:2)
	at org.example.A.c(A.java:3)
	at org.example.A.d(A.java:4)
	at org.example.ATest.testAnt(ATest.java:73)
	at java.base/java.lang.reflect.Method.invoke(Method.java:569)
`
	for _, parser := range [...]string{"maven", "diag"} {
		got := kept(parse(t, parser, text))
		if !strings.Contains(got, "ATest.java:73") || strings.Contains(got, "A.java:4") {
			t.Errorf("%s kept:\n%s", parser, got)
		}
	}
}
