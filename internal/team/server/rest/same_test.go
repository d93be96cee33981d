package rest

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/db/dbtest"
)

// An asked is a request of a person.
type asked struct{ who, request, body, prefer string }

// TestSame sends every operator, cast and kind of value to every kind of
// column, and whatever is forbidden: both databases answer the same status and
// the same body or error code, and none of it is the server's fault.
func TestSame(t *testing.T) {
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
			body := compact(unnamed.Replace(r.Body.String()))
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

func everything() []asked {
	const rep, undone, exact = "return=representation", "return=representation, tx=rollback", "tx=rollback, count=exact"
	list := []asked{
		{"ada", "POST eval_runs", run(1, `,"judge_averages":{"a":0.5,"o":{"p":1},"l":[1,2,"x"]},"git_dirty":true`), ""},
		{"ada", "POST eval_runs?select=label", run(2, `,"branch":"ünï €😀","total_cost_usd":1.5`), rep},
		{"ada", "POST eval_runs", run(3, `,"branch":"a\u0000b"`), rep},
		{"ada", "POST eval_runs", run(3, `,"meta":{"a":"a\u0000b"}`), rep},
	}
	for _, v := range []string{`1e3`, `"12"`, `1.5`, `"x"`, `true`, `null`, `99999999999`, `{}`, `[]`, `"1e3"`, `-0`, `""`, `" 7 "`} {
		for _, column := range []string{"attempt", "total_cost_usd", "git_dirty", "branch", "wall_clock_ms", "by_category", "prompt_sha"} {
			list = append(list, asked{"ada", "POST eval_runs?select=" + column, run(4, `,"`+column+`":`+v), undone})
		}
		for _, column := range []string{"passed", "total_cost_usd", "run_at", "git_dirty", "meta", "id", "label", "judge_averages->a"} {
			list = append(list, asked{"ada", "GET eval_runs?select=passed&order=passed&" + column + "=gte." + strings.Trim(v, `"`), "", ""})
		}
	}
	columns := []string{"passed", "label", "run_at", "total_cost_usd", "git_dirty", "meta", "id", "wall_clock_ms", "judge_averages->o", "judge_averages->>a", "judge_averages->l->0", "judge_averages->l->-1", "judge_averages->nope"}
	for _, column := range columns {
		for _, cast := range []string{"text", "int", "bigint", "numeric", "float8", "bool", "uuid", "date", "timestamptz", "json", "jsonb", "real", "smallint"} {
			list = append(list, asked{"ada", "GET eval_runs?select=x:" + column + "::" + cast + "&id=eq.$run1", "", ""})
		}
		for _, op := range []string{"eq.x", "neq.1", "gt.a", "lt.1", "like.*1*", "ilike.RUN*", "match.%5Er.n", "match.(", "match.(?i)x", "imatch.RUN", "in.(1,x)", "is.null", "is.true", "isdistinct.1",
			"cs.{a}", `cs.{"a":0.5}`, "cd.{a,b}", "cd.{}", "ov.{a}", "fts.run", "fts.run %26 ", "wfts.run", "plfts(nope).x", "eq(any).{1,2}", "like(all).{r*,*1}", "not.eq.1", "cs.[1]", "cs.x"} {
			list = append(list, asked{"ada", "GET eval_runs?select=passed&order=passed&" + column + "=" + op, "", ""})
		}
		for _, order := range []string{"", ".desc", ".nullsfirst", ".desc.nullslast"} {
			list = append(list, asked{"ada", "GET eval_runs?select=passed&order=" + column + order + ",passed", "", ""})
		}
	}
	for _, name := range tableNames() {
		team := "team_id"
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
