package evalcmd

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

// painted is a view of text that colors itself.
func painted(write func(p *answer.Page)) answer.View {
	return answer.Painted(func(p *answer.Page) error {
		var b strings.Builder
		write(&answer.Page{Writer: &b, Paint: p.Paint, Width: p.Width})
		_, err := io.WriteString(p, b.String())
		return err
	})
}

// apart puts a blank line between views; nil is no view.
func apart(views ...answer.View) answer.Views {
	var all answer.Views
	for _, v := range views {
		if v == nil {
			continue
		}
		if all != nil {
			all = append(all, answer.Line(""))
		}
		all = append(all, v)
	}
	return all
}

// blank is a cell where a – would say too much.
const blank = " "

// usd is an amount, of which 0 means that nobody counted.
func usd(v float64) any {
	if !(v > 0) {
		return nil
	}
	return v
}

// rate is 94 % (73–99), a rate and its interval.
func rate(r eval.Rate) string {
	if r.Cases == 0 {
		return ""
	}
	return text.Rate(r.Mean, r.Lo, r.Hi, 0)
}

// joined joins the words that are there.
func joined(by string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), by)
}

// listText is a, b and 3 more.
func listText(names []string, most int) string {
	if rest := len(names) - most; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), rest)
	}
	return strings.Join(names, ", ")
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func scale(s result.Scale) string { return strings.Replace(string(s), "-", "–", 1) }

// status is a result's sign and word.
func status(s result.Status) answer.Cell {
	switch s {
	case result.Pass:
		return answer.Marked("✓ pass", "good")
	case result.Fail:
		return answer.Marked("✗ fail", "bad")
	case result.Error:
		return answer.Marked("! error", "warn")
	}
	return answer.Marked("– skip", "dim")
}

// title is one attempt at a case.
func title(run *result.Run, r *result.Result) string {
	title := r.Title()
	if r.Suite != "" && r.Suite != run.Suite {
		title = r.Suite + " › " + title
	}
	if r.Try() > 1 {
		title += fmt.Sprintf(" #%d", r.Try())
	}
	return title
}

// pValue is = 0.012, or < 0.001.
func pValue(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("= %.3f", p)
}

func ref(arg string) string { return cmp.Or(arg, eval.Latest) }
