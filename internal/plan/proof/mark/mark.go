// Package mark reads source files for what keeps a test or a change from proving
// anything: tests that are skipped, focused, empty or deleted, stubs, bodies that
// do nothing, errors that are swallowed. It reads Go by its syntax tree, and
// Python, JavaScript, TypeScript and Rust by a lexer that knows strings and
// comments, so that a word in a string is no mark.
//
// Package proof imports it. It opens no file and runs nothing; whether a line
// belongs to a phase is not known here.
package mark

import (
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// Lang is a language that is read.
type Lang string

const (
	Go     Lang = "go"
	Python Lang = "python"
	Script Lang = "javascript" // and TypeScript
	Rust   Lang = "rust"
)

// Of returns the language of a file by its name, "" for one that is not read.
func Of(name string) Lang {
	switch path.Ext(name) {
	case ".go":
		return Go
	case ".py":
		return Python
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx":
		if strings.HasSuffix(name, ".d.ts") {
			return ""
		}
		return Script
	case ".rs":
		return Rust
	}
	return ""
}

// IsTest reports whether a file is one of tests by its name, in any language.
func IsTest(name string) bool {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasSuffix(base, "_test.go") {
		return true
	}
	switch Of(name) {
	case Python:
		return strings.HasPrefix(base, "test_") || strings.HasSuffix(stem, "_test") || base == "conftest.py" || base == "tests.py" || inTestDir(name)
	case Script:
		return strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") || strings.HasSuffix(stem, "-test") || strings.HasSuffix(stem, "_test") ||
			strings.HasPrefix(base, "test-") || strings.HasPrefix(base, "test.") || inTestDir(name)
	case Rust:
		return inTestDir(name) || base == "tests.rs"
	}
	return false
}

func inTestDir(name string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool {
		return dir == "test" || dir == "tests" || dir == "__tests__" || dir == "spec" || dir == "e2e"
	})
}

// Kind is what a mark says.
type Kind string

const (
	Skipped   Kind = "skipped test"       // it does not run, whatever the circumstances
	Focused   Kind = "focused test"       // the others do not run
	Vacuous   Kind = "test without check" // it runs, and cannot fail
	Stub      Kind = "stub"               // says itself that it is not done
	Empty     Kind = "empty body"         // a function that does nothing
	Constant  Kind = "constant result"    // whatever the arguments
	Swallowed Kind = "swallowed error"    // caught, and nobody is told
	Special   Kind = "code for tests"     // does something else while it is tested
	Uncounted Kind = "coverage exclusion" // what is measured does not see it
	Off       Kind = "check switched off" // the compiler does not look
	Mocked    Kind = "mocked subject"     // a test replaces what it is about
	Guarded   Kind = "guarded test"       // it runs only where a variable of the environment is set: Name
	Dead      Kind = "dead code"          // its condition never holds
	Tagged    Kind = "tagged test"        // it runs only when a tag is named: Name
)

// Mark is a place that proves nothing.
type Mark struct {
	Kind Kind
	Line int    // from 1
	End  int    // the last line that it is about; for one line the same
	What string // the code, in a line
	Name string // of the test or function, where it has one
}

// Function is a function with a body.
type Function struct {
	Name       string // with its type or class: Tree.Lookup
	Line, End  int    // from 1, both in it
	From       int    // of Python: offset of its first decorator
	Open       int    // offset behind what opens the body
	Close      int    // offset of what closes it
	Test       bool
	Checks     int      // places in it that can turn it red
	Results    []string // of Go: the types
	Result     string   // of Rust
	Bare       bool     // of Go: results have names, and return needs no values
	Frozen     bool     // no statement can be put before its body's: const fn, a constructor, a body in one line
	Indent     string   // of Python: before each statement
	Statements int
	params     []string
	method     bool
}

// Source is a file that was read.
type Source struct {
	Name      string
	Lang      Lang
	Text      string
	Code      string // Text with strings and comments blanked
	Comments  string // Text with everything else blanked
	Functions []Function
	Marks     []Mark
	Err       error // it does not parse
	starts    []int // offset of each line
}

