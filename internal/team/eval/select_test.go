package eval

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/result"
)

var day0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// sha is a full commit that begins with the letter n times.
func sha(c string) string { return strings.Repeat(c, 40) }

// entry is one of day n, in repository acme/app, suite s, label and branch main.
func entry(id string, n int, change func(*Entry)) Entry {
	e := Entry{ID: id, Time: result.Time{Time: day0.AddDate(0, 0, n)}, Repo: "acme/app", Suite: "s", Label: "main", Branch: "main", SHA: sha(id[:1])}
	e.File = fmt.Sprintf("%02d-%s.json", n, id)
	if change != nil {
		change(&e)
	}
	return e
}

func other(e Entry) *Entry { return &e }

// stored is the newest first, as List gives it.
func stored() []Entry {
	return []Entry{
		entry("fffff0000009", 9, func(e *Entry) { e.Repo, e.Branch, e.Label = "acme/lib", "main", "main" }),
		entry("eeeee0000008", 8, func(e *Entry) { e.Branch, e.Label = "fix", "fix" }),
		entry("ddddd0000007", 7, func(e *Entry) { e.Suite = "t" }),
		entry("ccccc0000006", 6, nil),
		entry("ccccc1000005", 5, nil),
		entry("bbbbb0000004", 4, func(e *Entry) { e.SHA = "bbbbbbb"; e.Dirty = true }),
		entry("aaaaa0000003", 3, func(e *Entry) { e.Label = "before" }),
		entry("aaaaa0000002", 2, func(e *Entry) { e.Suite = ""; e.Suites = []string{"s", "u"} }),
	}
}

func TestSelectRefs(t *testing.T) {
	fix := stored()[1]
	file := fix
	file.ID, file.File = "", ""
	late := file
	late.Time = result.Time{Time: day0.AddDate(0, 0, 30)}
	for _, c := range []struct {
		ref  string
		wish Wish
		id   string // its beginning; "!" and a part of the error
	}{
		{"", Wish{}, "fffff"},
		{"latest", Wish{}, "fffff"},
		{"latest", Wish{Repo: "acme/app"}, "eeeee"},
		{"latest~1", Wish{Repo: "acme/app"}, "ddddd"},
		{"latest", Wish{Repo: "acme/none"}, `!no run is stored that "latest" could name in acme/none`},
		{"main", Wish{Repo: "acme/none"}, `!no run is stored that "main" could name in acme/none`},
		{"@main", Wish{Repo: "acme/none"}, `!no run is stored that "@main" could name in acme/none`},
		{sha("f"), Wish{Repo: "acme/app"}, `!" in acme/app`},
		{"fffff", Wish{Repo: "acme/app"}, "fffff"}, // only an id names a run of another repository
		{"latest", Wish{Repo: "acme/app", Other: &fix}, "ccccc0"},
		{"@main", Wish{}, "fffff"},
		{"@main", Wish{Repo: "acme/app"}, "ddddd"},
		{"@main", Wish{Other: &fix}, "ccccc0"},
		{"@main~1", Wish{Other: &fix}, "ccccc1"},
		{"@nobody", Wish{}, `!no run is called "@nobody"`},
		{"@", Wish{}, `!no run is called "@"`},
		{"main", Wish{}, "fffff"},
		{"before", Wish{}, "aaaaa0000003"},
		{"main~6", Wish{Repo: "acme/app"}, `!"main" names 5 runs, so there is no main~6`},
		{"before~1", Wish{}, `!"before" names 1 run, so there is no before~1`},
		{"ddddd", Wish{}, "ddddd"},
		{"ddd", Wish{}, `!no run is called "ddd"`},
		{"ccccc", Wish{}, `!"ccccc" is the beginning of 2 ids`},
		{"ccccc0000006", Wish{}, "ccccc0"},
		{sha("c"), Wish{}, "ccccc0"},
		{sha("c")[:9] + "~1", Wish{}, "ccccc1"},
		{sha("b"), Wish{}, "bbbbb"}, // the run knows a short commit only
		{"ddddd", Wish{Other: &fix}, "ddddd"},
		{"fix", Wish{}, "eeeee"},
		{"~1", Wish{}, "eeeee"},
		{"main~01", Wish{}, `!no run is called "main~01"`},
		{"previous", Wish{Other: &fix}, "!no run of suite s, label fix, branch fix, repository acme/app is older than eeeee0000008"},
		{"previous", Wish{Other: &file}, "!is older than this file"},
		{"previous", Wish{}, "!repository acme/lib"},
		{"previous", Wish{Repo: "acme/app", Other: other(stored()[3])}, "ccccc1"},
		{"previous~1", Wish{Other: other(stored()[3])}, "bbbbb"},
		{"previous~2", Wish{Other: other(stored()[3])}, "aaaaa0000002"}, // shares a suite; another label is another series
		{"previous", Wish{Other: &late}, "eeeee"},
		{"merge-base", Wish{}, "!merge-base is known in a git repository only"},
	} {
		sel, err := Select(c.ref, stored(), c.wish)
		if want, bad := strings.CutPrefix(c.id, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, %v; want the error %s", c.ref, sel.Entries, err, want)
			}
			continue
		}
		if err != nil || !strings.HasPrefix(sel.Entry().ID, c.id) {
			t.Errorf("%s: %v, %v; want %s", c.ref, sel.Entries, err, c.id)
		}
	}
	if _, err := Select("latest", nil, Wish{}); err == nil {
		t.Error("a run of an empty store")
	}
}

