package spendcmd

import (
	"fmt"
	"slices"
	"time"

	"cairn/internal/answer"
	"cairn/internal/budget"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/term"
	"cairn/internal/text"
)

var budgetOf = command.Flag{Name: "repo", Default: "", Help: "the budget of one repository, as `NAME` such as acme/shop (default the whole machine)"}

func budgets() []*command.Command {
	const whole = `Alerts are shown at 80 % and at 100 %: by cairn spend and cairn spend watch, in the
status line, and to the agent when a session starts, once per threshold and period.
Budgets are yours: they are in ~/.cairn/budgets.json, and no repository can set one.
Nothing is stopped.`
	var limits []command.Flag
	for i, p := range budget.Periods {
		limits = append(limits, command.Flag{Name: p, Default: 0.0, Help: "`dollars` " + [...]string{"per five-hour block", "per day", "per week from Monday", "per calendar month"}[i]})
	}
	return []*command.Command{
		{
			Path: "spend budget", Short: "Show budgets and how much of each is spent", Long: whole,
			Examples: []string{"cairn spend budget", "cairn spend budget --json"},
			Effect:   command.Reads, Waits: true, Local: true, Run: listBudgets,
		},
		{
			Path: "spend budget list", Short: "Show budgets and how much of each is spent", Long: whole,
			Examples: []string{"cairn spend budget list", "cairn spend budget list --json"},
			Effect:   command.Reads, Waits: true, Run: listBudgets,
		},
		{
			Path: "spend budget set", Short: "Set what agents may cost before you are alerted", Long: whole,
			Examples: []string{"cairn spend budget set --daily 20 --weekly 80 --block 10", "cairn spend budget set --monthly 200 --repo acme/shop"},
			Flags:    append(limits, budgetOf),
			Effect:   command.Writes, Run: setBudget,
		},
		{
			Path: "spend budget remove", Short: "Remove budgets",
			Args:     []command.Arg{{Name: "PERIOD", Help: "which budgets", Many: true, OneOf: append(budget.Periods[:], "all")}},
			Examples: []string{"cairn spend budget remove daily weekly", "cairn spend budget remove all --repo acme/shop"},
			Flags:    []command.Flag{budgetOf},
			Effect:   command.Writes, Run: removeBudget,
		},
	}
}

// used is a budget and how much of it is spent.
type used struct {
	budget.Use
	Percent float64 `json:"percent"`
	Alert   int     `json:"alert,omitempty"` // 80 or 100
}

func listBudgets(c *command.Call) (*answer.Answer, error) {
	set := must.Get(budget.Load(home.Find(c.Getenv)))
	list := []used{}
	a := &answer.Answer{}
	if len(set) == 0 {
		a.Data, a.Said, a.Hint = list, "cairn: no budget is set", "cairn spend budget set --daily 20 sets one"
		return a, nil
	}
	b, report := open(c)
	defer b.Close()
	t := answer.NewTable("budget:name", "of:name", "limit:usd", "spent:usd", "used:percent", "left:usd")
	for _, s := range set {
		u := budget.Use{Budget: s}
		if i := slices.IndexFunc(b.Now.Uses, func(u budget.Use) bool { return u.Budget == s }); i >= 0 {
			u = b.Now.Uses[i]
		}
		list = append(list, used{u, u.Percent(), u.Level()})
		of := u.Repo
		if of == "" {
			of = "this machine"
		}
		mark := map[int]string{budget.Near: "warn", budget.Over: "bad"}[u.Level()]
		t.Add(u.Period, of, u.Limit, u.Spent, answer.Marked(u.Percent()/100, mark), max(0, u.Limit-u.Spent))
	}
	a.Data, a.Said = list, report.remark()
	a.View = answer.Views{t, answer.Line(""), alerts(b.Now.Alerts(time.Now()))}
	if len(b.Now.Alerts(time.Now())) == 0 {
		a.View = t
	}
	return a, nil
}

func setBudget(c *command.Call) (*answer.Answer, error) {
	h := home.Find(c.Getenv)
	set := must.Get(budget.Load(h))
	given := 0
	for _, p := range budget.Periods {
		if !c.Given(p) {
			continue
		}
		usd := c.Float(p)
		if !(usd > 0 && usd <= 1e9) {
			return nil, command.Usagef("--%s must be more than 0 dollars; cairn spend budget remove %s removes a budget", p, p)
		}
		given++
		set = append(without(set, c.String("repo"), p), budget.Budget{Repo: c.String("repo"), Period: p, Limit: usd})
	}
	if given == 0 {
		return nil, command.Usage(term.Hint(fmt.Errorf("no budget given"), "name at least one of --block, --daily, --weekly and --monthly, in dollars"))
	}
	must.OK(budget.Save(h, set))
	return &answer.Answer{Data: set, Done: true, Said: fmt.Sprintf("cairn: %s set", text.Count(given, "budget")), Hint: "cairn spend budget shows how much is spent"}, nil
}

func removeBudget(c *command.Call) (*answer.Answer, error) {
	h := home.Find(c.Getenv)
	set := must.Get(budget.Load(h))
	had := len(set)
	periods := c.Rest("PERIOD")
	if slices.Contains(periods, "all") {
		periods = budget.Periods[:]
	}
	for _, p := range periods {
		set = without(set, c.String("repo"), p)
	}
	a := &answer.Answer{Data: append([]budget.Budget{}, set...), Said: "cairn: there is no such budget"}
	if n := had - len(set); n > 0 {
		must.OK(budget.Save(h, set))
		a.Done, a.Said = true, fmt.Sprintf("cairn: %s removed", text.Count(n, "budget"))
	}
	return a, nil
}

// without leaves out a repository's budget for a period.
func without(set []budget.Budget, repo, period string) []budget.Budget {
	return slices.DeleteFunc(set, func(b budget.Budget) bool { return b.Repo == repo && b.Period == period })
}
