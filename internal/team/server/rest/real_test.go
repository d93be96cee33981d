package rest

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/server/access"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// A world is a server on one database with two teams: Ada owns one, Bob is in
// it, Eve owns the other.
type world struct {
	*testing.T
	http.Handler
	tokens map[string]string
	names  *strings.Replacer
	log    *strings.Builder
}

func newWorld(t *testing.T, d *db.DB) *world {
	keys, err := access.NewKeys([]byte(strings.Repeat("k", access.MinSecret)), "http://127.0.0.1/auth/v1")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, tokens: map[string]string{}, log: &strings.Builder{}}
	w.Handler = New(d, &access.Access{Keys: keys, Store: everyone{over}}, slog.New(slog.NewTextHandler(w.log, nil)))
	acme, evil := dbtest.Team(t, d, "acme"), dbtest.Team(t, d, "evil")
	ids := []string{"$acme", acme.String(), "$evil", evil.String()}
	for name, as := range map[string]db.Identity{
		"ada": dbtest.Member(t, d, acme, "owner"), "bob": dbtest.Member(t, d, acme, "member"), "eve": dbtest.Member(t, d, evil, "owner"),
	} {
		token, _, err := keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: as.User.String()}, Role: "authenticated", SessionID: uuid.NewString()})
		if err != nil {
			t.Fatal(err)
		}
		w.tokens[name] = token
		ids = append(ids, "$"+name, as.User.String())
	}
	for name, role := range map[string]db.Role{"stranger": db.Anon, "service": db.Service} {
		if w.tokens[name], err = keys.Public(role); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		ids = append(ids, fmt.Sprintf("$run%d", i), fmt.Sprintf("00000000-0000-4000-8000-%012d", i))
	}
	w.names = strings.NewReplacer(ids...)
	return w
}

// ask sends "METHOD path" as somebody; headers are "Name: value".
func (w *world) ask(who, request, body string, headers ...string) *httptest.ResponseRecorder {
	w.Helper()
	method, path, _ := strings.Cut(w.names.Replace(request), " ")
	path = strings.NewReplacer(" ", "%20", `"`, "%22").Replace(path)
	r := httptest.NewRequest(method, "/rest/v1/"+path, strings.NewReader(w.names.Replace(body)))
	r.Header.Set("Authorization", "Bearer "+w.tokens[who])
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, r)
	return rec
}

// run is a run of an eval as a request sends it; more are members in addition.
func run(n int, more string) string {
	return fmt.Sprintf(`{"team_id":"$acme","id":"$run%d","run_at":"2026-03-1%dT10:30:00+00:00","ingest_key":"key-0000000000000000-%d","repo_slug":"acme/web","label":"run %d","total_tests":10,"passed":%d,"failed":%d%s}`,
		n, n, n, n, n, 10-n, more)
}

// compact takes blanks out of JSON: the databases put them in different places.
func compact(body string) string {
	v := jsontext.Value(body)
	if v.Compact() != nil {
		return body
	}
	return string(v)
}

var code = regexp.MustCompile(`^\{"code":"(\w+)"`)

