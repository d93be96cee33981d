package rest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
)

// TestAnswers has statuses, headers and bodies to the byte.
func TestAnswers(t *testing.T) {
	const sel, exact, object, rep = "/rest/v1/qa_reports?select=mode,url&order=url", "Prefer: count=exact", "Accept: application/vnd.pgrst.object+json", "Prefer: return=representation"
	const beyond = `{"code":"PGRST103","details":"An offset of 9 was requested, but there are only 2 rows.","hint":null,"message":"Requested range not satisfiable"}`
	const two = `{"code":"PGRST116","details":"The result contains 2 rows","hint":null,"message":"Cannot coerce the result to a single JSON object"}`
	const report = `{"team_id":"$team","ingest_key":"k","repo_slug":"a","url":"z"}`
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		want, span, applied      string
	}{
		{"rows", "GET", sel, "", nil, 200, `[{"mode":"full","url":"x"},` + "\n " + `{"mode":"full","url":"y"}]`, "0-1/*", ""},
		{"no rows", "GET", sel + "&url=eq.z", "", nil, 200, `[]`, "*/*", ""},
		{"some of the rows", "GET", sel + "&limit=1&offset=1", "", []string{exact}, 206, `[{"mode":"full","url":"y"}]`, "1-1/2", "count=exact"},
		{"by a range", "GET", sel, "", []string{"Range: 0-0"}, 200, `[{"mode":"full","url":"x"}]`, "0-0/*", ""},
		{"none, counted", "GET", sel + "&url=eq.z", "", []string{exact}, 200, `[]`, "*/0", "count=exact"},
		{"beyond the end", "GET", sel + "&offset=9", "", []string{exact}, 416, beyond, "*/2", ""},
		{"head", "HEAD", sel, "", []string{exact}, 200, ``, "0-1/2", "count=exact"},
		{"head of some", "HEAD", sel + "&limit=1&offset=1", "", []string{"Prefer: count=planned"}, 206, ``, "1-1/2", "count=planned"},
		{"head, not counted", "HEAD", sel, "", nil, 200, ``, "0-1/*", ""},
		{"one row", "GET", sel + "&url=eq.x", "", []string{object}, 200, `{"mode":"full","url":"x"}`, "0-0/*", ""},
		{"not one row", "GET", sel, "", []string{object}, 406, two, "", ""},
		{"insert", "POST", "/rest/v1/qa_reports", report, nil, 201, ``, "*/*", ""},
		{"insert, counted", "POST", "/rest/v1/qa_reports?select=url", report, []string{rep + ", count=exact"}, 201, `[{"url":"z"}]`, "*/1", "return=representation, count=exact"},
		{"upsert", "POST", "/rest/v1/qa_reports?on_conflict=team_id,ingest_key", "[" + report + "]", []string{"Prefer: resolution=merge-duplicates, missing=default"}, 201, ``, "*/*", "resolution=merge-duplicates, missing=default"},
		{"update", "PATCH", "/rest/v1/qa_reports?repo_slug=eq.a", `{"mode":"x"}`, nil, 204, ``, "0-1/*", ""},
		{"update with rows", "PATCH", "/rest/v1/qa_reports?url=eq.x&select=mode", `{"mode":"m"}`, []string{rep}, 200, `[{"mode":"m"}]`, "0-0/*", "return=representation"},
		{"nothing to update", "PATCH", "/rest/v1/qa_reports", `{}`, []string{rep}, 200, `[]`, "*/*", "return=representation"},
		{"update not one", "PATCH", "/rest/v1/qa_reports?repo_slug=eq.a", `{"mode":"x"}`, []string{object, rep}, 406, two, "", ""},
		{"delete", "DELETE", "/rest/v1/qa_reports?url=eq.x", "", nil, 204, ``, "*/*", ""},
		{"delete, counted", "DELETE", "/rest/v1/qa_reports?repo_slug=eq.a", "", []string{exact}, 204, ``, "*/2", "count=exact"},
		{"delete not one", "DELETE", "/rest/v1/qa_reports", "", []string{object}, 406, two, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			for _, url := range []string{"x", "y"} {
				if w := b.ask(t, "POST", "/rest/v1/qa_reports", strings.NewReplacer("$team", b.team.String(), `"k"`, `"`+url+`"`, `"z"`, `"`+url+`"`).Replace(report)); w.Code != 201 {
					t.Fatal(w.Body)
				}
			}
			w := b.ask(t, c.method, c.path, strings.Replace(c.body, "$team", b.team.String(), 1), c.headers...)
			if w.Code != c.status || w.Body.String() != c.want || w.Header().Get("Content-Range") != c.span || w.Header().Get("Preference-Applied") != c.applied {
				t.Errorf("got  %d %q %q %s\nwant %d %q %q %s", w.Code, w.Header().Get("Content-Range"), w.Header().Get("Preference-Applied"), w.Body, c.status, c.span, c.applied, c.want)
			}
			if n := w.Header().Get("Content-Length"); n != "" && n != strconv.Itoa(len(c.want)) {
				t.Errorf("Content-Length %s of %d bytes", n, len(c.want))
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		code                     string
	}{
		{"unknown table", "GET", "/rest/v1/users", "", nil, 404, "PGRST205"},
		{"no table", "GET", "/rest/v1/", "", nil, 404, "PGRST125"},
		{"deeper", "GET", "/rest/v1/eval_runs/1", "", nil, 404, "PGRST125"},
		{"unknown column", "GET", "/rest/v1/eval_runs?select=nope", "", nil, 400, "42703"},
		{"hidden column", "GET", "/rest/v1/team_invites?select=token_hash", "", nil, 403, "42501"},
		{"filter", "GET", "/rest/v1/eval_runs?passed=3", "", nil, 400, "PGRST100"},
		{"schema", "GET", "/rest/v1/eval_runs", "", []string{"Accept-Profile: auth"}, 406, "PGRST106"},
		{"schema to write", "POST", "/rest/v1/eval_runs", "{}", []string{"Content-Profile: auth"}, 406, "PGRST106"},
		{"put", "PUT", "/rest/v1/qa_reports?id=eq.1", "{}", nil, 405, "PGRST117"},
		{"rollback", "POST", "/rest/v1/qa_reports", "{}", []string{"Prefer: tx=rollback"}, 400, "PGRST127"},
		{"most affected", "DELETE", "/rest/v1/qa_reports", "", []string{"Prefer: handling=strict, max-affected=1"}, 400, "PGRST122"},
		{"negative offset", "GET", "/rest/v1/eval_runs?offset=-1", "", nil, 416, "PGRST103"},
		{"negative limit", "GET", "/rest/v1/eval_runs?limit=-1", "", nil, 416, "PGRST103"},
		{"a range of nothing", "GET", "/rest/v1/eval_runs", "", []string{"Range: 5-1"}, 416, "PGRST103"},
		{"a range that is none", "GET", "/rest/v1/eval_runs", "", []string{"Range: some"}, 416, "PGRST103"},
		{"a table in itself", "GET", "/rest/v1/eval_runs?select=id,teams(id,eval_runs(id,teams(id,eval_runs(id))))", "", nil, 400, "PGRST127"},
		{"rows of a function", "POST", "/rest/v1/rpc/team_people?select=role", "{}", nil, 400, "PGRST127"},
		{"CSV", "GET", "/rest/v1/eval_runs", "", []string{"Accept: text/csv"}, 406, "PGRST107"},
		{"media type", "GET", "/rest/v1/eval_runs", "", []string{"Accept: image/png"}, 406, "PGRST107"},
		{"content type", "POST", "/rest/v1/eval_runs", "<x/>", []string{"Content-Type: application/xml"}, 415, "PGRST107"},
		{"no JSON", "POST", "/rest/v1/eval_runs", "{bad", nil, 400, "PGRST102"},
		{"method", "TRACE", "/rest/v1/eval_runs", "", nil, 405, "PGRST117"},
		{"method of a function", "DELETE", "/rest/v1/rpc/create_team", "", nil, 405, "PGRST101"},
		{"unknown function", "POST", "/rest/v1/rpc/pg_sleep", `{"seconds":1}`, nil, 404, "PGRST202"},
		{"unknown argument", "POST", "/rest/v1/rpc/create_team", `{"wrong":1}`, nil, 404, "PGRST202"},
		{"one argument too many", "POST", "/rest/v1/rpc/create_team", `{"team_slug":"a","team_name":"b","more":1}`, nil, 404, "PGRST202"},
		{"a write by GET", "GET", "/rest/v1/rpc/create_team?team_slug=a&team_name=b", "", nil, 405, "PGRST101"},
		{"preferences", "GET", "/rest/v1/eval_runs", "", []string{"Prefer: handling=strict, anything"}, 400, "PGRST122"},
		{"over session", "GET", "/rest/v1/eval_runs", "", []string{"Authorization: Bearer " + b.token(t, over)}, 401, "PGRST301"},
		{"no token", "GET", "/rest/v1/eval_runs", "", []string{"Authorization: Bearer x.y.z"}, 401, "PGRST301"},
		{"token of CI", "GET", "/rest/v1/eval_runs", "", []string{"Authorization: Bearer cairn_ci_x"}, 401, "PGRST301"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := b.ask(t, c.method, c.path, c.body, c.headers...)
			if w.Code != c.status || !strings.Contains(w.Body.String(), `"code":"`+c.code+`"`) || !strings.Contains(w.Body.String(), `"message":"`) {
				t.Errorf("got %d %s, want %d %s", w.Code, w.Body, c.status, c.code)
			}
			if challenge := w.Header().Get("WWW-Authenticate"); (w.Code == 401) != strings.HasPrefix(challenge, "Bearer error=") {
				t.Errorf("WWW-Authenticate: %q", challenge)
			}
		})
	}
	if b.log.Len() > 0 {
		t.Errorf("what a client did wrong is in the log: %s", b.log)
	}
}

