package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

// Why a decision gate does not apply.
const (
	reasonOff         = "workflow.context_coverage_gate is false"
	reasonNoContext   = "CONTEXT.md is missing"
	reasonNoDecisions = "no trackable decisions in CONTEXT.md"
)

// Coverage says which decisions of a phase some text cites.
type Coverage struct {
	Result Result
	Total  int            // decisions to track
	Open   []doc.Decision // those that nothing cites
}

// Decisions is the gate after planning: every decision to track must be cited
// in what a plan promises. It blocks. With an error about a line that was
// meant as a decision comes the coverage of the others.
func Decisions(on bool, context *File, plans []File) (Coverage, error) {
	c, ds, err := decisionsToTrack(Plan, on, context)
	if c.Result.Skipped || c.Result.Loose > 0 {
		return c, err
	}
	var promises []haystack
	for _, p := range plans {
		promises = append(promises, inPhase(promised(p.Text), phaseOf(context)))
	}
	c.find(ds, promises)
	missing := c.missing(context.Path, func(d doc.Decision) []string {
		byText := ", or at least six of its words in a row"
		if len(words(d.Text)) < phraseWords {
			byText = " (it is too short to be cited by its words)"
		}
		return []string{
			"cite the id in a plan's must_haves, truths, objective or tasks" + byText,
			"move it under \"### Claude's Discretion\" or tag it [informational], [folded] or [deferred] if no plan has to honor it",
		}
	})
	c.Result = c.Result.judge(missing, every(c.Total, "decision")+" cited in the plans",
		some(len(c.Open), c.Total, "decision", " of CONTEXT.md")+" not cited in any plan:")
	return c, err
}

// decisionsToTrack reads CONTEXT.md; a skipped result when there is nothing
// to do. A decision that cannot be read is an [*plan.InputError]: it must not
// be left out without a word.
func decisionsToTrack(stage Stage, on bool, context *File) (Coverage, []doc.Decision, error) {
	c := Coverage{Result: Result{Gate: "decisions", Stage: stage, Type: Quality, Blocking: stage == Plan}}
	switch {
	case !on:
		c.Result = c.Result.skip(reasonOff)
		return c, nil, nil
	case context == nil:
		c.Result = c.Result.skip(reasonNoContext)
		return c, nil, nil
	}
	all, malformed := context.Decisions()
	var err error
	if len(malformed) > 0 {
		err = &plan.InputError{Path: context.Path, Line: malformed[0] + 1, What: "not a decision, want - **D-01:** text, or - **D-01 [deferred]:** text"}
	}
	if beside := Beside(*context); beside != "" {
		c.Result.Warnings = append(c.Result.Warnings, beside)
	}
	ds := slices.DeleteFunc(all, func(d doc.Decision) bool { return !d.Trackable() })
	if c.Total = len(ds); c.Total == 0 {
		c.Result = c.Result.skip(reasonNoDecisions)
		if loose := context.Unnumbered(); len(loose) > 0 {
			c.Result = c.Result.unnumbered(context.Path, loose)
		}
	}
	return c, ds, err
}

// Beside says what is listed among the decisions of a CONTEXT.md without an id, "" where
// nothing is: it may explain them, or be a decision that nothing tracks.
func Beside(context File) string {
	beside := context.Beside()
	if len(beside) == 0 {
		return ""
	}
	const few = 5
	var lines []string
	for _, d := range beside[:min(few, len(beside))] {
		lines = append(lines, strconv.Itoa(d.Line+1))
	}
	if len(beside) > few {
		lines = append(lines, "…")
	}
	return fmt.Sprintf("%s: %s beside the decisions without an id, not tracked: line %s", context.Path, text.Count(len(beside), "item"), strings.Join(lines, ", "))
}

// unnumbered is the result where decisions have no ids: nothing can cite them, so
// it is not known whether anything honors them. It does not block, and is no pass.
func (r Result) unnumbered(file string, loose []doc.Decision) Result {
	r.Skipped, r.Passed, r.Reason, r.Blocking, r.Loose = false, false, "", false, len(loose)
	first := loose[0]
	return r.fail(fmt.Sprintf("not checked: %s of CONTEXT.md %s no id, beginning with", text.Count(len(loose), "decision"), map[bool]string{true: "has", false: "have"}[len(loose) == 1]),
		[]Missing{{ID: "no id", Category: first.Category, Text: first.Text, File: file, Line: first.Line + 1,
			Remedies: []string{"cairn plan decisions number gives each an id that plans can cite", "tag what no plan has to honor [informational], [folded] or [deferred]"}}})
}

func (c *Coverage) find(ds []doc.Decision, in []haystack) {
	for _, d := range ds {
		if !slices.ContainsFunc(in, func(h haystack) bool { return h.cites(d) }) {
			c.Open = append(c.Open, d)
		}
	}
}

func (c *Coverage) missing(file string, remedies func(doc.Decision) []string) []Missing {
	var out []Missing
	for _, d := range c.Open {
		out = append(out, Missing{ID: d.ID, Category: d.Category, Text: d.Text, File: file, Line: d.Line + 1, Remedies: remedies(d)})
	}
	return out
}
