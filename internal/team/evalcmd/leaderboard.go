package evalcmd

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/team/eval"
	"cairn/internal/term"
	"cairn/internal/text"
)

var leaderboard = command.Command{
	Path: "eval leaderboard", Short: "Rank models, prompts or people, and show ties",
	Long: "--by model, variant or label compares what was tried on the same suite: pass rates\n" +
		"with intervals, mean scores, cost per pass, and letters. Two that share a letter\n" +
		"cannot be told apart: McNemar's test on their shared cases, corrected by Holm for\n" +
		"all the pairs.\n\n" +
		"--by person ranks the authors of the commits that were run: by the runs that\n" +
		"made a suite really better or worse than the run before on the same branch,\n" +
		"then by suites kept green and runs.",
	Examples: []string{"cairn eval leaderboard --by model --suite summaries", "cairn eval leaderboard --since 7d"},
	Flags: []command.Flag{teamFlag,
		{Name: "by", Default: "person", Help: "what is ranked: person, model, variant or label", OneOf: []string{"person", "model", "variant", "label"}},
		command.SinceFlag("30d"),
		suiteFlag, branchFlag, repoFlag,
		{Name: "runs", Short: "n", Default: 50, Help: "of each suite the newest so many runs, for all but people; 0 is all"}},
	Effect: command.Reads, Run: runLeaderboard,
}

func runLeaderboard(c *command.Call) (*answer.Answer, error) {
	ch := choose(c, true)
	by := c.String("by")
	if by == "person" {
		return leaders(c, &ch)
	}
	contests := ch.Contests(ch.recent, ch.suite, eval.By(by), c.Int("runs"))
	a := &answer.Answer{Data: struct {
		Contests []eval.Contest `json:"contests"`
	}{answer.List(contests)}}
	switch {
	case len(ch.recent) == 0:
		return ch.none(a.Data), nil
	case len(contests) == 0:
		a.Said = fmt.Sprintf("cairn: no suite of %s was tried with two or more %ss", text.Count(len(ch.recent), "run"), by)
		a.Hint = "results name their model and variant; --by label compares runs with other labels"
	}
	var parts []answer.View
	for i := range contests {
		parts = append(parts, contestView(&contests[i], by))
	}
	a.View = apart(parts...)
	return a, nil
}

// leaders ranks people.
func leaders(c *command.Call, ch *choice) (*answer.Answer, error) {
	authors := map[string]string{}
	if git.Repo(c.Here()) {
		authors = git.Authors(c, c.Here(), eval.Commits(ch.recent))
	}
	standings := ch.Leaders(ch.found, ch.suite, ch.since, func(sha string) string { return authors[git.Short(sha)] }, time.Local)
	standings.People = answer.List(standings.People)
	a := &answer.Answer{Data: standings}
	switch {
	case len(ch.recent) == 0:
		return ch.none(a.Data), nil
	case len(standings.People) == 0:
		a.Said = "cairn: no author is known here of the commits of " + text.Count(len(ch.recent), "run")
		a.Hint = "run it in the repository of these commits; runs with uncommitted changes are nobody's"
		return a, nil
	case standings.Nobody > 0:
		are := " are"
		if standings.Nobody == 1 {
			are = " is"
		}
		a.Said = "cairn: " + text.Count(standings.Nobody, "run") + are + " nobody's: uncommitted changes, or no commit that is known here"
	}
	t := answer.NewTable("who", "better:count", "worse:count", "green_suites:count", "runs:count", "days_in_a_row:count")
	for _, p := range standings.People {
		t.Add(p.Name, answer.Some(len(p.Better)), answer.Some(len(p.Worse)), answer.Some(len(p.Green)), p.Runs, p.Streak)
	}
	a.View = apart(t, painted(func(p *answer.Page) {
		said := false
		for _, who := range standings.People {
			for _, s := range slices.Concat(who.Better, who.Worse) {
				fmt.Fprintln(p, step(p, who.Name, s))
				said = true
			}
		}
		if !said {
			fmt.Fprintf(p, "no run was better or worse than the one before it by more than noise (%s looked at)\n", text.Count(standings.Steps, "step"))
		}
	}))
	return a, nil
}

