package record

import "testing"

const phpunitText = `PHPUnit 10.5.1 by Sebastian Bergmann and contributors.

..F.E                                                               5 / 5 (100%)

There was 1 error:

1) CartTest::testDivide
DivisionByZeroError: Division by zero

/app/src/Cart.php:28
/app/vendor/phpunit/phpunit/src/Framework/TestCase.php:3
/app/tests/CartTest.php:22

--

There was 1 failure:

1) CartTest::testTotal
Failed asserting that 450 is identical to 400.

/app/tests/CartTest.php:12

--

1 test triggered 1 PHP deprecation:

1) /app/src/Cart.php:9
strlen(): Passing null

ERRORS!
Tests: 5, Assertions: 4, Errors: 1, Failures: 1.
`

func TestPHPUnit(t *testing.T) {
	recs := parse(t, "phpunit", phpunitText)
	equal(t, shown(recs, Failure), "1) CartTest::testDivide", "DivisionByZeroError: Division by zero", "/app/src/Cart.php:28", "/app/tests/CartTest.php:22",
		"1) CartTest::testTotal", "Failed asserting that 450 is identical to 400.", "/app/tests/CartTest.php:12")
	equal(t, shown(recs, Warn), "1) /app/src/Cart.php:9", "strlen(): Passing null")
	equal(t, shown(recs, Keep), "Tests: 5, Assertions: 4, Errors: 1, Failures: 1.")
	scramble(t, "phpunit", phpunitText)
}

func TestPHPSaysOnce(t *testing.T) {
	in := `PHP Fatal error:  Uncaught Error: no in /app/a.php:3
Stack trace:
#0 /app/vendor/x.php(1): f()
#1 /app/b.php(9): g()
#2 {main}
  thrown in /app/a.php on line 3

Fatal error: Uncaught Error: no in /app/a.php:3
Stack trace:
#0 /app/b.php(9): g()
`
	equal(t, shown(parse(t, "php", in), Failure), "PHP Fatal error:  Uncaught Error: no in /app/a.php:3", "Stack trace:", "#1 /app/b.php(9): g()", "  thrown in /app/a.php on line 3")
	scramble(t, "php", in)
}
