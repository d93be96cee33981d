package client_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// aLargeBody is a run of more than 4 MB in the standard format.
func aLargeBody(tests int) string {
	var all []string
	for i := range tests {
		all = append(all, fmt.Sprintf(`{"name":"case %d","status":"pass","passed":true,"response_preview":%q}`, i, strings.Repeat("x", 2000)))
	}
	return fmt.Sprintf(`{"schema_version":2,"label":"main","timestamp":%q,"total":%d,"passed":%d,"failed":0,"all_results":[%s]}`,
		time.Now().UTC().Add(-time.Hour).Format(time.RFC3339), tests, tests, strings.Join(all, ","))
}

// A large run goes in parts and is one run in the end, also when one of the
// parts fails at first; a server that knows no parts gets it whole.
func TestRealParts(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	const tests = 2500
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newReal(t, d)
		var parts, whole, refuse atomic.Int32
		inner := r.Config.Handler
		r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			switch {
			case q.URL.Path == wire.PushEvalPart && refuse.Load() == 404:
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(404)
				fmt.Fprint(w, `{"code":"PGRST202","message":"Could not find the function"}`)
				return
			case q.URL.Path == wire.PushEvalPart && parts.Add(1) == refuse.Load():
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(503)
				fmt.Fprint(w, `{"message":"later"}`)
				return
			case q.URL.Path == wire.PushEvalRun:
				whole.Add(1)
			}
			inner.ServeHTTP(w, q)
		})
		_, h := r.machine(t)
		q := r.queue(h)
		drain := func() client.Drained {
			t.Helper()
			d := &client.Drain{Queue: q, Early: true, Open: func(string) (*client.Client, error) { return r.open(t, h), nil }}
			report, err := d.Patient(5 * time.Minute).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return report
		}
		for n, first := range []int32{3, 404} {
			parts.Store(0)
			whole.Store(0)
			refuse.Store(first)
			if _, err := q.Put(client.Runs, strings.Repeat(fmt.Sprint(n), 64), []byte(aLargeBody(tests))); err != nil {
				t.Fatal(err)
			}
			drain()
			if first == 3 {
				if got := dbtest.Count(t, d, `select (select count(*) from eval_runs) + (select count(*) from eval_results)`); got != 0 {
					t.Errorf("%d rows are seen of a run that did not come", got)
				}
				refuse.Store(0)
				if report := drain(); report.Delivered.N() != 1 {
					t.Fatalf("%+v", report)
				}
			}
			if runs, results := dbtest.Count(t, d, `select count(*) from eval_runs`), dbtest.Count(t, d, `select count(*) from eval_results`); runs != n+1 || results != (n+1)*tests {
				t.Errorf("%d runs with %d results", runs, results)
			}
			if n := parts.Load(); whole.Load() != 1 || (n > 4) != (first == 3) {
				t.Errorf("%d parts, %d runs were sent", n, whole.Load())
			}
		}
		left := `select count(*) from cairn.eval_parts`
		if d.Dialect() == db.PostgreSQL { // which shows the table to nobody
			left = `select (cairn.eval_part(team_id, ingest_key, 0) is not null)::int from eval_runs limit 1`
		}
		if n := dbtest.Count(t, d, left); n != 0 {
			t.Errorf("%d parts are left", n)
		}
		if n := dbtest.Count(t, d, `select count(*) from eval_payloads`); n != 2*tests {
			t.Errorf("%d payloads", n)
		}
	})
}
