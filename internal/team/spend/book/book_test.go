package book_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/budget"
	"cairn/internal/home"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend"
	"cairn/internal/team/spend/bill"
	"cairn/internal/team/spend/book"
	"cairn/internal/team/spend/detail"
	"cairn/test/cairntest"
)

type quiet struct{}

func (quiet) Begin(string, int64) {}
func (quiet) Add(int64)           {}
func (quiet) End()                {}

func (w *world) open(prices ...string) *book.Book {
	w.t.Helper()
	getenv := func(key string) string { return map[string]string{"HOME": w.home}[key] }
	b, err := book.Open(context.Background(), home.Home(filepath.Join(w.home, ".cairn")), getenv, prices...)
	must(w.t, err)
	w.t.Cleanup(func() { b.Close() })
	_, err = b.Refresh(context.Background(), quiet{})
	must(w.t, err)
	return b
}

// check compares every sum with the truth.
func (w *world) check(b *book.Book) {
	w.t.Helper()
	want := map[string]map[string]float64{"repo": {}, "branch": {}, "commit": {}, "pr": {}}
	total := 0.0
	for _, q := range w.all {
		total += q.usd
		if q.repo == nil {
			continue
		}
		want["repo"][q.repo.name] += q.usd
		if q.branch != "" {
			want["branch"][q.repo.name+":"+q.branch] += q.usd
		}
		if c := w.commitOf(q); c != "" {
			want["commit"][q.repo.name+":"+c] += q.usd
		}
		if q.pull != 0 {
			want["pr"][fmt.Sprintf("%s#%d", q.repo.name, q.pull)] += q.usd
		}
	}
	for _, by := range []string{"repo", "branch", "commit", "pr"} {
		got, err := bill.Of(context.Background(), b.DB, ledger.Filter{}, by, time.UTC)
		must(w.t, err)
		if math.Abs(got.Total-total) > total/1e6 {
			w.t.Errorf("%s: total %f, want %f", by, got.Total, total)
		}
		wrong := 0.0
		seen := map[string]bool{}
		for _, r := range got.Rows {
			seen[r.Key] = true
			if d := math.Abs(r.USD - want[by][r.Key]); d > 1e-9 {
				w.t.Logf("%s %s: %f, want %f", by, r.Key, r.USD, want[by][r.Key])
				wrong += d
			}
		}
		for key, usd := range want[by] {
			if !seen[key] {
				w.t.Logf("%s %s: missing, want %f", by, key, usd)
				wrong += usd
			}
		}
		if wrong > total/100 {
			w.t.Errorf("%s: %.1f %% of the dollars are elsewhere", by, 100*wrong/total)
		}
	}
}

// TestWorld plays months of work: branches, working trees, two sessions in one
// tree, subagents, amended, rebased, squashed, merged and renamed branches.
func TestWorld(t *testing.T) {
	cairntest.Long(t)
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, seed)
			w.play()
			b := w.open()
			w.check(b)
			w.dissect(b)
		})
	}
}

func (w *world) play() {
	for _, r := range w.repos {
		for i := range 5 {
			branch := fmt.Sprintf("feature/%d", i)
			s := w.session(r, r.dir, i%2 == 1)
			s.work()
			s.checkout("-b", branch)
			s.work()
			s.commit()
			s.work()
			s.commit()
			if i == 2 { // two sessions in one tree, at once
				other := w.session(r, r.dir, false)
				other.work()
				s.work()
				other.commit()
				s.commit()
			}
			if i == 3 { // a subagent in a working tree of its own
				tree := filepath.Join(w.home, "src", filepath.Base(r.dir)+"-tree")
				w.git(r.dir, "worktree", "add", "-q", "-b", "side/"+branch, tree)
				sub := w.session(r, r.dir, false).subagent(tree)
				sub.work()
				sub.commit()
				sub.work()
			}
			s.work() // behind the last commit: it has none
			w.pass(time.Minute)
			w.commitByHand(r)
			w.merge(r, i, branch)
			w.pass(time.Hour)
		}
		w.rename(r)
	}
}

