// Package retrocmd declares `cairn retro`: a repository's days measured from git,
// printed beside the team's and sent to it.
//
// Only package cli imports it. What is counted, and how, belongs to retro.
package retrocmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones also where the system has none

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/collect"
	"cairn/internal/team/link"
	"cairn/internal/team/retro"
	"cairn/internal/team/runs"
	"cairn/internal/term"
)

const period = "7d|14d|30d"

// Commands lists the one command.
func Commands() []*command.Command {
	return []*command.Command{{
		Path: "retro", Short: "Measure a repository's week from git",
		Long: `Measures what changed in the last days, when and by whom: commits, lines, tests,
sessions, hotspots, people, agents. It reads git and changes nothing; --push
sends the numbers to the team. docs/retro.md defines each of them.

It measures what the team shares: the remote's default branch. It measures HEAD if
that is the same branch with more commits, or if there is no remote.`,
		Args:     []command.Arg{{Name: period, Optional: true, Values: func(*command.Call) []string { return []string{"7d", "14d", "30d"} }}},
		Examples: []string{"cairn retro 14d", "cairn retro --history 12 --path services/api"},
		Effect:   command.Reads, Run: run,
		Flags: []command.Flag{
			{Name: "path", Default: "", Help: "count only what is in this directory"},
			{Name: "timezone", Default: "UTC", Help: "whose days are counted, such as Europe/Berlin"},
			{Name: "date", Default: "", Help: "the last day, as 2026-03-15 (default today)"},
			{Name: "rev", Default: "", Help: "the newest commit that counts"},
			{Name: "history", Default: "", Help: "print a line for each of the last `N` weeks, or of all"},
			{Name: "push", Default: false, Help: "send what was measured to the team"},
			{Name: "days", Default: 7, Hidden: true, Help: "how many days, as a program says it"},
		},
		Tool: &command.Tool{
			Name: "retro", Does: "The repository's last days from git: commits, lines, tests, hotspots, people, agents.",
			Params: []command.Param{{Name: "days", Does: "default 7"}, {Name: "path", Does: "only this directory"}},
			Data:   func(_ *command.Call, a *answer.Answer) any { return a.Data.(answer.Lines)[0] },
		},
	}}
}

func run(c *command.Call) (*answer.Answer, error) {
	m := measuring{env: c.Env, history: c.String("history") != ""}
	m.ask(c)
	must.OK(m.open(c, c.String("path"), c.String("rev")))
	reports := must.Get(m.measure(c))
	a := &answer.Answer{View: m.weeksView(reports)}
	if !m.history {
		a.View = m.view(reports[0])
	}
	if !c.Bool("push") {
		a.Data = m.records(reports)
		return a, nil
	}
	sent, err := m.push(link.Queue(c.Env), reports)
	a.Data, a.View, a.Err = sent.Data, answer.Views{a.View, sent.View}, err
	return a, nil
}

// A measuring is one look at the repository that one is in.
type measuring struct {
	env     *command.Env
	repo    string // as records name it
	days    int
	history bool
	weeks   int // 0 is all, where a history is wanted
	last    time.Time
	retro   retro.Options
}

// ask reads which period is wanted, and whose days.
func (m *measuring) ask(c *command.Call) {
	var err error
	days := c.Arg(period)
	if days == "" {
		days = fmt.Sprintf("%dd", c.Int("days"))
	}
	digits, ok := strings.CutSuffix(days, "d")
	m.days, err = strconv.Atoi(digits)
	if !ok || err != nil || m.days < 1 || m.days > 3660 || strconv.Itoa(m.days) != digits {
		must.Fail(command.Usage(term.Hint(fmt.Errorf("invalid period %q", days), "7d, 14d, 30d or another number of days")))
	}
	zone := c.String("timezone")
	if m.retro.Zone, err = time.LoadLocation(zone); err != nil || zone == "Local" {
		must.Fail(command.Usage(term.Hint(fmt.Errorf("--timezone: unknown time zone %q", zone), "a name such as UTC, Europe/Berlin or America/New_York")))
	}
	m.last = time.Now()
	if date := c.String("date"); date != "" {
		if m.last, err = time.ParseInLocation(time.DateOnly, date, m.retro.Zone); err != nil {
			must.Fail(command.Usagef("--date must be a day such as 2026-03-15, not %q", date))
		}
	}
	if weeks := c.String("history"); m.history && weeks != "all" {
		if m.weeks, err = strconv.Atoi(weeks); err != nil || m.weeks < 1 {
			must.Fail(command.Usagef("--history must be a number of weeks or all, not %q", weeks))
		}
	}
}

// open finds the repository and what of it is measured.
func (m *measuring) open(ctx context.Context, path, rev string) error {
	repo, top := runs.Repo(m.env)
	if top == "" {
		return command.Data(term.Hint(errors.New("this is not the working tree of a git repository"), "cairn retro measures the repository that it is started in"))
	}
	m.repo, m.retro.Dir, m.retro.Rev = repo, top, rev
	if path != "" {
		dir, err := m.env.Abs(path)
		if err == nil {
			dir, err = filepath.Rel(realPath(top), realPath(dir))
		}
		if err != nil || !filepath.IsLocal(dir) {
			return command.Usagef("--path %s is not in this repository", command.Shown(path))
		}
		if dir != "." {
			m.retro.Path = filepath.ToSlash(dir)
			m.repo += "/" + m.retro.Path
		}
	}
	if rev == "" {
		m.retro.Rev = collect.SharedRev(ctx, top)
	}
	return nil
}

// realPath is a path without symbolic links, as far as it is there.
func realPath(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

func (m *measuring) measure(ctx context.Context) ([]retro.Report, error) {
	if m.history {
		reports, err := retro.Weeks(ctx, m.retro, m.last, m.weeks)
		return reports, command.Data(err)
	}
	r, err := retro.Measure(ctx, m.retro, m.last, m.days)
	return []retro.Report{r}, command.Data(err)
}
