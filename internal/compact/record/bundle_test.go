package record

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

var bundlerOutputs = []jsOutput{
	{"vite: rollup's error without its stack", "bundle", `vite v6.4.6 building for production...
transforming...
✓ 8 modules transformed.
✗ Build failed in 79ms
error during build:
src/main.js (1:65): "euro" is not exported by "src/money.js", imported by "src/main.js".
file: /home/dev/market/src/main.js:1:65

1: import { euro } from './money.js';
            ^
2: import { cash } from './money.js';

    at getRollupError (file:///home/dev/market/node_modules/rollup/dist/es/shared/parseAst.js:355:41)
    at Module.error (file:///home/dev/market/node_modules/rollup/dist/es/shared/node-entry.js:18670:16)
npm error code 1
`, []string{"error during build:", `"euro" is not exported`, "main.js:1:65"}, []string{"vite v6", "cash", "parseAst", "node-entry", "npm error"}},

	{"a plugin of the project throws", "bundle", `error during build:
[plugin prices] boom
    at Object.transform (/home/dev/market/build/prices.js:12:11)
    at transform (file:///home/dev/market/node_modules/rollup/dist/es/shared/node-entry.js:1:1)
`, []string{"[plugin prices] boom", "prices.js:12:11"}, []string{"node-entry"}},

	{"rolldown draws", "bundle", `Build failed with 2 errors:

[MISSING_EXPORT] "euro" is not exported by "src/money.js".
   ╭─[ src/main.js:1:10 ]
   │
 1 │ import { euro } from './money.js';
   │          ──┬─
   │            ╰─── Missing export
───╯

[PARSE_ERROR] Unexpected token
   ╭─[ src/b.js:7:1 ]
   │
 7 │ )
───╯
    at build (file:///home/dev/market/node_modules/rolldown/dist/shared/error.mjs:50:18) {
  errors: [Getter/Setter]
}
`, []string{"2 errors", "[MISSING_EXPORT]", "src/main.js:1:10", "╰─── Missing export", "[PARSE_ERROR]", "src/b.js:7:1"}, []string{"error.mjs", "Getter", "───╯", "──┬─"}},

	{"esbuild: an error with a note, and a warning", "bundle", `▲ [WARNING] Comparison with -0 [equals-negative-zero]

    src/a.js:10:53:
      10 │ if (x == -0) {}
         ╵          ~~

✘ [ERROR] The symbol "x" has already been declared

    src/a.js:2:4:
      2 │ let x
        ╵     ^

  The symbol "x" was originally declared here:

    src/a.js:1:4:
      1 │ let x
        ╵     ^

1 warning and 1 error
`, []string{"[WARNING] Comparison", "src/a.js:10:53:", "already been declared", "src/a.js:2:4:", "originally declared here", "src/a.js:1:4:", "1 warning and 1 error"}, []string{"╵"}},

	{"the biggest files", "bundle", `dist/a.js   1.00 kB │ gzip: 0.50 kB
dist/b.js  10.00 kB │ gzip: 5.00 kB
dist/c.css  2,000.00 kB │ gzip: 0.50 kB │ map: 1.00 kB
dist/d.js   3.00 kB
dist/f.js   3.00 kB
dist/e.js   1.5mb ⚠️
✓ built in 1.20s
`, []string{"b.js", "c.css", "e.js", "built in"}, []string{"a.js", "d.js"}},

	{"webpack: messages, the biggest assets, no tree", "webpack", `<s> [webpack.Progress] 65% building
assets by path *.js 113 KiB
  asset main.js 5.18 KiB [emitted] [minimized] (name: main)
  asset 1.js 3.33 KiB [emitted]
  asset 2.js 3.28 KiB [emitted]
  asset 3.js 1.28 KiB [emitted]
  asset 4.js 1.18 KiB [emitted]
  asset 5.js 1.08 KiB [emitted]
  + 56 assets
runtime modules 6.91 KiB 9 modules
./src/main.js 2.86 KiB [built] [code generated]

WARNING in ./src/main.js 2:21-46
Critical dependency: the request of a dependency is an expression

ERROR in ./src/pages/a.js 1:0-37
Module not found: Error: Can't resolve './lost.js' in '/home/dev/market/src/pages'
resolve './lost.js' in '/home/dev/market/src/pages'
  using description file: /home/dev/market/package.json
    /home/dev/market/src/pages/lost.js doesn't exist
 @ ./src/main.js 3:1-4
 @ ./src/root.js

ERROR in ./src/b.scss
Module build failed (from ./node_modules/sass-loader/dist/cjs.js):
Undefined variable.
    at Object.loader (/home/dev/market/node_modules/sass-loader/dist/index.js:69:14)

1 error has detailed information that is not shown.
Use 'stats.errorDetails: true' resp. '--stats-error-details' to show it.

webpack 5.112.2 compiled with 2 errors and 1 warning in 889 ms
`, []string{"*.js 113 KiB", "main.js 5.18", "2.js", "WARNING in", "Critical dependency", "ERROR in ./src/pages/a.js 1:0-37", "Can't resolve", "@ ./src/main.js", "Undefined variable.", "compiled with 2 errors"},
		[]string{"Progress", "3.js", "runtime modules", "[built]", "description file", "@ ./src/root.js", "detailed information"}},

	{"rspack draws", "webpack", `ERROR in ./src/r.js
  × Module parse failed:
  ╰─▶   × JavaScript parse error: Cannot use import statement outside a module
         ╭─[2:0]
       1 │ import { something } from './lost.js';
       2 │ import b from './bad.js';
         · ─────────────────────────
         ╰────

  help:
        You may need an appropriate loader to handle this file type.

Rspack compiled with 1 error in 40 ms
`, []string{"ERROR in ./src/r.js", "JavaScript parse error", "╭─[2:0]", "2 │ import b", "Rspack compiled with 1 error"}, []string{"something", "help:", "· ──"}},

	{"webpack's configuration", "webpack", `[webpack-cli] Compiler starting...
[webpack-cli] ✖ Invalid configuration object.
 - configuration.mode should be one of these:
   "development" | "production" | "none"
`, []string{"Invalid configuration", "configuration.mode", `| "none"`}, []string{"starting"}},

	{"webpack 4's columns", "webpack", `Hash: 5c5a
Version: webpack 4.46.0
Built at: 11/20/2026 1:00:00 PM
   Asset      Size  Chunks             Chunk Names
    4.js  0.15 KiB       4  [emitted]
    5.js  0.25 KiB       5  [emitted]
    0.js  1.05 KiB       0  [emitted]
    1.js  2.05 KiB       1  [emitted]
    2.js  3.05 KiB       2  [emitted]
 main.js   400 KiB       3  [emitted]  [big]  main
Entrypoint main [big] = main.js
[0] ./src/index.js 123 bytes {0} [built]
    + 12 hidden modules
`, []string{"main.js   400 KiB", "Entrypoint main", "1.js"}, []string{"Hash", " 0.js", "[0]", "hidden modules"}},

	{"next: types, lint and what cannot be prerendered", "nextbuild", `  ▲ Next.js 14.2.35

   Creating an optimized production build ...
 ✓ Compiled successfully
Failed to compile.

./app/cart/total.tsx:4:9
Type error: Type 'string' is not assignable to type 'number'.

  2 |
  3 | export default function Page() {
> 4 |   const total: number = price('12');
    |         ^
  5 |   return total;

./app/help/page.jsx
1:68  Error: An apostrophe.  react/no-unescaped-entities
1:79  Warning: Using img.  @next/next/no-img-element

TypeError: Cannot read properties of undefined (reading 'length')
    at s (/home/dev/storefront/.next/server/app/gift/page.js:1:1909)
    at em (/home/dev/storefront/node_modules/next/dist/compiled/next-server/app-page.runtime.prod.js:12:134808) {
  digest: '2570166648'
}

Error occurred prerendering page "/gift". Read more: https://nextjs.org/docs/messages/prerender-error
> Export encountered errors on following paths:
	/gift/page: /gift
`, []string{"Compiled successfully", "Failed to compile.", "total.tsx:4:9", "Type error:", "1:68  Error", "1:79  Warning", "TypeError:", "gift/page.js:1:1909", `page "/gift"`, "/gift/page: /gift"}, []string{"Next.js", "  5 |", "digest", "app-page.runtime"}},

	{"react-scripts", "reactscripts", `Creating an optimized production build...
Compiled with warnings.

[eslint]
src/App.js
  Line 4:9:   'unused' is assigned a value but never used       no-unused-vars
  Line 6:9:   Expected '===' and instead saw '=='               eqeqeq

Search for the keywords to learn more about each warning.
File sizes after gzip:

  45.39 kB (+2 B)  build/static/js/main.aeb1519b.js

The project was built assuming it is hosted at /.
The build folder is ready to be deployed.
  serve -s build
`, []string{"Compiled with warnings.", "no-unused-vars", "eqeqeq", "main.aeb1519b.js"}, []string{"Creating", "[eslint]", "keywords", "hosted", "serve"}},

	{"react-scripts fails", "reactscripts", `Creating an optimized production build...
Failed to compile.

[eslint]
src/App.js
Syntax error: Expected corresponding JSX closing tag for <h1>. (2:20) (2:20)

Module not found: Error: Can't resolve './lost' in '/home/dev/kitchen/src'
`, []string{"Failed to compile.", "src/App.js", "Syntax error", "'./lost'"}, []string{"Creating"}},

	{"next: routes", "nextbuild", `Route (app)                              Size     First Load JS
┌ ○ /                                    192 B          87.4 kB
├ ○ /_not-found                          873 B          88.1 kB
├ ƒ /api/stock                           0 B                0 B
├ ○ /about                               193 B          87.1 kB
├ ● /products/[id]                       193 B          91.4 kB
├   ├ /products/0
├   └ [+27 more paths]
└ ○ /wishlist                            193 B          85.4 kB
+ First Load JS shared by all            87.2 kB
  └ other shared chunks (total)          1.84 kB

○  (Static)   prerendered as static content
`, []string{"Route (app)", "/_not-found", "/products/[id]", "shared by all"}, []string{"/api/stock", "/products/0", "wishlist", "other shared", "Static"}},
}

