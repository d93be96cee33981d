package record

import (
	"strings"
	"testing"
)

// What is left out because something else that stays says it.

func TestImportChain(t *testing.T) {
	got := kept(parse(t, "python", `Traceback (most recent call last):
  File "/home/dev/app/main.py", line 3, in <module>
    from app import core
  File "/home/dev/app/core.py", line 10, in <module>
    from . import types
  File "/home/dev/app/types.py", line 17, in <module>
    import utils
  File "/home/dev/app/utils.py", line 5, in <module>
    LIMIT = int("x")
ValueError: invalid literal for int() with base 10: 'x'`))
	for _, want := range []string{"main.py", "utils.py", "LIMIT", "ValueError"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing:\n%s", want, got)
		}
	}
	if strings.Contains(got, "core.py") || strings.Contains(got, "types.py\"") {
		t.Errorf("the middle of the chain is there:\n%s", got)
	}
}

func TestRustcSaysOnce(t *testing.T) {
	text := `error[E0425]: cannot find type ` + "`V`" + `
 --> src/a.rs:3:33
  |
3 | fn f(v: &V) {}
  |          ^
  |
 ::: src/lib.rs:9:1
  |
9 | pub struct W {
  | ------------ similarly named struct W defined here
  |
help: a struct with a similar name exists
  |
3 - fn f(v: &V) {}
3 + fn f(v: &W) {}
  |

warning: ` + "`app`" + ` (lib) generated 1 warning
error: could not compile ` + "`app`" + ` (lib) due to 1 previous error; 1 warning emitted
warning: build failed, waiting for other jobs to finish...
warning: ` + "`app`" + ` (bin) generated 2 warnings
    Finished in 1s`
	got := kept(parse(t, "rustc", text))
	for _, gone := range []string{"3 - fn", "3 | fn", "src/lib.rs:9", "similarly named", "generated 1 warning\n", "build failed"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q is there:\n%s", gone, got)
		}
	}
	for _, want := range []string{"3 + fn f(v: &W) {}", "(bin) generated 2 warnings", "1 warning emitted"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
}

// What is left out of resources like those shown is said once, whatever comes
// after the last of them.
func TestTerraformCreatedAlike(t *testing.T) {
	created := func(name string) string {
		return "  # node.a[" + name + "] will be created\n  + resource \"node\" \"a\" {\n      + size = 3\n    }\n\n"
	}
	recs := parseCut(t, "terraform", created("0")+created("1")+created("2")+"  # vpc.b must be replaced\n-/+ resource \"vpc\" \"b\" {\n    }\n\n")
	var sites []string
	keys := map[string]bool{}
	for _, r := range recs {
		if r.Alike {
			sites = append(sites, r.Site)
			keys[r.Key] = true
		}
	}
	equal(t, sites, "[0]", "[1]", "[2]")
	if len(keys) != 1 {
		t.Errorf("keys %v", keys)
	}
	equal(t, shown(recs, Keep)[:2], "# node.a[0] will be created", " size = 3")
}

// Of a plan stays what changes and to what, a short block on one line, and
// nothing that is known only when it is done.
func TestTerraformPlan(t *testing.T) {
	in := `Terraform will perform the following actions:

  # oven.main[0] must be replaced
-/+ resource "oven" "main" {
      ~ bricks                       = "red" -> "white" # forces replacement
      ~ id                           = "o-1" -> (known after apply)
      - hearth                       = false -> null
        name                         = "main"
      ~ tags                         = {
          - "Old"  = "1" -> null
            "Name" = "main"
        }
        # (3 unchanged attributes hidden)

      ~ door {
          ~ id = "d-1" -> (known after apply)
        }
    }

  # shelf.rye will be updated in-place
  ~ resource "shelf" "rye" {
        id     = "s-1"
      ~ policy = jsonencode(
          ~ {
              ~ Rule = [
                  ~ {
                      ~ Who = "baker" -> "all"
                        # (2 unchanged attributes hidden)
                    },
                ]
            }
        )
      ~ label  = <<-EOT
            rye
          - old
          + new

            end
        EOT
    }

  # module.cellar["b"].shelf.s["x"] will be created
  + resource "shelf" "s" {
      + id    = (known after apply)
      + width = 30
      + tags  = {
          + "Name" = "x"
        }
    }

  # shelf.gone will be destroyed
  # (because shelf.gone is not in configuration)
  - resource "shelf" "gone" {
      - id = "s-9" -> null
    }

Plan: 2 to add, 1 to change, 2 to destroy.

Changes to Outputs:
  ~ url   = "http://a" -> "http://b"
  + names = [
      + "a",
    ]
`
	recs := parseCut(t, "terraform", in)
	equal(t, shown(recs, Keep), "# oven.main[0] must be replaced", ` ~ bricks = "red" -> "white" # forces replacement`, " - hearth = false -> null", ` ~ tags = {- "Old"  = "1" -> null}`,
		"# shelf.rye will be updated in-place", " ~ policy = jsonencode(", `  ~ {~ Rule = [~ {~ Who = "baker" -> "all"}]}`, " ~ label = <<-EOT", "  - old", "  + new",
		`# module.cellar["b"].shelf.s["x"] will be created`, " width = 30", ` tags = {"Name" = "x"}`,
		"# shelf.gone will be destroyed", " # (because shelf.gone is not in configuration)",
		"Plan: 2 to add, 1 to change, 2 to destroy.", "Changes to Outputs:", `  ~ url   = "http://a" -> "http://b"`, "  + names = [")
	equal(t, shown(parseCut(t, "terraform", "Outputs:\n\nshelves = {\n  \"rye\" = {\n    \"width\" = 30\n    \"at\" = [\n      \"a\",\n      \"b\",\n    ]\n  }\n}\n"), Body),
		`shelves = {"rye" = {"width" = 30, "at" = ["a", "b"]}}`)
	scrambleBy(t, parseCut, "terraform", in)
}

