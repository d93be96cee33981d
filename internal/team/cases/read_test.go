package cases

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// specs stand for those of the package grade.
var specs = []Spec{
	{Name: "has_text", Keys: []Key{{Name: "patterns", Kind: Patterns, Required: true}, {Name: "min_words", Kind: Count, Default: "1"}, {Name: "max_words", Kind: Count}}},
	{Name: "in_range", Keys: []Key{{Name: "min", Kind: Number}, {Name: "max", Kind: Number}}, Needs: []string{"min", "max"}},
	{Name: "takes_all", Keys: []Key{{Name: "pct", Kind: Percent}, {Name: "share", Kind: Share}, {Name: "text", Kind: Text}, {Name: "texts", Kind: Texts}, {Name: "one", Kind: OneOf}, {Name: "flag", Kind: Bool},
		{Name: "value", Kind: Scalar}, {Name: "matches", Kind: Matches}, {Name: "where", Kind: Where}, {Name: "places", Kind: Places}, {Name: "severity", Kind: Grade}}},
	{Name: "quality_check", Judged: true, Keys: []Key{{Name: "criteria", Kind: Marks}, {Name: "judge_profile", Kind: Text}}},
}

const full = `# a comment
name: full
description: |
  two
  lines
category: c
tags: [a, 1]
suite: s
prompt_source_files: x.txt
user_message: hello
input: {attendees: [Ann]}
expectations:
  - type: has_text
    patterns: ["/\\bhome\\b/i", plain]
    path: a.b
  - {type: takes_all, pct: 5, share: 0.5, text: t, texts: [a, b], one: /x/, flag: true, value: 7, matches: {a.b: x, n: 3}, where: 'c[0]', places: [d, e.f], severity: Red}
  - {type: quality_check, criteria: {accuracy: 0.8, tone: }}
`

func TestRead(t *testing.T) {
	all, problems := Read("f.yaml", []byte(full), specs, nil)
	if len(problems) > 0 || len(all) != 1 {
		t.Fatal(problems)
	}
	c := all[0]
	if c.Name != "full" || c.Description != "two\nlines\n" || c.Category != "c" || fmt.Sprint(c.Tags) != "[a 1]" || c.Suite != "s" || c.Sources[0].Name != "x.txt" {
		t.Errorf("%+v", c)
	}
	if fmt.Sprint(c.Input) != "map[attendees:[Ann] user_message:hello]" {
		t.Errorf("input %v", c.Input)
	}
	e := c.Expectations[0]
	if p := e.Patterns("patterns"); len(p) != 2 || !p[0].In("my Home is") || p[0].In("homes") || !p[1].In("plain") || p[1].In("Plain") {
		t.Errorf("patterns %v", p)
	}
	if n, ok := e.Number("min_words"); n != 1 || !ok {
		t.Errorf("the default is %v, %v", n, ok)
	}
	if _, ok := e.Number("max_words"); ok || e.Path.String() != "a.b" || e.At.String() != "f.yaml:13:11" {
		t.Errorf("%v %s", e.Path, e.At)
	}
	e = c.Expectations[1]
	text, _ := e.Text("text")
	where, _ := e.Where("where")
	if text != "t" || fmt.Sprint(e.Texts("texts")) != "[a b]" || !e.Bool("flag") || e.Value("value") != 7.0 || where.String() != "c[0]" || len(e.Places("places")) != 2 || len(e.Matches("matches")) != 2 {
		t.Errorf("%+v", e)
	}
	if got := fmt.Sprint(c.Expectations[2].Judged.Criteria); got != "map[accuracy:0.8 tone:0.7]" {
		t.Errorf("criteria %s", got)
	}
}

var rewrite = flag.Bool("update", false, "write testdata/lint/*.want")

