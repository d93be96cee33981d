package evalpage

import (
	"bytes"
	"fmt"
	"slices"

	"cairn/internal/team/eval"
	"cairn/internal/team/judge"
	"cairn/internal/team/page"
	"cairn/internal/text"
)

// Labels are people's verdicts on the answer.
type Labels struct {
	To       string          `json:"to,omitzero"` // where one is sent, "" where none can be given
	Run      string          `json:"run"`
	Case     string          `json:"case"`
	Criteria []string        `json:"criteria,omitempty"`
	Given    map[string]bool `json:"given,omitempty"`  // one's own, by criterion
	Others   []Verdict       `json:"others,omitempty"` // of other people
	Note     string          `json:"note,omitzero"`    // where they are kept, or why they are not shown
}

// A Verdict is somebody else's label.
type Verdict struct {
	Who       string `json:"who"`
	Criterion string `json:"criterion"`
	Pass      bool   `json:"pass"`
}

// LabelsOf begins the labels of a case; nil where it cannot be labelled, because the
// agreement of judges is with one answer.
func LabelsOf(t *eval.Tally, run, id string) *Labels {
	if len(t.Results) > 1 {
		return nil
	}
	l := &Labels{To: "label", Run: run, Case: id, Given: map[string]bool{}}
	for name := range t.Results[0].JudgeScores {
		if Visible(name) == name {
			l.Criteria = append(l.Criteria, name)
		}
	}
	if slices.Sort(l.Criteria); len(l.Criteria) == 1 {
		l.Criteria = nil // the answer is right if this is
	}
	return l
}

// HasLabel reports whether a case can have a label of a criterion.
func HasLabel(t *eval.Tally, criterion string) bool {
	if len(t.Results) > 1 {
		return false
	}
	_, scored := t.Results[0].JudgeScores[criterion]
	return scored || criterion == judge.Whole
}

// Word is a verdict in one word.
func Word(pass bool) string {
	if pass {
		return "right"
	}
	return "wrong"
}

// Form is what labels the answer where no script runs: a button sends one field.
func (l *Labels) Form() []byte {
	var b bytes.Buffer
	b.WriteString("<noscript>\n")
	for _, criterion := range append([]string{judge.Whole}, l.Criteria...) {
		name := map[bool]string{true: "Is the answer right?", false: criterion}[criterion == judge.Whole]
		given, is := l.Given[criterion]
		if l.To != "" {
			fmt.Fprintf(&b, `<form class="labels" method="post" action="%s"><input type="hidden" name="run" value="%s"><input type="hidden" name="case" value="%s"><input type="hidden" name="criterion" value="%s"><span class="soft">%s</span>`,
				page.Text(l.To), page.Text(l.Run), page.Text(l.Case), page.Text(criterion), page.Text(name))
			for _, pass := range [...]bool{true, false} {
				fmt.Fprintf(&b, ` <button class="button" name="pass" value="%t">%s</button>`, pass, Word(pass))
			}
			if is {
				b.WriteString(` <button class="button" name="pass" value="">remove my label</button>`)
			}
			b.WriteString("</form>\n")
		}
		if is {
			fmt.Fprintf(&b, "<p>Your label of %s: %s.</p>\n", page.Text(map[bool]string{true: "the answer", false: criterion}[criterion == judge.Whole]), Word(given))
		}
	}
	for _, o := range l.Others {
		fmt.Fprintf(&b, "<p class=\"soft\">%s: %s%s.</p>\n", page.Text(o.Who), Word(o.Pass), page.Text(map[bool]string{false: " by " + o.Criterion}[o.Criterion == judge.Whole]))
	}
	if l.Note != "" {
		fmt.Fprintf(&b, "<p class=\"soft\">%s</p>\n", page.Text(l.Note))
	}
	b.WriteString("</noscript>")
	return b.Bytes()
}

// mostPlain is how many bytes of a text the page has where no script runs.
const mostPlain = 12_000

// Plain is what of the page is there where no script runs: what was asked, what came
// and why it is wrong.
func (c *Case) Plain() []byte {
	var b bytes.Buffer
	said := func(head string, t Text) {
		cut := text.Shorten(t.Text, mostPlain)
		fmt.Fprintf(&b, "<h3>%s</h3>\n<pre>%s</pre>\n", page.Text(head), page.Text(cut))
		if cut != t.Text || t.Cut > 0 {
			b.WriteString("<p class=\"soft\">The text is longer; cairn eval show --json has all of it.</p>\n")
		}
	}
	fmt.Fprintf(&b, "<noscript>\n<h1>%s</h1>\n<p class=\"soft\">%s</p>\n", page.Text(c.Title), page.Text(joined(" · ", c.Status, c.Suite, c.Variant)))
	if c.Why != "" {
		fmt.Fprintf(&b, "<p class=\"note bad\">%s</p>\n", page.Text(c.Why))
	}
	for _, t := range c.Asked {
		said(t.Name, t)
	}
	for _, a := range c.Answers {
		fmt.Fprintf(&b, "<h2>%s</h2>\n", page.Text(joined(": ", a.Name, a.Status)))
		for _, x := range a.Attempts {
			for _, t := range x.Answer {
				said(map[bool]string{true: "answer", false: t.Name}[t.Name == ""], t)
			}
			for _, check := range x.Checks {
				fmt.Fprintf(&b, "<p>%s</p>\n", page.Text(joined(": ", check.Kind, check.Says)))
			}
		}
	}
	b.WriteString("</noscript>\n")
	return b.Bytes()
}