// commitByHand is a person's, on main, while no agent works.
func (w *world) commitByHand(r *repository) {
	branch := w.git(r.dir, "symbolic-ref", "--short", "HEAD")
	w.git(r.dir, "checkout", "-q", "main")
	w.pass(time.Second)
	w.commit(r.dir, "by hand")
	w.pass(time.Second)
	w.git(r.dir, "checkout", "-q", branch)
	w.pass(time.Second)
}

// merge ends a branch in one of five ways.
func (w *world) merge(r *repository, how int, branch string) {
	r.n++
	n := r.n
	step := func(args ...string) {
		w.git(r.dir, args...)
		w.pass(2 * time.Second)
	}
	switch how {
	case 0: // squash, and the branch goes
		step("checkout", "-q", "main")
		step("merge", "-q", "--squash", branch)
		step("commit", "-q", "-m", fmt.Sprintf("A feature (#%d)", n))
		step("branch", "-D", branch)
	case 1: // rebase onto main, then a merge commit
		step("rebase", "-q", "main")
		step("checkout", "-q", "main")
		step("merge", "-q", "--no-ff", "-m", fmt.Sprintf("Merge pull request #%d from acme/%s", n, branch), branch)
		step("branch", "-D", branch)
	case 2: // a merge commit of GitLab's
		step("checkout", "-q", "main")
		step("merge", "-q", "--no-ff", "-m", fmt.Sprintf("Merge branch '%s'\n\nSee merge request acme/x!%d", branch, n), branch)
	case 3: // amended by a person, rebased, fast-forward: nothing names a pull request
		step("commit", "-q", "--amend", "-m", "amended")
		step("rebase", "-q", "main")
		step("checkout", "-q", "main")
		step("merge", "-q", "--ff-only", branch)
		return
	default: // not merged yet
		step("checkout", "-q", "main")
		return
	}
	w.merged(r, branch, n)
}

// rename has a session work on a branch that then gets another name.
func (w *world) rename(r *repository) {
	s := w.session(r, r.dir, false)
	s.checkout("-b", "draft")
	s.work()
	s.commit()
	w.pass(3 * time.Second)
	w.git(r.dir, "branch", "-m", "draft", "final")
	for _, q := range w.all {
		if q.repo == r && q.branch == "draft" {
			q.branch = "final"
		}
	}
	w.pass(3 * time.Second)
	s.work()
	s.commit()
	w.pass(time.Second)
	w.git(r.dir, "checkout", "-q", "main")
}

// TestPrices has the list change between two looks.
func TestPrices(t *testing.T) {
	w := newWorld(t, 2)
	s := w.session(w.repos[0], w.repos[0].dir, false)
	s.model = "our-own"
	s.work()
	sum := func(b *book.Book) bill.Bill {
		got, err := bill.Of(context.Background(), b.DB, ledger.Filter{}, "model", time.UTC)
		must(t, err)
		return got
	}
	t.Run("none", func(t *testing.T) {
		w.t = t // who closes it
		if got := sum(w.open()); got.Unpriced != 1 || got.Total != 0 || len(got.Rows) != 1 || got.Rows[0].Unpriced != 1 {
			t.Errorf("without a price: %+v", got)
		}
	})
	w.t = t
	prices := filepath.Join(w.home, "prices.toml")
	must(t, os.WriteFile(prices, []byte("[[model]]\nid = \"our-own\"\ninput = 0\noutput = 1000000\n"), 0o600))
	got := sum(w.open(prices))
	if want := float64(got.Rows[0].Output); got.Unpriced != 0 || got.Total != want {
		t.Errorf("with a price: %+v, want $%f", got, want)
	}
}