func TestBundlers(t *testing.T) { runJSOutputs(t, bundlerOutputs) }

// Where a message has its place and column, the line of source says nothing new;
// nor do the place once more, the cause that is the message, and the stack of the
// bundler.
func TestBundlersSayPlacesOnce(t *testing.T) {
	for name, c := range map[string]struct {
		parser, in string
		want       []string
	}{
		"babel": {"bundle", "SyntaxError: /srv/oven/src/bad.js: Unexpected token (1:17)\n\n> 1 | const a = { b: 1,, c: 2 };\n    |                  ^\n  2 |\n    at constructor (/srv/oven/node_modules/@babel/parser/lib/index.js:369:19)\n    at Parser.raise (/srv/oven/node_modules/@babel/parser/lib/index.js:6632:19) {\n  code: 'BABEL_PARSE_ERROR',\n  reasonCode: 'UnexpectedToken',\n  loc: Position { line: 1, column: 17, index: 17 },\n  pos: 17,\n  syntaxPlugin: undefined\n}\n",
			[]string{"SyntaxError: /srv/oven/src/bad.js: Unexpected token (1:17)"}},
		"rollup": {"bundle", "\nsrc/bad.js → out...\n[!] RollupError: src/bad.js (1:17): Unexpected token `,`\nsrc/bad.js (1:17)\n1: const a = { b: 1,, c: 2 };\n                    ^\n    at Object.getRollupError (/srv/oven/node_modules/rollup/dist/shared/parseAst.js:326:41)\n  [cause] RollupError: Unexpected token `,`\n      at Object.getRollupError (/srv/oven/node_modules/rollup/dist/shared/parseAst.js:326:41)\n\n\n",
			[]string{"src/bad.js → out...", "[!] RollupError: src/bad.js (1:17): Unexpected token `,`"}},
		"rollup, other cause": {"bundle", "[!] (plugin x) Error: cannot bake (1:17)\n  [cause] Error: no flour\n", []string{"[!] (plugin x) Error: cannot bake (1:17)", "  [cause] Error: no flour"}},
		"rollup, well":        {"bundle", "src/a.js → dist/a.js...\ncreated dist/a.js in 54ms\n", []string{"created dist/a.js in 54ms"}},
		"esbuild": {"bundle", "✘ [ERROR] Could not resolve \"rye\"\n\n    src/main.js:2:20:\n      2 │ import rye from 'rye'\n        ╵                 ~~~~~\n\n  You can mark the path \"rye\" as external to exclude it from the bundle, which will remove this error.\n\n1 error\n",
			[]string{"✘ [ERROR] Could not resolve \"rye\"", "    src/main.js:2:20:", "1 error"}},
		"rolldown": {"bundle", "[MISSING_EXPORT] \"glaze\" is not exported by \"src/oven.js\".\n   ╭─[ src/main.js:1:16 ]\n   │\n 1 │ import { bake, glaze } from './oven.js'\n   │                ──┬──\n   │                  ╰──── Missing export\n───╯\n",
			[]string{"[MISSING_EXPORT] \"glaze\" is not exported by \"src/oven.js\".", "   ╭─[ src/main.js:1:16 ]", "   │                  ╰──── Missing export"}},
		"webpack": {"webpack", "ERROR in ./src/bad.js 1:17\nModule parse failed: Unexpected token (1:17)\n> 1 | const a = { b: 1,, c: 2 };\n    |                  ^\n\nERROR in ./src/x.js\nModule build failed\n> 1 | const a\n    |       ^\n",
			[]string{"ERROR in ./src/bad.js 1:17", "Module parse failed: Unexpected token (1:17)", "ERROR in ./src/x.js", "Module build failed", "> 1 | const a"}},
	} {
		recs := parse(t, c.parser, c.in)
		t.Run(name, func(t *testing.T) { equal(t, shown(recs, Failure, Keep, Body), c.want...) })
		scramble(t, c.parser, c.in)
	}
}