// step is ↑ Ada: summaries +9 −0 of 40 cases with abc1234, 03-15 (p < 0.001).
func step(p *answer.Page, name string, s eval.Step) string {
	sign := p.Good("↑")
	if s.Worse > s.Better {
		sign = p.Bad("↓")
	}
	return fmt.Sprintf("%s %s: %s +%d −%d of %s with %s, %s (p %s)", sign, term.Line(name), cmp.Or(term.Line(s.Suite), "(none)"),
		s.Better, s.Worse, text.Count(s.Cases, "case"), term.Line(git.Short(s.SHA)), text.When(s.Time, time.Now()), pValue(s.Adjusted))
}

// contestView is a table of what was tried on a suite, and who leads.
func contestView(c *eval.Contest, by string) answer.View {
	scores := sharedScores(c)
	columns := []string{by, ":name", "pass_rate:name", "cases:count", "errors:count", "cost:usd", "per_pass:usd"}
	for _, s := range scores {
		columns = append(columns, "score:number="+cmp.Or(term.Line(s.Criterion), "score")+" "+term.Line(scale(s.Scale)))
	}
	t := answer.NewTable(columns...)
	for _, one := range c.Contestants {
		row := []any{one.Name, cmp.Or(one.Group, blank), rate(one.Rate), one.Rate.Cases, answer.Some(one.Counts.Errored), usd(one.CostUSD), perPass(one)}
		for _, s := range scores {
			row = append(row, scoreOf(one.Scores, s))
		}
		t.Add(row...)
	}
	tier := ""
	if c.JudgeTier != "" {
		tier = "judged " + term.Line(c.JudgeTier)
	}
	return answer.Views{
		painted(func(p *answer.Page) {
			fmt.Fprintln(p, joined(" · ", p.Bold(cmp.Or(term.Line(c.Suite), "(no suite)")), term.Line(c.Kind), tier, text.Count(c.SharedCases, "shared case")))
		}), t, painted(func(p *answer.Page) {
			fmt.Fprintln(p, text.Fold(lead(p, c), p.Width, 0))
			for _, note := range contestNotes(c, by) {
				fmt.Fprintln(p, p.Dim(text.Fold(note, p.Width, 0)))
			}
		}),
	}
}

func perPass(one eval.Contestant) any {
	if one.CostPerPass == nil {
		return nil
	}
	return usd(*one.CostPerPass)
}

// cheapest names the cheapest of the leader and those like it, where the costs of
// all are known.
func cheapest(c *eval.Contest, alike []string) string {
	least := c.Contestants[0]
	for _, one := range c.Contestants {
		if !slices.Contains(alike, term.Line(one.Name)) && one.Name != c.Contestants[0].Name {
			continue
		}
		if one.CostPerPass == nil {
			return ""
		}
		if *one.CostPerPass < *least.CostPerPass {
			least = one
		}
	}
	return fmt.Sprintf("; the cheapest of these is %s, %s per pass", term.Line(least.Name), text.Some(*least.CostPerPass, text.Dollars))
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
	if i := slices.IndexFunc(scores, like.Same); i >= 0 {
		return fmt.Sprintf("%.2f", scores[i].Mean)
	}
	return ""
}

// lead says who is best, or that it may be luck.
func lead(p *answer.Page, c *eval.Contest) string {
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
			return fmt.Sprintf("%s has the highest pass rate, but on the cases of both %s is better (p %s)", term.Line(first.Name), term.Line(d.B), pValue(d.Adjusted))
		default:
			worst = max(worst, d.Adjusted)
		}
	}
	if len(alike) == 0 {
		return fmt.Sprintf("%s is best: p %s against each other one", p.Good(term.Line(first.Name)), pValue(worst))
	}
	return fmt.Sprintf("%s leads, and it may be luck: not distinguishable from %s%s", term.Line(first.Name), p.Warn(listText(alike, 5)), cheapest(c, alike))
}

// contestNotes say what limits the comparison.
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
		commits[git.Short(one.Commit)] = true
	}
	if len(commits) > 1 {
		notes = append(notes, fmt.Sprintf("the %ss ran on %d different commits: part of a difference may be the code's", by, len(commits)))
	}
	if n := len(c.LeftOut); n > 0 {
		notes = append(notes, fmt.Sprintf("%d more %ss are left out; --since and --branch narrow it", n, by))
	}
	return notes
}
