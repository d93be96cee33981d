package record

import (
	"strings"
	"testing"
)

func TestDotnet(t *testing.T) {
	in := `  Determining projects to restore...
/a/Cart.cs(12,17): error CS0103: The name 'totl' does not exist [/a/Shop.csproj]
/a/Shop.csproj : error NU1101: Unable to find package Acme [/a/Shop.sln]
  Failed Shop.CartTests.Total [5 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 400
Actual:   450
  Stack Trace:
     at Shop.CartTests.Total() in /a/CartTests.cs:line 14
   at System.RuntimeMethodHandle.InvokeMethod(Object target)
  Passed Shop.CartTests.Empty [< 1 ms]

Build FAILED.
/a/Cart.cs(12,17): error CS0103: The name 'totl' does not exist [/a/Shop.csproj]
    1 Error(s)
`
	recs := parseCut(t, "dotnet", in)
	equal(t, shown(recs, Failure), "/a/Cart.cs(12,17): error CS0103: The name 'totl' does not exist", "/a/Shop.csproj : error NU1101: Unable to find package Acme [/a/Shop.sln]",
		"  Failed Shop.CartTests.Total [5 ms]", "   Assert.Equal() Failure: Values differ", "Expected: 400", "Actual:   450", "     at Shop.CartTests.Total() in /a/CartTests.cs:line 14")
	equal(t, shown(recs, Keep), "Build FAILED.", "    1 Error(s)")
	for i := range len(in) / 40 { // cut anywhere
		parseCut(t, "dotnet", in[i*40:])
	}
}

func TestDotnetEntries(t *testing.T) {
	in := `info: Shop.Importer[0]
      Imported batch 1 of 2
warn: Shop.Importer[12]
      3 rows have no price
warn: Shop.Importer[12]
      the newest price is a week old
fail: Shop.Importer[0]
      Batch 2 was not imported
      System.IO.IOException: disk is full
         at Shop.Writer.Write(Row row) in /a/Writer.cs:line 31
info: Shop.Importer[0]
      1 of 2 batches
`
	recs := parseCut(t, "dotnet", in)
	equal(t, shown(recs, Body), "info: Shop.Importer[0]", "      Imported batch 1 of 2", "info: Shop.Importer[0]", "      1 of 2 batches")
	equal(t, shown(recs, Failure), "fail: Shop.Importer[0]", "      Batch 2 was not imported", "      System.IO.IOException: disk is full", "         at Shop.Writer.Write(Row row) in /a/Writer.cs:line 31")
	keys := map[string]bool{}
	for _, r := range recs {
		if r.Class == Warn {
			keys[r.Key] = true
		}
	}
	if len(keys) != 2 {
		t.Errorf("two warnings of one source have %d keys, not 2", len(keys))
	}
}

const swiftText = `[1/9] Compiling Tram Fare.swift
/a/Fare.swift:12:16: error: cannot find 'totl' in scope
 12 |         return totl
/a/Fare.swift:12:16: error: cannot find 'totl' in scope
 12 |         return totl
SwiftCompile normal arm64 /a/B.swift (in target 'Tram' from project 'Tram')
    cd /a
    swift-frontend -c

Test Case 'FareTests.testA' started at 20:11
Test Case 'FareTests.testA' passed (0.001 seconds)
Test Case 'FareTests.testB' started at 20:11
/a/FareTests.swift:22: error: FareTests.testB : XCTAssertEqual failed
Test Case 'FareTests.testB' failed (0.004 seconds)
Test Case 'FareTests.testC' started at 20:11
Test Case 'FareTests.testC' failed (0.004 seconds)
	 Executed 3 tests, with 2 failures
	 Executed 9 tests, with 2 failures
✘ Test night() recorded an issue at FareTests.swift:22:9: Expectation failed
↳ the night fare
✘ Test night() failed after 0.002 seconds with 1 issue.
** TEST FAILED **
`

func TestSwift(t *testing.T) {
	recs := parse(t, "swift", swiftText)
	equal(t, shown(recs, Failure), "/a/Fare.swift:12:16: error: cannot find 'totl' in scope", " 12 |         return totl", "/a/FareTests.swift:22: error: FareTests.testB : XCTAssertEqual failed",
		"Test Case 'FareTests.testC' failed (0.004 seconds)", "✘ Test night() recorded an issue at FareTests.swift:22:9: Expectation failed", "↳ the night fare")
	equal(t, shown(recs, Keep), "\t Executed 9 tests, with 2 failures", "** TEST FAILED **")
	if n := strings.Count(strings.Join(shown(recs, Body), "\n"), "cd /a"); n > 0 {
		t.Error("an echoed command is shown")
	}
	scramble(t, "swift", swiftText)
}
