package dashboard

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/klauspost/compress/gzhttp"

	"cairn/internal/answer"
	"cairn/internal/team/page"
)

// The gallery is a team with all that a page can show, made without a
// database: every kind of chart, long tables, hostile names, a part that is
// empty and one that failed.

const hostile = `</script><img src=x onerror=alert(1)> {{.}} & "quoted" 'text'`

var clock = time.Date(2026, 3, 12, 10, 0, 0, 0, time.UTC)

var galleryPeople = []string{"ada", "grace", "a-colleague-whose-name-is-exactly-sixty-characters-long-xyzab", "مريم العبدالله", "李小龙 🐉", hostile, "edsger", "barbara", "donald", "margaret", "alan", "katherine"}

func galleryViews() []view {
	out := []view{
		{name: "pulse", title: "Overview", summary: "How the team is doing, compared with the previous period.", byPerson: true},
		{name: "many", title: "Many people", summary: "More series and rows than there is room for.", byPerson: true, byBranch: true},
		{name: "empty", title: "Nothing yet", summary: "A team that has just begun.", byPerson: true},
	}
	for _, title := range []string{"Velocity", "Quality", "Judges", "Detection", "Cost", "Hotspots", "Leaderboard", "Members"} {
		out = append(out, view{name: title, title: title})
	}
	return out
}

// gallery serves its pages as the server does, packed.
func gallery(t testing.TB) string {
	teams := []Team{{ID: uuid.New(), Slug: "acme", Name: "Acme", Role: "owner"}, {ID: uuid.New(), Slug: "long", Name: "A team whose name has been given sixty characters by its owner", Role: "member"}}
	p := &pages{views: galleryViews(), mux: http.NewServeMux(), Config: Config{Now: func() time.Time { return clock }, Log: slog.New(slog.DiscardHandler), SignIn: "/signin"}}
	p.mux.HandleFunc("GET /assets/{sum}/{file}", p.asset)
	p.mux.HandleFunc("GET /error/{which}", func(w http.ResponseWriter, r *http.Request) {
		switch r.PathValue("which") {
		case "401":
			p.problem(w, r, 401, "You are not signed in", "cairn dashboard opens this page signed in.")
		case "503":
			p.failed(w, r, errors.New("gone"))
		default:
			p.missing(w, r)
		}
	})
	p.mux.HandleFunc("GET /t/{team}/{view}", func(w http.ResponseWriter, r *http.Request) {
		f, err := readFilter(r.URL.Query(), clock)
		v, ok := p.find(r.PathValue("view"))
		if err != nil || !ok {
			p.missing(w, r)
			return
		}
		a := &ask{viewer: Viewer{Email: "ada@example.com", Teams: teams}, team: teams[0], filter: f, now: clock, names: map[uuid.UUID]string{},
			repos: []string{"acme/app", "acme/web", "acme/" + galleryPeople[2]}, branches: []string{"main", "release/2026-03"}}
		if r.PathValue("team") == "long" {
			a.team = teams[1]
		}
		for i, name := range galleryPeople {
			a.names[uuid.NewSHA1(uuid.Nil, []byte{byte(i)})] = name
		}
		list := galleryPanels(v.name, f)
		for i := range list {
			list[i].Command = command(v, list[i], f, nil)
		}
		q := &request{viewer: a.viewer, team: a.team, view: v, filter: f}
		made, err := p.body(q, a, v.title, list)
		if err != nil {
			t.Error(err)
			return
		}
		p.page(w, r, q, made)
	})
	s := httptest.NewServer(gzhttp.GzipHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page.Headers(w.Header())
		p.mux.ServeHTTP(w, r)
	})))
	t.Cleanup(s.Close)
	return s.URL
}

func galleryPanels(name string, f Filter) []answer.Panel {
	weeks := answer.Weeks(f.From, f.To)
	switch name {
	case "pulse":
		return []answer.Panel{galleryFigures(), galleryRates(weeks, 3), galleryShips(weeks, 4), gallerySpend(weeks), galleryCriteria(5), galleryEmpty(), galleryFailed()}
	case "many":
		return []answer.Panel{galleryShips(weeks, len(galleryPeople)), galleryRates(weeks, 11), gallerySpend(weeks), galleryCriteria(40)}
	case "empty":
		return []answer.Panel{galleryEmpty(), galleryEmpty(), galleryEmpty()}
	}
	return []answer.Panel{galleryRates(weeks, 1)}
}

func galleryFigures() answer.Panel {
	return answer.Panel{ID: "figures", Title: "Figures", Figures: []answer.Figure{
		{Key: "ships", Title: "Releases", Unit: answer.Count, Value: answer.To(48), Before: answer.To(41), Better: 1, Link: "velocity"},
		{Key: "pass", Title: "Pass rate", Unit: answer.Percent, Value: answer.To(.942), Before: answer.To(.974), Better: 1, Link: "quality"},
		{Key: "cost", Title: "Cost of evals", Unit: answer.Dollars, Value: answer.To(1234.5), Before: answer.To(1810.2), Better: -1},
		{Key: "turns", Title: "Turns with an agent", Unit: answer.Count, Value: answer.To(12345), Before: answer.To(12001)},
		{Key: "same", Title: "Members who shipped", Unit: answer.Count, Value: answer.To(7), Before: answer.To(7), Better: 1},
		{Key: "none", Title: "QA health", Unit: answer.Number},
	}}
}

// wave is a value that looks like data and is the same each time.
func galleryWave(i, k int) float64 {
	return math.Abs(math.Sin(float64(i*7+k*13))*3+math.Cos(float64(i*3+k*5))*2) + float64(k%3)
}

