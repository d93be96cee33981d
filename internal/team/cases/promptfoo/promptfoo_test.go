package promptfoo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"cairn/internal/team/cases"
	"cairn/internal/team/cases/promptfoo"
	"cairn/internal/team/grade"
)

func convert(t *testing.T, config string, files map[string]string) *promptfoo.Conversion {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(data)}
	}
	r := promptfoo.Reader{Files: fsys, Specs: grade.Specs()}
	made, err := r.Convert("c.yaml", []byte(config))
	if err != nil {
		t.Fatal(err)
	}
	taken(t, made)
	return made
}

// taken reads what was made as cases: every one is sound.
func taken(t *testing.T, made *promptfoo.Conversion) string {
	t.Helper()
	yaml, err := promptfoo.Write(made.Cases, "a\nb")
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Cases) == 0 {
		return yaml
	}
	l := cases.Loader{Specs: grade.Specs(), Stdin: strings.NewReader(yaml)}
	set, problems, err := l.Load([]string{"-"})
	if err != nil || len(problems.Errors()) > 0 || len(set.Cases) != len(made.Cases) {
		t.Fatalf("%v %v\n%s", err, problems, yaml)
	}
	if made.Converted > made.Assertions {
		t.Errorf("%d of %d are converted", made.Converted, made.Assertions)
	}
	return yaml
}

func TestAssertions(t *testing.T) {
	for assertion, want := range map[string]string{
		`type: equals, value: "yes"`:                                          `[{type equals} {value yes}]`,
		`type: equals, value: {a: [1]}`:                                       `[{type equals} {value map[a:[1]]}]`,
		`type: not-equals, value: x`:                                          `[{type not} {expectation [{type equals} {value x}]}]`,
		`type: contains, value: "{{v}} and {{o.p}}"`:                          `[{type response_contains} {patterns [one and 2]}]`,
		`type: contains, value: /usr/bin/`:                                    `[{type response_contains} {patterns [//usr/bin//]}]`,
		`type: contains, value: 42`:                                           `[{type response_contains} {patterns [42]}]`,
		`type: icontains, value: "a.b"`:                                       `[{type response_contains} {patterns [/a\.b/i]}]`,
		`type: not-icontains, value: x`:                                       `[{type response_excludes} {patterns [/x/i]}]`,
		`type: contains-all, value: "a, b"`:                                   `[{type response_contains} {patterns [a b]}]`,
		`type: contains-any, value: [a, 1]`:                                   `[{type response_contains_any} {patterns [a 1]}]`,
		`type: not-contains-any, value: [a, b]`:                               `[{type response_excludes} {patterns [a b]}]`,
		`type: not-contains-all, value: [a, b]`:                               `[{type not} {expectation [{type response_contains} {patterns [a b]}]}]`,
		`type: regex, value: '^\d+$'`:                                         `[{type response_contains} {patterns [/^\d+$/]}]`,
		`type: regex, value: '(?i)x'`:                                         `[{type response_contains} {patterns [/x/i]}]`,
		`type: not-regex, value: x`:                                           `[{type response_excludes} {patterns [/x/]}]`,
		`type: starts-with, value: "a*"`:                                      `[{type response_contains} {patterns [/\Aa\*/]}]`,
		`type: is-json`:                                                       `[{type json_schema}]`,
		`type: is-json, value: '{"type": "object"}'`:                          `[{type json_schema} {schema map[type:object]}]`,
		`type: contains-json, value: {type: array}`:                           `[{type contains_json} {schema map[type:array]}]`,
		`type: levenshtein, value: x`:                                         `[{type levenshtein} {value x} {max_distance 5}]`,
		`type: rouge-n, value: x, threshold: 0.5`:                             `[{type rouge} {value x} {min 0.5}]`,
		`type: similar, value: x, threshold: 0.9`:                             `[{type similar} {value x} {threshold 0.9}]`,
		`type: similar, value: [x, y]`:                                        `[{type any_of} {expectations [[{type similar} {value x} {threshold 0.75}] [{type similar} {value y} {threshold 0.75}]]}]`,
		`type: latency, threshold: 500`:                                       `[{type latency} {max_ms 500}]`,
		`type: cost, threshold: 0.01`:                                         `[{type cost} {max_usd 0.01}]`,
		`type: word-count, value: {min: 1, max: 9}`:                           `[{type word_count_range} {min 1} {max 9}]`,
		`type: llm-rubric, value: is it kind?`:                                `[{type quality_check} {criteria is it kind?}]`,
		`type: g-eval, value: [a b, c d], threshold: 1`:                       "[{type quality_check} {criteria a b\nc d} {threshold 1}]",
		`type: model-graded-closedqa, value: kind`:                            `[{type quality_check} {criteria Is this so: kind}]`,
		`type: factuality, value: Paris, metric: Facts`:                       `[{type reference_check} {value Paris} {description Facts}]`,
		`type: skill-used, value: pdf`:                                        `[{type skill_used} {skill pdf}]`,
		`type: trajectory:tool-used, value: [a, b]`:                           `[{type all_of} {expectations [[{type tool_called} {tool a}] [{type tool_called} {tool b}]]}]`,
		`type: trajectory:tool-sequence, value: {mode: exact, steps: [a, b]}`: `[{type tool_sequence} {tools [a b]} {exact true}]`,
		`type: equals, value: file://e.txt`:                                   `[{type equals} {value from the file}]`,
		`$ref: "#/templates/t"`:                                               `[{type equals} {value T}]`,
		`type: assert-set, assert: [{type: equals, value: a}, {type: is-json, weight: 3}], threshold: 0.5`: `[{type all_of} {threshold 0.5} {expectations [[{type equals} {value a}] [{type json_schema} {weight 3}]]}]`,
	} {
		made := convert(t, "templates: {t: {type: equals, value: T}}\ntests: [{vars: {v: one, o: {p: 2}}, assert: [{"+assertion+"}]}]\n", map[string]string{"e.txt": "from the file\n"})
		if len(made.Lost) > 0 || len(made.Cases) != 1 {
			t.Errorf("%s: %v %v", assertion, made.Lost, made.LeftOut)
		} else if got := fmt.Sprint(made.Cases[0].Expectations[0]); got != want {
			t.Errorf("%s\n%s\nwant %s", assertion, got, want)
		}
	}
}

