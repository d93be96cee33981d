package collect

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/team/record"
	"cairn/internal/team/retro"
	"cairn/internal/team/runs"
	"cairn/internal/term"
)

// mostWeeks is how far back git is measured.
const mostWeeks = 104

// gitThing is what the ledger calls the state of the history.
const gitThing = "git"

// gitState is what the records of git follow from: commits, tags and the week.
func (c *Collector) gitState(ctx context.Context, rev string) string {
	commit, err := git.Run(ctx, c.top, "rev-parse", cmp.Or(rev, "HEAD"))
	if err != nil {
		return ""
	}
	refs, err := git.Run(ctx, c.top, "for-each-ref", "--format=%(objectname) %(refname)", "refs/tags")
	if err != nil {
		return ""
	}
	remote, _ := git.Run(ctx, c.top, "config", "--get", "remote.origin.url")
	year, week := time.Now().UTC().ISOWeek()
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%d %d", commit, refs, remote, year, week))
	return hex.EncodeToString(sum[:])
}

// git collects the weeks and the ships of a repository's history, nothing where
// that is as it was.
func (c *Collector) git(ctx context.Context, ledger *Ledger) (items []Item, err error) {
	if c.top == "" {
		return nil, nil
	}
	rev := SharedRev(ctx, c.top)
	state := c.gitState(ctx, rev)
	if ledger.is(gitThing, state) {
		return nil, nil
	}
	h, err := retro.Read(ctx, retro.Options{Dir: c.top, Rev: rev, Zone: time.UTC})
	if err != nil {
		return nil, err
	}
	ships, err := h.Ships(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range ships {
		row, err := Ship(c.Slug, s)
		if err != nil {
			return nil, err
		}
		items = append(items, rowItem(s.Key(), row))
	}
	weeks, err := h.Weeks(ctx, time.Now(), mostWeeks)
	if err != nil {
		return items, err
	}
	for _, w := range weeks {
		c.commits += w.Metrics.Commits
		row, err := Retro(c.Slug, w)
		if err != nil {
			return items, err
		}
		items = append(items, rowItem(w.Date+" "+w.Period, row))
	}
	return append(items, Item{Thing: gitThing, Content: state}), nil
}

// SharedRev is what the team has of a repository: the remote's default branch,
// or "", which is HEAD, where HEAD is that branch with more on it, or where no
// remote is known.
func SharedRev(ctx context.Context, top string) string {
	branch := git.DefaultBranch(ctx, top)
	name, remote := strings.CutPrefix(branch, "origin/")
	if !remote {
		return ""
	}
	if here, _ := git.Branch(ctx, top); here == name {
		if _, err := git.Run(ctx, top, "merge-base", "--is-ancestor", "HEAD", branch); git.Code(err) == 1 {
			return ""
		}
	}
	return branch
}

// Retro makes of what was measured the row that the team keeps.
func Retro(repo string, r retro.Report) (record.Row, error) {
	data, err := json.Marshal(r, json.Deterministic(true))
	if err != nil {
		return record.Row{}, err
	}
	file, err := record.Read(record.Retro, data, record.Context{Repo: repo})
	if err != nil {
		return record.Row{}, err
	}
	return file.Rows[0], nil
}

// Ship makes of what git knows of a ship the row that the team keeps.
func Ship(repo string, s retro.Ship) (record.Row, error) {
	return record.Shipped{
		Key: s.Key(), Version: s.Version, Branch: s.Branch, SHA: s.SHA, Title: s.Title,
		Author: s.Author, Email: s.Email, URL: s.URL, At: s.At,
	}.Row(record.Context{Repo: repo})
}

// Ships returns the rows of the ships of the repository that one is in.
func Ships(ctx context.Context, env *command.Env) (rows []record.Row, err error) {
	repo, top := runs.Repo(env)
	if top == "" {
		return nil, command.Data(term.Hint(errors.New("this is not the working tree of a git repository"), "cairn retro measures the repository that it is started in"))
	}
	ships, err := retro.Ships(ctx, retro.Options{Dir: top, Rev: SharedRev(ctx, top), Zone: time.UTC})
	if err != nil {
		return nil, command.Data(err)
	}
	for _, s := range ships {
		row, err := Ship(repo, s)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}
