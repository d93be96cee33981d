package rest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
)

func TestAnswers(t *testing.T) {
	two := rows.Answer{Rows: objects(`{"id":1,"label":"a,b"}`, `{"id":2,"label":null}`), Total: -1, Affected: 2}
	one := rows.Answer{Rows: two.Rows[:1], Total: 7, Affected: 1}
	const sel = "/rest/v1/eval_runs?select=id,label"
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		got                      rows.Answer
		status                   int
		want, span, applied      string
	}{
		{"rows", "GET", sel, "", nil, two, 200, `[{"id":1,"label":"a,b"},` + "\n " + `{"id":2,"label":null}]`, "0-1/*", ""},
		{"no rows", "GET", sel, "", nil, rows.Answer{Total: -1}, 200, `[]`, "*/*", ""},
		{"some of the rows", "GET", sel + "&limit=1&offset=3", "", []string{"Prefer: count=exact"}, one, 206, `[{"id":1,"label":"a,b"}]`, "3-3/7", "count=exact"},
		{"none, counted", "GET", sel, "", []string{"Prefer: count=exact"}, rows.Answer{}, 200, `[]`, "*/0", "count=exact"},
		{"beyond the end", "GET", sel + "&offset=9", "", []string{"Prefer: count=exact"}, rows.Answer{Total: 7}, 416,
			`{"code":"PGRST103","details":"An offset of 9 was requested, but there are only 7 rows.","hint":null,"message":"Requested range not satisfiable"}`, "*/7", ""},
		{"head", "HEAD", sel, "", []string{"Prefer: count=exact"}, one, 206, ``, "0-0/7", "count=exact"},
		{"one row", "GET", sel, "", []string{"Accept: application/vnd.pgrst.object+json"}, one, 200, `{"id":1,"label":"a,b"}`, "0-0/*", ""},
		{"not one row", "GET", sel, "", []string{"Accept: application/vnd.pgrst.object+json"}, two, 406,
			`{"code":"PGRST116","details":"The result contains 2 rows","hint":null,"message":"Cannot coerce the result to a single JSON object"}`, "", ""},
		{"CSV", "GET", sel, "", []string{"Accept: text/csv"}, two, 200, "id,label\n1,\"a,b\"\n2,", "0-1/*", ""},
		{"without nulls", "GET", sel, "", []string{"Accept: application/vnd.pgrst.array+json;nulls=stripped"},
			rows.Answer{Rows: objects(`{"id":2,"label":null,"meta":{"a":null,"b":[null,{"c":null}]}}`), Total: -1}, 200, `[{"id":2,"meta":{"b":[null,{}]}}]`, "0-0/*", ""},
		{"insert", "POST", "/rest/v1/eval_runs", `{"label":"x"}`, nil, one, 201, ``, "*/*", ""},
		{"insert, counted", "POST", "/rest/v1/eval_runs", `{"label":"x"}`, []string{"Prefer: return=representation, count=exact"}, one, 201, `[{"id":1,"label":"a,b"}]`, "*/1", "return=representation, count=exact"},
		{"where the row is", "POST", "/rest/v1/qa_reports", `{"url":"x"}`, []string{"Prefer: return=headers-only"}, rows.Answer{Rows: objects(`{"team_id":"t","id":"i&d"}`), Affected: 1}, 201, ``, "*/*", "return=headers-only"},
		{"upsert", "POST", "/rest/v1/qa_reports?on_conflict=team_id,ingest_key", `[{"url":"x"}]`, []string{"Prefer: resolution=merge-duplicates, missing=default"}, one, 201, ``, "*/*", "resolution=merge-duplicates, missing=default"},
		{"rollback", "POST", "/rest/v1/eval_runs", `{"label":"x"}`, []string{"Prefer: tx=rollback"}, one, 201, ``, "*/*", "tx=rollback"},
		{"update", "PATCH", "/rest/v1/qa_reports?id=eq.1", `{"url":"x"}`, nil, two, 204, ``, "0-1/*", ""},
		{"update with rows", "PATCH", "/rest/v1/qa_reports?id=eq.1&select=id", `{"url":"x"}`, []string{"Prefer: return=representation"}, one, 200, `[{"id":1,"label":"a,b"}]`, "0-0/*", "return=representation"},
		{"nothing to update", "PATCH", "/rest/v1/qa_reports", `{}`, []string{"Prefer: return=representation"}, two, 200, `[]`, "*/*", "return=representation"},
		{"too many", "PATCH", "/rest/v1/qa_reports", `{"url":"x"}`, []string{"Prefer: handling=strict, max-affected=1"}, two, 400,
			`{"code":"PGRST124","details":"The query affects 2 rows","hint":null,"message":"Query result exceeds max-affected preference constraint"}`, "", ""},
		{"too many, but leniently", "PATCH", "/rest/v1/qa_reports", `{"url":"x"}`, []string{"Prefer: max-affected=1"}, two, 204, ``, "0-1/*", ""},
		{"delete", "DELETE", "/rest/v1/eval_runs?id=eq.1", "", nil, one, 204, ``, "*/*", ""},
		{"delete, counted", "DELETE", "/rest/v1/eval_runs?id=eq.1", "", []string{"Prefer: count=exact"}, two, 204, ``, "*/2", "count=exact"},
		{"delete not one", "DELETE", "/rest/v1/eval_runs", "", []string{"Accept: application/vnd.pgrst.object+json"}, two, 406,
			`{"code":"PGRST116","details":"The result contains 2 rows","hint":null,"message":"Cannot coerce the result to a single JSON object"}`, "", ""},
		{"put", "PUT", "/rest/v1/qa_reports?team_id=eq.t&id=eq.i", `{"team_id":"t","id":"i","url":"x"}`, nil, one, 204, ``, "*/*", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.fake.got = c.got
			w := b.ask(t, c.method, c.path, c.body, c.headers...)
			if w.Code != c.status || w.Body.String() != c.want || w.Header().Get("Content-Range") != c.span || w.Header().Get("Preference-Applied") != c.applied {
				t.Errorf("got  %d %q %q %s\nwant %d %q %q %s", w.Code, w.Header().Get("Content-Range"), w.Header().Get("Preference-Applied"), w.Body, c.status, c.span, c.applied, c.want)
			}
			if location := w.Header().Get("Location"); (location != "") != (c.name == "where the row is") || location != "" && location != "/qa_reports?team_id=eq.t&id=eq.i%26d" {
				t.Errorf("location %q", location)
			}
			if b.fake.as.User != ada && c.name != "nothing to update" {
				t.Errorf("it ran as %v, not as Ada", b.fake.as.User)
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
		{"media type", "GET", "/rest/v1/eval_runs", "", []string{"Accept: image/png"}, 406, "PGRST107"},
		{"content type", "POST", "/rest/v1/eval_runs", "<x/>", []string{"Content-Type: application/xml"}, 415, "PGRST107"},
		{"no JSON", "POST", "/rest/v1/eval_runs", "{bad", nil, 400, "PGRST102"},
		{"method", "TRACE", "/rest/v1/eval_runs", "", nil, 405, "PGRST117"},
		{"method of a function", "DELETE", "/rest/v1/rpc/create_team", "", nil, 405, "PGRST101"},
		{"unknown function", "POST", "/rest/v1/rpc/pg_sleep", `{"seconds":1}`, nil, 404, "PGRST202"},
		{"unknown argument", "POST", "/rest/v1/rpc/create_team", `{"wrong":1}`, nil, 404, "PGRST202"},
		{"one argument too many", "POST", "/rest/v1/rpc/create_team", `{"team_slug":"a","team_name":"b","more":1}`, nil, 404, "PGRST202"},
		{"one too many by GET", "GET", "/rest/v1/rpc/team_pulse?p_team=x&more=1", "", nil, 404, "PGRST202"},
		{"a write by GET", "GET", "/rest/v1/rpc/create_team?team_slug=a&team_name=b", "", nil, 405, "25006"},
		{"preferences", "GET", "/rest/v1/eval_runs", "", []string{"Prefer: handling=strict, anything"}, 400, "PGRST122"},
		{"over session", "GET", "/rest/v1/eval_runs", "", []string{"Authorization: Bearer " + b.token(t, over)}, 401, "PGRST301"},
		{"no token", "GET", "/rest/v1/eval_runs", "", []string{"Authorization: Bearer x.y.z"}, 401, "PGRST301"},
		{"token of CI", "GET", "/rest/v1/eval_runs", "", []string{"Authorization: Bearer cairn_ci_x"}, 401, "PGRST301"},
		{"put of many", "PUT", "/rest/v1/qa_reports?id=eq.1", "{}", nil, 405, "PGRST105"},
		{"put of another", "PUT", "/rest/v1/qa_reports?team_id=eq.t&id=eq.i", `{"team_id":"t","id":"j"}`, nil, 400, "PGRST115"},
		{"put by something else than eq", "PUT", "/rest/v1/qa_reports?team_id=eq.t&id=neq.i", `{"team_id":"t","id":"i"}`, nil, 405, "PGRST105"},
		{"put with a limit", "PUT", "/rest/v1/qa_reports?team_id=eq.t&id=eq.i&limit=1", `{"team_id":"t","id":"i"}`, nil, 400, "PGRST114"},
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
	b.fake.err = &postgrest.Error{Status: 403, Code: "42501", Message: "permission denied for table eval_runs"}
	if w := b.ask(t, "GET", "/rest/v1/eval_runs", ""); w.Code != 403 {
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
	b.fake.err = errors.New("the disk is on fire")
	w := b.ask(t, "GET", "/rest/v1/eval_runs?label=eq.secret", "")
	if w.Code != 500 || !strings.Contains(b.log.String(), "on fire") || strings.Contains(b.log.String(), "secret") {
		t.Errorf("%d, log %q; want 500, the reason and no values in the log", w.Code, b.log)
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
	people := `[{"user_id":"1","email":"a@x","role":"owner","joined_at":1},{"user_id":"2","email":"b@x","role":"member","joined_at":10},{"user_id":"3","email":"c@x","role":"member","joined_at":null}]`
	const call = "/rest/v1/rpc/team_people?p_team=" + "00000000-0000-4000-8000-000000000001"
	for _, c := range []struct {
		name, method, path, body, value string
		headers                         []string
		status                          int
		want, span                      string
	}{
		{"a value", "POST", "/rest/v1/rpc/create_team", `{"team_slug":"a","team_name":"A"}`, `"id"`, nil, 200, `"id"`, "0-0/*"},
		{"nothing", "POST", "/rest/v1/rpc/create_team", `{"team_slug":"a","team_name":"A"}`, ``, nil, 204, ``, ""},
		{"by GET", "GET", "/rest/v1/rpc/team_pulse?p_team=x&p_days=7", "", `{"runs":1}`, nil, 200, `{"runs":1}`, "0-0/*"},
		{"by HEAD", "HEAD", "/rest/v1/rpc/team_pulse?p_team=x", "", `{"runs":1}`, []string{"Prefer: count=exact"}, 200, ``, "0-0/1"},
		{"rows", "GET", call + "&select=email", "", people, nil, 200, `[{"email":"a@x"},` + "\n " + `{"email":"b@x"},` + "\n " + `{"email":"c@x"}]`, "0-2/*"},
		{"filter, order, limit", "POST", "/rest/v1/rpc/team_people?select=m:email,n:joined_at::text&role=eq.member&order=joined_at.desc.nullslast&limit=1", `{"p_team":"x"}`, people,
			[]string{"Prefer: count=exact"}, 206, `[{"m":"b@x","n":"10"}]`, "0-0/2"},
		{"or, not, in, is", "GET", call + "&select=email&or=(joined_at.gt.5,role.in.(owner))&joined_at=not.is.null", "", people, nil, 200, `[{"email":"a@x"},` + "\n " + `{"email":"b@x"}]`, "0-1/*"},
		{"not", "GET", call + "&select=email&role=not.eq.member&not.and=(email.eq.b@x,role.eq.owner)", "", people, nil, 200, `[{"email":"a@x"}]`, "0-0/*"},
		{"one row", "GET", call + "&select=n:joined_at&email=eq.b@x", "", people, []string{"Accept: application/vnd.pgrst.object+json"}, 200, `{"n":10}`, "0-0/*"},
		{"CSV", "GET", call + "&order=email.desc&limit=1", "", people, []string{"Accept: text/csv"}, 200, "user_id,email,role,joined_at\n3,c@x,member,", "0-0/*"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.fake.value = c.value
			w := b.ask(t, c.method, c.path, c.body, c.headers...)
			if w.Code != c.status || w.Body.String() != c.want || w.Header().Get("Content-Range") != c.span {
				t.Errorf("got  %d %q %s\nwant %d %q %s", w.Code, w.Header().Get("Content-Range"), w.Body, c.status, c.span, c.want)
			}
			if c.name == "by GET" && (string(b.fake.args["p_days"]) != "7" || string(b.fake.args["p_team"]) != `"x"`) {
				t.Errorf("arguments %s", b.fake.args)
			}
		})
	}
}
