package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// many are so many runs, the first ones with meta of so many bytes.
func many(n, withMeta, size int) string {
	list := make([]string, n)
	for i := range list {
		meta := ""
		if i < withMeta {
			meta = strings.Repeat("m", size)
		}
		list[i] = fmt.Sprintf(`{"team_id":"$acme","id":"10000000-0000-4000-8000-%012d","run_at":"2026-03-11T10:30:00+00:00","ingest_key":"many-0000000000000000-%d","repo_slug":"acme/web","label":"l","total_tests":1,"passed":1,"failed":0,"meta":{"m":"%s"}}`, i, i, meta)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// TestHugeAnswers: no request gets an answer of more than rows.Most bytes, however
// it asks for it, and a write whose answer would be larger writes nothing.
func TestHugeAnswers(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	const rep = "Prefer: return=representation"
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		if r := w.ask("ada", "POST eval_runs", many(641, 40, 512<<10)); r.Code != 201 { // 20 MB
			t.Fatalf("%d %s", r.Code, r.Body)
		}
		reports := make([]string, 10)
		for i := range reports {
			reports[i] = fmt.Sprintf(`{"team_id":"$acme","ingest_key":"wide-000000000000%d","repo_slug":"web","url":"u","report_markdown":"%s"}`, i, strings.Repeat("r", 1_900_000))
		}
		if r := w.ask("ada", "POST qa_reports", "["+strings.Join(reports, ",")+"]"); r.Code != 201 {
			t.Fatalf("%d %s", r.Code, r.Body)
		}
		if d.Dialect() == db.SQLite { // a value of 20 MB, from before there were limits
			dbtest.Exec(t, d, `insert into qa_reports (team_id, id, user_id, ingest_key, repo_slug, url, mode) select id, ?, ?, 'large-000000000000', 'web', ?, 'large' from teams where slug = 'acme'`,
				uuid.New(), uuid.MustParse(w.names.Replace("$ada")), strings.Repeat("u", 20<<20))
			if r := w.ask("ada", "GET qa_reports?select=url&mode=eq.large", ""); r.Code != 413 {
				t.Errorf("one value of 20 MB: %d %.100s", r.Code, r.Body)
			}
		}
		for _, c := range []struct {
			request, body string
			status        int
			code          string
			headers       []string
		}{
			{"GET eval_runs?select=id,teams(id,eval_runs(id,teams(id,eval_runs(id))))", "", 400, "PGRST127", nil},
			{"GET teams?select=id,eval_runs(*)", "", 413, "54000", nil},
			{"GET eval_runs", "", 413, "54000", nil},
			{"GET eval_runs?order=created_at", "", 413, "54000", nil},
			{"GET eval_runs?order=run_at.desc,id&limit=100", "", 413, "54000", nil},
			{"GET eval_runs?select=*,teams(*)&order=id", "", 413, "54000", nil},
			{"GET qa_reports", "", 413, "54000", nil},
			{"GET qa_reports?select=url,report_markdown&order=id", "", 413, "54000", nil},
			{"GET teams?select=qa_reports(url,report_markdown)", "", 413, "54000", nil},
			{"PATCH qa_reports?id=not.is.null", `{"mode":"changed"}`, 413, "54000", []string{rep}},
			{"DELETE eval_runs?repo_slug=eq.acme/web", "", 413, "54000", []string{rep}},
			{"POST eval_runs", strings.NewReplacer("10000000-", "20000000-", "many-", "more-").Replace(many(40, 40, 512<<10)), 413, "54000", []string{rep}},
			{"GET eval_runs?select=" + strings.Repeat("meta,", 299) + "meta", "", 400, "PGRST127", nil},
			{"GET eval_runs?id=in.(" + strings.Repeat("10000000-0000-4000-8000-000000000000,", 10_000) + "x)", "", 400, "PGRST100", nil},
		} {
			r := w.ask("ada", c.request, c.body, c.headers...)
			if r.Code != c.status || !strings.Contains(r.Body.String(), `"code":"`+c.code+`"`) {
				t.Errorf("%.80s: %d %.200s, want %d %s", c.request, r.Code, r.Body, c.status, c.code)
			}
			if c.status == 413 && !strings.Contains(r.Body.String(), "16 MiB") {
				t.Errorf("%.80s does not say how much: %.200s", c.request, r.Body)
			}
		}
		// What was refused was not done, and what is smaller goes through.
		for request, want := range map[string]int{
			"GET eval_runs?select=id": 641, "GET eval_runs?select=id,teams(slug)&order=id": 641, "GET eval_runs?limit=10&order=id": 10, "GET eval_runs?limit=25&order=id&select=*,teams(*)": 25,
			"GET qa_reports?select=mode&mode=eq.full": 10, "GET teams?select=id,eval_runs(id,label)": 1, "GET eval_runs?select=meta&limit=20&order=id": 20, "GET eval_runs?limit=10&offset=600&order=id.desc": 10,
			"GET eval_runs?label=eq.nothing&order=id": 0,
		} {
			r := w.ask("ada", request, "")
			var list []map[string]any
			if err := json.Unmarshal(r.Body.Bytes(), &list); r.Code != 200 || err != nil || len(list) != want {
				t.Errorf("%s: %d, %d rows, want %d (%v)", request, r.Code, len(list), want, err)
			}
		}
		if r := w.ask("ada", "HEAD eval_runs", "", "Prefer: count=exact"); r.Code != 200 || r.Header().Get("Content-Range") != "0-640/641" {
			t.Errorf("counted: %d %s", r.Code, r.Header().Get("Content-Range"))
		}
		if w.log.Len() > 0 {
			t.Errorf("the log: %s", w.log)
		}
	})
}

