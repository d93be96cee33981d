package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cairn/internal/team/eval"
	"cairn/internal/term"
	"cairn/internal/text"
)

// printContests prints a table for each suite, and who leads.
func printContests(env *Env, contests []eval.Contest, by string) error {
	paint := term.NewPaint(env.Stdout, env.Getenv)
	for i := range contests {
		c := &contests[i]
		if i > 0 {
			fmt.Fprintln(env.Stdout)
		}
		fmt.Fprintln(env.Stdout, strings.Join(nonEmpty([]string{paint.Bold(cmp.Or(term.Line(c.Suite), "(no suite)")), term.Line(c.Kind), judgedText(c.JudgeTier),
			text.Count(c.SharedCases, "shared case")}), " · "))
		if err := printContest(env, paint, c, by); err != nil {
			return err
		}
		fmt.Fprintln(env.Stdout, term.Fold(env.Stdout, leadText(paint, c), 0))
		for _, note := range contestNotes(c, by) {
			fmt.Fprintln(env.Stdout, paint.Dim(term.Fold(env.Stdout, note, 0)))
		}
	}
	return nil
}

func judgedText(tier string) string {
	if tier == "" {
		return ""
	}
	return "judged " + term.Line(tier)
}

func printContest(env *Env, paint term.Paint, c *eval.Contest, by string) error {
	scores := sharedScores(c)
	g := grid{head: []string{"<" + strings.ToUpper(by), "", "PASS RATE", ">CASES", ">ERRORS", ">COST", ">PER PASS"}}
	for _, s := range scores {
		name := cmp.Or(term.Line(s.Criterion), "score")
		g.head = append(g.head, ">"+strings.ToUpper(name)+" "+term.Line(scaleText(s.Scale)))
	}
	for _, one := range c.Contestants {
		row := []string{term.Line(one.Name), one.Group, rateText(one.Rate), fmt.Sprint(one.Rate.Cases), someText(one.Counts.Errored), text.Some(one.CostUSD, text.Dollars), perPass(one)}
		for _, s := range scores {
			row = append(row, scoreOf(one.Scores, s))
		}
		g.row(row...)
	}
	return g.print(env.Stdout, paint)
}

func perPass(one eval.Contestant) string {
	if one.CostPerPass == nil {
		return ""
	}
	return text.Some(*one.CostPerPass, text.Dollars)
}

// cheapestText names the cheapest of the leader and those like it, where the
// costs of all are known.
func cheapestText(c *eval.Contest, alike []string) string {
	cheapest := c.Contestants[0]
	for _, one := range c.Contestants {
		if !slices.Contains(alike, term.Line(one.Name)) && one.Name != c.Contestants[0].Name {
			continue
		}
		if one.CostPerPass == nil {
			return ""
		}
		if *one.CostPerPass < *cheapest.CostPerPass {
			cheapest = one
		}
	}
	return fmt.Sprintf("; the cheapest of these is %s, %s per pass", term.Line(cheapest.Name), perPass(cheapest))
}

const mostScoreColumns = 3

// sharedScores are the scores that most contestants have, few enough to stand
// in columns; show prints all of a run.
func sharedScores(c *eval.Contest) (columns []eval.Score) {
	for _, one := range c.Contestants {
		for _, s := range one.Scores {
			if len(columns) < mostScoreColumns && scoreOf(columns, s) == "" {
				columns = append(columns, s)
			}
		}
	}
	return columns
}

func scoreOf(scores []eval.Score, like eval.Score) string {
	for _, s := range scores {
		if s.Criterion == like.Criterion && s.Scale == like.Scale {
			return fmt.Sprintf("%.2f", s.Mean)
		}
	}
	return ""
}

// leadText says who is best, or that it may be luck.
func leadText(paint term.Paint, c *eval.Contest) string {
	first := c.Contestants[0]
	var alike []string
	worst := 0. // of the p-values against the others
	for _, d := range c.Duels {
		if d.A != first.Name {
			continue
		}
		switch {
		case !d.Real():
			alike = append(alike, term.Line(d.B))
		case d.Better < d.Worse: // each has cases that the other has not
			return fmt.Sprintf("%s has the highest pass rate, but on the cases of both %s is better (p %s)", term.Line(first.Name), term.Line(d.B), pText(d.Adjusted))
		default:
			worst = max(worst, d.Adjusted)
		}
	}
	if len(alike) == 0 {
		return fmt.Sprintf("%s is best: p %s against each other one", paint.Good(term.Line(first.Name)), pText(worst))
	}
	return fmt.Sprintf("%s leads, and it may be luck: not distinguishable from %s%s", term.Line(first.Name), paint.Warn(listText(alike, 5)), cheapestText(c, alike))
}

// contestNotes tell what limits the comparison.
func contestNotes(c *eval.Contest, by string) (notes []string) {
	switch d := c.SmallestDifference; {
	case c.SharedCases == 0:
		notes = append(notes, "no case was judged with all of them")
	case d == nil:
		notes = append(notes, fmt.Sprintf("%s cannot show any difference", text.Count(c.SharedCases, "shared case")))
	default:
		notes = append(notes, fmt.Sprintf("%s cannot show a difference under %.0f points", text.Count(c.SharedCases, "shared case"), math.Ceil(*d*100-1e-9)))
	}
	commits := map[string]bool{}
	for _, one := range c.Contestants {
		commits[shortRev(one.Commit)] = true
	}
	if len(commits) > 1 {
		notes = append(notes, fmt.Sprintf("the %ss ran on %d different commits: part of a difference may be the code's", by, len(commits)))
	}
	if n := len(c.LeftOut); n > 0 {
		notes = append(notes, fmt.Sprintf("%d more %ss are left out; --since and --branch narrow it", n, by))
	}
	return notes
}