func TestSelectNeverMixesSuitesUnasked(t *testing.T) {
	alone := entry("12345", 10, func(e *Entry) { e.Suite = "alone" })
	if sel, err := Select("@main", stored(), Wish{Other: &alone}); err == nil || err.Error() != "@main has no other run of suite alone" {
		t.Errorf("%v, %v", sel, err)
	}
	sel, err := Select("before", stored(), Wish{Other: &alone})
	if err != nil || sel.Note != "before has no run of suite alone; this one is of acme/app, suite s" {
		t.Errorf("a label that was asked for: %+v, %v", sel, err)
	}
	kind := entry("12345", 10, func(e *Entry) { e.Kind = "unit" })
	if _, err := Select("latest", stored(), Wish{Other: &kind}); err == nil || !strings.Contains(err.Error(), "kind unit") {
		t.Errorf("another kind: %v", err)
	}
}

func TestSelectMergeBase(t *testing.T) {
	line := func(commits ...string) func() (Ancestry, error) {
		return func() (Ancestry, error) { return Ancestry{"main", commits}, nil }
	}
	fix := stored()[1]
	onMain := stored()[3] // at c
	dirty := onMain
	dirty.Dirty, dirty.ID = true, "unstored"
	many := make([]string, 600)
	for i := range many {
		many[i] = fmt.Sprintf("%040d", i)
	}
	far := append(many[:500:500], sha("c"))
	tooFar := append(many[:501:501], sha("c"))
	for _, c := range []struct {
		name     string
		other    Entry
		line     []string
		id, note string
	}{
		{"at it", fix, []string{sha("c"), sha("b")}, "ccccc0000006", ""},
		{"before it", fix, []string{sha("1"), sha("2"), sha("a")}, "aaaaa0000003", "no run at the merge base 1111111 with main; 2 commits before it: aaaaaaa"},
		{"one before it", fix, []string{sha("1"), sha("a")}, "aaaaa0000003", "no run at the merge base 1111111 with main; 1 commit before it: aaaaaaa"},
		{"clean goes before dirty", fix, []string{sha("b"), sha("a")}, "aaaaa0000003", "no run at the merge base bbbbbbb with main; 1 commit before it: aaaaaaa"},
		{"dirty where nothing else is", fix, []string{sha("b")}, "bbbbb", "bbbbbbb has only runs with uncommitted changes"},
		{"on main itself", onMain, []string{sha("c"), sha("a")}, "aaaaa0000003", "ccccccc is on main; 1 commit before it: aaaaaaa"},
		{"changes on main", dirty, []string{sha("c"), sha("a")}, "ccccc0000006", ""},
		{"500 back", fix, far, "ccccc0000006", "no run at the merge base 0000000 with main; 500 commits before it: ccccccc"},
		{"501 back", fix, tooFar, "", "no run at the merge base 0000000 with main, nor at 500 commits before it"},
		{"other suite", entry("9", 1, func(e *Entry) { e.Suite = "t" }), []string{sha("c"), sha("d")}, "ddddd", "no run at the merge base ccccccc with main; 1 commit before it: ddddddd"},
		{"no history", fix, nil, "", "git knows no commit that main and this branch share"},
	} {
		sel, err := Select("merge-base", stored(), Wish{Other: &c.other, Ancestry: line(c.line...)})
		switch {
		case c.id == "":
			if err == nil || err.Error() != c.note {
				t.Errorf("%s: %v, %v", c.name, sel, err)
			}
		case err != nil || !strings.HasPrefix(sel.Entry().ID, c.id) || sel.Note != c.note:
			t.Errorf("%s: %+v, %v", c.name, sel, err)
		}
	}
	sel, err := Select("merge-base~1", stored(), Wish{Other: &fix, Ancestry: line(sha("c"))})
	if err != nil || sel.Entry().ID != "ccccc1000005" {
		t.Errorf("merge-base~1: %+v, %v", sel, err)
	}
}

