package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"cairn/internal/config"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/team/client"
	"cairn/internal/team/collect"
	"cairn/internal/team/link"
	"cairn/internal/team/retro"
	"cairn/internal/team/runs"
	"cairn/internal/team/spool"
	"cairn/internal/term"
)

// mostWeeks is how far back git is measured.
const mostWeeks = 104

// A collector gathers what a repository knows for its team. See package collect.
type collector struct {
	*link.Checkout
	formerly []string // addresses that the server had
	slug     string   // as records name the repository
	top      string   // of the working tree, "" without git
	progress *term.Progress
	warn     func(format string, args ...any)
}

// collectedTable says what was found for a table.
type collectedTable struct {
	Table string `json:"table"`
	Found int    `json:"found"`
	New   int    `json:"new"` // of them, queued now
}

func collectorOf(s *link.Checkout) *collector {
	c := &collector{Checkout: s, progress: term.NewProgress(s.Env.Stderr)}
	c.warn = func(format string, args ...any) { term.Warn(s.Env.Stderr, format, args...) }
	c.slug, c.top = repoSlug(s.Env, s.Repo)
	return c
}

// repoSlug is what records call a repository, and the top of its working tree.
func repoSlug(env *Env, repo home.Repo) (slug, top string) {
	if slug, top = runs.Repo(env); top == "" {
		slug = filepath.Base(string(repo))
	}
	return slug, top
}

// a source is one place that records are collected from.
type source struct {
	name  string // as a step is called
	items func(context.Context, *collect.Ledger) ([]collect.Item, error)
}

func (c *collector) sources() []source {
	return []source{{"git", c.git}, {"plan", c.plan}, {"usage", c.usage}}
}

// gather collects from every source and queues what is new, or with dryRun only
// counts it. A source that cannot be read is told of and left out; told hears of
// each.
func (c *collector) gather(ctx context.Context, dryRun bool, told func(name string, tables []collectedTable, err error)) error {
	ledger, err := collect.OpenLedger(ctx, c.Home, cmp.Or(c.File.AnonKey, c.File.URL), c.File.Slug, c.slug)
	if err != nil {
		return fileHint(err)
	}
	defer ledger.Close()
	queue := c.Queue()
	for _, from := range c.sources() {
		items, err := from.items(ctx, ledger)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fresh := ledger.New(items)
		if !dryRun {
			if err := c.put(queue, ledger, fresh); err != nil {
				return err
			}
		}
		told(from.name, count(items, fresh), err)
	}
	return nil
}

// together is how many records are written at a time: each waits for the disk.
const together = 16

// put queues items and notes those that are queued, whatever happens to the rest.
func (c *collector) put(queue *spool.Spool, ledger *collect.Ledger, items []collect.Item) error {
	c.progress.BeginCount("queueing", int64(len(items)))
	defer c.progress.End()
	var mu sync.Mutex // of all below
	var failed error
	done := 0
	work := func(it collect.Item) {
		if it.IsNote() {
			return
		}
		_, err := queue.Put(it.Row.Table, it.Row.IngestKey, it.Row.Body)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = err
			return
		}
		ledger.Queued(it)
		c.progress.Add(1)
		done++
	}
	for begin := 0; begin < len(items) && failed == nil; begin += together {
		var wg sync.WaitGroup
		for _, it := range items[begin:min(begin+together, len(items))] {
			wg.Go(func() { work(it) })
		}
		wg.Wait()
	}
	for _, it := range items {
		if it.IsNote() && failed == nil { // it tells that all the others are there
			ledger.Queued(it)
		}
	}
	if failed != nil {
		failed = term.Hint(fmt.Errorf("%d of %d records are queued for the team, then: %w", done, len(items), failed), "run it again when that is mended: nothing is stored twice")
	}
	return errors.Join(failed, ledger.Save())
}

func count(items, fresh []collect.Item) (out []collectedTable) {
	at := map[string]int{}
	of := func(table string) *collectedTable {
		if _, ok := at[table]; !ok {
			at[table] = len(out)
			out = append(out, collectedTable{Table: table})
		}
		return &out[at[table]]
	}
	for _, it := range items {
		if !it.IsNote() {
			of(it.Row.Table).Found++
		}
	}
	for _, it := range fresh {
		if !it.IsNote() {
			of(it.Row.Table).New++
		}
	}
	return out
}

// gitThing is what the ledger calls the state of the history.
const gitThing = "git"

// gitState is what the records of git follow from: commits, tags and the week.
func (c *collector) gitState(ctx context.Context, rev string) string {
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
func (c *collector) git(ctx context.Context, ledger *collect.Ledger) (items []collect.Item, err error) {
	if c.top == "" {
		return nil, nil
	}
	rev := sharedRev(ctx, c.top)
	state := c.gitState(ctx, rev)
	if ledger.Is(gitThing, state) {
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
		row, err := shipRow(c.slug, s)
		if err != nil {
			return nil, err
		}
		items = append(items, collect.Record(s.Key(), row))
	}
	weeks, err := h.Weeks(ctx, time.Now(), mostWeeks)
	if err != nil {
		return items, err
	}
	for _, w := range weeks {
		row, err := retroRow(c.slug, w)
		if err != nil {
			return items, err
		}
		items = append(items, collect.Record(w.Date+" "+w.Period, row))
	}
	return append(items, collect.Note(gitThing, state)), nil
}

// deliver sends what waits for the team's server, with a bar on a terminal: also
// what was queued before, and for this machine's server by an address that it had.
func (c *collector) deliver(ctx context.Context) (client.Drained, error) {
	st, err := spool.Open(c.Home.Queue()).Status()
	if err != nil || st.Waiting+st.Claimed == 0 {
		return client.Drained{}, err
	}
	d := c.Drain()
	open, own := d.Open, link.CleanURL(c.File.URL)
	d.Open = func(url string) (*client.Client, error) {
		if link.CleanURL(url) == own || slices.Contains(c.formerly, link.CleanURL(url)) {
			return open(own)
		}
		return nil, nil
	}
	c.progress.BeginCount("delivering", int64(st.Waiting))
	defer c.progress.End()
	d.Early, d.Tried = true, func() { c.progress.Add(1) }
	return d.Run(ctx)
}

func (c *collector) transcriptsShared() bool { return c.Config.Bool(config.SyncTranscripts) }

// trees are the directories whose work is this repository's.
func (c *collector) trees() []string {
	if c.top == "" {
		return []string{string(c.Repo)}
	}
	return []string{c.top, git.MainTree(c.top)}
}

// ours reports whether somebody worked in this repository there: also in another
// linked working tree of it.
func (c *collector) ours(dir string, trees []string) bool {
	if dir == "" {
		return false
	}
	if within(dir, trees) {
		return true
	}
	top, ok := git.Top(dir)
	if !ok || c.top == "" {
		return false
	}
	_, common := git.Dir(top)
	_, own := git.Dir(c.top)
	return common == own
}
