package record

import (
	"strings"
	"testing"
)

// classes maps what each line begins with, up to its first two spaces or its
// end, to the class of its record.
func classes(rs []Record) map[string]Class {
	m := map[string]Class{}
	for _, r := range rs {
		for _, l := range r.Lines {
			start, _, _ := strings.Cut(strings.TrimSpace(l.Text), "  ")
			m[start] = r.Class
		}
	}
	return m
}

// What goes without a marker because what stays says it, and what does not.
func TestSilent(t *testing.T) {
	for _, c := range []struct {
		name, parser, text string
		want               map[string]Class
	}{
		{"a result stands for the tests it counts", "cargotest",
			"running 2 tests\ntest a ... ok\ntest b ... ignored\n\ntest result: ok. 1 passed; 0 failed\nrunning 1 test\ntest cut_off ... ok",
			map[string]Class{"running 2 tests": Folded, "test a ... ok": Folded, "test b ... ignored": Folded, "test result: ok. 1 passed; 0 failed": Keep, "running 1 test": Good, "test cut_off ... ok": Good}},
		{"a crate is broken once", "rustc",
			"error[E1]: no\n --> a.rs:1:1\n  |\n1 | x(y)\n  | - ^ expected A\n  | arguments to this function are incorrect\n  = note: `#[deny(x)]` on by default\n  = note: expected B\n\nerror: could not compile `a` (lib) due to 1 previous error\nerror: could not compile `a` (lib test) due to 1 previous error\nerror: could not compile `b` (lib) due to 1 previous error",
			map[string]Class{"1 | x(y)": Folded, "| arguments to this function are incorrect": Folded, "= note: `#[deny(x)]` on by default": Folded, "= note: expected B": Failure,
				"error: could not compile `a` (lib) due to 1 previous error": Failure, "error: could not compile `a` (lib test) due to 1 previous error": Folded, "error: could not compile `b` (lib) due to 1 previous error": Failure}},
		{"frames of every stack", "gotest",
			"panic: boom\n\ngoroutine 7 [running]:\npanic({0x1})\n\t/usr/local/go/src/runtime/panic.go:1 +0x1\nencoding/json.Marshal(0x1)\n\t/usr/local/go/src/encoding/json/e.go:1 +0x1\nshop/cart.one(0x1)\n\t/home/dev/shop/cart.go:1 +0x1\nshop/cart.two(0x1)\n\t/home/dev/shop/cart.go:2 +0x1\nshop/cart.TestX(0x1)\n\t/home/dev/shop/cart_test.go:3 +0x1\ntesting.tRunner(0x1)\n\t/usr/local/go/src/testing/testing.go:2 +0x1\n\ngoroutine 8 [chan receive]:\ntesting.(*T).Run(0x1)\n\t/usr/local/go/src/testing/testing.go:9 +0x4e5\nshop/cart.TestAll(0x1)\n\t/home/dev/shop/cart_test.go:9 +0x1\nFAIL\tshop/cart\t0.1s\nFAIL",
			map[string]Class{"goroutine 7 [running]:": Folded, "panic({0x1})": Folded, "encoding/json.Marshal(0x1)": Good, "shop/cart.one(0x1)": Folded, "shop/cart.two(0x1)": Folded, "/home/dev/shop/cart.go:2 +0x1": Failure,
				"shop/cart.TestX(0x1)": Failure, "testing.tRunner(0x1)": Folded, "shop/cart.TestAll(0x1)": Good, "FAIL": Folded}},
		{"the source under a place", "diag",
			"src/a.ts:8:9 - error TS2322: Type 'a' is not assignable.\n  Types differ.\n\n8   const x: T = y;\n          ~\n\n  src/b.ts:3:1\n    3 export type T = 'b';\n             ~\n    'T' is declared here.\n\nFound 1 error in src/a.ts:8\n",
			map[string]Class{"Types differ.": Failure, "8": Folded, "~": Folded, "src/b.ts:3:1": Failure, "3 export type T = 'b';": Folded, "'T' is declared here.": Failure, "Found 1 error in src/a.ts:8": Keep}},
		{"imports that lead to a SyntaxError", "pytest",
			"ImportError while loading conftest '/home/dev/tests/conftest.py'.\ntests/conftest.py:3: in <module>\n    from app import core\napp/core.py:9: in load\n    return exec(code)\napp/types.py:7: in <module>\n    from . import utils\nE     File \"/home/dev/app/utils.py\", line 2\nE       def echo((\nE   SyntaxError: '(' was never closed",
			map[string]Class{"tests/conftest.py:3: in <module>": Good, "app/core.py:9: in load": Failure, "app/types.py:7: in <module>": Good, "E": Failure}},
		{"imports that lead to what is missing", "pytest",
			"ImportError while loading conftest '/home/dev/tests/conftest.py'.\ntests/conftest.py:3: in <module>\n    from app import core\napp/core.py:9: in <module>\n    import datatime\nE   ModuleNotFoundError: No module named 'datatime'",
			map[string]Class{"tests/conftest.py:3: in <module>": Failure, "app/core.py:9: in <module>": Failure}},
		{"frames of a runner", "mocha",
			"  1 passing (3ms)\n  1 failing\n\n  1) cart\n       adds:\n     Error: no\n      at Cart.add (lib/cart.js:3:8)\n      at Context.<anonymous> (test/cart.js:4:2)\n      at Pool.run (node_modules/pg/pool.js:1:1)\n      at process.processImmediate (node:internal/timers:483:21)",
			map[string]Class{"at Cart.add (lib/cart.js:3:8)": Failure, "at Pool.run (node_modules/pg/pool.js:1:1)": Good, "at process.processImmediate (node:internal/timers:483:21)": Folded}},
		{"other lines of a file that is named", "rspec",
			"Failures:\n\n  1) Cart adds\n     Failure/Error: expect(1).to eq(2)\n\n       (compared using ==)\n     # ./spec/cart_spec.rb:14:in `block (3 levels)'\n     # ./spec/cart_spec.rb:13:in `each'\n     # ./spec/cart_spec.rb:12:in `block'\n     # ./lib/cart.rb:9:in `sum'\n     # ./lib/shop.rb:2:in `cart'\n     # ./spec/helper.rb:1:in `run'\n\n1 example, 1 failure",
			map[string]Class{"(compared using ==)": Folded, "# ./spec/cart_spec.rb:14:in `block (3 levels)'": Failure, "# ./spec/cart_spec.rb:13:in `each'": Folded, "# ./lib/shop.rb:2:in `cart'": Good}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := classes(parse(t, c.parser, c.text))
			for line, want := range c.want {
				if class, ok := got[line]; !ok || class != want {
					t.Errorf("%q is %d, want %d", line, class, want)
				}
			}
		})
	}
}