// TestBrokenRepository: what git cannot read is reported, and its dollars still count.
func TestBrokenRepository(t *testing.T) {
	w := newWorld(t, 3)
	r := w.repos[0]
	s := w.session(r, r.dir, false)
	s.work()
	s.commit()
	must(t, os.RemoveAll(filepath.Join(r.dir, ".git", "objects")))
	must(t, os.MkdirAll(filepath.Join(r.dir, ".git", "objects"), 0o755))
	getenv := func(key string) string { return map[string]string{"HOME": w.home}[key] }
	b, err := book.Open(context.Background(), home.Home(filepath.Join(w.home, ".cairn")), getenv)
	must(t, err)
	defer b.Close()
	report, err := b.Refresh(context.Background(), quiet{})
	must(t, err)
	if len(report.Unreadable) != 1 || !strings.Contains(report.Unreadable[0], "acme/shop") {
		t.Errorf("%q", report.Unreadable)
	}
	got, err := bill.Of(context.Background(), b.DB, ledger.Filter{}, "commit", time.UTC)
	must(t, err)
	if len(got.Rows) != 1 || got.Total == 0 || got.Unattributed != 0 {
		t.Errorf("%+v", got)
	}
}

// TestNoWord looks for words of prompts, answers and commands in every byte that is
// kept.
func TestNoWord(t *testing.T) {
	w := newWorld(t, 1)
	s := w.session(w.repos[0], w.repos[0].dir, false)
	s.work()
	s.commit()
	c := w.session(w.repos[0], w.repos[0].dir, true)
	c.work()
	b := w.open()
	w.dissect(b)
	var files []string
	must(t, filepath.WalkDir(filepath.Join(w.home, ".cairn"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, name)
		}
		return err
	}))
	if len(files) < 3 {
		t.Fatalf("there is no store: %q", files)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		must(t, err)
		if i := bytes.Index(data, []byte("CANARY")); i >= 0 {
			t.Errorf("%s holds %.40q", filepath.Base(name), data[i:])
		}
	}
}

// dissect checks that what each session's money went for adds up to its bill.
func (w *world) dissect(b *book.Book) {
	w.t.Helper()
	ctx := context.Background()
	sessions, err := bill.Of(ctx, b.DB, ledger.Filter{}, "session", time.UTC)
	must(w.t, err)
	known, err := ledger.Files(ctx, b.DB)
	must(w.t, err)
	missing := 0
	for _, r := range sessions.Rows {
		requests, err := ledger.Requests(ctx, b.DB, ledger.Which{Session: r.Key, Agent: r.Agent})
		must(w.t, err)
		s := detail.Of(requests, detail.Files(slices.Sorted(maps.Keys(known)), requests), nil, b.Prices, func(err error) { w.t.Error(err) })
		lines, total := s.Lines(detail.All)
		sum := 0.0
		for _, l := range lines {
			sum += l.USD
		}
		if usd := spend.Dollars(total); math.Abs(usd-r.USD) > 1e-9 || math.Abs(sum-r.USD) > 1e-6 {
			w.t.Errorf("%s: the parts are $%.9f, the bill $%.9f", r.Key, sum, r.USD)
		}
		missing += s.Missing
	}
	if missing > 0 {
		w.t.Errorf("%d requests are in no transcript", missing)
	}
}

// TestPersons: the author of the commit, else who commits there, else nobody.
func TestPersons(t *testing.T) {
	w := newWorld(t, 4)
	shop, site := w.repos[0], w.repos[1]
	s := w.session(shop, shop.dir, false)
	committed := s.ask("x", func() string { return "" }).usd
	s.commit()
	committed += w.all[len(w.all)-1].usd
	later := s.ask("x", func() string { return "" }).usd
	elsewhere := w.session(site, site.dir, false).ask("x", func() string { return "" }).usd
	w.git(shop.dir, "config", "user.email", "Grace@example.com")
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	b := w.open()
	who, err := b.Persons(context.Background())
	must(t, err)
	got, err := bill.ByPerson(context.Background(), b.DB, ledger.Filter{}, time.UTC, who)
	must(t, err)
	usd := map[string]float64{}
	for _, r := range got.Rows {
		usd[r.Key] = r.USD
	}
	for key, want := range map[string]float64{"ada@example.com": committed, "grace@example.com": later} {
		if math.Abs(usd[key]-want) > 1e-8 {
			t.Errorf("%s: %f, want %f", key, usd[key], want)
		}
	}
	if math.Abs(got.Unattributed-elsewhere) > 1e-8 || len(got.Rows) != 2 {
		t.Errorf("nobody: %f, want %f; %v", got.Unattributed, elsewhere, usd)
	}
}

