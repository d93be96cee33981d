package usage

import (
	"path/filepath"
	"testing"
	"time"
)

// start is at noon, so that minutes do not change the day.
var start = time.Date(2026, 11, 18, 12, 0, 0, 0, time.Local)

func cutEntry(after time.Duration, call string) Entry {
	return Entry{
		Time: start.Add(after), Path: Hook, Agent: "claude", Session: "s", Project: "/p", Call: call, Rule: "tests/go",
		Exit: "ok", Lines: 100, LinesAfter: 10, Tokens: 1000, Without: 1000, With: 100,
	}
}

func gainOf(t *testing.T, since time.Time, entries ...Entry) Gain {
	t.Helper()
	name := filepath.Join(t.TempDir(), "usage.jsonl")
	for _, e := range entries {
		if err := Append(name, e); err != nil {
			t.Fatal(err)
		}
	}
	g, err := Gains(name, since)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGains(t *testing.T) {
	whole := cutEntry(time.Hour, "b")
	whole.LinesAfter, whole.With, whole.Rule = 100, 1000, "generic"
	clipped := cutEntry(49*time.Hour, "c")
	clipped.Tokens, clipped.Without, clipped.With, clipped.Agent = 50_000, 550, 900, ""
	g := gainOf(t, time.Time{}, cutEntry(0, "a"), whole, clipped)
	if want := (Sum{Calls: 3, Cut: 2, Tokens: 52_000, Without: 2550, With: 2000, More: 350}); g.Total != want || g.Total.Saved() != 550 {
		t.Errorf("total %+v", g.Total)
	}
	if len(g.Days) != 3 || g.Days[0].Calls != 2 || g.Days[1] != (Sum{Name: "2026-11-19"}) || g.Days[2].Saved() != -350 {
		t.Errorf("days %+v", g.Days)
	}
	if len(g.Rules) != 2 || g.Rules[0].Name != "tests/go" || g.Rules[0].Saved() != 550 || g.Rules[1].Saved() != 0 {
		t.Errorf("rules %+v", g.Rules)
	}
	if len(g.Agents) != 2 || g.Agents[0].Name != "claude" || g.Agents[1].Name != "none" {
		t.Errorf("agents %+v", g.Agents)
	}
	if g.Regret != (Regret{}) {
		t.Errorf("regret %+v", g.Regret)
	}
	if g := gainOf(t, start.Add(time.Minute), cutEntry(0, "a"), whole); g.Total.Calls != 1 || len(g.Days) != 1 {
		t.Errorf("since: %+v", g)
	}
	if g := gainOf(t, time.Time{}); g.Total != (Sum{}) || g.Days == nil {
		t.Errorf("nothing: %+v", g)
	}
}

func TestRegret(t *testing.T) {
	shown := cutEntry(0, "a")
	shown.Raw = "k3f9x"
	show := Entry{Time: start.Add(time.Hour), Path: Show, Raw: "k3f9x", With: 300}
	unknown := show
	unknown.Raw = "other"
	guarded := cutEntry(0, "d")
	guarded.Guard = 2
	verified := guarded
	verified.Verifier = &Verifier{Restored: 1, Input: 900, Output: 5}
	asked := cutEntry(0, "e")
	asked.Verifier = &Verifier{Input: 100, Output: 5}
	elsewhere := cutEntry(time.Minute, "a")
	elsewhere.Session = "t"
	kept := cutEntry(0, "a")
	kept.LinesAfter, kept.With = kept.Lines, kept.Without
	at := func(e Entry, after time.Duration) Entry {
		e.Time = start.Add(after)
		return e
	}
	for _, tt := range []struct {
		name    string
		entries []Entry
		want    Regret
		back    int
	}{
		{"shown", []Entry{shown, show, unknown}, Regret{Shown: 1, Calls: 1, Percent: 100}, 300},
		{"shown twice", []Entry{shown, show, show}, Regret{Shown: 2, Calls: 1, Percent: 100}, 600},
		{"again", []Entry{cutEntry(0, "a"), cutEntry(2*time.Minute, "a")}, Regret{Again: 1, Calls: 1, Percent: 50}, 100},
		{"again, whole", []Entry{cutEntry(0, "a"), at(kept, time.Second), at(kept, 2*time.Second)}, Regret{Again: 1, Calls: 1, Percent: 100}, 1000},
		{"later", []Entry{cutEntry(0, "a"), cutEntry(2*time.Minute+time.Second, "a")}, Regret{}, 0},
		{"nothing was missing", []Entry{kept, cutEntry(time.Minute, "a")}, Regret{}, 0},
		{"another command", []Entry{cutEntry(0, "a"), cutEntry(time.Minute, "b")}, Regret{}, 0},
		{"another session", []Entry{cutEntry(0, "a"), elsewhere}, Regret{}, 0},
		{"no command", []Entry{cutEntry(0, ""), cutEntry(0, "")}, Regret{}, 0},
		{"the guard", []Entry{guarded}, Regret{Guard: 1, Calls: 1, Percent: 100}, 0},
		{"guard and verifier", []Entry{verified, asked}, Regret{Guard: 1, Verifier: 1, Calls: 1, Percent: 50}, 0},
	} {
		if g := gainOf(t, time.Time{}, tt.entries...); g.Regret != tt.want || g.Total.Back != tt.back || g.Rules[0].Back != tt.back {
			t.Errorf("%s: %+v, %d taken back", tt.name, g.Regret, g.Total.Back)
		}
	}
}

// A clock that was wrong for a while costs neither time nor the other entries.
func TestGainsOfAWrongClock(t *testing.T) {
	right, past, future := cutEntry(0, "a"), cutEntry(0, "a"), cutEntry(0, "a")
	right.Time = time.Now()
	past.Time = time.Date(1970, 1, 1, 12, 0, 0, 0, time.UTC)
	future.Time = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	g := gainOf(t, time.Time{}, right, future, past)
	if g.Total.Calls != 2 || g.Broken != 1 || !g.From.Equal(past.Time) || !g.To.Equal(right.Time) || g.Regret.Again != 0 {
		t.Errorf("%+v", g)
	}
	if len(g.Days) != maxDays || g.Days[maxDays-1].Calls != 1 {
		t.Errorf("%d days", len(g.Days))
	}
}

func TestVerifierCost(t *testing.T) {
	e := cutEntry(0, "a")
	e.Verifier = &Verifier{Restored: 1, Input: 900, Output: 5}
	kept := cutEntry(0, "b")
	kept.LinesAfter, kept.With, kept.Verifier = kept.Lines, kept.Without, &Verifier{Input: 100, Output: 6}
	if g := gainOf(t, time.Time{}, e, kept, cutEntry(0, "c")); g.Verifier != (Asked{Calls: 2, Input: 1000, Output: 11}) {
		t.Errorf("%+v", g.Verifier)
	}
}
