package retro

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

const (
	ada  = "Ada Lovelace <ada@example.com>"
	adaH = "ada <ada@home.example>"
	bob  = "Bob \"the <b@example.com>"
	zoë  = "Zoë 日本 <zoe@example.com>"
	deps = "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>"
)

// oddRepo has what history can have: renames, merges, an octopus, co-authors,
// bots, agents, binary files, odd names, zones at the ends, dates far off.
func oddRepo(t *testing.T) string {
	b := build(t)
	b.add(made{who: ada, at: "2026-03-09 09:00 +0100", message: "feat: first\n\nbody", root: true, files: []string{
		".mailmap=Ada Lovelace <ada@example.com> <ada@home.example>\n", "src/a.go=" + lines(50, "a"), "src/a_test.go=" + lines(20, "t"), "bin=\x00\x01\x02",
	}})
	one := b.add(made{who: adaH, at: "2026-03-09 09:30 +0100", message: "fix(core)!: second\n\nCo-authored-by: Zoë 日本 <zoe@example.com>\nCo-Authored-By: Claude Opus 4 <noreply@anthropic.com>", files: []string{"src/a.go=" + lines(52, "a")}})
	two := b.add(made{who: bob, at: "2026-03-10 23:30 -1200", message: "Side work (#7)", files: []string{"\"odd\\nname\\\"'\\011 \\377é\"=" + lines(3, "odd"), "src/bob.go=" + lines(10, "b")}})
	three := b.add(made{who: zoë, at: "2026-03-10 12:00 +1400", message: "feature: other side", from: []int{one}, files: []string{"zoe/z.go=" + lines(30, "z")}})
	four := b.add(made{who: deps, at: "2026-03-11 00:00 +0000", message: "build(deps): bump x", from: []int{one}, files: []string{"go.sum=" + lines(400, "sum")}})
	b.add(made{who: ada, at: "2026-03-11 10:00 +0000", message: "Merge branches 'a' and 'b'", from: []int{two, three, four}, files: []string{"zoe/z.go=" + lines(30, "z"), "go.sum=" + lines(400, "sum")}})
	b.add(made{who: ada, at: "2026-03-12 10:00 +0000", message: "rename\n\nCo-authored-by: renovate[bot] <29139614+renovate[bot]@users.noreply.github.com>", files: []string{"src/a.go>core/new.go"}})
	b.add(made{who: zoë, at: "2026-03-12 11:00 +0000", message: "change\n\nAssisted-by: Codex:gpt-5", files: []string{"core/new.go=" + lines(55, "a")}})
	b.add(made{who: bob, at: "1970-01-02 00:00 +0000", commit: "2026-03-13 08:00 +0000", message: "very old work", files: []string{"old=1\n"}})
	b.add(made{who: bob, at: "4102444800 +0000", commit: "2026-03-14 08:00 +0000", message: "work of 2100", files: []string{"future=1\n"}})
	b.add(made{who: bob, at: "2026-03-14 09:00 +0000", commit: "100000000 +0000", message: "a clock of 1973", files: []string{"skewed=1\n"}})
	b.add(made{who: ada, at: "2026-03-15 23:59 +0000", message: "binary and a submodule", files: []string{"bin=\x00\x05", "sub=submodule:1234567890123456789012345678901234567890"}})
	b.add(made{who: ada, at: "2026-03-16 00:00 +0000", message: "the week after", files: []string{"-skewed"}})
	return b.end()
}

// inDays is what plain git is asked for a period.
func inDays(from, last string) []string {
	return []string{"--since-as-filter=" + from + "T00:00:00Z", "--until=" + last + "T23:59:59Z"}
}