// TestNow adds up the present day, block and budgets.
func TestNow(t *testing.T) {
	w := newWorld(t, 5)
	first := w.session(w.repos[0], w.repos[0].dir, false)
	old := first.ask("x", func() string { return "" }).usd
	w.pass(20 * time.Hour) // 05:00 of the next day, a Tuesday
	s := w.session(w.repos[1], w.repos[1].dir, true)
	day := s.ask("x", func() string { return "" }).usd
	w.pass(6 * time.Hour)
	block := s.ask("x", func() string { return "" }).usd
	b := w.open()
	now, err := bill.Now(context.Background(), b.DB, w.now.Add(time.Hour), []budget.Budget{
		{Period: "block", Limit: 1}, {Period: "weekly", Limit: 1}, {Period: "daily", Limit: 1, Repo: "acme/shop"}, {Period: "monthly", Limit: 1, Repo: "acme/shop"}})
	must(t, err)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-8 {
			t.Errorf("%s: %f, want %f", what, got, want)
		}
	}
	near("today", now.Today.Spent, day+block)
	if now.Block == nil || now.Block.Start.Format("15:04") != "11:00" {
		t.Fatalf("the block: %+v", now.Block)
	}
	near("the block", now.Block.Spent, block)
	for i, want := range []float64{block, old + day + block, 0, old} {
		near(now.Uses[i].Name(), now.Uses[i].Spent, want)
	}
	if now.Uses[1].Start.Weekday() != time.Monday || now.Uses[1].End.Sub(now.Uses[1].Start) != 7*24*time.Hour {
		t.Errorf("the week: %+v", now.Uses[1].Span)
	}
	later, err := bill.Now(context.Background(), b.DB, w.now.Add(6*time.Hour), nil)
	must(t, err)
	if later.Block != nil {
		t.Errorf("a block that is over: %+v", later.Block)
	}
}

// TestReview: the size of a pull request is that of its merge, and a commit of it that
// was reverted is named.
func TestReview(t *testing.T) {
	w := newWorld(t, 6)
	r := w.repos[0]
	s := w.session(r, r.dir, false)
	s.checkout("-b", "feature/a")
	s.work()
	s.commit()
	s.work()
	s.commit()
	reverted := w.git(r.dir, "rev-parse", "HEAD")
	w.pass(time.Minute)
	w.git(r.dir, "checkout", "-q", "main")
	w.git(r.dir, "merge", "-q", "--no-ff", "-m", "Merge pull request #7 from acme/a", "feature/a")
	w.pass(time.Minute)
	w.git(r.dir, "revert", "--no-edit", reverted)
	b := w.open()
	requests, err := ledger.Requests(context.Background(), b.DB, ledger.Which{Repo: "acme/shop", Pull: 7})
	must(t, err)
	if len(requests) != 4 { // the checkout was asked for on main
		t.Fatalf("%d requests", len(requests))
	}
	reviews, err := b.Reviews(context.Background(), "acme/shop", map[int64][]ledger.Spent{7: requests})
	must(t, err)
	v, ok := reviews[7]
	if !ok || !v.Sized || v.Files != 2 || v.Added != 2 || v.Removed != 0 || !slices.Equal(v.Reverted, []string{reverted}) {
		t.Errorf("%v: %+v, want 2 files and %s", ok, v, reverted)
	}
	if wait := v.Merged.Sub(v.First); wait < time.Minute || wait > 2*time.Minute {
		t.Errorf("from the first commit to the merge: %s", wait)
	}
}
