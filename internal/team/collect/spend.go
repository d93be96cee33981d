package collect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/db/ledger"
	"cairn/internal/team/record"
	"cairn/internal/team/spend/book"
	"cairn/internal/term"
	"cairn/internal/text"
)

// spend collects what agents cost in this repository, from the ledger of this
// machine: figures only. A row that was sent and does not hold any more, since its
// requests belong to a commit now or to another branch, is sent again with zeros.
// Of a session that the ledger has lost nothing is taken back. No machine is named:
// a session that two of them have files of is the same one.
func (c *Collector) spend(ctx context.Context, known *Ledger) ([]Item, error) {
	if !c.sharesSpend() {
		return nil, nil
	}
	if !c.Own && c.Options().CI.Given() {
		return nil, errors.New("a CI token cannot replace records that it sent before; agents in CI tell what they cost by OpenTelemetry (docs/spend-server.md)")
	}
	b, err := book.Open(ctx, c.Home, c.Env.Getenv)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	report, err := b.Refresh(ctx, c.Progress)
	if err != nil {
		return nil, err
	}
	for _, what := range report.Unreadable {
		term.Warn(c.Env.Stderr, "left out: %s", term.Printable(what))
	}
	if report.Odd > 0 {
		term.Warn(c.Env.Stderr, "left out: %s of agents' files could not be read", text.Count(report.Odd, "line"))
	}
	days, err := ledger.Days(ctx, b.DB, c.Slug)
	if err != nil {
		return nil, err
	}
	sessions, err := ledger.SessionNames(ctx, b.DB)
	if err != nil {
		return nil, err
	}
	return spendItems(days, c.Slug, sessions, known)
}

// spendItems are the items of a repository's days, and of what is to be taken back.
func spendItems(days []record.SpendDay, repo string, sessions map[string]bool, known *Ledger) ([]Item, error) {
	var items []Item
	at := map[string]int{} // by thing
	sums := make([]record.SpendDay, 0, len(days))
	for _, d := range days {
		d = d.Bounded()
		thing := spendThing(d)
		if i, ok := at[thing]; ok { // names that are one when they are bounded
			sums[i].Add(d.SpendFigures)
			continue
		}
		at[thing] = len(sums)
		sums = append(sums, d)
	}
	for _, d := range sums {
		row, err := d.Row()
		if err != nil {
			return nil, err
		}
		items = append(items, Item{Thing: spendThing(d), Content: row.IngestKey, Row: row})
	}
	for _, thing := range known.things(spendPrefix) {
		if _, holds := at[thing]; holds {
			continue
		}
		gone, ok := spendOf(thing)
		if !ok || !sessions[gone.Session] {
			continue
		}
		gone.Repo, gone.Source = repo, record.SourceLedger
		row, err := gone.Row()
		if err != nil {
			return nil, err
		}
		if !known.is(thing, row.IngestKey) {
			items = append(items, Item{Thing: thing, Content: row.IngestKey, Row: row})
		}
	}
	return items, nil
}

const spendPrefix = "spend_days ["

// spendThing names the place of a row in the repository: what the server knows it by.
func spendThing(d record.SpendDay) string {
	place, _ := json.Marshal([]any{d.Day, d.Agent, d.Session, d.Branch, d.Commit, d.PullRequest, d.Model}) // texts and a number
	return strings.TrimSuffix(spendPrefix, "[") + string(place)
}

// spendOf is the row of a place, with no figures.
func spendOf(thing string) (d record.SpendDay, ok bool) {
	var place []any
	if json.Unmarshal([]byte(strings.TrimPrefix(thing, strings.TrimSuffix(spendPrefix, "["))), &place) != nil || len(place) != 7 {
		return d, false
	}
	number, ok := place[5].(float64)
	if _, err := time.Parse(time.DateOnly, fmt.Sprint(place[0])); err != nil {
		return d, false
	}
	d.PullRequest = int(number)
	for i, to := range map[int]*string{0: &d.Day, 1: &d.Agent, 2: &d.Session, 3: &d.Branch, 4: &d.Commit, 6: &d.Model} {
		*to, _ = place[i].(string)
	}
	return d, ok
}
