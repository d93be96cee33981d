package record

import "testing"

// Where node dies, its source and version go, and the error stays with the
// project's frames; what the program printed before is text.
func TestNodeDies(t *testing.T) {
	const in = "boiling\nnode:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module './kettle'\nRequire stack:\n- /home/dev/tea/pot.js\n" +
		"    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)\n    at Object.<anonymous> (/home/dev/tea/pot.js:1:11)\n    at Module._compile (node:internal/modules/cjs/loader:1521:14) {\n" +
		"  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/home/dev/tea/pot.js' ]\n}\n\nNode.js v20.20.2\n"
	rs := parse(t, "node", in)
	want := "Error: Cannot find module './kettle'\nRequire stack:\n- /home/dev/tea/pot.js\n    at Object.<anonymous> (/home/dev/tea/pot.js:1:11)\n"
	if got := kept(rs); got != want {
		t.Errorf("got:\n%s", got)
	}
	if classes(rs)["boiling"] != Body {
		t.Error("what it printed is no text")
	}
	const own = "/home/dev/tea/cup.js:4\n  pour(\n      ^\n\nSyntaxError: missing ) after argument list\n    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n\nNode.js v20.20.2\n"
	want = "/home/dev/tea/cup.js:4\nSyntaxError: missing ) after argument list\n    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n"
	if got := kept(parse(t, "node", own)); got != want {
		t.Errorf("got:\n%s", got)
	}
	// A place alone is no error.
	const plain = "/home/dev/tea/cup.js:4\nis fine\n/home/dev/tea/cup.js:5\nas well\n"
	for line, class := range classes(parse(t, "node", plain)) {
		if class != Body {
			t.Errorf("%q is %d", line, class)
		}
	}
	scramble(t, "node", in+own+plain)
}
