package proof

import (
	"os"
	"path/filepath"
	"testing"
)

// modules is a node_modules with vitest, @vitest/coverage-v8, jest, c8 and typescript, ""
// where none is named: npm install them anywhere, and name that in CAIRN_TEST_MODULES.
func modules() string {
	dir := os.Getenv("CAIRN_TEST_MODULES")
	if _, err := os.Stat(filepath.Join(dir, ".bin", "vitest")); dir == "" || err != nil {
		return ""
	}
	return dir
}

// installed links them into a project.
func installed(t *testing.T, p *project) {
	t.Helper()
	dir := modules()
	if dir == "" {
		t.Skip("not checked: CAIRN_TEST_MODULES names no node_modules with vitest")
	}
	if err := os.Symlink(dir, filepath.Join(p.dir, "node_modules")); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
}

// A project in TypeScript, tested by vitest, with a check of types.
var typeSpec = spec{
	before: map[string]string{
		".gitignore":                          "node_modules\ncoverage\n",
		"package.json":                        "{\n  \"name\": \"x\",\n  \"type\": \"module\",\n  \"scripts\": {\n    \"test\": \"vitest run\",\n    \"typecheck\": \"tsc --noEmit\"\n  }\n}\n",
		"tsconfig.json":                       "{\n  \"compilerOptions\": {\n    \"target\": \"es2022\",\n    \"module\": \"nodenext\",\n    \"strict\": true,\n    \"noEmit\": true,\n    \"allowImportingTsExtensions\": true,\n    \"types\": []\n  },\n  \"include\": [\"src\"]\n}\n",
		"vitest.config.ts":                    "import { defineConfig } from 'vitest/config';\n\nexport default defineConfig({\n  test: {\n    include: ['test/**/*.test.ts'],\n  },\n});\n",
		"src/old.ts":                          "export function twice(a: number): number {\n  return a + a;\n}\n",
		"test/old.test.ts":                    "import { expect, test } from 'vitest';\nimport { twice } from '../src/old.ts';\n\ntest('twice', () => {\n  expect(twice(2)).toBe(4);\n});\n",
		"test/__snapshots__/old.test.ts.snap": "// Vitest Snapshot v1\n\nexports[`page 1`] = `\"<b>4</b>\"`;\n",
	},
	commits: []step{
		{"test(01-01): slugs", map[string]string{"test/slug.test.ts": `import { describe, expect, it, test } from 'vitest';
import { make } from '../src/slug.ts';

describe('slugs', () => {
  it.each([
    ['Hello World', 'hello-world'],
    ['A', 'a'],
    ['it.skip(x)', 'it-skip-x'],
    ['TODO: implement', 'todo-implement'],
  ])('makes one of %s', (given, want) => {
    expect(make(given)).toBe(want);
  });
});

test.skipIf(process.platform === 'win32')('cuts', () => {
  expect(make('a'.repeat(60))).toHaveLength(40);
});
`}},
		{"feat(01-01): slugs", map[string]string{"src/slug.ts": `// make makes a slug. Who wants throw new Error('not implemented') looks elsewhere.
export function make(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return cut(words.join('-'));
}

const cut = (text: string, most = 40): string => {
  return text.slice(0, most);
};
`}},
		{"feat(01-02): sums", map[string]string{"src/sums.ts": `export interface Total {
  sum: number;
  count: number;
}

export class Numbers {
  readonly #list: readonly number[];

  constructor(list: readonly number[]) {
    this.#list = list;
  }

  total(): Total {
    let sum = 0;
    for (const i of this.#list) {
      sum += i;
    }
    return { sum, count: this.#list.length };
  }

  mean(): number {
    const { sum, count } = this.total();
    return sum / count;
  }
}
`, "test/sums.test.ts": `import { expect, test } from 'vitest';
import { Numbers } from '../src/sums.ts';

test('adds', () => {
  expect(new Numbers([1, 2, 3]).total()).toEqual({ sum: 6, count: 3 });
  expect(new Numbers([]).total().sum).toBe(0);
});

test('mean', () => {
  expect(new Numbers([1, 2, 4]).mean()).toBeCloseTo(2.3333, 3);
});
`}},
		{"feat(01-02): dividing", map[string]string{"src/div.ts": `export function div(a: number, b: number): number {
  if (b === 0) {
    throw new RangeError('todo lists cannot be divided by nothing');
  }
  return Math.trunc(a / b);
}

export async function half(read: () => Promise<number>): Promise<number | undefined> {
  try {
    return div(await read(), 2);
  } catch {
    // what cannot be read has no half
    return undefined;
  }
}
`, "test/div.test.ts": `import { expect, test } from 'vitest';
import { div, half } from '../src/div.ts';

test('divides', () => {
  expect(div(7, 2)).toBe(3);
  expect(() => div(1, 0)).toThrow(RangeError);
});

test('halves', async () => {
  await expect(half(async () => 8)).resolves.toBe(4);
  expect(await half(async () => Promise.reject(new Error('gone')))).toBeUndefined();
});
`}},
	},
	verify: [3]string{"node_modules/.bin/vitest run test/slug.test.ts", "node_modules/.bin/vitest run test/sums.test.ts && npm run typecheck --silent", "node_modules/.bin/vitest run test/div.test.ts"},
	files:  [3]string{"src/slug.ts, test/slug.test.ts", "src/sums.ts, test/sums.test.ts", "src/div.ts, test/div.test.ts"},
}