// TestCountsAreCapped: a Total of more than rows.MostCounted is not said, and that it is not.
func TestCountsAreCapped(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		dbtest.Exec(t, d, fmt.Sprintf(`insert into eval_cases (team_id, id, repo_slug, name) with recursive n(i) as (select 1 union all select i + 1 from n where i <= %d) select t.id, n.i, 'a', 'b' from n, teams t where t.slug = 'acme'`, rows.MostCounted))
		for request, want := range map[string]string{
			"GET eval_cases?select=id&limit=2": "0-1/* []", "HEAD eval_cases?select=id&limit=2": "*/* []",
			"GET eval_cases?select=id&limit=2&id=gt.1": "0-1/100000 [count=exact]", "HEAD eval_cases?id=gt.1": "0-9999/100000 [count=exact]",
		} {
			r := w.ask("ada", request, "", "Prefer: count=exact")
			if got := fmt.Sprint(r.Header().Get("Content-Range"), " ", r.Header().Values("Preference-Applied")); got != want || r.Code >= 300 {
				t.Errorf("%s: %d %s, want %s", request, r.Code, got, want)
			}
		}
	})
}

// TestRoom: however many ask, what large answers have of the memory has a bound,
// for all and for one user, and whoever waits gets a place when one is free.
func TestRoom(t *testing.T) {
	r := newRoom()
	var most, now atomic.Int64
	var work sync.WaitGroup
	for range 25 {
		who := uuid.New()
		for range 4 {
			work.Go(func() {
				p, err := r.enter(t.Context(), who, rows.Most)
				if err != nil {
					t.Error(err)
					return
				}
				most.Store(max(most.Load(), now.Add(rows.Most)))
				p.shrink(1000)
				now.Add(-rows.Most)
				p.leave()
			})
		}
	}
	work.Wait()
	if r.taken != 0 || len(r.of) != 0 || most.Load() > roomy {
		t.Errorf("%d bytes and %d users are left; there were %d of %d", r.taken, len(r.of), most.Load(), roomy)
	}
	me := uuid.New()
	for range mostOf / rows.Most {
		if _, err := r.enter(t.Context(), me, rows.Most); err != nil {
			t.Fatal(err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.enter(gone, me, rows.Most); !errors.Is(err, context.Canceled) {
		t.Errorf("one user has more than %d bytes: %v", mostOf, err)
	}
	if _, err := r.enter(t.Context(), uuid.New(), rows.Most); err != nil {
		t.Errorf("another user: %v", err)
	}
}

// TestBusy: while there is no room, a large answer is refused for now.
func TestBusy(t *testing.T) {
	rec := httptest.NewRecorder()
	newBench(t).refuse(rec, httptest.NewRequest("GET", "/rest/v1/eval_runs", nil), db.Identity{Role: db.Authenticated}, postgrest.Busy())
	if rec.Code != 503 || rec.Header().Get("Retry-After") == "" || !strings.Contains(rec.Body.String(), "large answers") {
		t.Errorf("%d %v %s", rec.Code, rec.Header(), rec.Body)
	}
}
