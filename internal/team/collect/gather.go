package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/record"
	"cairn/internal/team/runs"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/text"
)

// A Collector gathers what a repository knows for its team.
type Collector struct {
	*link.Checkout
	Formerly []string // addresses that the server had
	Slug     string   // as records name the repository
	Progress *term.Progress

	top     string   // of the working tree, "" without git
	trees   []string // the directories whose work is this repository's
	commits int      // in the weeks that were collected
}

// Of makes the collector of a checkout.
func Of(c *link.Checkout) *Collector {
	slug, top := Repo(c.Env, c.Repo)
	of := &Collector{Checkout: c, Slug: slug, Progress: term.NewProgress(c.Env.Stderr), top: top, trees: []string{string(c.Repo)}}
	if top != "" {
		of.trees = []string{top, git.MainTree(top)}
	}
	return of
}

// Repo is what records call a repository, and the top of its working tree.
func Repo(env *command.Env, repo home.Repo) (slug, top string) {
	if slug, top = runs.Repo(env); top == "" {
		slug = filepath.Base(string(repo))
	}
	return slug, top
}

// A Table says what was found for a table.
type Table struct {
	Table string `json:"table"`
	Found int    `json:"found"`
	New   int    `json:"new"` // of them, queued now
}

// nouns are what a row of a table is to a person, and what of.
var nouns = map[string]struct{ one, of string }{
	"ship_logs": {one: "release"}, "retro_snapshots": {"week", " of history"}, "plan_snapshots": {one: "plan"},
	"usage_days": {"day", " of work with agents"},
	"spend_days": {"sum", " of what agents cost"},
}

func (t Table) String() string {
	noun := nouns[t.Table]
	words := text.Count(t.Found, noun.one) + noun.of
	if t.New < t.Found {
		words += fmt.Sprintf(", %d new", t.New)
	}
	return words
}

// A Source is one place that records are collected from.
type Source struct {
	Name   string // as a step is called
	Tables []Table
	New    []record.Row
	Err    error  // why it is left out
	Note   string // what stands behind the tables

	items func(context.Context, *Ledger) ([]Item, error)
	none  string // what is said where nothing is found
}

// String says what was found, "" of a source that is not there.
func (s Source) String() string {
	var words []string
	for _, t := range s.Tables {
		words = append(words, t.String())
	}
	return cmp.Or(strings.Join(words, "; ")+s.Note, s.none)
}

func (c *Collector) sources() []Source {
	ofGit := "nothing new"
	if c.top == "" {
		ofGit = "no git repository"
	}
	return []Source{
		{Name: "git", items: c.git, none: ofGit},
		{Name: "plan", items: c.plan, none: "no .planning"},
		{Name: "usage", items: c.usage},
		{Name: "spend", items: c.spend},
	}
}

// Gather collects from every source and queues what is new, or with dryRun only
// counts it. A source that cannot be read is left out; each is handed over when
// it is done.
func (c *Collector) Gather(ctx context.Context, dryRun bool, done func(Source)) error {
	ledger, err := OpenLedger(ctx, c.Home, cmp.Or(c.File.AnonKey, c.File.URL), c.File.Slug, c.Slug)
	if err != nil {
		return err
	}
	defer ledger.Close()
	for _, s := range c.sources() {
		var items, fresh []Item
		items, s.Err = s.items(ctx, ledger)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if s.Tables, fresh = ledger.count(items); s.Name == "git" && c.commits > 0 {
			s.Note = fmt.Sprintf(" (%s %s)", text.Thousands(c.commits), text.Plural(c.commits, "commit"))
		}
		for _, it := range fresh {
			if !it.isNote() {
				s.New = append(s.New, it.Row)
			}
		}
		if !dryRun {
			if err := c.put(ctx, ledger, fresh); err != nil {
				return err
			}
		}
		done(s)
	}
	return nil
}