// Every file of testdata/lint is read, and its problems stand beside it.
func TestLint(t *testing.T) {
	t.Chdir("testdata/lint")
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		want, err := os.ReadFile(strings.TrimSuffix(file, ".yaml") + ".want")
		if err != nil {
			t.Fatal(err)
		}
		_, problems, err := (&Loader{Specs: specs}).Load([]string{file})
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, p := range problems {
			level := ""
			if p.Warning {
				level = "warning: "
			}
			fmt.Fprintf(&got, "%d:%d: %s%s\n", p.At.Line, p.At.Column, level, p.What)
		}
		if *rewrite {
			if err := os.WriteFile(strings.TrimSuffix(file, ".yaml")+".want", []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if got.String() != string(want) {
			t.Errorf("%s:\n%s\nwant\n%s", file, &got, want)
		}
	}
}

// What is too large is refused at once, with one sentence.
func TestLimits(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'j'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", c-1), 10), ", "))
	}
	var keys, deep strings.Builder
	for i := range maxKeys + 1 {
		fmt.Fprintf(&keys, "key%d: v\n", i)
	}
	for i := range 1000 {
		deep.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	for name, tt := range map[string]struct{ yaml, want string }{
		"bomb":      {bomb, "more than 200000 values, counting what aliases (*name) stand for"},
		"size":      {"name: " + strings.Repeat("x", MaxBytes), "larger than 1024 KB; split the file"},
		"flow":      {strings.Repeat("[", 500_000), "nested deeper than 50 levels"},
		"dashes":    {strings.Repeat("- ", 500_000), "nested deeper than 50 levels"},
		"questions": {strings.Repeat("? ", 500_000), "nested deeper than 50 levels"},
		"indent":    {deep.String(), "nested deeper than 50 levels"},
		"keys":      {keys.String(), "more than 1000 keys in one object"},
		"flow keys": {"{" + strings.ReplaceAll(keys.String(), "\n", ", ") + "}", "more than 1000 keys in one object"},
		"documents": {strings.Repeat("---\na: b\n", 100_000), "more than 5000 documents; split the file"},
		"tags":      {strings.Repeat("!!str ", 100_000), "nested deeper than 50 levels"},
		"anchors":   {strings.Repeat("&a ", 100_000), "nested deeper than 50 levels"},
		"zero":      {"name: a\x00", "holds a zero byte, so it is not text"},
		"latin 1":   {"name: caf\xe9", "not UTF-8"},
		"itself":    {"a: &a [*a]", "no anchor &a before this alias"},
		"merge":     {"a: {<<: 5}", "<< is followed by something that is no object"},
		"tag":       {"a: !ruby/object x", "the tag !ruby/object is not supported; write plain YAML"},
		"twice":     {"name: a\nname: b", `the key "name" stands twice, first in line 1`},
		"inf":       {"a: .inf", ".inf cannot be used as a number"},
		"tab":       {"name: a\n\texpectations: []", "invalid YAML: the line is indented by a tab; YAML wants spaces"},
		"key":       {"[a]: b", "invalid YAML: found an invalid key for this map"},
	} {
		_, err := parse("f", []byte(tt.yaml))
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

func TestAliases(t *testing.T) {
	docs, err := parse("f", []byte("base: &base {a: 1, b: 2}\nuse: {<<: *base, b: 3}\nmany: {<<: [*base, {c: 4}]}\nnumber: !!str 5\n? long key\n: v\nnull: x\n2: y"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(docs[0].value()), "map[2:y base:map[a:1 b:2] long key:v many:map[a:1 b:2 c:4] null:x number:5 use:map[a:1 b:3]]"; got != want {
		t.Errorf("%s\n%s", got, want)
	}
}

// Many cases are no object of many keys.
func TestManyCases(t *testing.T) {
	var list strings.Builder
	for i := range 2 * maxKeys {
		fmt.Fprintf(&list, "- name: c%d\n  a: {b: c}\n  expectations:\n  - type: in_range\n    min: 1\n", i)
	}
	if all, problems := Read("f", []byte(list.String()), specs, nil); len(all) != 2*maxKeys {
		t.Error(problems)
	}
}

// An anchor is known in its own document alone.
func TestAnchorsOfDocuments(t *testing.T) {
	if _, err := parse("f", []byte("a: &x 1\n---\nb: *x")); err == nil || !strings.Contains(err.Error(), "f:2:") && !strings.Contains(err.Error(), "f:3:") {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(full))
	files, _ := filepath.Glob("testdata/lint/*.yaml")
	for _, name := range files {
		data, _ := os.ReadFile(name)
		f.Add(data)
	}
	for _, s := range []string{"a: &a {<<: *a}", "- &x [*x]\n- ? {a: b}\n  : c", "a: !!str\n", "--- |\n x\n...\n%YAML 1.2\n---\n", "a:\n- b\n c: 'd", "<<: <<", "\t- a", "a: \"\\u", "{a, b: }", "!!map {a: !!int 'x'}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, problems := Read("f", data, specs, nil)
		if len(all) == 0 && len(problems) == 0 {
			t.Error("neither a case nor a problem")
		}
		for _, p := range append(problems, second(ReadProfiles("p", data))...) {
			if strings.ContainsAny(p.Error(), "\n\r\x1b") || p.What == "" {
				t.Errorf("no sentence: %q", p.Error())
			}
		}
	})
}

func second(_ *Profiles, problems Problems) Problems { return problems }

// Read reads the cases of a file; one with an error is not returned.
func Read(file string, data []byte, specs []Spec, profiles *Profiles) ([]Case, Problems) {
	r := reader{specs: specs, profiles: profiles}
	return sound(r.file(file, data)), r.problems
}
