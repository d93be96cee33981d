// Package cases reads the YAML of eval cases and of judge profiles, and says
// with file, line and column what is wrong with it.
//
// It holds what a case is, the patterns and paths that expectations are written
// with, and the shape in which a type of expectation is declared. Packages of
// the team part and cli may import it. What an expectation means, any output of
// a model and any network never belong here: the types are declared and checked
// by the package grade.
package cases

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

// A Case is one test: what the runner is given, and what its output has to be.
type Case struct {
	Name        string
	Suite       string // "" is the suite of the run
	Description string
	Category    string
	Tags        []string
	Sources     []Source // prompt_source_files

	// Input is every member of the case that this format does not know, and
	// those of a member "input": what the runner is given. Read only.
	Input map[string]any

	Expectations []Expectation
	Comparison   *Comparison // nil without an A/B test
	Chain        []Tier      // empty without tiers
	At           Position
}

// Expected is the right answer, where the case has one: the member "expected"
// of its input.
func (c *Case) Expected() (v any, ok bool) {
	v = c.Input[expectedMember]
	return v, v != nil
}

const expectedMember = "expected"

// Given is the input without the right answer: what the runner was asked.
func (c *Case) Given() map[string]any {
	given := maps.Clone(c.Input)
	delete(given, expectedMember)
	return given
}

// A Source is a file that the case's output depends on.
type Source struct {
	Name string
	At   Position
}

// An Expectation is one thing that an output has to satisfy. Its arguments
// were checked against the declaration of its type; defaults are filled in.
type Expectation struct {
	Type   string
	Path   Path   // where to look instead of where the type looks; empty is there
	Given  string // Path as it was written
	Judged *Judged
	Parts  []Expectation // of not, any_of and all_of
	Weight float64       // in all_of
	At     Position
	args   []argument
}

// Leaves yields the expectation itself, or the ones it joins, at any depth.
func (e *Expectation) Leaves() iter.Seq[*Expectation] {
	return func(yield func(*Expectation) bool) { e.leaves(yield) }
}

func (e *Expectation) leaves(yield func(*Expectation) bool) bool {
	if len(e.Parts) == 0 {
		return yield(e)
	}
	for i := range e.Parts {
		if !e.Parts[i].leaves(yield) {
			return false
		}
	}
	return true
}

// Judged is what a judge is asked. Only expectations of judged types have it.
type Judged struct {
	Criteria map[string]float64 // criterion → the lowest score that passes, on the profile's scale
	Profile  string             // a name in the profiles, "" is their default
	Prompt   string             // criteria in words, for a judge alone; then Criteria has one entry
}

// Comparison is an A/B test: the same case run with and without a change.
type Comparison struct {
	Type      string             // ab_test
	Control   any                // what each side is run with, for the runner
	Treatment any                // likewise
	Tolerance float64            // how much lower a treatment's score may be
	Flaky     map[string]float64 // criterion → its own tolerance
}

// DefaultTolerance is how much lower a score may be without being worse.
const DefaultTolerance = 0.05

// Allowed is the tolerance of a criterion.
func (c *Comparison) Allowed(criterion string) float64 {
	if t, ok := c.Flaky[criterion]; ok {
		return t
	}
	return c.Tolerance
}

// A Tier is one step of a chain of models, cheap ones first.
type Tier struct {
	Name       string
	Model      string
	InputFrom  string // an output_file of an earlier tier
	OutputFile string
	At         Position
}

// A Position is a place in a file; lines and columns count from 1.
type Position struct {
	File   string
	Line   int
	Column int
}

func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// Scale is the range of a judge's scores.
type Scale = result.Scale

// A Problem is one thing wrong with a file.
type Problem struct {
	At      Position
	What    string
	Warning bool // the case can be graded all the same
}

func (p Problem) Error() string { return p.At.String() + ": " + p.What }

// Problems is what is wrong, in the order of files and lines.
type Problems []Problem

func (p Problems) Error() string {
	switch len(p) {
	case 0:
		return "no problem"
	case 1:
		return p[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", p[0].Error(), len(p)-1)
}

// Errors are those that are no warnings.
func (p Problems) Errors() Problems { return p.only(false) }

// Warnings are those that are no errors.
func (p Problems) Warnings() Problems { return p.only(true) }

func (p Problems) only(warning bool) (out Problems) {
	return slices.DeleteFunc(slices.Clone(p), func(one Problem) bool { return one.Warning != warning })
}

func (p *Problems) say(at Position, format string, args ...any) {
	*p = append(*p, Problem{At: at, What: fmt.Sprintf(format, args...)})
}

func (p *Problems) warn(at Position, format string, args ...any) {
	*p = append(*p, Problem{At: at, What: fmt.Sprintf(format, args...), Warning: true})
}

func (p Problems) sort() {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.At.File, b.At.File), a.At.Line-b.At.Line, a.At.Column-b.At.Column)
	})
}

// Near returns the word of known that was likely meant, as "; did you mean …",
// or "".
func Near(word string, known []string) string {
	if near := text.Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q", near)
	}
	return ""
}

// shown makes a stranger's text fit for a sentence.
func shown(s string) string { return text.Shorten(term.Line(s), 60) }