// TestForbidden: what nobody who is signed in may do is 403, to a stranger 401.
func TestForbidden(t *testing.T) {
	b := newBench(t)
	if w := b.ask(t, "POST", "/rest/v1/teams", `{"name":"x","slug":"x"}`); w.Code != 403 {
		t.Errorf("signed in: %d", w.Code)
	}
	anon, err := b.keys.Public(db.Anon)
	if err != nil {
		t.Fatal(err)
	}
	w := b.ask(t, "GET", "/rest/v1/eval_runs", "", "Authorization: Bearer "+anon)
	if w.Code != 401 || w.Header().Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("a stranger: %d, %q", w.Code, w.Header().Get("WWW-Authenticate"))
	}
}

func TestOwnFault(t *testing.T) {
	b := newBench(t)
	dbtest.Exec(t, b.db, `drop table ship_logs`)
	w := b.ask(t, "GET", "/rest/v1/ship_logs?version=eq.secret", "")
	if w.Code != 500 || !strings.Contains(b.log.String(), "ship_logs") || strings.Contains(b.log.String()+w.Body.String(), "secret") || strings.Contains(w.Body.String(), "no such table") {
		t.Errorf("%d %s, log %q; want 500, the reason in the log alone and no values", w.Code, w.Body, b.log)
	}
}

