package rest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/table"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// An asked is a request of a person.
type asked struct{ who, request, body, prefer string }

// TestSame sends every operator and kind of value to every kind of
// column, and whatever is forbidden: both databases answer the same status and
// the same body or error code, and none of it is the server's fault.
func TestSame(t *testing.T) {
	cairntest.NoRace(t)
	var databases, answers = []string{}, [][]string{}
	list := everything()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		var back []string
		for _, name := range []string{"$acme", "$evil", "$ada", "$bob", "$eve"} {
			back = append(back, w.names.Replace(name), name)
		}
		unnamed := strings.NewReplacer(back...)
		var got []string
		for _, a := range list {
			r := w.ask(a.who, a.request, a.body, "Prefer: "+a.prefer)
			body := plain(unnamed.Replace(r.Body.String()))
			if m := code.FindStringSubmatch(body); m != nil {
				body = m[1]
			}
			if got = append(got, fmt.Sprintf("%d %s %s", r.Code, body, r.Header().Get("Content-Range"))); r.Code >= 500 {
				t.Errorf("%s: %s %.200s: %d %s", a.who, a.request, a.body, r.Code, r.Body)
			}
		}
		databases, answers = append(databases, t.Name()), append(answers, got)
		if w.log.Len() > 0 {
			t.Errorf("the log: %s", w.log)
		}
	})
	if len(answers) < 2 {
		t.Skip("there is one database only")
	}
	for i, a := range list {
		if answers[0][i] != answers[1][i] {
			t.Errorf("%s: %s %.200s\n%s: %.300s\n%s: %.300s", a.who, a.request, a.body, databases[0], answers[0][i], databases[1], answers[1][i])
		}
	}
}

// plain is JSON in one spelling: PostgreSQL orders members and writes 1e3 as 1000.
func plain(body string) string {
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return body
	}
	out, _ := json.Marshal(v)
	return strings.ReplaceAll(string(out), ":-0}", ":0}")
}

func everything() []asked {
	const rep, exact = "return=representation", "count=exact"
	list := []asked{
		{"ada", "POST eval_runs", run(1, `,"judge_averages":{"a":0.5,"o":{"p":1},"l":[1,2,"x"]},"git_dirty":true`), ""},
		{"ada", "POST eval_runs?select=label", run(2, `,"branch":"ünï €😀","total_cost_usd":1.5`), rep},
		{"ada", "POST eval_runs", run(3, `,"branch":"a\u0000b"`), rep},
		{"ada", "POST eval_runs", run(3, `,"meta":{"a":"a\u0000b"}`), rep},
	}
	n := 4
	for _, v := range []string{`1e3`, `"12"`, `1.5`, `"x"`, `true`, `null`, `99999999999`, `{}`, `[]`, `"1e3"`, `-0`, `""`, `" 7 "`, `[1, {"a" : 1.50}]`, `"Infinity"`, `"2026-01-01"`, `0.0000005`, `-2.5e-7`} {
		for _, column := range []string{"attempt", "total_cost_usd", "git_dirty", "branch", "wall_clock_ms", "by_category", "prompt_sha", "run_at"} {
			n++
			row := strings.NewReplacer("$run4", fmt.Sprintf("00000000-0000-4000-8000-1%011d", n), "-4\"", fmt.Sprintf("-%d\"", n)).Replace(run(4, ""))
			list = append(list, asked{"ada", "POST eval_runs?select=" + column, strings.Replace(row, "}", `,"`+column+`":`+v+"}", 1), rep})
		}
		for _, column := range []string{"passed", "total_cost_usd", "run_at", "git_dirty", "meta", "id", "label"} {
			list = append(list, asked{"ada", "GET eval_runs?select=passed&order=passed&id=in.($run1,$run2)&" + column + "=gte." + strings.ReplaceAll(v, `"`, ``), "", ""})
		}
	}
	for _, column := range []string{"passed", "label", "run_at", "total_cost_usd", "git_dirty", "meta", "id", "wall_clock_ms", "judge_averages"} {
		for _, op := range []string{"eq.x", "neq.1", "gt.a", "lt.1", "lte.2026-03-12T10:30:00Z", "in.(1,x)", "in.()", "in.(1,2.5)", "is.null", "is.true", "not.is.false", "not.eq.1", "like.*1*"} {
			list = append(list, asked{"ada", "GET eval_runs?select=passed&order=passed&id=in.($run1,$run2)&" + column + "=" + op, "", ""})
		}
		for _, order := range []string{"", ".desc", ".nullsfirst", ".desc.nullslast"} {
			list = append(list, asked{"ada", "GET eval_runs?select=passed&id=in.($run1,$run2)&order=" + column + order + ",passed", "", ""})
		}
	}
	for _, tab := range table.All() {
		name, team := tab.Name, "team_id"
		if name == "teams" {
			team = "id"
		}
		for _, who := range []string{"ada", "bob", "eve", "stranger"} {
			list = append(list,
				asked{who, "DELETE " + name + "?" + team + "=eq.$acme", "", exact},
				asked{who, "PATCH " + name + "?" + team + "=eq.$acme", `{"` + team + `":"$evil"}`, exact},
				asked{who, "GET " + name + "?limit=0", "", "count=exact"},
				asked{who, "POST " + name, `{"` + team + `":"$acme"}`, exact})
			for _, body := range []string{`null`, `[null]`, `{"` + team + `":null}`, `[{}]`, `{"` + team + `":"x"}`, `{"` + team + `":"$evil"}`, `[{},{}]`} {
				list = append(list, asked{who, "POST " + name, body, exact}, asked{who, "PATCH " + name, body, exact})
			}
		}
	}
	for _, args := range []string{`{}`, `{"p_team":null}`, `{"p_team":"x"}`, `{"p_team":"$acme","p_days":"x"}`, `{"p_team":"$acme","p_days":99999999999}`, `[]`, `3`} {
		list = append(list, asked{"ada", "POST rpc/team_people", args, ""}, asked{"stranger", "POST rpc/team_pulse", args, ""})
	}
	for _, p := range []string{`null`, `[]`, `{}`, `{"id":"x"}`, run(8, `,"results":[{"case_id":"x"}]`), run(8, `,"results":3,"cases":"x"`), run(8, `,"results":[{"case_id":1,"status":9}]`)} {
		list = append(list, asked{"ada", "POST rpc/push_eval_run", `{"p_team":"$acme","p_run":` + p + `}`, ""})
	}
	return list
}
