package cli

import (
	"fmt"
	"strings"
	"time"

	"cairn/internal/team/eval"
	"cairn/internal/term"
	"cairn/internal/text"
)

// printCases prints a line for each case.
func printCases(env *Env, trend []eval.Series, limit int) error {
	paint, now := term.NewPaint(env.Stdout, env.Getenv), time.Now()
	for i := range trend {
		s := &trend[i]
		if i > 0 {
			fmt.Fprintln(env.Stdout)
		}
		fmt.Fprintf(env.Stdout, "%s · %s · %s\n", paint.Bold(seriesName(trend, s)), text.Count(len(s.Points), "run"), span(s.Points, now))
		if text := changeText(paint, s, now); text != "" {
			fmt.Fprintln(env.Stdout, text)
		}
		shown := s.Cases
		if limit > 0 {
			shown = shown[:min(len(shown), limit)]
		}
		g := grid{head: []string{"<CASE", "OLDEST → NEWEST", ">PASSED", ">FLIPS", "<FAILS SINCE"}}
		for _, l := range shown {
			passed := ""
			if l.Judged > 0 {
				passed = text.Percent(l.Share, 0)
			}
			g.row(term.Line(l.Title), marksText(paint, l.Marks), passed, someText(l.Flips), sinceText(s, &l, now))
		}
		if err := g.print(env.Stdout, paint); err != nil {
			return err
		}
		if rest := len(s.Cases) - len(shown); rest > 0 {
			fmt.Fprintf(env.Stdout, "… and %d more; --limit 0 lists all\n", rest)
		}
	}
	return nil
}

func span(points []eval.Point, now time.Time) string {
	from, to := text.When(points[0].Time.Time, now), text.When(points[len(points)-1].Time.Time, now)
	if from == to {
		return to
	}
	return from + " to " + to
}

func marksText(paint term.Paint, marks []string) string {
	var b strings.Builder
	for _, mark := range marks {
		switch mark {
		case "":
			b.WriteByte(' ')
		case "✓":
			b.WriteString(paint.Good(mark))
		case "✗":
			b.WriteString(paint.Bad(mark))
		case "–":
			b.WriteString(paint.Dim(mark))
		default:
			b.WriteString(paint.Warn(mark))
		}
	}
	return b.String()
}

// sinceText says since when a case fails.
func sinceText(s *eval.Series, l *eval.Line, now time.Time) string {
	switch {
	case l.Since < 0:
		return ""
	case l.Judged == 1:
		return "its only run"
	case l.Share == 0:
		return "always"
	}
	return pointText(s.Points[l.Since], now)
}

// pointText is the day of a run, and its commit or else its id.
func pointText(p eval.Point, now time.Time) string {
	name := p.ID
	if p.SHA != "" {
		name = term.Line(shortRev(p.SHA))
		if p.Dirty {
			name += "+"
		}
	}
	day, _, _ := strings.Cut(text.When(p.Time.Time, now), " ")
	return day + " " + name
}

// changeText tells of a drop or a rise, "" where there is none.
func changeText(paint term.Paint, s *eval.Series, now time.Time) string {
	c := s.Change
	if c == nil {
		return ""
	}
	word := paint.Bad("↓ dropped")
	if c.After > c.Before {
		word = paint.Good("↑ rose")
	}
	return fmt.Sprintf("%s with %s: %s → %s (%d + %d runs, %s, p %s)", word, pointText(s.Points[c.At], now),
		text.Percent(c.Before, 0), text.Percent(c.After, 0), c.Window, c.Window, text.Count(c.Cases, "case"), pText(c.P))
}

// pText is = 0.012, or < 0.001.
func pText(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("= %.3f", p)
}