func TestNumbersAreGits(t *testing.T) {
	dir := oddRepo(t)
	for _, days := range []int{1, 2, 7, 14, 30, 20000} {
		last := "2026-03-15"
		from := day(last).AddDate(0, 0, 1-days).Format(time.DateOnly)
		r := measured(t, Options{Dir: dir}, last, days)
		m := r.Metrics
		list := func(args ...string) string {
			return run(t, dir, append(append([]string{args[0]}, inDays(from, last)...), args[1:]...)...)
		}
		same := func(what string, got int, want string) {
			t.Helper()
			if strconv.Itoa(got) != want {
				t.Errorf("%d days: %s: %d, git says %s", days, what, got, want)
			}
		}
		same("commits", m.Commits+m.BotCommits, list("rev-list", "--count", "--no-merges", "HEAD"))
		same("merges", m.Merges, list("rev-list", "--count", "--merges", "HEAD"))
		same("bots", m.BotCommits, list("rev-list", "--count", "--no-merges", "--author=dependabot", "HEAD"))
		added, deleted := 0, 0
		for line := range strings.Lines(list("log", "--no-merges", "--numstat", "-M", "--format=", "--perl-regexp", "--author=^(?!dependabot)", "HEAD")) {
			var a, d int
			fmt.Sscanf(line, "%d\t%d", &a, &d)
			added, deleted = added+a, deleted+d
		}
		same("insertions", m.Insertions, strconv.Itoa(added))
		same("deletions", m.Deletions, strconv.Itoa(deleted))
		short := map[string]int{}
		for line := range strings.Lines(list("shortlog", "-s", "--no-merges", "HEAD")) {
			n, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
			short[name], _ = strconv.Atoi(n)
		}
		delete(short, "dependabot[bot]")
		got := map[string]int{}
		for name, a := range r.Authors {
			if a.Commits > 0 {
				got[name] = a.Commits
			}
		}
		if !maps.Equal(got, short) {
			t.Errorf("%d days: authors are %v, git shortlog says %v", days, got, short)
		}
		active := map[string]bool{}
		for line := range strings.Lines(list("log", "--no-merges", "--perl-regexp", "--author=^(?!dependabot)", "--date=short-local", "--format=%cd", "HEAD")) {
			active[strings.TrimSpace(line)] = true
		}
		same("active days", m.ActiveDays, strconv.Itoa(len(active)))
	}
}

func TestWeekOfOdds(t *testing.T) {
	dir := oddRepo(t)
	r := measured(t, Options{Dir: dir}, "2026-03-15", 7)
	m := r.Metrics
	if len(r.Authors) != 3 || m.Contributors != 3 || m.PRsMerged != 1 || m.AIAssistedCommits != 2 || m.Agents["Claude"] != 1 || m.Agents["Codex"] != 1 || m.Bots["dependabot[bot]"] != 1 {
		t.Errorf("metrics are %+v", m)
	}
	if z := r.Authors["Zoë 日本"]; z.Commits != 2 || z.CoAuthored != 1 || z.PRsMerged != 0 {
		t.Errorf("Zoë is %+v", z)
	}
	if a := r.Authors["Ada Lovelace"]; a.Email != "ada@example.com" || a.Commits != 4 || a.Sessions != 3 || a.TestLOC != 20 {
		t.Errorf("Ada is %+v", a)
	}
	if r.Authors["Bob \"the"].PRsMerged != 1 {
		t.Errorf("Bob is %+v", r.Authors["Bob \"the"])
	}
	// src/a.go was written, changed, renamed and changed again: one file.
	if got := m.Hotspots[0]; got.Path != "core/new.go" || got.Changes != 4 {
		t.Errorf("hotspots are %v", m.Hotspots)
	}
	follow := strings.Count(run(t, dir, "log", "--follow", "--oneline", "--", "core/new.go")+"\n", "\n")
	if follow != m.Hotspots[0].Changes {
		t.Errorf("git log --follow knows %d changes", follow)
	}
	if !slices.ContainsFunc(m.Hotspots, func(h Hotspot) bool { return strings.HasPrefix(h.Path, "odd name\"' \ufffdé") }) {
		t.Errorf("no odd name in %+v", m.Hotspots)
	}
	if m.FeatPct != ratio(2, m.Commits) || m.FixPct != ratio(1, m.Commits) {
		t.Errorf("features %v, fixes %v of %d", m.FeatPct, m.FixPct, m.Commits)
	}
	if m.Days[0] != 3 || m.Days[1] != 0 || len(m.Days) != 7 {
		t.Errorf("days are %v", m.Days)
	}
	if m.Hours[23] != 2 || m.Hours[9] != 2 || m.Hours[12] != 1 {
		t.Errorf("hours are %v", m.Hours)
	}
	if r.StreakDays != 5 || r.VersionRange != nil {
		t.Errorf("streak %d, versions %v", r.StreakDays, r.VersionRange)
	}
	if !r.OccurredAt.Equal(time.Date(2026, 3, 15, 23, 59, 59, 0, time.UTC)) {
		t.Errorf("known until %v", r.OccurredAt)
	}
}