// TestRequests are requests one after the other, on both databases.
func TestRequests(t *testing.T) {
	const rep, object, exact = "Prefer: return=representation", "Accept: application/vnd.pgrst.object+json", "Prefer: count=exact"
	qa := `{"team_id":"$acme","ingest_key":"qa-00000000000000000","repo_slug":"web","url":"http://127.0.0.1/","health_score":91.25}`
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		for i, c := range []struct {
			who, request, body string
			status             int
			want               string // the body, or the code of an error
			headers            []string
		}{
			{"ada", "POST eval_runs", run(1, `,"judge_averages":{"a":0.5,"o":{"p":1}},"branch":"feat/a,b(c) \"d\"&x=1"`), 201, ``, nil},
			{"ada", "POST eval_runs?select=id,created_at&columns=x", run(2, ``), 400, `PGRST204`, nil},
			{"ada", "POST eval_runs?select=label,total_cost_usd,meta,git_dirty,run_at", "[" + run(2, ``) + "," + run(3, ``) + "]", 201,
				`[{"label":"run 2","total_cost_usd":0.000000,"meta":{},"git_dirty":null,"run_at":"2026-03-12T10:30:00+00:00"},{"label":"run 3","total_cost_usd":0.000000,"meta":{},"git_dirty":null,"run_at":"2026-03-13T10:30:00+00:00"}]`, []string{rep}},
			{"bob", "POST eval_runs", run(4, `,"user_id":"$ada"`), 403, `42501`, nil},
			{"bob", "POST eval_runs", run(4, ``), 201, ``, nil},
			{"eve", "POST eval_runs", run(5, ``), 403, `42501`, nil},
			{"stranger", "POST eval_runs", run(5, ``), 401, `42501`, nil},
			{"stranger", "GET eval_runs", ``, 401, `42501`, nil},
			{"ada", "POST eval_runs", run(1, ``), 409, `23505`, nil},
			{"ada", "POST eval_runs?on_conflict=team_id,ingest_key&select=id", run(1, ``), 201, `[]`, []string{"Prefer: resolution=ignore-duplicates, return=representation"}},
			{"ada", "POST eval_runs?on_conflict=team_id,ingest_key", run(1, ``), 403, `42501`, []string{"Prefer: resolution=merge-duplicates"}},
			{"ada", "POST eval_runs", run(6, `,"attempt":"x"`), 400, `22P02`, nil},
			{"ada", "POST eval_runs", run(6, `,"skipped":3`), 400, `23514`, nil},
			{"ada", "POST eval_runs", `{"team_id":"$acme"}`, 400, `23502`, nil},
			{"ada", "POST eval_runs", run(6, ``), 400, `PGRST127`, []string{"Prefer: tx=rollback"}},
			{"ada", "GET eval_runs?select=label&order=passed", ``, 200, `[{"label":"run 1"},{"label":"run 2"},{"label":"run 3"},{"label":"run 4"}]`, nil},
			{"eve", "GET eval_runs?select=label&or=(passed.gte.0,id.not.is.null)", ``, 200, `[]`, nil},
			{"ada", "GET eval_runs?select=judge_averages&judge_averages=not.is.null", ``, 200, `[{"judge_averages":{"a":0.5,"o":{"p":1}}}]`, nil},
			{"ada", "GET eval_runs?select=passed&branch=eq.feat%2Fa%2Cb(c)%20%22d%22%26x%3D1", ``, 200, `{"passed":1}`, []string{object}},
			{"ada", "GET eval_runs?select=passed&order=passed.desc&limit=1&offset=1", ``, 206, `[{"passed":3}]`, []string{exact}},
			{"ada", "GET eval_runs?select=passed&order=passed", ``, 206, `[{"passed":2},{"passed":3}]`, []string{exact, "Range-Unit: items", "Range: 1-2"}},
			{"ada", "GET eval_runs?select=passed&offset=9", ``, 416, `PGRST103`, []string{exact}},
			{"ada", "GET eval_runs?select=passed&offset=9", ``, 200, `[]`, nil},
			{"ada", "GET eval_runs?select=passed", ``, 406, `PGRST116`, []string{object}},
			{"ada", "HEAD eval_runs", ``, 200, ``, []string{exact}},
			{"ada", "GET eval_runs?select=id&passed=eq.many", ``, 400, `22P02`, nil},
			{"ada", "GET eval_runs?select=passed&label=in.(%22run 1%22,%22q%22uo(te)%22)", ``, 200, `[{"passed":1}]`, nil},
			{"ada", "POST eval_costs", `{"team_id":"$acme","run_id":"$run1","model":"m1","run_at":"2026-03-11T10:30:00+00:00","calls":2,"input_tokens":9000000000}`, 201, ``, nil},
			{"eve", "POST eval_costs", `{"team_id":"$evil","run_id":"$run1","model":"m1","run_at":"2026-03-11T10:30:00+00:00"}`, 409, `23503`, nil},
			{"ada", "GET eval_runs?select=passed,eval_costs(model,input_tokens)&id=eq.$run1", ``, 200, `[{"passed":1,"eval_costs":[{"model":"m1","input_tokens":9000000000}]}]`, nil},
			{"ada", "GET eval_runs?select=passed,eval_costs(model)&id=in.($run1,$run2)&order=passed.desc", ``, 200, `[{"passed":2,"eval_costs":[]},{"passed":1,"eval_costs":[{"model":"m1"}]}]`, nil},
			{"ada", "GET eval_runs?select=passed,eval_costs!inner(model)", ``, 400, `PGRST127`, nil},
			{"ada", "GET eval_costs?select=model,eval_runs(label)", ``, 200, `[{"model":"m1","eval_runs":{"label":"run 1"}}]`, nil},
			{"eve", "GET teams?select=slug,eval_runs(id)", ``, 200, `[{"slug":"evil","eval_runs":[]}]`, nil},
			{"ada", "GET team_invites?select=token_hash", ``, 403, `42501`, nil},
			{"ada", "PATCH eval_runs?id=eq.$run1", `{"label":"changed"}`, 403, `42501`, nil},
			{"service", "PATCH eval_runs?id=eq.$run1&select=label", `{"label":"changed"}`, 200, `[{"label":"changed"}]`, []string{rep}},
			{"ada", "POST qa_reports?select=health_score,mode,user_id", qa, 201, `{"health_score":91.25,"mode":"full","user_id":"$ada"}`, []string{rep, object}},
			{"ada", "PATCH qa_reports?health_score=gt.1&select=health_score", `{"health_score":50}`, 200, `[{"health_score":50.00}]`, []string{rep}},
			{"ada", "PATCH qa_reports?health_score=gt.1", `{"mode":"quick"}`, 400, `PGRST122`, []string{"Prefer: handling=strict, max-affected=0"}},
			{"ada", "GET qa_reports?select=mode", ``, 200, `[{"mode":"full"}]`, nil},
			{"ada", "PATCH qa_reports?health_score=gt.1", `{"health_score":161}`, 400, `23514`, nil},
			{"ada", "PATCH qa_reports?id=not.is.null", `{"health_score":51}`, 204, ``, []string{exact}},
			{"bob", "PATCH qa_reports?id=not.is.null", `{"health_score":1}`, 200, `[]`, []string{rep}},
			{"ada", "POST qa_reports?on_conflict=team_id,ingest_key&select=health_score", strings.Replace(qa, "91.25", "60", 1), 201, `[{"health_score":60.00}]`, []string{"Prefer: resolution=merge-duplicates, return=representation"}},
			{"bob", "DELETE eval_runs?id=eq.$run4", ``, 204, ``, []string{exact}},
			{"ada", "DELETE eval_runs?id=eq.$run4&select=label", ``, 200, `[{"label":"run 4"}]`, []string{rep}},
			{"eve", "DELETE eval_runs?id=eq.$run1&select=id", ``, 200, `[]`, []string{rep}},
			{"ada", "DELETE eval_runs", ``, 406, `PGRST116`, []string{object}},
			{"ada", "GET eval_runs?select=passed&order=passed", ``, 200, `[{"passed":1},{"passed":2},{"passed":3}]`, nil},
			{"ada", "POST ship_logs", `{"team_id":"$acme","ingest_key":"ship-000000000000000","repo_slug":"web","todos_completed":["a","b, c"]}`, 201, ``, nil},
			{"ada", "GET ship_logs?select=todos_completed&todos_completed=not.is.null", ``, 200, `[{"todos_completed":["a","b, c"]}]`, nil},
			{"eve", "POST rpc/team_people", `{"p_team":"$acme"}`, 200, `[]`, nil},
			{"ada", "POST rpc/create_team", `{"wrong":1}`, 404, `PGRST202`, nil},
			{"ada", "POST rpc/create_team", `{"team_slug":"Not A Slug","team_name":"x"}`, 400, `23514`, nil},
			{"eve", "POST rpc/create_team", `{"team_slug":"acme","team_name":"x"}`, 409, `23505`, nil},
			{"stranger", "POST rpc/create_team", `{"team_slug":"x1","team_name":"x"}`, 401, `42501`, nil},
			{"ada", "GET rpc/create_team?team_slug=x1&team_name=x", ``, 405, `PGRST101`, nil},
			{"ada", "POST teams", `{"name":"x","slug":"x"}`, 403, `42501`, nil},
			{"ada", "DELETE team_members?team_id=eq.$acme&user_id=eq.$ada", ``, 400, `23514`, nil},
			{"service", "DELETE teams?id=eq.$acme", ``, 204, ``, nil},
			{"service", "GET eval_runs?select=id", ``, 200, `[]`, nil},
		} {
			got := w.ask(c.who, c.request, c.body, c.headers...)
			body := compact(got.Body.String())
			if m := code.FindStringSubmatch(body); m != nil {
				body = m[1]
			}
			if want := w.names.Replace(c.want); got.Code != c.status || body != want {
				t.Errorf("%d %s: %s\n got %d %s\nwant %d %s", i, c.who, c.request, got.Code, got.Body, c.status, want)
			}
		}
		if w.log.Len() > 0 {
			t.Errorf("the log: %s", w.log)
		}
	})
}

