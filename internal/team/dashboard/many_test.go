package dashboard_test

import (
	"fmt"
	"strconv"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// A run of ten thousand cases and one of its cases have a page before the database
// has statistics: PostgreSQL's plan for them took longer than a page may.
func TestManyCases(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		ada := dbtest.Member(t, d, team, "member")
		id := ""
		for day := 1; day <= 3; day++ {
			run := askedRun(day)
			like := run.Results[0]
			run.Results = nil
			for i := range 10_000 {
				r := like
				r.Name = fmt.Sprintf("case_%05d", i)
				run.Results = append(run.Results, r)
			}
			run.Recount()
			id = push(t, d, team, ada, run)
		}
		s := open(t, d, func() db.Identity { return ada })
		one := strconv.FormatInt(wire.CaseID("acme/shop", "shop", "case_00777", "haiku"), 10)
		for _, path := range []string{"run?id=" + id, "case?id=" + one} {
			if status, got := fetch(t, s.URL+"/t/acme/"+path); status != 200 {
				t.Errorf("%s: %d %.300s", path, status, got)
			}
		}
	})
}
