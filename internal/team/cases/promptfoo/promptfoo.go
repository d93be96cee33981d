// Package promptfoo converts the tests of a promptfoo configuration into eval
// cases, with their variables and assertions. It lists everything that it could
// not convert, with the position and the reason.
//
// It reads the configuration and the YAML, JSON and text files in its directory,
// and runs nothing. Only the command line imports it.
package promptfoo

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

// A Conversion is what became of a configuration.
type Conversion struct {
	Cases      []Case
	Tests      int // counting those that lists of variables make
	Assertions int // of all tests
	Converted  int // of them
	Lost       []Lost
	LeftOut    []Lost // tests that did not become a case, and settings
}

// A Case is a test as a case.
type Case struct {
	Name         string
	Description  string
	Tags         []string
	Input        map[string]any
	Expectations []Expectation
}

// An Expectation is one as YAML writes it, in the order of its keys.
type Expectation []Key

// A Key is a member of an expectation.
type Key struct {
	Name  string
	Value any // of JSON, or an Expectation or []Expectation
}

// Lost is something that was not converted.
type Lost struct {
	At    cases.Position
	Case  string // the first that has it
	What  string // the type of an assertion, or the name of a setting
	Why   string
	Times int // of how many tests

	Unread bool // tests that could not be read: nobody knows what is in them
}

// mostTests is how many tests a configuration may have, counting those that lists
// of variables make.
const mostTests = 10_000

// A Reader converts one configuration.
type Reader struct {
	Files fs.FS // beneath the directory of the configuration; reads nothing outside of it
	Specs []cases.Spec

	config cases.Node
	made   Conversion
	names  map[string]int  // of cases, each with how often it was given
	asked  map[string]bool // files that are being read
	met    int             // tests of scenarios
	files  int             // that were
}

// Convert reads a configuration. Its error is one that cannot be read at all.
func (r *Reader) Convert(name string, data []byte) (*Conversion, error) {
	docs, err := cases.ParseYAML(name, data)
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return nil, fmt.Errorf("%s: empty", name)
	}
	r.config, r.names, r.asked = docs[0], map[string]int{}, map[string]bool{}
	if _, ok := r.config.Fields(); !ok {
		return nil, fmt.Errorf("%s: not a promptfoo configuration, which is an object with tests", name)
	}
	if !r.config.Get("tests").There() && !r.config.Get("scenarios").There() {
		return nil, fmt.Errorf("%s: has neither tests nor scenarios", name)
	}
	base := r.defaults()
	for _, t := range r.tests(r.config.Get("tests"), ".") {
		r.test(base, t)
	}
	for _, s := range r.several(r.config.Get("scenarios"), ".") {
		for _, c := range r.several(s.Get("config"), ".") {
			with := base.join(r, c)
			for _, t := range r.tests(s.Get("tests"), ".") {
				if r.met++; r.met > mostTests { // each with each: a short file stands for millions
					return nil, fmt.Errorf("%s: more than %d tests, counting those of scenarios", name, mostTests)
				}
				r.test(with, t)
			}
		}
	}
	if r.made.Tests > mostTests {
		return nil, fmt.Errorf("%s: more than %d tests, counting those of lists of variables", name, mostTests)
	}
	return &r.made, nil
}

// frame is what tests have in common.
type frame struct {
	description string
	vars        []variable
	asserts     []cases.Node
	threshold   float64
	metadata    cases.Node
}

type variable struct {
	name  string
	value any
	at    cases.Position
}

// join is a frame with what a test, a scenario's data or the default test adds.
func (f frame) join(r *Reader, n cases.Node) frame {
	f.description = cmp.Or(said(n.Get("description")), f.description)
	if n.Get("options").Get("disableDefaultAsserts").Value() == true {
		f.asserts = nil
	}
	f.vars = slices.Clone(f.vars)
	vars := n.Get("vars")
	if isRow(n) {
		vars = n
	}
	for _, v := range r.vars(vars) {
		if i := slices.IndexFunc(f.vars, func(had variable) bool { return had.name == v.name }); i >= 0 {
			f.vars[i] = v
		} else {
			f.vars = append(f.vars, v)
		}
	}
	f.asserts = slices.Concat(f.asserts, r.several(n.Get("assert"), "."))
	if t, ok := n.Get("threshold").Number(); ok {
		f.threshold = t
	}
	if m := n.Get("metadata"); m.There() {
		f.metadata = m
	}
	return f
}

