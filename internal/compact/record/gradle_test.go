package record

import "testing"

func TestGradle(t *testing.T) {
	in := `> Task :compileJava UP-TO-DATE
> Task :test

a.CartTest > empty() PASSED

a.CartTest > total() FAILED
    java.lang.AssertionError: expected:<4> but was:<6>
        at org.junit.Assert.fail(Assert.java:89)
        at a.CartTest.total(CartTest.java:8)

        Caused by:
        java.lang.IllegalStateException: no
            at a.Cart.sum(Cart.java:3)

2 tests completed, 1 failed
> Task :test FAILED

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':test'.
> There were failing tests.

* Try:
> Run with --scan to get full insights.

* Exception is:
org.gradle.api.tasks.TaskExecutionException: Execution failed
	at org.gradle.Foo.run(Foo.java:3)
Caused by: a.Boom: no
	... 93 more

BUILD FAILED in 3s
e: file:///a/B.kt:3:1 Unresolved reference 'x'.
`
	recs := parse(t, "gradle", in)
	equal(t, shown(recs, Failure), "a.CartTest > total() FAILED", "    java.lang.AssertionError: expected:<4> but was:<6>", "        at a.CartTest.total(CartTest.java:8)",
		"        Caused by:", "        java.lang.IllegalStateException: no", "            at a.Cart.sum(Cart.java:3)",
		"* What went wrong:", "Execution failed for task ':test'.", "> There were failing tests.", "e: file:///a/B.kt:3:1 Unresolved reference 'x'.")
	equal(t, shown(recs, Keep), "2 tests completed, 1 failed", "Caused by: a.Boom: no", "BUILD FAILED in 3s")
	scramble(t, "gradle", in)
}