func TestAttempts(t *testing.T) {
	sel, err := Select(sha("c"), stored(), Wish{})
	if err != nil {
		t.Fatal(err)
	}
	sel.Attempts(stored())
	if len(sel.Entries) != 2 || sel.Note != "2 runs at ccccccc, taken together" {
		t.Errorf("%+v", sel)
	}
	for _, ref := range []string{"aaaaa0000002", "bbbbb"} { // another label at that commit; uncommitted changes
		sel, _ := Select(ref, stored(), Wish{})
		if sel.Attempts(stored()); len(sel.Entries) != 1 {
			t.Errorf("%s: %+v", ref, sel)
		}
	}
	for name, change := range map[string]func(*Entry){
		"prompt": func(e *Entry) { e.PromptSHA = "p" }, "changes": func(e *Entry) { e.Dirty = true }, "tier": func(e *Entry) { e.JudgeTier = "full" },
		"scope": func(e *Entry) { e.Scope = "quick" }, "repository": func(e *Entry) { e.Repo = "o" }, "kind": func(e *Entry) { e.Kind = "unit" },
	} {
		entries := stored()
		change(&entries[4]) // the other run at c
		sel, _ := Select("ccccc0", entries, Wish{})
		if sel.Attempts(entries); len(sel.Entries) != 1 {
			t.Errorf("another %s: %+v", name, sel)
		}
	}
}

func TestJoin(t *testing.T) {
	one := func(suite string, results ...result.Result) *result.Run {
		run := &result.Run{ID: "x", Suite: suite, Results: results, Costs: []result.Cost{{Model: "m", Calls: 2, CostUSD: 1}}, TotalCostUSD: 1, DurationSeconds: 2}
		run.Recount()
		return run
	}
	res := func(name string, s result.Status) result.Result {
		r := result.Result{Name: name, Category: "c"}
		r.Set(s)
		return r
	}
	newest := one("s", res("a", result.Pass), res("b", result.Error))
	oldest := one("s", res("a", result.Fail), res("a", result.Pass))
	oldest.Results[1].Attempt = 2
	side := one("t", res("a", result.Fail))
	if got := Join([]*result.Run{newest}); got != newest {
		t.Error("one run is not itself")
	}
	run := Join([]*result.Run{newest, oldest, side})
	tries := map[string][]string{}
	for i := range run.Results {
		r := &run.Results[i]
		key := strings.ReplaceAll(run.Key(r), "\x00", "/")
		tries[key] = append(tries[key], fmt.Sprint(r.Try(), r.Status))
	}
	want := map[string][]string{"s/a/": {"1fail", "2pass", "3pass"}, "s/b/": {"1error"}, "t/a/": {"1fail"}}
	if fmt.Sprint(tries) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", tries, want)
	}
	if run.Counts != (result.Counts{Total: 5, Passed: 2, Failed: 2, Errored: 1}) || run.ByCategory["c"] != run.Counts {
		t.Errorf("%+v %+v", run.Counts, run.ByCategory)
	}
	if run.TotalCostUSD != 3 || run.DurationSeconds != 6 || len(run.Costs) != 1 || run.Costs[0].Calls != 6 {
		t.Errorf("%+v", run)
	}
	if newest.Results[0].Attempt != 0 || newest.Costs[0].Calls != 2 {
		t.Error("joining changed what was joined")
	}
	if run.Suite != "" || run.ID != "" || newest.Suite != "s" {
		t.Error("the suite or the id of one of several")
	}
}
