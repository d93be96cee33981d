package dashboard_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/wire"
	"cairn/test/browsertest"
	"cairn/test/dbtest"
)

// labelled is what is kept of a team: who, criterion, verdict.
func labelled(t *testing.T, d *db.DB, team uuid.UUID) (out string) {
	t.Helper()
	err := d.View(t.Context(), db.ServerItself, func(tx *db.Tx) error {
		rows, err := tx.Query(t.Context(), `select u.email, l.case_id, l.criterion, l.pass from eval_labels l join auth.users u on u.id = l.user_id where l.team_id = ? order by l.criterion, u.email`, team)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var who, criterion string
			var id int64
			var pass bool
			if err := rows.Scan(&who, &id, &criterion, &pass); err != nil {
				return err
			}
			out += fmt.Sprintf("%s %d %s %t\n", who[:1], id, criterion, pass)
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A member labels an answer with a key or, where no script runs, with a button;
// others see it; nobody else's page, no other team and no token can send one.
func TestLabels(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, other := dbtest.Team(t, d, "acme"), dbtest.Team(t, d, "beta")
		ada, bob, eve := dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, other, "owner")
		bot := dbtest.Member(t, d, team, "ci")
		bot.Team, bot.Scopes = team, []string{wire.ScopeRead, wire.ScopeIngest}
		for name, as := range map[string]db.Identity{"ada": ada, "bob": bob} {
			dbtest.Exec(t, d, `update auth.users set email = ? where id = ?`, name+"@acme.example", as.User)
		}
		run := askedRun(5)
		for i := range run.Results {
			run.Results[i].JudgeScores["tone"] = 0.8
		}
		run.Results = append(run.Results, run.Results[0])
		run.Results[len(run.Results)-1].Attempt = 2
		run.Recount()
		runID := push(t, d, team, ada, run)
		id := strconv.FormatInt(wire.CaseID("acme/shop", "shop", "order_03", "sonnet"), 10)
		twice := strconv.FormatInt(wire.CaseID("acme/shop", "shop", "order_01", "haiku"), 10)
		who := ada
		s := open(t, d, func() db.Identity { return who })
		casePage := s.URL + "/t/acme/case?run=" + runID + "&id=" + id
		pressed := func(n int) string {
			return fmt.Sprintf(`document.querySelectorAll('.labels [aria-pressed="true"]').length === %d`, n)
		}

		tab := browsertest.Open(t, casePage, browsertest.View{})
		tab.Wait("document.querySelectorAll('.labels button').length === 6")
		tab.Keys("w")
		tab.Wait(pressed(1))
		if got, want := labelled(t, d, team), "a "+id+" * false\n"; got != want {
			t.Errorf("kept %q, want %q", got, want)
		}
		tab.Click(".labels .label:nth-of-type(3) button") // tone is right
		tab.Wait(pressed(2))
		tab.Keys("r")
		tab.Wait(`document.querySelector('.labels button[data-pass="true"]').getAttribute("aria-pressed") === "true"`)
		if got, want := labelled(t, d, team), "a "+id+" * true\na "+id+" tone true\n"; got != want {
			t.Errorf("kept %q, want %q", got, want)
		}
		who = bob
		tab = browsertest.Open(t, casePage, browsertest.View{})
		tab.Wait("document.querySelectorAll('.labels button').length === 6")
		if text := tab.Text(".labels"); !strings.Contains(text, "ada") || !strings.Contains(text, "right") {
			t.Errorf("bob sees %q", text)
		}
		tab.Keys("w")
		tab.Wait(pressed(1))
		if d.Dialect() == db.SQLite {
			lookAt(t, tab, "labels")
		}
		who = ada
		tab = browsertest.Open(t, casePage, browsertest.View{})
		tab.Wait(pressed(2))
		if text := tab.Text(".labels"); !strings.Contains(text, "bob") {
			t.Errorf("ada sees %q", text)
		}
		tab.Keys("r")
		tab.Wait(pressed(1))
		if got, want := labelled(t, d, team), "b "+id+" * false\na "+id+" tone true\n"; got != want {
			t.Errorf("kept %q, want %q", got, want)
		}

		// without a script
		status, plain := fetch(t, casePage)
		if status != 200 || !strings.Contains(plain, `<form class="labels" method="post" action="label">`) || !strings.Contains(plain, "We may have charged your card.") || !strings.Contains(plain, "bob: wrong.") ||
			strings.Contains(plain[strings.Index(plain, "<noscript>"):strings.Index(plain, `id="data"`)], "<img") {
			t.Errorf("%d: without a script the page is %s", status, plain)
		}
		send := func(slug, kind, body string, header ...string) (int, string) {
			t.Helper()
			req, err := http.NewRequest("POST", s.URL+"/t/"+slug+"/label", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", kind)
			if len(header) > 0 {
				req.Header.Set(header[0], header[1])
			}
			client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			text, _ := io.ReadAll(res.Body)
			return res.StatusCode, res.Header.Get("Location") + string(text)
		}
		const form, script = "application/x-www-form-urlencoded", "application/json"
		fields := func(id, criterion, pass string) string {
			return url.Values{"run": {runID}, "case": {id}, "criterion": {criterion}, "pass": {pass}}.Encode()
		}
		if status, to := send("acme", form, fields(id, "*", "true")); status != 303 || !strings.HasPrefix(to, "/t/acme/case?") || !strings.Contains(to, id) {
			t.Errorf("a form: %d %s", status, to)
		}
		want := "a " + id + " * true\nb " + id + " * false\na " + id + " tone true\n"
		if got := labelled(t, d, team); got != want {
			t.Errorf("kept %q, want %q", got, want)
		}
		if status, _ := send("acme", form, fields(id, "tone", "")); status != 303 {
			t.Errorf("taken back: %d", status)
		}
		want = "a " + id + " * true\nb " + id + " * false\n"
		if got := labelled(t, d, team); got != want {
			t.Errorf("kept %q, want %q", got, want)
		}

		// what is refused changes nothing
		body := `{"run":"` + runID + `","case":"` + id + `","criterion":"*","pass":false}`
		for _, c := range []struct {
			name       string
			as         db.Identity
			slug, kind string
			body       string
			header     []string
			want       int
		}{
			{"another site, by a form", ada, "acme", form, fields(id, "*", "false"), []string{"Origin", "https://evil.example"}, 403},
			{"another site, as JSON", ada, "acme", script, body, []string{"Sec-Fetch-Site", "cross-site"}, 403},
			{"another team's member", eve, "acme", form, fields(id, "*", "false"), nil, 404},
			{"another team's run", eve, "beta", form, fields(id, "*", "false"), nil, 404},
			{"nobody", db.Identity{}, "acme", form, fields(id, "*", "false"), nil, 401},
			{"a token of CI", bot, "acme", script, body, nil, 403},
			{"another kind", ada, "acme", "text/plain", body, nil, 400},
			{"no JSON", ada, "acme", script, "{", nil, 400},
			{"no verdict", ada, "acme", form, fields(id, "*", "maybe"), nil, 400},
			{"no such criterion", ada, "acme", form, fields(id, "wit", "true"), nil, 404},
			{"no such case", ada, "acme", form, fields("7", "*", "true"), nil, 404},
			{"several answers", ada, "acme", form, fields(twice, "*", "true"), nil, 404},
			{"too long", ada, "acme", script, strings.Repeat(" ", 17<<10) + body, nil, 400},
		} {
			who = c.as
			if status, text := send(c.slug, c.kind, c.body, c.header...); status != c.want || strings.Contains(text, "charged") {
				t.Errorf("%s: %d, want %d: %s", c.name, status, c.want, text)
			}
		}
		if got := labelled(t, d, team) + labelled(t, d, other); got != want {
			t.Errorf("after refusals %q is kept, want %q", got, want)
		}
		who = bot // reads, and has no buttons
		if _, got := fetch(t, casePage); !strings.Contains(got, `"labels":{`) || strings.Contains(got, `"to":"label"`) || strings.Contains(got, "acme.example") {
			t.Errorf("a token's page: %s", got)
		}
		who = ada
		if _, got := fetch(t, s.URL+"/t/acme/case?run="+runID+"&id="+twice); strings.Contains(got, `"labels"`) {
			t.Error("a case with several answers has labels")
		}
		config := config(d, func() db.Identity { return who }, nil)
		config.Labels = nil
		copied := httptest.NewServer(dashboard.New(config))
		defer copied.Close()
		if _, got := fetch(t, strings.Replace(casePage, s.URL, copied.URL, 1)); strings.Contains(got, `"to":"label"`) {
			t.Error("pages without a place for labels offer to give one")
		}
	})
}
