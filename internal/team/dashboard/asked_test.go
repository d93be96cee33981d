package dashboard_test

import (
	"testing"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
	"cairn/test/seed"
)

// No page asks more of the database because there is more to show: over two
// years of work each view has a bound of its own.
func TestAsked(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	d := dbtest.Open(t, dbtest.SQLite(t))
	w, err := seed.Fill(t.Context(), d, now)
	if err != nil {
		t.Fatal(err)
	}
	// Each page is the first that its server makes: it asks for the viewer's teams and people, and eight times for
	// what is fresh. Results and payloads are a table for each of 24 months: of each at most
	// one question, and a few more where the parts of a suite that changed are looked at again. What is of runs is asked for in two parts: of the last weeks, and of the time before.
	bounds := map[string]int64{"": 17, "spend": 25, "pulse": 36 + 24 + 24, "quality": 22 + 24 + 24 + 24 + 8, "flaky": 16 + 24, "cost": 20, "people": 18 + 24 + 8, "freshness": 17, "suite": 16 + 24 + 24}
	for _, view := range dashboard.Views() {
		if view == "run" || view == "case" || view == "compare" {
			continue
		}
		s := open(t, d, func() db.Identity { return dbtest.Person(w.Owner) })
		before := d.Asked()
		if status, _ := fetch(t, s.URL+"/t/atlas/"+view+"?weeks=104&suite=posts"); status != 200 {
			t.Errorf("%s: %d", view, status)
		}
		n := d.Asked() - before
		bound, ok := bounds[view]
		if !ok {
			bound = bounds[""]
		}
		if n > bound || n < 5 {
			t.Errorf("%s asks %d times, not at most %d", view, n, bound)
		}
	}
}
