package record

import (
	"strings"
	"testing"
)

// grouped returns "group site" of every grouped record, in order.
func grouped(rs []Record) string {
	var out []string
	for _, r := range rs {
		if r.Group != "" {
			out = append(out, r.Group+" "+r.Site)
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
	if r := parse(t, "framed", oxlintOutput)[1]; r.Row != "src/a.ts:3:8  ! eslint(no-unused-vars): 'x' is never used.  help: Remove it." {
		t.Errorf("row %q", r.Row)
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

func TestScrambledLint(t *testing.T) {
	for _, text := range []string{eslintOutput, lintOutput, shellcheckOutput, oxlintOutput, ruffOutput, biomeOutput, terraformOutput} {
		for _, parser := range []string{"eslint", "lint", "shellcheck", "framed", "terraform"} {
			scrambleBy(t, parseCut, parser, text)
		}
	}
}