// What cannot be converted is named, counted, and no case expects nothing.
func TestLostAssertions(t *testing.T) {
	for assertion, want := range map[string]string{
		`type: javascript, value: "output.length < {{n}}"`: "does not run code",
		`type: python, value: file://x.py`:                 "does not run code",
		`type: equals, value: file://x.js`:                 "does not run code",
		`type: equals, value: file://../x.txt`:             "is outside the configuration's directory",
		`type: equals, value: file:///etc/passwd`:          "no file etc/passwd",
		`type: equals, value: file://none.txt`:             "no file none.txt",
		`type: equals, value: "{{none}}"`:                  "the variable none, which the test does not have",
		`type: equals, value: "{{ v | upper }}"`:           "more than name a variable",
		`type: equals, value: "{% if v %}a{% endif %}"`:    "more than name a variable",
		`type: contains, value: ""`:                        "every text contains an empty text",
		`type: contains`:                                   "value is missing",
		`type: regex, value: '(?=x)'`:                      "lookahead",
		`type: is-json, value: {type: objekt}`:             `not "objekt"`,
		`type: is-json, value: {$ref: "http://x.test/s"}`:  "only references within it",
		`type: is-json, value: "{{{"`:                      "more than name a variable",
		`type: levenshtein, value: x, threshold: 1.5`:      "threshold must be a whole number, 0 or more, not 1.5",
		`type: latency`:                                    "threshold is missing",
		`type: latency, threshold: much`:                   "threshold must be a number",
		`type: select-best, value: x`:                      "outputs of several providers",
		`type: context-recall, value: x`:                   "retrieved context",
		`type: not-a-type`:                                 "does not know this type",
		`value: x`:                                         "it has no type",
		`$ref: "#/nothing"`:                                "points to nothing",
		`type: equals, value: x, transform: "a()"`:         "transform runs code",
		`type: equals, value: x, weight: 0`:                "its weight is 0",
		`type: assert-set, threshold: 0.5, assert: [{type: equals, value: a}, {type: javascript, value: x}]`: "does not run code",
	} {
		made := convert(t, "tests: [{description: d, vars: {v: one}, assert: [{"+assertion+"}]}, {vars: {v: two}, assert: [{type: equals, value: x}]}]\n", nil)
		if len(made.Lost) == 0 || !strings.Contains(made.Lost[0].Why, want) || made.Lost[0].Case != "d" || made.Lost[0].At.Line != 1 || made.Assertions-made.Converted < 1 {
			t.Errorf("%s: %+v, %d of %d", assertion, made.Lost, made.Converted, made.Assertions)
		}
		if len(made.Cases) != 1 || len(made.LeftOut) != 1 || made.LeftOut[0].Why != "none of its assertions could be converted" {
			t.Errorf("%s: %v %v", assertion, made.Cases, made.LeftOut)
		}
	}
}

