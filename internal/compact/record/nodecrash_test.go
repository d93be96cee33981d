package record

import (
	"strings"
	"testing"
)

// Of an exception that ends node stay its place, what it says, own frames and
// what its properties tell.
func TestNodeCrash(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"own frames": {`starting
/srv/bakery/oven.js:12
  return bread.map((b) => b.loaf.weigh());
                                 ^

TypeError: Cannot read properties of undefined (reading 'weigh')
    at /srv/bakery/oven.js:12:34
    at Array.map (<anonymous>)
    at bake (/srv/bakery/oven.js:12:16)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at node:internal/main/run_main_module:28:49

Node.js v22.1.0
`, "/srv/bakery/oven.js:12\nTypeError: Cannot read properties of undefined (reading 'weigh')\n    at /srv/bakery/oven.js:12:34\n    at bake (/srv/bakery/oven.js:12:16)"},
		"of node's own": {`node:fs:573
  return binding.open(
                 ^

Error: ENOENT: no such file or directory, open 'flour.json'
    at Object.openSync (node:fs:573:18)
    at read (/srv/bakery/flour.js:3:8)
    at node:internal/main/run_main_module:28:49 {
  errno: -2,
  code: 'ENOENT',
  path: 'flour.json'
}

Node.js v22.1.0
`, "Error: ENOENT: no such file or directory, open 'flour.json'\n    at read (/srv/bakery/flour.js:3:8)\n  errno: -2,\n  code: 'ENOENT',\n  path: 'flour.json'"},
		"syntax": {"file:///srv/bakery/a.mjs:3\nconst o = { rye: 1,, spelt: 2 };\n                   ^\n\nSyntaxError: Unexpected token ','\n    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n\nNode.js v22.1.0\n",
			"file:///srv/bakery/a.mjs:3\nconst o = { rye: 1,, spelt: 2 };\nSyntaxError: Unexpected token ','"},
		"a string": {"\n/srv/bakery/f.js:1\nthrow \"no flour\"\n^\nno flour\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n\nNode.js v22.1.0\n",
			"/srv/bakery/f.js:1\nno flour"},
		"a difference": {"node:assert:90\n  throw new AssertionError(obj);\n  ^\n\nAssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n4 !== 5\n\n    at Object.<anonymous> (/srv/bakery/g.js:1:19)\n    at node:internal/main/run_main_module:28:49 {\n  generatedMessage: true,\n  code: 'ERR_ASSERTION',\n  actual: 4,\n  expected: 5,\n  operator: 'strictEqual'\n}\n\nNode.js v22.1.0\n",
			"AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n4 !== 5\n    at Object.<anonymous> (/srv/bakery/g.js:1:19)\n  code: 'ERR_ASSERTION',\n  actual: 4,\n  expected: 5,"},
	} {
		t.Run(name, func(t *testing.T) {
			recs := parseCut(t, "text", c.in)
			equal(t, shown(recs, Failure), strings.Split(c.want, "\n")...)
			scrambleBy(t, parseCut, "text", c.in)
		})
	}
	minified := "/srv/bakery/min.js:1\n" + strings.Repeat("a(b);", 100) + "const x=;" + strings.Repeat("a(b);", 100) + "\n" + strings.Repeat(" ", 508) + "^\n\nSyntaxError: Unexpected token ';'\n"
	got := shown(parseCut(t, "text", minified), Failure)
	if len(got) != 3 || len(got[1]) > 120 || !strings.Contains(got[1], "const x=;a(b);") {
		t.Errorf("a long line of source: %q", got)
	}
	// What only begins so is no crash.
	equal(t, shown(parse(t, "text", "/srv/bakery/list.txt:3\n/srv/bakery/list.txt:4\nrye\n"), Body), "/srv/bakery/list.txt:3", "/srv/bakery/list.txt:4", "rye")
}
