package record

import (
	"strings"
	"testing"
)

// A diff shows what differs and what it is in; none that the message has said.
func TestJSDiff(t *testing.T) {
	for _, tt := range []struct{ name, parser, in, want string }{
		{"a value inside of others", "vitest", ` FAIL  shelf.test.ts > shelf > sorts
AssertionError: expected { rows: [ { …(2) } ] } to deeply equal { rows: [ { …(2) } ] }

- Expected
+ Received

@@ -1,9 +1,9 @@
  {
    "kind": "shelf",
    "rows": [
      {
        "isbn": "978",
-       "title": "Ash",
+       "title": "Oak",
      },
    ],
  }

 ❯ shelf.test.ts:9:20
      9|   expect(sort(rows)).toEqual(x)
       |                      ^
`, ` FAIL  shelf.test.ts > shelf > sorts
AssertionError: expected { rows: [ { …(2) } ] } to deeply equal { rows: [ { …(2) } ] }
- Expected
+ Received
    "rows": [
      {
-       "title": "Ash",
+       "title": "Oak",
 ❯ shelf.test.ts:9:20
`},
		{"a plain value", "vitest", ` FAIL  a.test.ts > adds
AssertionError: expected 41 to be 4 // Object.is equality

- Expected
+ Received

- 4
+ 41

 ❯ a.test.ts:9:20
`, ` FAIL  a.test.ts > adds
AssertionError: expected 41 to be 4 // Object.is equality
 ❯ a.test.ts:9:20
`},
		{"a value that the message has only a part of", "vitest", ` FAIL  a.test.ts > adds
AssertionError: expected 41 to be 40 // Object.is equality

- Expected
+ Received

- 4
+ 41

 ❯ a.test.ts:9:20
`, ` FAIL  a.test.ts > adds
AssertionError: expected 41 to be 40 // Object.is equality
- Expected
+ Received
- 4
+ 41
 ❯ a.test.ts:9:20
`},
		{"what follows it", "jest", `FAIL a.test.js
  ● calls

    expect(received).toEqual(expected) // deep equality

    - Expected  - 1
    + Received  + 1

      Array [
    -   1,
    +   2,
        3,
      ]

    Number of calls: 2

      at Object.<anonymous> (a.test.js:3:5)
`, `FAIL a.test.js
  ● calls
    expect(received).toEqual(expected) // deep equality
    - Expected  - 1
    + Received  + 1
    -   1,
    +   2,
    Number of calls: 2
      at Object.<anonymous> (a.test.js:3:5)
`},
		{"assert's diff and mocha's", "mocha", `  1 failing

  1) menu
       lists:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
+ actual - expected

  {
+   soup: 1
-   soup: 2
  }
      + expected - actual

       {
      -  "soup": 1
      +  "soup": 2
       }

      at Context.<anonymous> (test/menu.js:3:5)
`, `  1 failing
  1) menu
       lists:
      AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
+ actual - expected
+   soup: 1
-   soup: 2
      at Context.<anonymous> (test/menu.js:3:5)
`},
		{"both sides below the diff", "nodetest", `TAP version 13
not ok 1 - sorts
  ---
  location: '/srv/shelf.test.js:9:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:
    + actual - expected

    + 'oak'
    - 'ash'

  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 'ash'
  actual: 'oak'
  operator: 'strictEqual'
  stack: |-
    TestContext.<anonymous> (file:///srv/shelf.test.js:9:20)
  ...
not ok 2 - counts
  ---
  location: '/srv/shelf.test.js:12:1'
  error: |-
    Expected values to be strictly equal:

    2 !== 3

  expected: 3
  actual: 2
  stack: |-
    TestContext.<anonymous> (file:///srv/shelf.test.js:13:20)
  ...
`, `not ok 1 - sorts
  location: '/srv/shelf.test.js:9:1'
    Expected values to be strictly equal:
  expected: 'ash'
  actual: 'oak'
    TestContext.<anonymous> (file:///srv/shelf.test.js:9:20)
not ok 2 - counts
  location: '/srv/shelf.test.js:12:1'
    Expected values to be strictly equal:
    2 !== 3
    TestContext.<anonymous> (file:///srv/shelf.test.js:13:20)
`},
		{"a ruler in a text", "jest", `FAIL a.test.js
  ● prints

    expect(received).toBe(expected) // Object.is equality

    - Expected  - 1
    + Received  + 1

      Bill
      -----
    - total 8
    + total 7

      at Object.<anonymous> (a.test.js:3:5)
`, `FAIL a.test.js
  ● prints
    expect(received).toBe(expected) // Object.is equality
    - Expected  - 1
    + Received  + 1
    - total 8
    + total 7
      at Object.<anonymous> (a.test.js:3:5)
`},
		{"a list that is no diff", "mocha", `  1 failing

  1) menu
       lists:
     Error: not in the menu:
- soup
- bread
      at Context.<anonymous> (test/menu.js:3:5)
`, `  1 failing
  1) menu
       lists:
     Error: not in the menu:
- soup
- bread
      at Context.<anonymous> (test/menu.js:3:5)
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := kept(parse(t, tt.parser, tt.in)); strings.TrimSpace(got) != strings.TrimSpace(tt.want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

// Errors outside of tests that differ in the file they name are one with a list.
func TestOtherFile(t *testing.T) {
	var in strings.Builder
	for _, f := range []string{"till", "tray", "lid"} {
		in.WriteString("\n⎯⎯⎯⎯⎯⎯ Unhandled Error ⎯⎯⎯⎯⎯⎯⎯\nError: cannot start a worker for /srv/shop/" + f + ".test.ts.\n ❯ node_modules/vitest/dist/pool.js:3:9\n")
	}
	keys, sites := map[string]int{}, ""
	for _, r := range parse(t, "vitest", in.String()) {
		if r.Class == Failure {
			keys[r.Key]++
			sites += r.Site + "\n"
		}
	}
	if len(keys) != 1 || sites != "\n/srv/shop/tray.test.ts\n/srv/shop/lid.test.ts\n" {
		t.Errorf("%d kinds at %q", len(keys), sites)
	}
	for _, tt := range []struct{ a, b, want string }{
		{"no a/b.ts here", "no a/c.ts here", "a/c.ts"},
		{"no a/b.ts", "no a/b.ts here", ""},
		{"want 3 got 4", "want 3 got 5", ""},
		{"get http://x/a.js", "get http://x/b.js", ""},
		{"a/b.ts in c/d.ts", "a/x.ts in c/y.ts", ""},
		{"a/b.ts, a/b.ts", "a/c.ts, a/c.ts", ""}, // "a/c.ts," is another word
	} {
		if got := otherFile(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}
