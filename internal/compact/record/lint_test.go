package record

import (
	"strings"
	"testing"
)

// grouped returns "code site" of every diagnostic, in order.
func grouped(rs []Record) string {
	var out []string
	for _, r := range rs {
		if r.Group != "" || r.Says != "" {
			out = append(out, r.Group+r.Kind+" "+r.Site)
		}
	}
	return strings.Join(out, "\n")
}

const eslintOutput = `
> shop@1.0.0 lint
> eslint .


/home/dev/shop/a.js
  16:1   error    Unexpected var, use let or const instead  no-var
  37:3   error    Parsing error: Unexpected keyword 'var'
  40:12  warning  Line  with  two spaces                    max-len

/home/dev/shop/b.js
  1:1  error  'x' is not defined  @scope/no-undef

✖ 4 problems (3 errors, 1 warning)
  1 error and 0 warnings potentially fixable with the ` + "`--fix`" + ` option.`

func TestEslint(t *testing.T) {
	rs := parse(t, "eslint", eslintOutput)
	want := "no-var /home/dev/shop/a.js:16:1\nParsing error /home/dev/shop/a.js:37:3\nmax-len /home/dev/shop/a.js:40:12\n@scope/no-undef /home/dev/shop/b.js:1:1"
	if got := grouped(rs); got != want {
		t.Errorf("groups:\n%s", got)
	}
	if got := kept(rs); !strings.Contains(got, "✖ 4 problems") || !strings.Contains(got, "potentially fixable") {
		t.Errorf("kept:\n%s", got)
	}
}