// TestDocumentedRequests sends every request that docs/server.md lists: what it
// says there is, is there on both databases, and what it says there is not is refused with a sentence.
func TestDocumentedRequests(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/server.md")
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]string{
		"POST qa_reports":  `{"team_id":"$acme","ingest_key":"doc-00000000000000000","repo_slug":"web","url":"x"}`,
		"PATCH qa_reports": `{"mode":"quick"}`, "POST rpc/team_pulse": `{"p_team":"$acme"}`, "POST rpc/team_people": `{"p_team":"$acme"}`,
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		for part, want := range map[string]struct{ status, requests int }{"data API": {0, 15}, "not in the data API": {400, 16}} {
			_, rest, _ := strings.Cut(string(page), "<!-- "+part+" -->")
			list, _, _ := strings.Cut(rest, "<!-- end -->")
			found := regexp.MustCompile("(?m)^\\| `([A-Z]+) /rest/v1/([^`]*)` \\|").FindAllStringSubmatch(list, -1)
			if len(found) != want.requests {
				t.Errorf("%s: %d requests, want %d", part, len(found), want.requests)
			}
			for _, f := range found {
				name, _, _ := strings.Cut(f[2], "?")
				prefer := ""
				if strings.Contains(f[2], "on_conflict") {
					prefer = "resolution=merge-duplicates"
				}
				got := w.ask("ada", f[1]+" "+f[2], bodies[f[1]+" "+name], "Prefer: "+prefer)
				switch {
				case want.status == 0 && got.Code >= 300:
					t.Errorf("%s: %d %s", f[0], got.Code, got.Body)
				case want.status == 400 && (got.Code != 400 || !strings.Contains(got.Body.String(), "not ")):
					t.Errorf("%s: %d %s, want 400 with a sentence", f[0], got.Code, got.Body)
				}
			}
		}
	})
}