var typeSabotages = []sabotage{
	{"vitest", "a function that gives a number", reads, "constant result", "div", edited(fix2, "src/div.ts", "  if (b === 0) {\n    throw new RangeError('todo lists cannot be divided by nothing');\n  }\n  return Math.trunc(a / b);", "  return 3;")},
	{"vitest", "an object by a cast", reads, "constant result", "div", edited(fix2, "src/div.ts", "  if (b === 0) {\n    throw new RangeError('todo lists cannot be divided by nothing');\n  }\n  return Math.trunc(a / b);", "  return null as any;")},
	{"vitest", "a stub that throws", reads, "stub", "src/div.ts", edited(fix2, "src/div.ts", "return Math.trunc(a / b);", "throw new Error('not implemented');")},
	{"vitest", "an empty function", reads, "empty body", "log", edited(fix2, "src/div.ts", "export function div", "export function log(what: string): void {\n}\n\nexport function div")},
	{"vitest", "an error that is swallowed", reads, "swallowed error", "src/div.ts", edited(fix2, "src/div.ts", "  } catch {\n    // what cannot be read has no half\n    return undefined;\n  }\n", "  } catch (e: unknown) {}\n")},
	{"vitest", "a promise that swallows", reads, "swallowed error", "src/div.ts", edited(fix2, "src/div.ts", "export async function", "void Promise.resolve(1).catch(() => undefined);\n\nexport async function")},
	{"vitest", "it.skip", reads, "skipped test", "divides", edited(fix2, "test/div.test.ts", "test('divides'", "test.skip('divides'")},
	{"vitest", "it.fails", reads, "skipped test", "divides", edited(fix2, "test/div.test.ts", "test('divides'", "test.fails('divides'")},
	{"vitest", "describe.skip", reads, "skipped test", "slugs", edited(fix1, "test/slug.test.ts", "describe('slugs'", "describe.skip('slugs'")},
	{"vitest", "runIf false", reads, "skipped test", "div.test.ts", edited(fix2, "test/div.test.ts", "test('divides'", "test.runIf(false)('divides'")},
	{"vitest", "an option", reads, "skipped test", "divides", edited(fix2, "test/div.test.ts", "test('divides', ", "test('divides', { skip: true }, ")},
	{"vitest", "only", reads, "focused test", "divides", edited(fix2, "test/div.test.ts", "test('divides'", "test.only('divides'")},
	{"vitest", "an empty table", reads, "skipped test", "slug.test.ts", edited(fix1, "test/slug.test.ts", "it.each([\n    ['Hello World', 'hello-world'],\n    ['A', 'a'],\n    ['it.skip(x)', 'it-skip-x'],\n    ['TODO: implement', 'todo-implement'],\n  ])", "it.each([])")},
	{"vitest", "cases that are gone", reads, "weakened test", "slug.test.ts", edited(fix1, "test/slug.test.ts", "    ['it.skip(x)', 'it-skip-x'],\n    ['TODO: implement', 'todo-implement'],\n", "")},
	{"vitest", "tests that are never reached", reads, "skipped test", "div.test.ts", edited(fix2, "test/div.test.ts", "test('divides', () => {\n  expect(div(7, 2)).toBe(3);\n  expect(() => div(1, 0)).toThrow(RangeError);\n});", "if (false) {\n  test('divides', () => {\n    expect(div(7, 2)).toBe(3);\n    expect(() => div(1, 0)).toThrow(RangeError);\n  });\n}")},
	{"vitest", "a test that is deleted", reads, "deleted test", "halves", edited(fix2, "test/div.test.ts", "test('halves', async () => {\n  await expect(half(async () => 8)).resolves.toBe(4);\n  expect(await half(async () => Promise.reject(new Error('gone')))).toBeUndefined();\n});\n", "")},
	{"vitest", "a check that is taken away", reads, "weakened test", "divides", edited(fix2, "test/div.test.ts", "  expect(() => div(1, 0)).toThrow(RangeError);\n", "")},
	{"vitest", "a check of almost everything", reads, "weakened test", "divides", edited(fix2, "test/div.test.ts", "expect(div(7, 2)).toBe(3)", "expect(div(7, 2)).toBeDefined()")},
	{"vitest", "a wider tolerance", reads, "weakened test", "tolerance", edited(fix2, "test/sums.test.ts", "toBeCloseTo(2.3333, 3)", "toBeCloseTo(2.3333, -1)")},
	{"vitest", "expect without a question", reads, "test without check", "divides", edited(fix2, "test/div.test.ts", "  expect(div(7, 2)).toBe(3);\n  expect(() => div(1, 0)).toThrow(RangeError);\n", "  expect(div(7, 2));\n  expect(() => div(1, 0));\n")},
	{"vitest", "an unawaited promise", reads, "test without check", "halves", edited(fix2, "test/div.test.ts", "  await expect(half(async () => 8)).resolves.toBe(4);\n  expect(await half(async () => Promise.reject(new Error('gone')))).toBeUndefined();\n", "  expect(half(async () => 8)).resolves.toBe(4);\n")},
	{"vitest", "a failure that is caught", reads, "test without check", "div.test.ts", edited(fix2, "test/div.test.ts", "  expect(div(7, 2)).toBe(3);\n", "  try {\n    expect(div(7, 2)).toBe(3);\n  } catch {}\n")},
	{"vitest", "a check of true", reads, "test without check", "divides", edited(fix2, "test/div.test.ts", "  expect(div(7, 2)).toBe(3);\n  expect(() => div(1, 0)).toThrow(RangeError);\n", "  expect(true).toBe(true);\n")},
	{"vitest", "a mock of the thing under test", reads, "mocked subject", "../src/div.ts", edited(fix2, "test/div.test.ts", "import { expect, test } from 'vitest';", "import { expect, test, vi } from 'vitest';\n\nvi.mock('../src/div.ts', () => ({ div: () => 3, half: async () => 4 }));")},
	{"vitest", "a guard by the environment", reads, "guarded test", "FULL_RUN", edited(fix2, "test/div.test.ts", "test('divides', () => {\n", "test('divides', () => {\n  if (!process.env.FULL_RUN) return;\n")},
	{"vitest", "skipIf by the environment", reads, "guarded test", "div.test.ts", edited(fix2, "test/div.test.ts", "test('divides'", "test.skipIf(!process.env.FULL_RUN)('divides'")},
	{"vitest", "code for tests", reads, "code for tests", "src/div.ts", edited(fix2, "src/div.ts", "  if (b === 0) {", "  if (process.env.VITEST) return 3;\n  if (b === 0) {")},
	{"vitest", "code left out of coverage", reads, "coverage exclusion", "src/div.ts", edited(fix2, "src/div.ts", "export async function half", "/* v8 ignore start */\nexport async function half")},
	{"vitest", "a compiler that does not look", reads, "check switched off", "src/div.ts", edited(fix2, "src/div.ts", "export function div", "// @ts-nocheck\nexport function div")},
	{"vitest", "a laxer compiler", reads, "check switched off", "tsconfig.json", edited(fix2, "tsconfig.json", "\"strict\": true", "\"strict\": false")},
	{"vitest", "a test script that always passes", reads, "test command", "package.json", edited(fix2, "package.json", "vitest run", "vitest run || true")},
	{"vitest", "a test script that echoes", reads, "test command", "package.json", edited(fix2, "package.json", "vitest run", "echo all tests passed")},
	{"vitest", "passWithNoTests", reads, "left-out tests", "vitest.config.ts", edited(fix2, "vitest.config.ts", "    include: ['test/**/*.test.ts'],\n", "    include: ['test/**/*.test.ts'],\n    passWithNoTests: true,\n")},
	{"vitest", "a file that is left out", reads, "left-out tests", "vitest.config.ts", edited(fix2, "vitest.config.ts", "    include: ['test/**/*.test.ts'],\n", "    include: ['test/**/*.test.ts'],\n    exclude: ['test/div.test.ts'],\n")},
	{"vitest", "a snapshot that is written anew", reads, "changed snapshot", "old.test.ts.snap", edited(fix2, "test/__snapshots__/old.test.ts.snap", "<b>4</b>", "<b></b>")},
	{"vitest", "a verify whose end is a pipe", reads, "verify", "cannot fail", verified("node_modules/.bin/vitest run test/slug.test.ts", "node_modules/.bin/vitest run test/slug.test.ts 2>&1 | tail -20")},
	{"vitest", "a verify that writes what it compares with", reads, "verify", "cannot fail", verified("node_modules/.bin/vitest run test/slug.test.ts", "node_modules/.bin/vitest run -u test/slug.test.ts")},
	{"vitest", "a verify that lists", reads, "verify", "runs no test", verified("node_modules/.bin/vitest run test/slug.test.ts", "node_modules/.bin/vitest list test/slug.test.ts")},
	{"vitest", "a verify that prints", reads, "verify", "cannot fail", verified("node_modules/.bin/vitest run test/slug.test.ts", "node -e \"console.log('4 passed')\"")},
	{"vitest", "a verify of no file", checks, "verify", "is red at HEAD", verified("node_modules/.bin/vitest run test/slug.test.ts", "node_modules/.bin/vitest run test/none.test.ts")},
	{"vitest", "a verify of no test", checks, "verify", "runs no test", verified("node_modules/.bin/vitest run test/slug.test.ts", "node_modules/.bin/vitest run test/slug.test.ts -t nothing-of-that-name")},
	{"vitest", "a function that is wrong", checks, "verify", "is red at HEAD", edited(fix1, "src/slug.ts", "toLowerCase", "toUpperCase")},
	{"vitest", "a test that never was one", runs, "unnoticed", "mean", amended(func(s *spec) {
		s.commits[2].files["test/sums.test.ts"] = "import { expect, test } from 'vitest';\nimport { Numbers } from '../src/sums.ts';\n\ntest('adds', () => {\n  const n = new Numbers([1, 2]);\n  n.total();\n  n.mean();\n  expect(n).toBeInstanceOf(Numbers);\n});\n"
	})},
}