// isRow reports whether an object is a row of data, all variables, as files of
// tests may hold them.
func isRow(n cases.Node) bool {
	fields, ok := n.Fields()
	return ok && len(fields) > 0 && !slices.ContainsFunc(fields, func(f cases.Field) bool {
		return slices.Contains([]string{"vars", "assert", "description", "options", "provider", "providers", "prompts", "threshold", "metadata", "assertScoringFunction", "config", "tests"}, f.Name)
	})
}

func said(n cases.Node) string {
	w, _ := n.Word()
	return strings.TrimSpace(w)
}

// defaults is the default test.
func (r *Reader) defaults() frame {
	n := r.config.Get("defaultTest")
	if name, ok := n.Text(); ok {
		docs, err := r.yaml(name, ".")
		doc, err := only(name, docs, err)
		if err != nil {
			r.unread(n.Place(), "defaultTest", err.Error())
			return frame{}
		}
		n = doc.node
	}
	r.settings(n, "defaultTest")
	return frame{}.join(r, n)
}

// used are the members of tests and of their options that are converted.
var used = map[string]bool{"description": true, "vars": true, "assert": true, "threshold": true, "metadata": true, "options": true, "path": true, "config": true, "tests": true,
	"disableDefaultAsserts": true, "disableVarExpansion": true}

// grading are the settings of tests that change what is graded, and why they
// are not converted.
var grading = map[string]string{
	"transform":             "outputs are graded as your runner writes them; transform them there",
	"postprocess":           "outputs are graded as your runner writes them; transform them there",
	"rubricPrompt":          "judges are asked with cairn's prompt; put your instructions into system of a judge profile",
	"assertScoringFunction": "cairn does not run code from a configuration",
}

// settings notes the settings of a test that are not converted.
func (r *Reader) settings(n cases.Node, name string) {
	if isRow(n) {
		return
	}
	for _, from := range []cases.Node{n, n.Get("options")} {
		fields, _ := from.Fields()
		for _, f := range fields {
			switch {
			case used[f.Name] || !f.There():
			case grading[f.Name] != "":
				r.leave(f.At, name, f.Name, grading[f.Name])
			case strings.HasPrefix(f.Name, "provider"):
				r.leave(f.At, name, f.Name, "choose the model in your runner, and the judge in a judge profile")
			default:
				r.leave(f.At, name, f.Name, "a case has no such setting")
			}
		}
	}
}

// tests are those of a list, of a file or of several.
func (r *Reader) tests(n cases.Node, dir string) []cases.Node {
	var all []cases.Node
	for _, t := range r.several(n, dir) {
		if _, ok := t.Fields(); ok {
			if p := t.Get("path"); p.There() && !t.Get("assert").There() && !t.Get("vars").There() {
				r.unread(t.Place(), "tests", "a program makes these tests; cairn does not run code from a configuration")
				continue
			}
			all = append(all, t)
			continue
		}
		r.unread(t.Place(), "tests", "a test must be an object")
	}
	return all
}

// test makes the cases of a test: several, where variables are lists.
func (r *Reader) test(base frame, n cases.Node) {
	f := base.join(r, n)
	r.settings(n, f.description)
	if r.config.Get("evaluateOptions").Get("disableVarExpansion").Value() == true || n.Get("options").Get("disableVarExpansion").Value() == true {
		r.one(f, n.Place())
		return
	}
	r.expand(f, 0, n.Place())
}

// expand makes a case for every combination of what lists of variables hold.
func (r *Reader) expand(f frame, from int, at cases.Position) {
	if r.made.Tests > mostTests {
		return
	}
	for i := from; i < len(f.vars); i++ {
		list, ok := f.vars[i].value.([]any)
		if !ok || len(list) == 0 || slices.ContainsFunc(list, func(v any) bool { _, isList := v.([]any); return isList }) {
			continue
		}
		for _, v := range list {
			with := f
			with.vars = slices.Clone(f.vars)
			with.vars[i].value = v
			r.expand(with, i+1, at)
		}
		return
	}
	r.one(f, at)
}

