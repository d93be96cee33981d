package dashboard_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// Flaky cases of all suites are on one page, by the definition of a suite's: a
// case that fails on a branch only, or fell once, is none.
func TestFlakyPage(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := smallTeam(t, d)
		n := 0
		run := func(repo, suite, branch string, statuses ...int) {
			t.Helper()
			n++
			key := fmt.Sprintf("key-of-a-flaky-run-%d", n)
			r := wire.EvalRun{ID: wire.RunID(w.team, key), RunAt: on("03-04").Add(time.Duration(n) * time.Minute), IngestKey: key, RepoSlug: repo, Branch: branch, Suite: suite, TotalTests: len(statuses)}
			for c, status := range statuses {
				one := wire.EvalCase{Suite: suite, Name: fmt.Sprint("case ", c)}
				one.ID = wire.CaseID(repo, suite, one.Name, "")
				*[]*int{&r.Passed, &r.Failed, &r.Skipped, &r.Errored}[status]++
				r.Cases, r.Results = append(r.Cases, one), append(r.Results, wire.EvalResult{CaseID: one.ID, Status: status})
			}
			err := d.Update(t.Context(), w.ada, func(tx *db.Tx) error {
				_, err := ingest.Push(t.Context(), tx, w.ada, wire.EvalPush{Team: w.team, Run: r})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range 8 {
			fell := 0
			if i > 4 {
				fell = 1
			}
			run("acme/app", "s10", "main", i%2, 0, fell, 3*(i%2)) // only the first turns
			run("acme/web", "s2", "main", 0, i/2%2)               // the second turns every other time
			run("acme/web", "s2", "topic", 1, i/2%2)              // the first fails on the branch only
			if i < 5 {
				run("acme/app", "few", "main", i%2) // too few pairs
			}
		}
		s := open(t, d, func() db.Identity { return w.ada })
		_, text := fetch(t, s.URL+"/t/acme/flaky/flaky.csv")
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[1], "case 0,s10,acme/app,1,7,0.5,") || !strings.HasPrefix(lines[2], "case 1,s2,acme/web,0.42857142857142855,6,0.5,") {
			t.Errorf("%s", text)
		}
		_, page := fetch(t, s.URL+"/t/acme/flaky")
		_, suite := fetch(t, s.URL+"/t/acme/suite?suite=s2")
		const said = "from one judged result to the next on the same branch. A case is flaky if it changed in more than 20 % of at least 5 such pairs."
		if !strings.Contains(page, said) || !strings.Contains(suite, said) || strings.Count(suite, `<span class="status error">42.9 %`) != 1 {
			t.Errorf("the definition is not on both pages, or they differ:\n%s", suite)
		}
		if _, text := fetch(t, s.URL+"/t/acme/quality/suites.csv"); !strings.Contains(text, ",1\n") {
			t.Error(text)
		}
		_, first := fetch(t, s.URL+"/t/acme/")
		_, quality := fetch(t, s.URL+"/t/acme/quality")
		if !strings.Contains(first, `<a href="/t/acme/flaky">2 cases</a>`) || !strings.Contains(quality, `href="/t/acme/flaky?repo=acme%2Fweb"`) {
			t.Error("no link leads to it")
		}
	})
}
