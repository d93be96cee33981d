package compare

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cairn/internal/term"
	"cairn/internal/text"
)

// Title is a case before a person; with its suite where there are several.
func (c *Comparison) Title(k *Case) string {
	name := term.Line(k.Name)
	if len(c.Suites) > 1 && k.Suite != "" {
		name = term.Line(k.Suite) + " › " + name
	}
	return name
}

// Tries is "2/3": how many of the judged attempts passed, or the word for what
// was not judged.
func (r *Ran) Tries() string {
	if n := r.Judged(); n > 0 {
		return strconv.Itoa(r.Passed) + "/" + strconv.Itoa(n)
	}
	return r.Status()
}

// Reason is the first line of what a run says of not passing.
func (r *Ran) Reason() string {
	if r == nil || len(r.Messages) == 0 {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(r.Messages[0]), "\n")
	text := term.Line(first)
	if n := len(r.Messages); n > 1 {
		text += fmt.Sprintf(" (and %d more)", n-1)
	}
	return text
}

// Detail says of a case what its class does not.
func (k *Case) Detail() string {
	switch k.Class {
	case Lost, Failed:
		return k.B.Reason()
	case Gained:
		return k.A.Reason()
	case Flaky:
		return k.A.Tries() + " → " + k.B.Tries()
	case NotJudged, Skipped:
		text := k.A.Status() + " → " + k.B.Status()
		if reason := cmp.Or(k.B.errorReason(), k.A.errorReason()); reason != "" {
			text += ": " + reason
		}
		return text
	case New:
		return withReason(k.B)
	case Gone:
		return withReason(k.A)
	}
	return ""
}

func (r *Ran) errorReason() string {
	if r.Judged() > 0 {
		return ""
	}
	return r.Reason()
}

func withReason(r *Ran) string {
	return strings.TrimSuffix(r.Status()+": "+r.Reason(), ": ")
}

// Percent is "67 % (57–76)": a rate with its interval.
func (r *Rate) Percent() string {
	if r == nil {
		return "–"
	}
	return text.Rate(r.Rate, r.Lo, r.Hi, 0)
}

// Name says which run it is: how the user named it, label, commit and time.
func (s Side) Name() string {
	var parts []string
	add := func(text string) {
		if text = term.Line(text); text != "" && (len(parts) == 0 || parts[len(parts)-1] != text) {
			parts = append(parts, text)
		}
	}
	add(s.Ref)
	if s.ID != "" && !strings.HasPrefix(s.ID, s.Ref) || s.Ref == "" {
		add(s.ID)
	}
	add(s.Label)
	add(s.Commit())
	if !s.Timestamp.IsZero() {
		add(s.Timestamp.Local().Format("2006-01-02 15:04"))
	}
	if len(parts) == 0 {
		return "unnamed"
	}
	return strings.Join(parts, " · ")
}

// Commit is branch@sha, with a + for changes that were not committed.
func (s Side) Commit() string {
	text := s.GitBranch
	if sha := s.GitSHA; sha != "" {
		text += "@" + strings.ToValidUTF8(sha[:min(7, len(sha))], "")
	}
	if s.GitDirty && text != "" {
		text += "+"
	}
	return text
}

// Outcome is "100 attempts: 68 passed, 32 failed, 2 errors".
func (n Attempts) Outcome() string {
	s := fmt.Sprintf("%s: %d passed, %d failed", text.Count(n.Total, "result"), n.Passed, n.Failed)
	if n.Errored > 0 {
		s += ", " + text.Count(n.Errored, "error")
	}
	if n.Skipped > 0 {
		s += fmt.Sprintf(", %d skipped", n.Skipped)
	}
	return s
}

// signed writes + before what is not negative.
func signed(v float64, write func(float64) string) string {
	if v < 0 {
		return write(v)
	}
	return "+" + write(v)
}

// figure3 is a score with three digits, and a real minus sign.
func figure3(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', 3, 64), "-", "−", 1)
}

// between is "[lo … hi]", or "" without an interval.
func between(lo, hi *float64, write func(float64) string) string {
	if lo == nil || hi == nil {
		return ""
	}
	return "[" + signed(*lo, write) + " … " + signed(*hi, write) + "]"
}

// spent says cost and time in words, as far as they are known: of one case, and of
// the runs as a whole.
func (c *Comparison) spent() (list []struct{ what, cases, runs string }) {
	add := func(s *Spend, what string, a, b float64, write func(float64) string) {
		if s != nil {
			list = append(list, struct{ what, cases, runs string }{what, s.Sentence(write), "runs " + known(a, s.OnlyB, write) + " → " + known(b, s.OnlyA, write)})
		}
	}
	add(c.Cost, "cost", c.A.CostUSD, c.B.CostUSD, text.Dollars)
	add(c.Duration, "time", c.A.DurationMS, c.B.DurationMS, text.Millis)
	return list
}

// known writes a sum of a run: 0 is one that nobody said, and where cases are missing
// in it, it is what the run spent at least.
func known(v float64, missing int, write func(float64) string) string {
	switch {
	case v == 0:
		return "not known"
	case missing > 0:
		return "at least " + write(v)
	}
	return write(v)
}

// Sentence says what became of cost or time, and of how many cases that is known.
func (s *Spend) Sentence(write func(float64) string) string {
	line := s.changed(write)
	for _, side := range [...]struct {
		name  string
		cases int
	}{{"A", s.OnlyA}, {"B", s.OnlyB}} {
		if side.cases > 0 {
			line += fmt.Sprintf("; known in %s only for %s", side.name, text.Count(side.cases, "more case"))
		}
	}
	return line
}

func (s *Spend) changed(write func(float64) string) string {
	switch {
	case s.Cases == 0:
		return "known of no case in both runs"
	case s.A == s.B:
		return fmt.Sprintf("%s a case over %s, unchanged", write(s.A), text.Count(s.Cases, "case"))
	}
	line := fmt.Sprintf("%s → %s a case over %s, %s", write(s.A), write(s.B), text.Count(s.Cases, "case"), signed(s.Diff, write))
	if s.Increase != nil {
		line += fmt.Sprintf(" (%s)", strings.Replace(fmt.Sprintf("%+.0f %%", *s.Increase*100), "-", "−", 1))
	}
	if ci := between(s.Lo, s.Hi, write); ci != "" {
		line += " " + ci
	}
	return line
}

// Escape makes a stranger's text say in Markdown what it is: no markup, no
// HTML, no link, no mention of a person or an issue, one line.
func Escape(text string) string {
	text = term.Line(text)
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '@':
			b.WriteString("&#64;")
		case r == '#':
			b.WriteString("&#35;")
		case r == ':' && strings.HasPrefix(text[i:], "://"):
			b.WriteString("&#58;")
		case r == '.' && i >= 3 && strings.EqualFold(text[i-3:i], "www"):
			b.WriteString("&#46;")
		case strings.ContainsRune("\\`*_[]|~$", r), i == 0 && (r == '-' || r == '+' || r == '='), endsNumber(text, i):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// endsNumber reports whether what is at i makes the number before it that of a
// list.
func endsNumber(text string, i int) bool {
	return i > 0 && (text[i] == '.' || text[i] == ')') && strings.Trim(text[:i], "0123456789") == "" && strings.HasPrefix(text[i+1:], " ")
}