// Two people with other settings, another zone of their machine and another
// clone have the same bytes.
func TestWhoeverMeasures(t *testing.T) {
	dir := oddRepo(t)
	data := func(dir string) string {
		t.Helper()
		list, err := Weeks(context.Background(), Options{Dir: dir}, day("2026-03-20"), 0)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, measured(t, Options{Dir: dir, Path: "core"}, "2026-03-15", 7))
		out, err := json.Marshal(list, json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	want := data(dir)
	clone := filepath.Join(t.TempDir(), "clone")
	run(t, t.TempDir(), "clone", "-q", dir, clone)
	mailmap := filepath.Join(t.TempDir(), "map")
	if err := os.WriteFile(mailmap, []byte("Somebody <ada@example.com>\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, kv := range []string{
		"diff.renames=false", "diff.algorithm=histogram", "log.showSignature=true", "log.follow=true", "log.date=relative", "diff.context=0",
		"i18n.logOutputEncoding=latin1", "diff.ignoreSubmodules=all", "core.quotePath=true", "color.ui=always", "log.mailmap=false", "mailmap.file=" + mailmap, "diff.noprefix=true",
		"diff.renameLimit=1", "format.pretty=oneline", "diff.relative=true",
	} {
		name, value, _ := strings.Cut(kv, "=")
		run(t, clone, "config", name, value)
	}
	t.Setenv("TZ", "Asia/Tokyo")
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	if got := data(clone); got != want {
		t.Errorf("one has\n%s\nthe other\n%s", want, got)
	}
}

func TestWeeksAreEachMeasured(t *testing.T) {
	dir := oddRepo(t)
	ctx := context.Background()
	weeks, err := Weeks(ctx, Options{Dir: dir}, day("2026-03-18"), 0)
	if err != nil {
		t.Fatal(err)
	}
	var dates []string
	for _, w := range weeks {
		dates = append(dates, w.Date)
		alone := measured(t, Options{Dir: dir}, w.Date, 7)
		a, _ := json.Marshal(w, json.Deterministic(true))
		b, _ := json.Marshal(alone, json.Deterministic(true))
		if string(a) != string(b) {
			t.Errorf("week %s is\n%s\nalone\n%s", w.Date, a, b)
		}
		if at := day(w.Date); at.Weekday() != time.Sunday {
			t.Errorf("%s is no Sunday", w.Date)
		}
	}
	if want := []string{"1973-03-04", "2026-03-15", "2026-03-22"}; !slices.Equal(dates, want) {
		t.Errorf("weeks are %v, want %v", dates, want)
	}
	if last := weeks[2]; !last.OccurredAt.Equal(day("2026-03-16")) {
		t.Errorf("the running week is known until %v", last.OccurredAt)
	}
	two, err := Weeks(ctx, Options{Dir: dir}, day("2026-03-18"), 2)
	if err != nil || len(two) != 2 || two[0].Date != "2026-03-15" {
		t.Errorf("the last two are %v, %v", two, err)
	}
}

// Where whole days are counted decides which a commit is on.
func TestZone(t *testing.T) {
	b := build(t)
	b.add(made{who: ada, at: "2026-03-08 23:30 +0000", message: "x", root: true, files: []string{"a=1\n"}})
	b.add(made{who: ada, at: "2026-03-09 10:30 +0000", message: "y", files: []string{"a=2\n"}})
	dir := b.end()
	kiritimati, err := time.LoadLocation("Pacific/Kiritimati") // +14:00
	if err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		zone       *time.Location
		date       string
		commits    int
		occurredAt string
	}{
		{nil, "2026-03-08", 1, "2026-03-08T23:59:59Z"},
		{nil, "2026-03-09", 1, "2026-03-09T10:30:00Z"},
		{kiritimati, "2026-03-08", 0, "2026-03-08T09:59:59Z"},
		{kiritimati, "2026-03-09", 1, "2026-03-09T09:59:59Z"},
		{kiritimati, "2026-03-10", 1, "2026-03-09T10:30:00Z"},
	} {
		o := Options{Dir: dir, Zone: c.zone}
		at, _ := time.ParseInLocation(time.DateOnly, c.date, o.zone())
		r, err := Measure(context.Background(), o, at, 1)
		if err != nil || r.Metrics.Commits != c.commits || r.OccurredAt.Format(time.RFC3339) != c.occurredAt || r.Date != c.date {
			t.Errorf("%v %s: %d commits until %v of %s, %v", c.zone, c.date, r.Metrics.Commits, r.OccurredAt, r.Date, err)
		}
	}
}

func TestPath(t *testing.T) {
	dir := oddRepo(t)
	r := measured(t, Options{Dir: dir, Path: "src"}, "2026-03-15", 7)
	want := run(t, dir, append(append([]string{"rev-list", "--count", "--no-merges", "--full-history"}, inDays("2026-03-09", "2026-03-15")...), "HEAD", "--", "src")...)
	if strconv.Itoa(r.Metrics.Commits) != want || r.Metrics.Insertions != 82 || r.Metrics.Deletions != 52 || r.Metrics.Path != "src" {
		t.Errorf("%d commits (git says %s), +%d -%d", r.Metrics.Commits, want, r.Metrics.Insertions, r.Metrics.Deletions)
	}
	if r.Metrics.Merges != 0 {
		t.Errorf("%d merges brought nothing to src", r.Metrics.Merges)
	}
	if r = measured(t, Options{Dir: dir, Path: "zoe"}, "2026-03-15", 7); r.Metrics.Merges != 1 || r.Metrics.Commits != 1 {
		t.Errorf("zoe: %d merges, %d commits", r.Metrics.Merges, r.Metrics.Commits)
	}
	if r = measured(t, Options{Dir: dir, Path: "nowhere*"}, "2026-03-15", 7); r.Metrics.Commits != 0 {
		t.Errorf("nowhere: %d commits", r.Metrics.Commits)
	}
}

func TestStates(t *testing.T) {
	dir := oddRepo(t)
	whole := measured(t, Options{Dir: dir}, "2026-03-15", 7)
	t.Run("detached", func(t *testing.T) {
		run(t, dir, "checkout", "-q", "--detach", "main")
		defer run(t, dir, "checkout", "-q", "main")
		if r := measured(t, Options{Dir: dir}, "2026-03-15", 7); r.Tweetable != whole.Tweetable {
			t.Errorf("%s", r.Tweetable)
		}
	})
	t.Run("shallow", func(t *testing.T) {
		clone := filepath.Join(t.TempDir(), "clone")
		run(t, dir, "clone", "-q", "--depth=2", "file://"+dir, clone)
		r := measured(t, Options{Dir: clone}, "2026-03-16", 7)
		if !r.Shallow || r.Metrics.Insertions != 0 {
			t.Errorf("shallow %v with %d lines added", r.Shallow, r.Metrics.Insertions)
		}
		weeks, err := Weeks(context.Background(), Options{Dir: clone}, day("2026-03-18"), 0)
		for _, w := range weeks {
			if w.Shallow {
				t.Errorf("week %s is not whole", w.Date)
			}
		}
		if err != nil || len(weeks) == 0 {
			t.Errorf("%d weeks, %v", len(weeks), err)
		}
	})
	t.Run("empty", func(t *testing.T) {
		empty := t.TempDir()
		run(t, empty, "init", "-q")
		r := measured(t, Options{Dir: empty}, "2026-03-15", 7)
		if r.Metrics.Commits != 0 || r.Tweetable != "Mar 9 – Mar 15, 2026: no commits" {
			t.Errorf("%+v", r)
		}
		if weeks, err := Weeks(context.Background(), Options{Dir: empty}, day("2026-03-18"), 0); err != nil || len(weeks) != 0 {
			t.Errorf("%v, %v", weeks, err)
		}
		if ships, err := Ships(context.Background(), Options{Dir: empty}); err != nil || len(ships) != 0 {
			t.Errorf("%v, %v", ships, err)
		}
	})
	t.Run("none", func(t *testing.T) {
		if _, err := Read(context.Background(), Options{Dir: t.TempDir()}); !errors.Is(err, ErrNoRepository) {
			t.Errorf("%v", err)
		}
		for _, rev := range []string{"nothing", "--all", "-x"} {
			if _, err := Read(context.Background(), Options{Dir: dir, Rev: rev}); err == nil || err.Error() != fmt.Sprintf("%q names no commit", rev) {
				t.Errorf("%s: %v", rev, err)
			}
		}
	})
	t.Run("submodule", func(t *testing.T) {
		outer := t.TempDir()
		run(t, outer, "init", "-q", "-b", "main")
		run(t, outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", dir, "inner")
		if r := measured(t, Options{Dir: filepath.Join(outer, "inner")}, "2026-03-15", 7); r.Tweetable != whole.Tweetable {
			t.Errorf("%s", r.Tweetable)
		}
	})
	t.Run("canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := Measure(ctx, Options{Dir: dir}, day("2026-03-15"), 7); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}
