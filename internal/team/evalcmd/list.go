package evalcmd

import (
	"fmt"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/team/eval"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/text"
)

var list = command.Command{
	Path: "eval list", Short: "List stored runs, the newest first",
	Long:     "Lists stored runs, the newest first. --json prints one object a line.",
	Args:     []command.Arg{{Name: "LABEL", Optional: true, Values: runs.Labels}},
	Examples: []string{"cairn eval list", "cairn eval list --suite summaries --since 30d"},
	Flags: []command.Flag{teamFlag, suiteFlag, branchFlag,
		{Name: "repo", Default: "", Help: "only this repository, as owner/name", Values: runs.Repositories},
		kindFlag, sinceFlag,
		{Name: "limit", Short: "n", Default: 20, Help: "list at most so many; 0 lists all"}},
	Effect: command.Reads, Run: runList,
	Tool: &command.Tool{Name: "eval_list", Does: "Stored runs of evals, newest first.", Params: []command.Param{
		{Name: "suite"}, {Name: "branch"}, {Name: "label"}, {Name: "since", Does: "such as 30d or a date"},
		{Name: "limit", Does: "default 20"}, teamParam,
	}, Network: true, Data: func(_ *command.Call, a *answer.Answer) any { return a.View }},
}

var teamParam = command.Param{Name: "team", Does: "with the runs of the team's server"}

// listed are the runs that are shown, and how many are not.
type listed struct {
	Runs []eval.Entry `json:"runs"`
	More int          `json:"more"` // that are wanted, too
}

func runList(c *command.Call) (*answer.Answer, error) {
	ch := choose(c, false)
	ch.keep(eval.Filter{Label: c.Arg("LABEL")})
	l := listed{Runs: answer.List(ch.recent)}
	if n, most := len(l.Runs), c.Int("limit"); most > 0 && n > most {
		l.Runs, l.More = l.Runs[:most], n-most
	}
	a := &answer.Answer{Data: answer.LinesOf(l.Runs)}
	if len(l.Runs) == 0 {
		a = ch.none(a.Data)
	}
	a.View = l
	if l.More > 0 {
		a.Said = fmt.Sprintf("… and %d more; -n 0 lists all", l.More)
	}
	return a, nil
}

// Print implements answer.View.
func (l listed) Print(p *answer.Page) error {
	if len(l.Runs) == 0 {
		return nil
	}
	repos := map[string]bool{}
	for _, e := range l.Runs {
		repos[e.Repo] = true
	}
	delete(repos, "")
	t := answer.NewTable("id:name", "when:name", "label", "suite", "passed:count", "errors:count", "cost:usd", "commit", "repository", "where:name")
	now := time.Now()
	for _, e := range l.Runs {
		repo := e.Repo
		if len(repos) < 2 {
			repo = ""
		}
		t.Add(e.ID, text.When(e.Time.Time, now), e.Label, e.SuiteText(), passed(e), answer.Marked(answer.Some(e.Errored), "warn"), usd(e.CostUSD), shortCommit(e), repo, e.Where)
	}
	return t.Print(p)
}

// passed is 16/17, of what was judged.
func passed(e eval.Entry) answer.Cell {
	text := fmt.Sprintf("%d/%d", e.Passed, e.Judged())
	switch rate, ok := e.Rate(); {
	case !ok:
		return answer.Cell{}
	case rate == 1:
		return answer.Marked(text, "good")
	}
	return answer.Marked(text, "bad")
}

// shortCommit leaves the branch out where the label tells it.
func shortCommit(e eval.Entry) string {
	if label := eval.Sanitize(e.Branch); label != "" && (e.Label == label || strings.HasPrefix(e.Label, label+"_")) {
		e.Branch = ""
	}
	return strings.TrimPrefix(commit(e), "@")
}

// commit is branch@sha, with a + for changes that were not committed.
func commit(e eval.Entry) string {
	text := term.Line(e.Branch)
	if e.SHA != "" {
		text += "@" + term.Line(git.Short(e.SHA))
	}
	if e.Dirty && text != "" {
		text += "+"
	}
	return text
}
