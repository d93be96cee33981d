package eval

import (
	"errors"
	"strings"
	"testing"

	"cairn/internal/team/result"
)

// TestLatestIsOfTheCheckout: whatever was pushed since, latest is a run of the
// commit that is checked out, or none.
func TestLatestIsOfTheCheckout(t *testing.T) {
	at := func(head string) func() (string, error) { return func() (string, error) { return head, nil } }
	same := func(id string, n int, change func(*Entry)) Entry { // at commit c
		return entry(id, n, func(e *Entry) {
			e.SHA = sha("c")
			if change != nil {
				change(e)
			}
		})
	}
	broken := errors.New("dubious ownership")
	for _, c := range []struct {
		name     string
		ref      string
		more     []Entry // newer than stored()
		wish     Wish
		id, note string // id: "!" and a part of the error
	}{
		{"not the newest", "latest", nil, Wish{Repo: "acme/app", Branch: "main", Head: at(sha("c"))}, "ccccc0", ""},
		{"no ref is latest", "", nil, Wish{Repo: "acme/app", Branch: "main", Head: at(sha("c"))}, "ccccc0", ""},
		{"the one before", "latest~1", nil, Wish{Repo: "acme/app", Branch: "main", Head: at(sha("c"))}, "ccccc1", ""},
		{"the one before, of another commit", "latest~2", nil, Wish{Repo: "acme/app", Branch: "main", Head: at(sha("c"))}, "bbbbb", ""},
		{"a short commit", "latest", nil, Wish{Repo: "acme/app", Head: at(sha("b"))}, "bbbbb", ""},
		{"none", "latest", nil, Wish{Repo: "acme/app", Branch: "fix", Head: at(sha("1"))}, "!no run of HEAD's commit 1111111 is stored; the newest of acme/app is eeeee0000008, fix@eeeeeee", ""},
		{"none, nor one before", "latest~1", nil, Wish{Repo: "acme/app", Head: at(sha("1"))}, "!no run of HEAD's commit 1111111", ""},
		{"before the first commit", "latest", []Entry{entry("99999", 20, func(e *Entry) { e.SHA = "" })}, Wish{Repo: "acme/app", Branch: "main", Head: at("")}, "99999", ""},
		{"before the first commit, none", "latest", nil, Wish{Repo: "acme/app", Head: at("")}, "eeeee", "HEAD has no commit yet; it is the newest run of acme/app"},
		{"another repository", "latest", nil, Wish{Repo: "acme/none", Head: at(sha("c"))}, `!no run is stored that "latest" could name in acme/none`, ""},
		{"git does not say", "latest", nil, Wish{Repo: "acme/app", Head: func() (string, error) { return "", broken }}, "!dubious", ""},
		{"a colleague's branch at the commit", "latest", []Entry{same("11111", 20, func(e *Entry) { e.Branch = "other" })},
			Wish{Repo: "acme/app", Branch: "main", Head: at(sha("c"))}, "ccccc0", ""},
		{"only a colleague's branch", "latest", nil, Wish{Repo: "acme/app", Branch: "topic", Head: at(sha("c"))}, "ccccc0", "it is of this commit, but of main"},
		{"a colleague's changes", "latest", []Entry{same("11111", 20, func(e *Entry) { e.Dirty, e.Where = true, Elsewhere })},
			Wish{Repo: "acme/app", Branch: "main", Head: at(sha("c"))}, "ccccc0", ""},
		{"my changes", "latest", []Entry{same("11111", 20, func(e *Entry) { e.Dirty, e.Where = true, Here })},
			Wish{Repo: "acme/app", Branch: "main", Head: at(sha("c"))}, "11111", ""},
		{"only a colleague's changes", "latest", []Entry{entry("22222", 20, func(e *Entry) { e.Dirty, e.Where = true, Elsewhere })},
			Wish{Repo: "acme/app", Branch: "main", Head: at(sha("2"))}, "22222", "it has uncommitted changes of another machine"},
		{"a label of one's own", "latest", []Entry{same("11111", 20, func(e *Entry) { e.Label = "nightly" })},
			Wish{Repo: "acme/app", Branch: "main", Head: at(sha("c"))}, "11111", ""},
		{"without git", "latest", []Entry{entry("11111", 20, func(e *Entry) { e.SHA, e.Branch = "", "" })},
			Wish{Repo: "acme/app", Head: at(sha("1"))}, "!the newest of acme/app is 11111, of no commit", ""},
		{"outside", "latest", nil, Wish{}, "fffff", "outside of a git repository latest is the newest run of all: acme/lib"},
	} {
		sel, err := Select(c.ref, append(c.more, stored()...), c.wish)
		if want, bad := strings.CutPrefix(c.id, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, %v; want the error %s", c.name, sel.Entries, err, want)
			}
			continue
		}
		if err != nil || !strings.HasPrefix(sel.Entry().ID, c.id) || sel.Note != c.note {
			t.Errorf("%s: %v, %v; want %s %s", c.name, sel, err, c.id, c.note)
		}
	}
}

