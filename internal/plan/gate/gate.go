// Package gate holds the checks that stand between the steps of a phase:
// whether the plans honor the decisions, cover the requirements, leave no
// question open, push the schema they change; whether the map of the code is
// still true; whether a phase may be planned, executed, verified or shipped.
// There is one file per gate, and every gate answers with one [Result].
//
// Package verb and package query import it. A gate is given documents, a git
// and plain settings; it parses no arguments, prints nothing, and writes only
// where its stage says so (see [Record]).
package gate

import (
	"fmt"
	"strings"

	"cairn/internal/plan/doc"
)

// Stage is the step of a phase that a gate closes.
type Stage string

const (
	Plan    Stage = "plan"
	Execute Stage = "execute"
	Verify  Stage = "verify"
)

// Type says what a gate is for.
type Type string

const (
	Confirm    Type = "confirm"    // tells, and leaves it to the user
	Quality    Type = "quality"    // the work is not good enough yet
	Safety     Type = "safety"     // going on would break something
	Transition Type = "transition" // the next step lacks what it needs
)

// Result is what a gate found. Passed is false whenever something is missing;
// only a Blocking gate then says no.
type Result struct {
	Gate     string    `json:"gate"`
	Stage    Stage     `json:"stage"`
	Type     Type      `json:"type"`
	Passed   bool      `json:"passed"`
	Blocking bool      `json:"blocking"`
	Skipped  bool      `json:"skipped"`
	Reason   string    `json:"reason,omitempty"` // of a skip
	Missing  []Missing `json:"missing"`
	Warnings []string  `json:"warnings,omitempty"`   // what could not be looked at
	Loose    int       `json:"unnumbered,omitempty"` // decisions without an id, of which nothing is known
	Message  string    `json:"message"`              // all of it in Markdown
}

// Missing is one thing that a gate wants and did not find.
type Missing struct {
	ID        string   `json:"id"`
	Condition string   `json:"condition,omitempty"` // of package lifecycle that it belongs to
	Category  string   `json:"category,omitempty"`
	Text      string   `json:"text"`
	File      string   `json:"file,omitempty"` // the document that lacks it
	Line      int      `json:"line,omitempty"` // counted from 1
	Remedies  []string `json:"remedies,omitempty"`
}

// No reports whether the gate stops the work.
func (r Result) No() bool { return r.Blocking && !r.Passed }

// File is a document and where it is.
type File struct {
	Path string // relative to the project's root, with slashes
	*doc.Text
}

// pass finishes a result that found nothing missing.
func (r Result) pass(message string) Result {
	r.Passed, r.Missing, r.Message = true, []Missing{}, message
	return r
}

// skip finishes a result of a gate that does not apply.
func (r Result) skip(reason string) Result {
	r.Skipped, r.Reason = true, reason
	return r.pass("skipped: " + reason)
}

// fail finishes a result with what is missing, if anything.
func (r Result) fail(title string, missing []Missing) Result {
	r.Missing = missing
	r.Message = title + "\n" + List(missing)
	return r
}

// judge finishes a result: with what is missing it fails under the title.
func (r Result) judge(missing []Missing, passed, title string) Result {
	if missing == nil {
		return r.pass(passed)
	}
	return r.fail(title, missing)
}

// List prints what is missing in Markdown: each with its place, and the ways to fix
// it once for those that share them.
func List(missing []Missing) string {
	var b strings.Builder
	for i, m := range missing {
		fmt.Fprintf(&b, "\n- **%s**", m.ID)
		if m.Category != "" {
			fmt.Fprintf(&b, " (%s)", m.Category)
		}
		if m.Text != "" {
			b.WriteString(": " + m.Text)
		}
		if m.File != "" {
			fmt.Fprintf(&b, " [%s", m.File)
			if m.Line > 0 {
				fmt.Fprintf(&b, ":%d", m.Line)
			}
			b.WriteString("]")
		}
		if i+1 < len(missing) && strings.Join(missing[i+1].Remedies, "\n") == strings.Join(m.Remedies, "\n") {
			continue
		}
		for _, remedy := range m.Remedies {
			b.WriteString("\n  - to fix: " + remedy)
		}
	}
	return b.String()
}

// every says that all of n things are so: the only decision is, all 2
// decisions are.
func every(n int, what string) string {
	if n == 1 {
		return "the only " + what + " is"
	}
	return fmt.Sprintf("all %d %ss are", n, what)
}

// some says that n of total things are so: 1 of 2 decisions of CONTEXT.md is.
func some(n, total int, what, of string) string {
	switch {
	case total == 1:
		return "the only " + what + of + " is"
	case n == 1:
		return fmt.Sprintf("1 of %d %ss%s is", total, what, of)
	}
	return fmt.Sprintf("%d of %d %ss%s are", n, total, what, of)
}