func galleryShips(weeks []string, people int) answer.Panel {
	p := answer.Panel{ID: "ships-by-week", Title: "Releases per week and person", Rows: "rows/ships", Note: "A release is a version tag, a merged pull request, or what a skill reported as shipped.",
		Chart: &answer.Chart{Kind: answer.Stack, Unit: answer.Count, Step: answer.Week, X: weeks},
		Table: answer.Table{Columns: []answer.Column{{Key: "week", Title: "Week", Unit: answer.Week}, {Key: "person", Title: "Person", Unit: answer.Words}, {Key: "ships", Title: "Releases", Unit: answer.Count}, {Key: "prs", Title: "Pull requests", Unit: answer.Count}}}}
	for i, week := range weeks {
		for k, name := range galleryPeople[:people] {
			n := int(galleryWave(i, k))
			if n == 0 || i%9 == 5 {
				continue
			}
			p.Chart.Add(name, week, float64(n))
			p.Table.Rows = append(p.Table.Rows, answer.Row{answer.Of(week), answer.Linked(name, "members?person="+fmt.Sprint(k)), answer.Of(n), answer.Of(n / 2)})
		}
	}
	return p
}

func galleryRates(weeks []string, suites int) answer.Panel {
	p := answer.Panel{ID: "pass-rate", Title: "Pass rate of suites", Rows: "rows/runs", Note: "Share of cases that passed on the main branch, with the interval that has the true one in 95 of 100 weeks.",
		Chart: &answer.Chart{Kind: answer.LineChart, Unit: answer.Percent, Step: answer.Week, X: weeks, From: answer.To(0), To: answer.To(1)},
		Table: answer.Table{Columns: []answer.Column{{Key: "suite", Title: "Suite", Unit: answer.Words}, {Key: "rate", Title: "Pass rate", Unit: answer.Percent}, {Key: "runs", Title: "Runs", Unit: answer.Count}, {Key: "state", Title: "State", Unit: answer.Words}}}}
	for k := range suites {
		s := answer.Series{Name: fmt.Sprintf("suite-%d", k+1), Values: make([]*float64, len(weeks)), Low: make([]*float64, len(weeks)), High: make([]*float64, len(weeks))}
		if k == 1 {
			s.Name = hostile
		}
		var last float64
		for i := range weeks {
			if (i+k)%8 == 6 {
				continue
			}
			v := .97 - float64(k)*.06 - galleryWave(i, k)/60
			last = v
			s.Values[i], s.Low[i], s.High[i] = answer.To(v), answer.To(v-.05), answer.To(math.Min(1, v+.03))
		}
		p.Chart.Series = append(p.Chart.Series, s)
		state := answer.Cell{Value: "steady", Mark: "good"}
		if k%3 == 2 {
			state = answer.Cell{Value: "falling", Mark: "bad"}
		}
		p.Table.Rows = append(p.Table.Rows, answer.Row{answer.Linked(s.Name, "suite?name=x"), {Value: last, Low: answer.To(last - .05), High: answer.To(math.Min(1, last+.03))}, answer.Of(20 + k), state})
	}
	return p
}

func gallerySpend(weeks []string) answer.Panel {
	p := answer.Panel{ID: "spend", Title: "Cost per model and week", Note: "Dollars of eval runs, by the prices of the day.",
		Chart: &answer.Chart{Kind: answer.Bars, Unit: answer.Dollars, Step: answer.Week, X: weeks},
		Table: answer.Table{Columns: []answer.Column{{Key: "week", Title: "Week", Unit: answer.Week}, {Key: "model", Title: "Model", Unit: answer.Words}, {Key: "usd", Title: "Cost", Unit: answer.Dollars}}}}
	for i, week := range weeks {
		for k, model := range []string{"large", "small"} {
			v := galleryWave(i, k) * 40
			p.Chart.Add(model, week, v)
			p.Table.Rows = append(p.Table.Rows, answer.Row{answer.Of(week), answer.Of(model), answer.Of(v)})
		}
	}
	return p
}

func galleryCriteria(n int) answer.Panel {
	p := answer.Panel{ID: "criteria", Title: "Lowest-scoring metrics of judges", Note: "Averages over all judged cases, the lowest first.",
		Table: answer.Table{More: 12, Next: "criteria?page=2", Columns: []answer.Column{{Key: "criterion", Title: "Criterion", Unit: answer.Words}, {Key: "category", Title: "Category", Unit: answer.Words}, {Key: "score", Title: "Score", Unit: answer.Number}, {Key: "cases", Title: "Cases", Unit: answer.Count}, {Key: "ms", Title: "Time", Unit: answer.Millis}, {Key: "last", Title: "Last judged", Unit: answer.Moment}}}}
	for i := range n {
		v := 1.4 + galleryWave(i, 1)/3
		p.Table.Rows = append(p.Table.Rows, answer.Row{answer.Of(galleryPeople[i%len(galleryPeople)]), answer.Of("category " + fmt.Sprint(i%4)), {Value: v, Low: answer.To(v - .3), High: answer.To(v + .3)}, answer.Of(1200 + i), answer.Of(float64(i) * 812), answer.Of(clock.Add(-time.Duration(i) * time.Hour))})
	}
	return p
}

func galleryEmpty() answer.Panel {
	return answer.Panel{ID: "qa-health", Title: "QA health", Empty: answer.Empty{Text: "No QA report was sent in this time.", Command: "cairn sync push-qa .gstack/qa-reports/baseline.json"}}
}

func galleryFailed() answer.Panel {
	return answer.Panel{ID: "triage", Title: "Triage signal", Failed: "it could not be made; the server's log says why"}
}