// next build says a place once as well.
func TestNextBuildSaysPlacesOnce(t *testing.T) {
	in := "▲ Next.js 16.4.6 (Turbopack)\n  Creating an optimized production build ...\n\n> Build error occurred\nError: Turbopack build failed with 1 error:\n./pages/oven.js:1:43\nError: Expression expected\n> 1 | export default () => <div>{</div>\n    |                            ^\n\nParsing ecmascript source code failed\n\n\n    at ignore-listed frames\n"
	equal(t, shown(parse(t, "nextbuild", in), Failure, Keep, Body), "Error: Turbopack build failed with 1 error:", "./pages/oven.js:1:43", "Error: Expression expected")
	in = "ReferenceError: window is not defined\n    at <unknown> (pages/oven.js:1:43)\n> 1 | export default () => window.x\n    |                      ^\n  2 |\nError occurred prerendering page \"/oven\". Read more: https://nextjs.org/docs/messages/prerender-error\n⨯ Next.js build worker exited with code: 1 and signal: null\n"
	equal(t, shown(parse(t, "nextbuild", in), Failure, Keep, Body), "ReferenceError: window is not defined", "    at <unknown> (pages/oven.js:1:43)", `Error occurred prerendering page "/oven". Read more: https://nextjs.org/docs/messages/prerender-error`)
}