// Read reads a file; of a language that is not known nothing but its lines.
func Read(name, text string) *Source {
	s := &Source{Name: name, Lang: Of(name), Text: text, starts: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	if s.Lang == "" {
		return s
	}
	s.Code, s.Comments = mask(s.Lang, text)
	switch s.Lang {
	case Go:
		s.readGo()
	case Python:
		s.readPython()
	case Script:
		s.readScript()
	case Rust:
		s.readRust()
	}
	s.readTricks()
	s.readComments()
	slices.SortStableFunc(s.Marks, func(a, b Mark) int { return a.Line - b.Line })
	s.Marks = slices.CompactFunc(s.Marks, func(a, b Mark) bool { return a.Kind == b.Kind && a.Line == b.Line })
	return s
}

// Generated reports whether the file says that a program wrote it.
func (s *Source) Generated() bool {
	head := s.Text[:min(len(s.Text), 2000)]
	return strings.Contains(head, "Code generated") && strings.Contains(head, "DO NOT EDIT") || strings.Contains(head, "@generated")
}

// At is the line of an offset, from 1.
func (s *Source) At(offset int) int {
	return sort.Search(len(s.starts), func(i int) bool { return s.starts[i] > offset })
}

// Line returns a line, from 1, without the spaces around it.
func (s *Source) Line(n int) string {
	if n < 1 || n > len(s.starts) {
		return ""
	}
	line, _, _ := strings.Cut(s.Text[s.starts[n-1]:], "\n")
	return strings.TrimSpace(line)
}

// Says reports whether a line, from 1, has code in it, not only comments and brackets.
func (s *Source) Says(n int) bool {
	if n < 1 || n > len(s.starts) {
		return false
	}
	line, _, _ := strings.Cut(s.Code[s.starts[n-1]:], "\n")
	return strings.Trim(line, " \t\r{}()[];,") != ""
}

func (s *Source) mark(kind Kind, offset int, name string) {
	line := s.At(offset)
	s.Marks = append(s.Marks, Mark{kind, line, line, s.Line(line), name})
}

func (s *Source) markFunction(kind Kind, f Function) {
	s.Marks = append(s.Marks, Mark{kind, f.Line, f.End, s.Line(f.Line), f.Name})
}

// Tests returns the tests of the file by name.
func (s *Source) Tests() map[string]Function {
	out := map[string]Function{}
	for _, f := range s.Functions {
		if f.Test {
			out[f.Name] = f
		}
	}
	return out
}

// Body is the text of a function's body.
func (s *Source) Body(f Function) string { return s.Text[f.Open:max(f.Open, f.Close)] }

// Whole is the body with the cases that decorators hold.
func (s *Source) Whole(f Function) string {
	if f.From == 0 {
		return s.Body(f)
	}
	return s.Text[f.From:max(f.From, f.Close)]
}

// Unused returns a parameter that a decorator sets, that the body used before and does not
// use now: the expected result of a case is no longer compared.
func (s *Source) Unused(f Function, was string) string {
	if f.From == 0 {
		return ""
	}
	cases, is := s.Text[f.From:f.Open], s.Body(f)
	for _, p := range f.params {
		word := regexp.MustCompile(`(?:^|[^.\w])` + regexp.QuoteMeta(p) + `\b`)
		if named := regexp.MustCompile(`parametrize\([^\n]*\n?[^\n]*["'][^"']*\b` + regexp.QuoteMeta(p) + `\b`); named.MatchString(cases) && word.MatchString(was) && !word.MatchString(is) {
			return p
		}
	}
	return ""
}

func (s *Source) code(f Function) string { return s.Code[f.Open:max(f.Open, f.Close)] }

// In returns the function that holds a line, the innermost.
func (s *Source) In(line int) (found Function, ok bool) {
	for _, f := range s.Functions {
		if f.Line <= line && line <= f.End && (!ok || f.End-f.Line < found.End-found.Line) {
			found, ok = f, true
		}
	}
	return found, ok
}

// commented reports whether a comment stands in a span.
func (s *Source) commented(from, to int) bool {
	return strings.TrimSpace(s.Comments[from:to]) != ""
}
