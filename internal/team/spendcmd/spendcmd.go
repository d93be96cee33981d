// Package spendcmd declares `cairn spend`: what agents cost, by day, place and model.
//
// Only package cli imports it.
package spendcmd

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/budget"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend/bill"
	"cairn/internal/team/spend/book"
	"cairn/internal/team/spend/reader"
	"cairn/internal/term"
	"cairn/internal/text"
)

var (
	byFlag = command.Flag{Name: "by", Default: "day", OneOf: bill.By(), Help: "what the sum is split by: " + strings.Join(bill.By(), ", ")}
	ofRepo = command.Flag{Name: "repo", Default: "", Help: "only of this repository, as `NAME` such as acme/shop (default the whole machine)"}
)

// Commands lists the commands.
func Commands() []*command.Command {
	return append([]*command.Command{{
		Path: "spend", Short: "Show what agents cost, by branch, commit or pull request",
		Long: `Adds up what agents cost, from the usage records that they write on this machine.
Prompts and answers are not stored. Dollars are list prices, even if a subscription
pays. Requests to a model without a known price are counted separately.

A request belongs to the branch that was checked out when it was sent, and to the
next commit that the session made there. If that commit was amended, rebased or
squashed since, the result counts. Pull requests are found by merges, by trailers
and by refs such as refs/pull/12/head. Everything else is unattributed.
A request is of the author of its commit, else of whoever git says commits in its
repository, else on this machine.

Supported agents: ` + strings.Join(reader.Agents(), ", ") + `. No network is needed.`,
		Examples: []string{"cairn spend --by pr --since 2026-11-01", "cairn spend --by branch --repo acme/shop --json"},
		Flags:    []command.Flag{byFlag, command.SinceFlag("all"), ofRepo},
		Effect:   command.Reads, CSV: true, Waits: true, Local: true, Run: run,
	}, session(), pull(), watch()}, budgets()...)
}

func run(c *command.Call) (*answer.Answer, error) {
	f := ledger.Filter{Since: must.Get(command.Since(c.String("since"), time.Now())), Repo: c.String("repo")}
	b, report := open(c)
	defer b.Close()
	by := c.String("by")
	var sum bill.Bill
	if by == "person" {
		sum = must.Get(bill.ByPerson(c, b.DB, f, time.Local, must.Get(b.Persons(c))))
	} else {
		sum = must.Get(bill.Of(c, b.DB, f, by, time.Local))
	}
	a := &answer.Answer{Data: sum}
	if len(sum.Rows) == 0 && sum.Requests == 0 {
		a.Said = "cairn: " + none(&report, f)
		return a, nil
	}
	a.View = answer.Views{view(&sum, by), alerts(b.Now.Alerts(time.Now()))}
	a.Said = report.remark()
	return a, nil
}

// refreshed is what bringing the ledger up to date brought.
type refreshed struct{ book.Report }

// open opens the ledger, brings it up to date and warns of what was left out.
func open(c *command.Call) (*book.Book, refreshed) {
	b, report := must.Get2(refresh(c, term.NewProgress(c.Stderr)))
	for _, what := range report.Unreadable {
		term.Warn(c.Stderr, "left out: %s", term.Printable(what))
	}
	return b, report
}

// refresh opens the ledger, and brings it up to date.
func refresh(c *command.Call, progress *term.Progress) (*book.Book, refreshed, error) {
	h := home.Find(c.Getenv)
	b, err := book.Open(c, h, c.Getenv)
	if err != nil && c.Err() == nil && !errors.Is(err, db.ErrNewer) {
		err = term.Hint(err, "if %s is damaged, remove it: it is made anew of what the agents still have", h.Store())
	}
	if err != nil {
		return nil, refreshed{}, err
	}
	report, err := b.Refresh(c, progress)
	if err != nil {
		b.Close()
		return nil, refreshed{}, err
	}
	return b, refreshed{report}, nil
}

// none says why there is nothing.
func none(r *refreshed, f ledger.Filter) string {
	if r.Files == 0 {
		return "no usage records found on this machine (" + strings.Join(reader.Agents(), ", ") + ")"
	}
	if f.Repo != "" {
		return fmt.Sprintf("no request found for %s; cairn spend --by repo lists the repositories", term.Line(f.Repo))
	}
	return fmt.Sprintf("no request in this period, in %s", text.Count(r.Files, "usage file"))
}

// remark says what the sums leave out.
func (r *refreshed) remark() string {
	if r.Odd == 0 {
		return ""
	}
	return fmt.Sprintf("cairn: %s of agents' files could not be read and %s not counted", text.Count(r.Odd, "line"), is(r.Odd))
}

func is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// view is the table of a bill, with what is in no row and the sum below.
func view(b *bill.Bill, by string) answer.View {
	t := answer.NewTable(by+":name", "usd:usd", "share:percent", "input:tokens", "output:tokens", "cache_read:tokens=read", "cache_write:tokens=written",
		"sessions:count", "unpriced:count")
	for i := range b.Rows {
		r := &b.Rows[i]
		t.Add(label(r, by), r.USD, share(r.USD, b.Total), r.Input, r.Output, r.CacheRead, r.CacheWrite, r.Sessions, answer.Some(r.Unpriced))
	}
	views := answer.Views{t}
	if len(b.Rows) == 0 {
		views = nil
	}
	return append(views, answer.Painted(func(p *answer.Page) error {
		if len(b.Rows) > 0 {
			fmt.Fprintln(p)
		}
		fmt.Fprintf(p, "%s  %s, %s\n", p.Bold(money(b.Total)), text.Count(b.Sessions, "session"), text.Count(int(b.Requests), "request"))
		if b.Unattributed > 0 {
			fmt.Fprintf(p, "%s unattributed: %s\n", money(b.Unattributed), unattributed(by))
		}
		if b.Unpriced > 0 {
			fmt.Fprintln(p, p.Bad(fmt.Sprintf("%s without a known price: not in the dollars", text.Count(int(b.Unpriced), "request"))))
		}
		return nil
	}))
}

// label is a key as a terminal shows it: a commit's name is long.
func label(r *bill.Row, by string) string {
	switch by {
	case "commit":
		return term.Line(r.Repo + ":" + git.Short(r.Commit))
	case "session":
		return term.Line(r.Agent + " " + r.Key)
	}
	return term.Line(r.Key)
}

func share(usd, total float64) any {
	if total == 0 {
		return nil
	}
	return usd / total
}

func unattributed(by string) string {
	return cmp.Or(map[string]string{
		"repo":   "no repository, or one that was removed or moved",
		"branch": "no branch was checked out, or the repository is not known",
		"commit": "no later commit by the same session on the same branch, or the repository is not known",
		"pr":     "no pull request found in merges, trailers and refs",
		"person": "git has no address of anybody's here",
		"tool":   "no tool was called, or the agent does not record it",
		"phase":  "no commit of a plan's phase",
	}[by], "not known")
}

func money(usd float64) string {
	if usd < 0.01 && usd > 0 {
		return fmt.Sprintf("$%.4f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

// alerts are lines about budgets that are nearly or fully spent.
func alerts(uses []budget.Use) answer.View {
	return answer.Painted(func(p *answer.Page) error {
		for i := range uses {
			paint := p.Warn
			if uses[i].Level() == budget.Over {
				paint = p.Bad
			}
			fmt.Fprintln(p, paint(term.Line(uses[i].String())))
		}
		return nil
	})
}
