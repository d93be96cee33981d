package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones also where the system has none

	"github.com/spf13/cobra"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/collect"
	"cairn/internal/team/retro"
	"cairn/internal/team/runs"
	"cairn/internal/team/spool"
	"cairn/internal/term"
)

type retroOptions struct {
	days     int
	path     string
	timezone string
	date     string
	rev      string
	history  string
	push     bool
	json     bool
}

func newRetro(env *Env) *cobra.Command {
	opts := retroOptions{days: 7}
	cmd := &cobra.Command{
		Use:   "retro [7d|14d|30d]",
		Short: "Measure a repository's week from git",
		Long: `Measures what changed in the last days, when and by whom: commits, lines, tests,
sessions, hotspots, people, agents. It reads git and changes nothing; --push
sends the numbers to the team. docs/retro.md tells how each is counted.

What the team shares is measured: the remote's default branch, or HEAD where it
is on that branch and ahead of it, or where there is no remote.`,
		Example: "  cairn retro 14d\n  cairn retro --history 12 --path services/api",
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				days, err := parseDays(args[0])
				if err != nil {
					return err
				}
				opts.days = days
			}
			return runRetro(env, opts)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.path, "path", "", "count only what is in this directory")
	f.StringVar(&opts.timezone, "timezone", "UTC", "whose days are counted, such as Europe/Berlin")
	f.StringVar(&opts.date, "date", "", "the last day, as 2026-03-15 (default today)")
	f.StringVar(&opts.rev, "rev", "", "the newest commit that counts")
	f.StringVar(&opts.history, "history", "", "a line for each of the last N weeks, or of all")
	f.BoolVar(&opts.push, "push", false, "send what was measured to the team")
	f.BoolVar(&opts.json, "json", false, "print the records as JSON, one a line")
	return cmd
}

func parseDays(text string) (int, error) {
	digits, ok := strings.CutSuffix(text, "d")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || n > 3660 || strconv.Itoa(n) != digits {
		return 0, command.Usage(term.Hint(fmt.Errorf("%q is no period", text), "7d, 14d, 30d or another number of days"))
	}
	return n, nil
}

// runRetro measures, prints and, where that is wanted, sends.
func runRetro(env *Env, opts retroOptions) error {
	m, err := newMeasuring(env, opts)
	if err != nil {
		return err
	}
	reports, err := m.reports()
	if err != nil {
		return err
	}
	switch {
	case opts.json && !opts.push:
		for _, r := range reports {
			if err := m.printRecord(r); err != nil {
				return err
			}
		}
	case opts.history != "" && !opts.json:
		err = m.printWeeks(reports)
	case !opts.json:
		err = m.printReport(reports[0])
	}
	if err != nil || !opts.push {
		return err
	}
	a, err := m.push(reports)
	if err != nil || a == nil {
		return err
	}
	return a.Print(env.Stdout, env.Stderr, answer.Form{JSON: opts.json}, term.NewPaint(env.Stdout, env.Getenv))
}

// pushWeek sends the retrospective of the last 7 days.
func pushWeek(c *command.Call, _ *spool.Spool) (*answer.Answer, error) {
	m, err := newMeasuring(c.Env, retroOptions{days: 7, timezone: "UTC"})
	if err != nil {
		return nil, err
	}
	reports, err := m.reports()
	if err != nil {
		return nil, err
	}
	return m.push(reports)
}

// A measuring is one look at the repository that one is in.
type measuring struct {
	env   *Env
	opts  retroOptions
	repo  string // as records name it
	weeks int    // 0 is all, where a history is wanted
	last  time.Time
	now   time.Time
	retro retro.Options
}

func newMeasuring(env *Env, opts retroOptions) (*measuring, error) {
	m := &measuring{env: env, opts: opts, now: time.Now()}
	zone, err := time.LoadLocation(opts.timezone)
	if err != nil || opts.timezone == "Local" {
		return nil, command.Usage(term.Hint(fmt.Errorf("--timezone %q is not known", opts.timezone), "a name such as UTC, Europe/Berlin or America/New_York"))
	}
	m.retro.Zone, m.last = zone, m.now
	if opts.date != "" {
		if m.last, err = time.ParseInLocation(time.DateOnly, opts.date, zone); err != nil {
			return nil, command.Usage(term.Hint(fmt.Errorf("--date %q is no day", opts.date), "2026-03-15"))
		}
	}
	if opts.history != "" && opts.history != "all" {
		if m.weeks, err = strconv.Atoi(opts.history); err != nil || m.weeks < 1 {
			return nil, command.Usage(term.Hint(fmt.Errorf("--history %q is no number of weeks", opts.history), "12, or all"))
		}
	}
	return m, m.open()
}

// open finds the repository and what of it is measured.
func (m *measuring) open() error {
	repo, top := runs.Repo(m.env)
	if top == "" {
		return command.Data(term.Hint(errors.New("this is not the working tree of a git repository"), "cairn retro measures the repository that it is started in"))
	}
	m.repo, m.retro.Dir = repo, top
	if m.opts.path != "" {
		dir, err := m.env.Abs(m.opts.path)
		if err == nil {
			dir, err = filepath.Rel(realPath(top), realPath(dir))
		}
		if dir = filepath.ToSlash(dir); err != nil || dir == ".." || strings.HasPrefix(dir, "../") {
			return command.Usagef("--path %s is not in this repository", command.Shown(m.opts.path))
		}
		if dir != "." {
			m.retro.Path = dir
			m.repo += "/" + dir
		}
	}
	m.retro.Rev = m.opts.rev
	if m.retro.Rev == "" {
		m.retro.Rev = collect.SharedRev(context.Background(), top)
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

// reports measures what is asked for.
func (m *measuring) reports() ([]retro.Report, error) {
	ctx := context.Background()
	if m.opts.history != "" {
		reports, err := retro.Weeks(ctx, m.retro, m.last, m.weeks)
		return reports, command.Data(err)
	}
	r, err := retro.Measure(ctx, m.retro, m.last, m.opts.days)
	return []retro.Report{r}, command.Data(err)
}