func TestLintCode(t *testing.T) {
	for text, want := range map[string]string{
		"E501 line too long (81 > 79 characters)":                    "E501",
		"C0114: Missing module docstring (missing-module-docstring)": "C0114",
		"F401 [*] `os` imported but unused":                          "F401",
		"this value of err is never used (SA4006)":                   "SA4006",
		"Error return value of `f` is not checked (errcheck)":        "errcheck",
		"C: [Correctable] Style/StringLiterals: Prefer single":       "Style/StringLiterals",
		"Double quote to prevent globbing. [SC2086]":                 "SC2086",
		"MD013/line-length Line length":                              "MD013/line-length",
		"undefined: x":                                               "",
		"call has arguments (but wrong number of them)":              "",
	} {
		if got := lintCode(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

const lintOutput = `************* Module click.utils
src/a.py:1:0: C0114: Missing module docstring (missing-module-docstring)
src/a.py:45:15: E1101: No member (no-member)
main.go:3:2: unused variable (unused)
	x := 1
	^
a.rb:2:1: C: Style/Doc: Missing
class A
^^^^^

-----------------------------------
Your code has been rated at 9.19/10`

func TestLint(t *testing.T) {
	rs := parse(t, "lint", lintOutput)
	if got := grouped(rs); got != "C0114 src/a.py:1:0\nE1101 src/a.py:45:15\nunused main.go:3:2\nStyle/Doc a.rb:2:1" {
		t.Errorf("groups:\n%s", got)
	}
	for _, r := range rs {
		if r.Group == "C0114" && r.Class != Warn || r.Group == "E1101" && r.Class != Failure || r.Group == "unused" && len(r.Lines) != 3 || r.Group == "Style/Doc" && len(r.Lines) != 3 {
			t.Errorf("%+v", r)
		}
	}
}

const shellcheckOutput = `
In bin/x line 6:
a > b < c
  ^-- SC2261 (error): Multiple redirections compete.
      ^-- SC2086 (info): Double quote.

Did you mean:
"a" > b

For more information:
  https://www.shellcheck.net/wiki/SC2261`

func TestShellcheck(t *testing.T) {
	rs := parse(t, "shellcheck", shellcheckOutput)
	if got := grouped(rs); got != "SC2261 (error) bin/x:6\nSC2086 (info) bin/x:6" {
		t.Errorf("groups:\n%s", got)
	}
}

const oxlintOutput = `
  ! eslint(no-unused-vars): 'x' is never used.
     ,-[src/a.ts:3:8]
   3 | let x = 1;
     :     ^
     ` + "`----" + `
  help: Remove it.

  x typescript(no-any): Unexpected any.
    ╭─[src/b.ts:9:1]
  9 │ any
    ╰────

Found 1 warning and 1 error.
Finished in 70ms on 2 files with 200 rules using 2 threads.`

const ruffOutput = "F401 [*] `os` imported but unused\n --> a.py:1:8\n  |\n1 | import os\n  |        ^^\n  |\nhelp: Remove unused import\n\nFound 1 error.\n[*] 1 fixable with the `--fix` option."

const biomeOutput = "src/pick.js:3:9 lint/suspicious/noDoubleEquals  FIXABLE  ━━━━━━━━━\n\n  × Use === instead of ==\n  \n  > 3 │   if (a == b) debugger;\n      │         ^^\n  \nChecked 1 file in 8ms.\nFound 1 error.\ncheck ━━━━━━━━━━"

func TestFramed(t *testing.T) {
	for text, want := range map[string]string{
		oxlintOutput: "eslint(no-unused-vars) src/a.ts:3:8\ntypescript(no-any) src/b.ts:9:1",
		ruffOutput:   "F401 a.py:1:8",
		biomeOutput:  "lint/suspicious/noDoubleEquals src/pick.js:3:9",
	} {
		rs := parse(t, "framed", text)
		if got := grouped(rs); got != want {
			t.Errorf("groups:\n%s\nwant:\n%s", got, want)
		}
		if got := kept(rs); !strings.Contains(got, "Found 1 ") {
			t.Errorf("no count in:\n%s", got)
		}
	}
	if r := parse(t, "framed", oxlintOutput)[1]; r.Says != "eslint(no-unused-vars): 'x' is never used." || r.Lines[5].Code || !r.Lines[1].Code {
		t.Errorf("it says %q in %v", r.Says, r.Lines)
	}
}

const terraformOutput = `aws_vpc.a: Refreshing state... [id=vpc-1]

Terraform used the selected providers to generate the following execution
plan. Resource actions are indicated with the following symbols:
  ~ update in-place

Terraform will perform the following actions:

  # aws_vpc.a will be updated in-place
  ~ resource "aws_vpc" "a" {
        id   = "vpc-1"
      ~ cidr = "10.0.0.0/8" -> "10.1.0.0/16" # forces replacement
      ~ arn  = "x" -> (known after apply)
    }

Plan: 0 to add, 1 to change, 0 to destroy.
╷
│ Error: Unsupported argument
│ 
│   on main.tf line 12, in resource "aws_vpc" "a":
│   12:   cidrr = "x"
│ 
│ An argument named "cidrr" is not expected here.
╵`

func TestTerraform(t *testing.T) {
	rs := parseCut(t, "terraform", terraformOutput)
	got := kept(rs)
	for _, want := range []string{"# aws_vpc.a will be updated", "forces replacement", "Plan: 0 to add", "Error: Unsupported argument", "on main.tf line 12", "is not expected here."} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Refreshing") || strings.Contains(got, "known after apply") {
		t.Errorf("progress is kept:\n%s", got)
	}
	for _, r := range rs {
		if r.Class == Failure && r.Site != "main.tf:12" {
			t.Errorf("site %q", r.Site)
		}
	}
}

// A block that is replaced as a whole ends with what it becomes: its lines
// alone would say that they are taken out.
func TestTerraformBlockBecomes(t *testing.T) {
	in := "  # x.a will be updated in-place\n  ~ resource \"x\" \"a\" {\n      ~ output = {\n          - env = \"dev\"\n        } -> (known after apply)\n    }\n"
	if got := kept(parseCut(t, "terraform", in)); !strings.Contains(got, "- env = \"dev\"") || !strings.Contains(got, "} -> (known after apply)") {
		t.Errorf("%s", got)
	}
}

func TestScrambledLint(t *testing.T) {
	for _, text := range []string{eslintOutput, lintOutput, shellcheckOutput, oxlintOutput, ruffOutput, biomeOutput, terraformOutput} {
		for _, parser := range []string{"eslint", "lint", "shellcheck", "framed", "terraform"} {
			scrambleBy(t, parseCut, parser, text)
		}
	}
}

func TestEslintFullRows(t *testing.T) {
	rs := parse(t, "eslint", `/src/a.css: line 1, col 5, error - Too many declarations (one-line)
/src/b.js: line 2, col 7, Warning - Unexpected var. (no-var)
/src/c.css:3:1: Unclosed block (CssSyntaxError) [error]
/src/d.js:4:2: 'x' is not defined. [Error/no-undef]
/src/e.js:5:1: Parsing error: Unexpected token [Error]

5 problems`)
	want := "one-line /src/a.css:1:5\nno-var /src/b.js:2:7\nCssSyntaxError /src/c.css:3:1\nno-undef /src/d.js:4:2\nParsing error /src/e.js:5:1"
	if got := grouped(rs); got != want {
		t.Errorf("groups:\n%s", got)
	}
	if rs[1].Class != Warn || rs[0].Class != Failure {
		t.Errorf("classes %v, %v", rs[0].Class, rs[1].Class)
	}
}

func TestBiome(t *testing.T) {
	rs := parse(t, "framed", `src/a.js:2:13 lint/suspicious/noDoubleEquals  FIXABLE  ━━━━━━━━━━━

  ✖ Using == may be unsafe.

    > 2 │ if (a == b)
        │       ^^

  ℹ Unsafe fix: Use ===

src/a.js:4:10 lint/complexity/noUselessTernary ━━━━━━━━━━━━━━

  ℹ Unnecessary use of boolean literals.

reporter/format ━━━━━━━━━━━━━━

  i The following files need to be formatted:

  - src/a.js
  - src/b.js

Checked 2 files in 7ms. No fixes applied.
`)
	if got, want := grouped(rs), "lint/suspicious/noDoubleEquals src/a.js:2:13\nlint/complexity/noUselessTernary src/a.js:4:10"; got != want {
		t.Errorf("groups:\n%s", got)
	}
	var listed []string
	for _, r := range rs {
		switch {
		case strings.HasPrefix(r.Key, "listed: "):
			listed = append(listed, r.Site)
		case strings.HasSuffix(r.Group, "Ternary") && r.Class != Warn:
			t.Error("an information is no fault")
		case strings.HasSuffix(r.Group, "Equals") && !strings.Contains(r.Row, "✖ Using =="):
			t.Errorf("row %q", r.Row)
		}
	}
	if len(listed) != 2 || listed[1] != "src/b.js" {
		t.Errorf("listed %v", listed)
	}
}

func TestPrettier(t *testing.T) {
	in := `Checking formatting...
[warn] src/a.js
[warn] src/b.css
src/c.js 12ms (unchanged)
src/d.js 3ms
[error] src/z.js: SyntaxError: Unexpected token (2:1)
[error]   1 | export function broken( {
[error] > 2 | ;
[error]     | ^
Error occurred when checking code style in 1 file.
`
	got := kept(parse(t, "prettier", in))
	want := "[warn] src/a.js\nsrc/d.js 3ms\n[error] src/z.js: SyntaxError: Unexpected token (2:1)\n[error] > 2 | ;\nError occurred when checking code style in 1 file.\n"
	if got != want {
		t.Errorf("kept:\n%s", got)
	}
	scramble(t, "prettier", in)
}