// TestEqualTimes: a file with a fixed time, pushed again and again.
func TestEqualTimes(t *testing.T) {
	for range 20 { // ids, of which no order may follow
		s := Open(t.TempDir())
		var ids []string
		for i := range 5 {
			r := result.Result{Name: "a"}
			r.Set(result.Pass)
			run := &result.Run{SchemaVersion: result.Version, Suite: "s", Label: "main", Repo: "acme/app", GitBranch: "main", GitSHA: sha(string(rune('a' + i))),
				Timestamp: result.Time{Time: day0}, Results: []result.Result{r}, Hostname: t.Name()}
			run.X = []byte(`{"n":` + strings.Repeat("1", i+1) + `}`)
			run.Recount()
			e, fresh, err := s.Put(run)
			if err != nil || !fresh {
				t.Fatal(err)
			}
			ids = append(ids, e.ID)
		}
		entries, _, err := s.List()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append([]string{e.ID}, got...)
		}
		if strings.Join(got, " ") != strings.Join(ids, " ") {
			t.Fatalf("%v, want those that came last first: %v", got, ids)
		}
		for i := 1; i < len(ids); i++ {
			o := entries[len(ids)-1-i]
			for _, ref := range []string{Previous, "@main"} {
				sel, err := Select(ref, entries[len(ids)-1-i:], Wish{Repo: "acme/app", Other: &o})
				if err != nil || sel.Entry().ID != ids[i-1] {
					t.Fatalf("%s of %s: %v, %v; want %s", ref, o.ID, sel.Entries, err, ids[i-1])
				}
			}
		}
		// The same with what others pushed meanwhile, as the server knows it.
		elsewhere := Elsewheres{}
		for i, e := range entries {
			e.Came = day0.AddDate(0, 0, i) // in the opposite order
			elsewhere.Entries = append(elsewhere.Entries, e)
		}
		joined, _, _ := s.With(elsewhere).List()
		for i, e := range joined {
			if e.ID != ids[i] {
				t.Fatalf("%d is %s, want the order of the server: %v", i, e.ID, ids)
			}
		}
	}
}

// TestFileIsNotItsOwnBaseline: a file that was pushed before it is judged.
func TestFileIsNotItsOwnBaseline(t *testing.T) {
	entries := stored()[3:]
	file := entries[0]
	file.ID, file.File, file.Label = "", "", "another"
	for _, ref := range []string{"@main", "latest"} {
		if sel, err := Select(ref, entries, Wish{Repo: "acme/app", Other: &file}); err != nil || sel.Entry().ID != "ccccc1000005" {
			t.Errorf("%s: %v, %v", ref, sel.Entries, err)
		}
	}
	file.Label = "main"
	twin := file // another run with the time of the file is older: the file is new
	twin.ID, twin.SHA = "twin", sha("9")
	if sel, err := Select(Previous, append([]Entry{twin}, entries...), Wish{Repo: "acme/app", Other: &file}); err != nil || sel.Entry().ID != "twin" {
		t.Errorf("previous: %v, %v", sel.Entries, err)
	}
}