func TestTerraformAlike(t *testing.T) {
	resource := func(name, to string) string {
		return "  # node." + name + " must be replaced\n-/+ resource \"node\" \"" + name[:1] + "\" {\n      ~ triggers = [\n          ~ 3 -> " + to + ",\n        ]\n    }\n\n"
	}
	recs := parseCut(t, "terraform", resource("a[0]", "4")+resource("a[1]", "4")+resource("a[2]", "5")+"Plan: 3 to add, 0 to change, 3 to destroy.")
	keys := map[string]int{}
	for _, r := range recs {
		if r.Key != "" {
			keys[r.Key]++
		}
	}
	if len(keys) != 2 {
		t.Errorf("two kinds of change have the keys %v", keys)
	}
	if got := kept(recs); strings.Count(got, "must be replaced") != 2 || strings.Count(got, "~ 3 -> 4") != 1 || !strings.Contains(got, "~ 3 -> 5") {
		t.Errorf("kept:\n%s", got)
	}
}

func TestScript(t *testing.T) {
	equal(t, shown(parse(t, "script", "> a@1.0.0 build /home/dev/a\n> node x.mjs && pnpm gen\n\n> a@1.0.0 gen /home/dev/a\n> node gen.mjs\n\n ELIFECYCLE  Command failed with exit code 1."), Keep, Body, Failure),
		"", "> a@1.0.0 gen /home/dev/a", "", " ELIFECYCLE  Command failed with exit code 1.")
}

func TestWarningsNameTheirFiles(t *testing.T) {
	rs := parse(t, "text", "[warn] src/app.css\n[warn] src/app.jsx")
	if len(rs) != 2 || rs[1].Site != "src/app.jsx" {
		t.Errorf("%+v", rs)
	}
}

func TestCurlBodyBelowTheTalk(t *testing.T) {
	body := strings.Repeat("text of the page\n", 60)
	for text, want := range map[string]int{body: 60, "< HTTP/1.1 200 OK\n" + body: curlBody} {
		if n := len(shown(parse(t, "curl", strings.TrimSuffix(text, "\n")), Body)); n != want {
			t.Errorf("%d lines of the body, want %d", n, want)
		}
	}
}

func TestRubyLoopFrames(t *testing.T) {
	frames := func(ss ...string) (ls []Line) {
		for i, s := range ss {
			ls = append(ls, Line{N: i, Text: s})
		}
		return ls
	}
	keep, drop := thinRuby(frames("  # ./spec/a_spec.rb:14:in `block (5 levels) in <top (required)>'", "  # ./spec/a_spec.rb:13:in `each'", "  # ./spec/a_spec.rb:13:in `block (4 levels) in <top (required)>'"))
	if len(keep) != 1 || len(drop) != 2 {
		t.Errorf("kept %v", keep)
	}
	if keep, _ = thinRuby(frames("# ./lib/a.rb:4:in `parse'", "# ./lib/a.rb:9:in `each_row'")); len(keep) != 2 {
		t.Errorf("the caller is not kept: %v", keep)
	}
}

func TestBoxesLoseTheirPadding(t *testing.T) {
	text := "╭ Warning ─────────╮\n│                  │\n│   Ignored a.     │\n╰──────────────────╯"
	var got []string
	p := New("npm")
	for i, s := range strings.Split(text, "\n") {
		p.Line(Line{N: i, Text: s}, func(r Record) { got = append(got, shown([]Record{r}, Warn)...) })
	}
	p.Close(func(r Record) { got = append(got, shown([]Record{r}, Warn)...) })
	equal(t, got, "│   Ignored a.")
}