// TestGone: whoever goes away is no fault of the server's, and is not told that all went well.
func TestGone(t *testing.T) {
	b := newBench(t)
	r := httptest.NewRequest("GET", "/rest/v1/eval_runs", nil)
	ctx, cancel := context.WithCancel(r.Context())
	cancel()
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r.WithContext(ctx))
	if b.log.Len() > 0 || w.Code < 500 {
		t.Errorf("%d, the log: %s", w.Code, b.log)
	}
}

func TestTooLarge(t *testing.T) {
	b := newBench(t)
	r := httptest.NewRequest("POST", "/rest/v1/eval_runs", strings.NewReader(`{"label":"`+strings.Repeat("x", 100)+`"}`))
	w := httptest.NewRecorder()
	r.Body = http.MaxBytesReader(w, r.Body, 50)
	b.ServeHTTP(w, r)
	if w.Code != 413 || !strings.Contains(w.Body.String(), "50 bytes") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestOrigins(t *testing.T) {
	b := newBench(t)
	r := httptest.NewRequest("OPTIONS", "/rest/v1/eval_runs", nil)
	r.Header.Set("Origin", "http://page.test")
	r.Header.Set("Access-Control-Request-Method", "PATCH")
	r.Header.Set("Access-Control-Request-Headers", "apikey,prefer")
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	h := w.Header()
	if w.Code != 200 || h.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "PATCH") ||
		h.Get("Access-Control-Allow-Headers") != "apikey,prefer" || h.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("%d %v", w.Code, h)
	}
	if w := b.ask(t, "OPTIONS", "/rest/v1/eval_runs", ""); w.Code != 200 || w.Header().Get("Allow") != tableMethods {
		t.Errorf("%d %q", w.Code, w.Header().Get("Allow"))
	}
	if w := b.ask(t, "OPTIONS", "/rest/v1/nope", ""); w.Code != 404 {
		t.Errorf("an unknown table: %d", w.Code)
	}
}

func TestCalls(t *testing.T) {
	b := newBench(t)
	w := b.ask(t, "POST", "/rest/v1/rpc/create_team", `{"team_slug":"a","team_name":"A"}`, "Prefer: return=representation")
	if w.Code != 200 || len(w.Body.String()) != len(`"`+uuid.Nil.String()+`"`) || w.Header().Get("Content-Type") != "application/json; charset=utf-8" || w.Header().Get("Preference-Applied") != "return=representation" {
		t.Errorf("a value: %d %s %v", w.Code, w.Body, w.Header())
	}
	w = b.ask(t, "POST", "/rest/v1/rpc/team_people", `{"p_team":"`+b.team.String()+`"}`)
	if w.Code != 200 || !strings.HasPrefix(w.Body.String(), `[{"user_id":"`+ada.String()+`","email":"ada@example.com","role":"owner"`) {
		t.Errorf("rows: %d %s", w.Code, w.Body)
	}
}
