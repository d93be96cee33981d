package early

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"cairn/internal/budget"
	"cairn/internal/child"
	"cairn/internal/compact/setup"
	"cairn/internal/compact/usage"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/outside"
	"cairn/internal/plan/guard"
	"cairn/internal/project"
	"cairn/internal/update/known"
	"cairn/internal/version"
)

// planGuard is what the plan's part of a hook may look at and start.
func planGuard(env *outside.Env) *guard.Guard {
	h := home.Find(env.Getenv)
	return &guard.Guard{
		Getenv: env.Getenv,
		Start: func(args ...string) {
			if err := startCairn(args...); err != nil {
				setup.Log(env, fmt.Errorf("cairn %s: %w", args[0], err))
			}
		},
		Update:  func() bool { return looksForUpdate(env) },
		Newer:   func() string { return known.Newer(known.Last(h.Update()), version.Release()) },
		Trusted: func(root string) bool { return project.Open(h, home.Repo(root)).TrustsPlan() },
		Saved: func(session string) int {
			n, err := usage.Saved(h.Usage(), session)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				setup.Log(env, fmt.Errorf("usage: %w", err))
			}
			return n
		},
		Spent: func() (string, int) {
			refreshSpend(env)
			now := budget.ReadNow(h)
			line, level := now.Line(time.Now())
			if line == "" {
				return "", 0
			}
			if set, _ := config.Load("", env.Getenv); !set.Bool(config.SpendStatusLine) {
				return "", 0
			}
			return line, level
		},
	}
}

// refreshSpend has what agents cost added up in the background where the user set a
// budget and the figures are old.
func refreshSpend(env *outside.Env) {
	if !budget.Stale(home.Find(env.Getenv), time.Now()) {
		return
	}
	if err := startCairn("spend", "budget", "list"); err != nil {
		setup.Log(env, fmt.Errorf("cairn spend: %w", err))
	}
}

// alert tells an agent, when a session starts, of budgets that are nearly or fully
// spent: each threshold once in each period.
func alert(env *outside.Env) string {
	refreshSpend(env)
	var lines []string
	for _, u := range budget.Untold(home.Find(env.Getenv), time.Now()) {
		lines = append(lines, "cairn: "+u.String()+". Tell the user.")
	}
	return strings.Join(lines, "\n")
}

// startCairn starts this binary in the background: it goes on when we and the
// agent have ended.
func startCairn(args ...string) error {
	bin, err := os.Executable()
	if err != nil {
		return err
	}
	return child.Detach(bin, args...)
}

// looksForUpdate reports whether a session that starts is to look for a newer
// version: once a day, and never where nobody would act on it.
func looksForUpdate(env *outside.Env) bool {
	if known.Page == "" || env.Getenv("CI") != "" || env.Getenv(home.Probe) != "" ||
		!known.Read(home.Find(env.Getenv).Update()).IsDue(time.Now()) {
		return false
	}
	set, _ := config.Load("", env.Getenv)
	return set.Bool(config.UpdateCheck)
}