// one makes one case.
func (r *Reader) one(f frame, at cases.Position) {
	r.made.Tests++
	vars := map[string]any{}
	for _, v := range f.vars {
		vars[v.name] = v.value
	}
	for _, v := range f.vars {
		if s, ok := v.value.(string); ok {
			if filled, err := fill(s, vars); err == nil {
				vars[v.name] = filled
			}
		}
	}
	description, err := fill(f.description, vars)
	if err != nil {
		description = f.description
	}
	c := Case{Name: r.name(description, f.vars, vars), Input: vars, Tags: metadataTags(f.metadata)}
	if c.Name != description {
		c.Description = description
	}
	weights := make([]float64, 0, len(f.asserts))
	for _, a := range f.asserts {
		list, weight := r.assertion(a, vars, c.Name, 0)
		for _, e := range list {
			c.Expectations = append(c.Expectations, e)
			weights = append(weights, weight)
		}
	}
	if len(c.Expectations) == 0 {
		delete(r.names, c.Name)
	}
	switch {
	case len(f.asserts) == 0:
		r.leave(at, c.Name, "test", "it has no assertions; a case needs at least one expectation")
		return
	case len(c.Expectations) == 0:
		r.leave(at, c.Name, "test", "none of its assertions could be converted")
		return
	case f.threshold > 0 && f.threshold <= 1:
		for i := range c.Expectations {
			c.Expectations[i] = c.Expectations[i].weighing(weights[i])
		}
		c.Expectations = []Expectation{{{"type", "all_of"}, {"threshold", f.threshold}, {"expectations", c.Expectations}}}
	}
	r.made.Cases = append(r.made.Cases, c)
}

// weighing is an expectation with its weight.
func (e Expectation) weighing(weight float64) Expectation {
	if weight == 1 {
		return e
	}
	return append(slices.Clip(e), Key{"weight", weight})
}

// name is a name for a case that no other has: its description, or what it is
// given.
func (r *Reader) name(description string, order []variable, vars map[string]any) string {
	name := text.First(strings.Join(strings.Fields(description), " "), 100)
	if name == "" {
		for _, v := range order {
			if s, ok := vars[v.name].(string); ok && strings.TrimSpace(s) != "" {
				name = text.First(strings.Join(strings.Fields(s), " "), 60)
				break
			}
		}
	}
	name = cmp.Or(name, "test")
	for base := name; r.names[name] > 0; {
		r.names[base]++
		name = fmt.Sprintf("%s (%d)", base, r.names[base])
	}
	r.names[name] = 1
	return name
}

// metadataTags are members of metadata that are texts, as tags.
func metadataTags(n cases.Node) (tags []string) {
	fields, _ := n.Fields()
	for _, f := range fields {
		if s, ok := f.Text(); ok && s != "" && !strings.Contains(s, "\n") && len(s) <= 60 {
			tags = append(tags, f.Name+"="+s)
		}
	}
	return tags
}

// Matters reports whether what was left out could change a result: tests that
// were not read, and settings of grading. A test without assertions, a file of
// input and the choice of the model do not.
func (l Lost) Matters() bool { return l.Unread || grading[l.What] != "" }

// leave notes a test or a setting that does not become part of the cases.
func (r *Reader) leave(at cases.Position, name, what, why string) {
	r.made.LeftOut = note(r.made.LeftOut, Lost{At: at, Case: name, What: what, Why: why, Times: 1})
}

// unread notes tests, or what they have in common, that could not be read.
func (r *Reader) unread(at cases.Position, what, why string) {
	r.made.LeftOut = note(r.made.LeftOut, Lost{At: at, What: what, Why: why, Times: 1, Unread: true})
}

// lose notes an assertion that could not be converted.
func (r *Reader) lose(at cases.Position, name, what, why string) {
	r.made.Lost = note(r.made.Lost, Lost{At: at, Case: name, What: what, Why: why, Times: 1})
}

// note adds what is lost, or counts it once more: of the default test
// everything is lost in each test.
func note(list []Lost, l Lost) []Lost {
	if i := slices.IndexFunc(list, func(had Lost) bool { return had.At == l.At && had.What == l.What && had.Why == l.Why }); i >= 0 {
		list[i].Times++
		return list
	}
	return append(list, l)
}

// inDir is a file's name as another file names it.
func inDir(dir, name string) string { return path.Join(dir, strings.TrimPrefix(name, "file://")) }