// Below the files that esbuild wrote, all of them, how long it took says nothing more.
func TestEsbuildDone(t *testing.T) {
	few := "\n  dist/a.js  2.6kb\n\n⚡ Done in 84ms\n"
	many := "\n  dist/a.js  9.6kb\n  dist/b.js  8.6kb\n  dist/c.js  7.6kb\n  dist/d.js  6.6kb\n  dist/e.js  5.6kb\n  dist/f.js  4.6kb\n  dist/g.js  3.6kb\n\n⚡ Done in 84ms\n"
	for text, done := range map[string]bool{few: false, many: true, "⚡ Done in 84ms\n": true} {
		if got := kept(parse(t, "bundle", text)); strings.Contains(got, "Done in") != done {
			t.Errorf("%q became:\n%s", text, got)
		}
	}
}

// Each process of a build says again why the lock file could not be completed.
func TestNextBuildSaysTheLockFileOnce(t *testing.T) {
	dump := " ⚠ Found lockfile missing swc dependencies, patching...\n ⨯ Failed to patch lockfile, please try uninstalling and reinstalling next in this workspace\n[TypeError: fetch failed] {\n  [cause]: [Error: getaddrinfo ENOTFOUND registry.example] {\n      at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) {\n    errno: -3008,\n    code: 'ENOTFOUND'\n  }\n}\n"
	recs := parse(t, "nextbuild", "   ▲ Next.js 15.3.2\n"+strings.Repeat(dump, 3)+" ✓ Compiled successfully in 2s\nFailed to compile.\n\n./app/page.tsx:3:9\nType error: Type 'string' is not assignable to type 'number'.\n")
	keys := map[string]int{}
	for _, r := range recs {
		if r.Class == Failure && strings.Contains(r.Key, "ENOTFOUND") {
			keys[r.Key]++
		}
	}
	if len(keys) != 1 || slices.Max(slices.Collect(maps.Values(keys))) != 3 {
		t.Errorf("%v", keys)
	}
	shown := shown(recs, Failure)
	if strings.Contains(strings.Join(shown, "\n"), "node:dns") {
		t.Errorf("frames: %q", shown)
	}
	if shown[len(shown)-1] != "Type error: Type 'string' is not assignable to type 'number'." {
		t.Errorf("%q", shown)
	}
}
