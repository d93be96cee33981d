package cli

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/cost"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

// printJudged prints the scores of each result, and below how far several
// judges agree.
func printJudged(env *Env, run *result.Run, at []int, questions []judge.Question, verdicts []judge.Verdict) error {
	paint := term.NewPaint(env.Stdout, env.Getenv)
	w := term.NewColumns(env.Stdout)
	head := []string{"STATUS", "CASE"}
	for _, c := range questions[0].Criteria {
		head = append(head, strings.ToUpper(c.Name))
	}
	fmt.Fprintln(w, strings.Join(append(head, "WHY"), "\t"))
	for i, v := range verdicts {
		r := &run.Results[at[i]]
		row := []string{statusText(paint, r.Status), resultTitle(run, r)}
		for _, c := range questions[i].Criteria {
			row = append(row, scoreText(paint, v, c))
		}
		fmt.Fprintln(w, strings.Join(append(row, term.Printable(text.Shorten(whyJudged(&v, &questions[i]), 160))), "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(env.Stdout)
	return printAgreement(env, judge.Agree(questions, verdicts))
}

func scoreText(paint term.Paint, v judge.Verdict, c judge.Criterion) string {
	s, ok := v.Scores[c.Name]
	switch {
	case !ok:
		return "–"
	case s < c.Threshold:
		return paint.Bad(fmt.Sprintf("%.2f < %.2f", s, c.Threshold))
	}
	return fmt.Sprintf("%.2f", s)
}

// whyJudged is why there is no verdict, or the judge's words on the worst
// criterion that failed.
func whyJudged(v *judge.Verdict, q *judge.Question) string {
	if v.Err != nil {
		return v.Err.Error()
	}
	worst, by := "", 0.0
	for _, c := range q.Criteria {
		if d := c.Threshold - v.Scores[c.Name]; d > by {
			worst, by = c.Name, d
		}
	}
	for _, o := range v.PerJudge {
		if o.Err == nil && worst != "" {
			return worst + ": " + o.Reason[worst]
		}
	}
	return ""
}

// printJudgePlan prints what would be asked, and the first question in full.
func printJudgePlan(env *Env, p *judge.Panel, prices cost.Table, questions []judge.Question, opts evalJudgeOptions) error {
	planned := p.Plan(questions)
	var most []result.Cost
	cached := 0
	for _, one := range planned {
		if one.Cached {
			cached++
			continue
		}
		most = result.AddCosts(most, []result.Cost{{Model: one.Model, Calls: 1, InputTokens: one.InputTokens, OutputTokens: one.OutputTokens}})
	}
	sum := cost.Sum(&result.Run{Costs: most}, prices)
	if opts.json {
		return printJSON(env, struct {
			Answers []judge.Planned `json:"answers"`
			Cached  int             `json:"cached"`
			AtMost  cost.Summary    `json:"at_most"`
		}{planned, cached, sum})
	}
	w := term.NewColumns(env.Stdout)
	fmt.Fprintln(w, "CASE\tJUDGE\tTOKENS SENT")
	for _, one := range planned {
		tokens := "– (in the cache)"
		if !one.Cached {
			tokens = text.Approx(int(one.InputTokens))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", term.Printable(one.Case), term.Printable(one.Model), tokens)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "\n%d answers of %d cases, %d of them in the cache", len(planned), len(questions), cached)
	if len(most) > 0 {
		atMost := strings.Replace(moneyText(prices, most), "about ", "at most ", 1)
		fmt.Fprintf(env.Stdout, "; %s, if every answer is as long as it may be (%s tokens)", atMost, text.Approx(judge.AnswerLimit))
	}
	system, text := p.Ask(&questions[0])
	fmt.Fprintf(env.Stdout, "\n\nthe first question in full:\n\n%s\n%s", indented(system), indented(text))
	return nil
}

// indented is a text of strangers, moved to the right.
func indented(text string) string {
	var b strings.Builder
	for _, line := range slices.Collect(strings.SplitSeq(strings.TrimRight(text, "\n"), "\n")) {
		b.WriteString(strings.TrimRight("    "+term.Printable(line), " ") + "\n")
	}
	return b.String()
}