func TestTests(t *testing.T) {
	made := convert(t, `
defaultTest:
  vars: {language: French, tone: [kind, short]}
  assert: [{type: is-json}, {type: ruby, value: x}]
  threshold: 0.5
tests:
  - description: says {{language}}
    vars: {language: German}
    assert: [{type: contains, value: "{{tone}}", weight: 2}]
  - {vars: {q: file://q.txt}, options: {disableDefaultAsserts: true, transform: output.x}, metadata: {area: math, n: 3}}
  - file://more/*.yaml
  - file://rows.json
scenarios:
  - config: [{vars: {x: 1, tone: a}}, {vars: {x: 2, tone: b}}]
    tests: [{description: "x is {{x}}", assert: [{type: equals, value: "{{x}}"}]}]
`, map[string]string{"q.txt": "what?\n", "more/a.yaml": "[file://b.yaml, {vars: {tone: z}}]", "more/b.yaml": "vars: {tone: y}\n", "rows.json": `[{"tone":"row","k":"v"}]`})
	var names []string
	for _, c := range made.Cases {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, "|"); got != "says German|says German (2)|French|French (2)|French (3)|French (4)|x is 1|x is 2" {
		t.Error(got)
	}
	if c := made.Cases[1]; fmt.Sprint(c.Expectations) != `[[{type all_of} {threshold 0.5} {expectations [[{type json_schema}] [{type response_contains} {patterns [short]} {weight 2}]]}]]` || fmt.Sprint(c.Input) != "map[language:German tone:short]" {
		t.Errorf("%v %v", c.Expectations, c.Input)
	}
	if made.Tests != 10 || made.Assertions != 20 || made.Converted != 12 || len(made.Lost) != 1 || made.Lost[0].Times != 8 {
		t.Errorf("%d tests, %d assertions, %+v", made.Tests, made.Assertions, made.Lost)
	}
	var left []string
	for _, l := range made.LeftOut {
		left = append(left, fmt.Sprintf("%s %d %v", l.What, l.Times, l.Matters()))
	}
	if got := strings.Join(left, "|"); got != "transform 1 true|test 2 false" {
		t.Error(got)
	}
}

// Settings that are not converted are listed, wherever they stand.
func TestSettings(t *testing.T) {
	made := convert(t, `
defaultTest: {options: {provider: x, postprocess: y}}
tests:
  - {provider: a, assertScoringFunction: file://x.js, odd: 1, vars: {a: 1}, assert: [{type: llm-rubric, value: is it so?, provider: b, rubricPrompt: c, config: {d: 1}}]}
  - file://none.yaml
scenarios: file://gone.yaml
`, nil)
	var left []string
	for _, l := range made.LeftOut {
		left = append(left, fmt.Sprintf("%d:%s %v", l.At.Line, l.What, l.Matters()))
	}
	if got, want := strings.Join(left, "|"), "2:provider false|2:postprocess true|5:file://none.yaml true|4:provider false|4:assertScoringFunction true|4:odd false|4:provider false|4:rubricPrompt true|4:llm-rubric.config false|6:file://gone.yaml true"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if len(made.Cases) != 1 || made.Converted != 1 {
		t.Errorf("%+v", made)
	}
}