// count says how many items there are of each table, and which of them were not
// queued as they are.
func (l *Ledger) count(items []Item) (tables []Table, fresh []Item) {
	for _, it := range items {
		isNew := l.isNew(it)
		if isNew {
			fresh = append(fresh, it)
		}
		if it.isNote() {
			continue
		}
		i := slices.IndexFunc(tables, func(t Table) bool { return t.Table == it.Row.Table })
		if i < 0 {
			i, tables = len(tables), append(tables, Table{Table: it.Row.Table})
		}
		tables[i].Found++
		if isNew {
			tables[i].New++
		}
	}
	return tables, fresh
}

// together is how many records are written at a time: each waits for the disk.
const together = 16

// put queues items and notes those that are queued, whatever happens to the rest.
func (c *Collector) put(ctx context.Context, ledger *Ledger, items []Item) error {
	c.Progress.BeginCount("queueing", int64(len(items)))
	defer c.Progress.End()
	queue, done := c.Queue(), 0
	var mu sync.Mutex // of all below
	writes, failed := errgroup.WithContext(ctx)
	writes.SetLimit(together)
	for _, it := range items {
		if it.isNote() || failed.Err() != nil {
			continue
		}
		writes.Go(func() error {
			_, err := queue.Put(it.Row.Table, it.Row.IngestKey, it.Row.Body)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				ledger.queued(it)
				c.Progress.Add(1)
				done++
			}
			return err
		})
	}
	err := writes.Wait()
	for _, it := range items {
		if it.isNote() && err == nil { // it says that all the others are there
			ledger.queued(it)
		}
	}
	if err != nil {
		err = term.Hint(fmt.Errorf("%d of %d records are queued for the team, then: %w", done, len(items), err), "run it again when that is mended: nothing is stored twice")
	}
	return errors.Join(err, ledger.save())
}

// Deliver sends what waits for the team's server, with a bar on a terminal: also
// what was queued before, and for this machine's server by an address that it had.
// What another process is delivering counts as failed: it waits.
func (c *Collector) Deliver(ctx context.Context) (client.Drained, error) {
	st, err := spool.Open(c.Home.Queue()).Status()
	if err != nil || st.Waiting+st.Claimed == 0 {
		return client.Drained{}, err
	}
	d := c.Drain()
	open, own := d.Open, link.CleanURL(c.File.URL)
	d.Open = func(url string) (*client.Client, error) {
		if link.CleanURL(url) == own || slices.Contains(c.Formerly, link.CleanURL(url)) {
			return open(own)
		}
		return nil, nil
	}
	c.Progress.BeginCount("delivering", int64(st.Waiting))
	defer c.Progress.End()
	d.Early, d.Tried = true, func() { c.Progress.Add(1) }
	report, err := d.Run(ctx)
	if err == nil {
		st, err = d.Queue.Status()
		report.Failed += st.Claimed // another process has them, or had when it was killed
	}
	return report, err
}

// sharesSessions reports whether the person agreed to that.
func (c *Collector) sharesSessions() bool { return c.Config.Bool(config.SyncTranscripts) }

// sharesSpend reports whether the person agreed to that. To the server of this
// machine itself nothing is sent away: there it takes a word against it.
func (c *Collector) sharesSpend() bool {
	v, _ := c.Config.Value(config.SyncSpend)
	return c.Config.Bool(config.SyncSpend) || c.Own && v.Source.Kind == config.Default
}

func (c *Collector) leftOut(err error) { term.Warn(c.Env.Stderr, "left out: %v", err) }

// within reports whether a directory is in one of the repository's trees.
func (c *Collector) within(dir string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return slices.ContainsFunc(c.trees, func(tree string) bool {
		rel, err := filepath.Rel(tree, dir)
		return err == nil && filepath.IsLocal(rel)
	})
}

// ours reports whether somebody worked in this repository there: also in another
// linked working tree of it.
func (c *Collector) ours(dir string) bool {
	if dir == "" {
		return false
	}
	if c.within(dir) {
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