// What refers to itself, or stands for millions, ends.
func TestHostileConfigs(t *testing.T) {
	wide := "tests: [{vars: {"
	for i := range 20 {
		wide += fmt.Sprintf("v%d: [1, 2, 3, 4], ", i)
	}
	for config, want := range map[string]string{
		wide + "}, assert: [{type: is-json}]}]": "more than 10000 tests",
		"[]":                                    "not a promptfoo configuration",
		"a: 1":                                  "neither tests nor scenarios",
		"tests: {{":                             "YAML",
		"":                                      "empty",
	} {
		r := promptfoo.Reader{Files: fstest.MapFS{}, Specs: grade.Specs()}
		if _, err := r.Convert("c.yaml", []byte(config)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", config, err, want)
		}
	}
	files := map[string]string{"self.yaml": "[file://self.yaml, {assert: [{type: is-json}]}]"}
	for i := range 30 { // each refers twice to the next
		files[fmt.Sprintf("f%d.yaml", i)] = fmt.Sprintf("[file://f%d.yaml, file://f%d.yaml]", i+1, i+1)
	}
	made := convert(t, "tests: [file://self.yaml, file://f0.yaml, https://example.test/x.yaml, 7]\n", files)
	if len(made.Cases) != 1 || len(made.LeftOut) < 4 {
		t.Errorf("%d cases, %v", len(made.Cases), made.LeftOut)
	}
	deep := "tests: [{assert: [" + strings.Repeat("{type: assert-set, assert: [", 15) + "{type: is-json}" + strings.Repeat("]}", 15) + "]}]"
	if made := convert(t, deep, nil); len(made.Cases) != 0 || len(made.Lost) != 1 {
		t.Errorf("%v", made)
	}
}

// A link that leads out of the directory is not followed.
func TestNothingOutsideIsRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret.txt"), []byte("SECRET"), 0o600); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(dir, "config")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../secret.txt", filepath.Join(inside, "link.txt")); err != nil {
		t.Skip("no links here")
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	r := promptfoo.Reader{Files: root.FS(), Specs: grade.Specs()}
	made, err := r.Convert("c.yaml", []byte(`tests: [{vars: {a: file://link.txt, b: file://../secret.txt, c: "file://`+filepath.ToSlash(dir)+`/secret.txt"}, assert: [{type: equals, value: file://link.txt}, {type: is-json}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	if yaml := taken(t, made); strings.Contains(yaml, "SECRET") || len(made.Lost) != 1 || len(made.LeftOut) != 3 {
		t.Errorf("%v %v\n%s", made.Lost, made.LeftOut, yaml)
	}
}

// Texts that YAML reads in another way come back as they were.
func TestWrittenTexts(t *testing.T) {
	for _, s := range []string{"yes", "1.0", "null", "~", "- a", "a: b", "a #b", " lead", "trail ", "x\n  y\n", "tab\there", "\x1b[31mred", "'", `"`, "*a", "&a", "!x", "{{v}}", "é\u2028x", "---", "# no", "0x1f", "\r\n", "|", ">-\n x"} {
		made := &promptfoo.Conversion{Cases: []promptfoo.Case{{Name: "c", Input: map[string]any{"v": s, "n": 1.5, "w": 3.0, "l": []any{s, nil, true}}, Expectations: []promptfoo.Expectation{{{Name: "type", Value: "worthy"}, {Name: "description", Value: s + "x"}}}}}}
		yaml := taken(t, made)
		docs, err := cases.ParseYAML("", []byte(yaml))
		if err != nil {
			t.Fatal(err)
		}
		input := docs[0].Value().([]any)[0].(map[string]any)["input"].(map[string]any)
		if input["v"] != s || input["l"].([]any)[0] != s || input["n"] != 1.5 || input["w"] != 3.0 {
			t.Errorf("%q became %q\n%s", s, input["v"], yaml)
		}
		if strings.ContainsAny(yaml, "\x1b\r") {
			t.Errorf("%q is written raw", s)
		}
	}
}
