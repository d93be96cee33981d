package postgrest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/internal/team/table"
)

func TestQueries(t *testing.T) {
	for _, c := range []struct{ table, query, want string }{
		{"eval_runs", "", "eval_runs"},
		{"eval_runs", "select=*", "eval_runs"},
		{"eval_runs", "select=", "eval_runs"},
		{"team_invites", "select=*,teams(slug)", "team_invites[team_id id email role invited_by expires_at accepted_at created_at (teams[slug])]"},
		{"eval_runs", `select="id", label `, "eval_runs[id label]"},
		{"eval_runs", "select=id,eval_costs(*),teams(slug)", "eval_runs[id (eval_costs) (teams[slug])]"},
		{"eval_runs", "passed=not.in.(1,2)&passed=in.()", `eval_runs where not passed in ["1" "2"] where passed in []`},
		{"eval_runs", "label=eq.a.b,c(d)&label=eq.", `eval_runs where label eq ["a.b,c(d)"] where label eq [""]`},
		{"eval_runs", "label=in.(%22a\\%22b%22,%22c%22,d%20e,%22f%22g%22)", `eval_runs where label in ["a\"b" "c" "d e" "f\"g"]`},
		{"eval_runs", "and=(label.eq.%22a,b)%22,not.or(passed.is.null,label.gt.v),meta.is.null,label.in.(a,%22b,c%22))",
			`eval_runs where and(label eq ["a,b)"], not or(passed is ["null"], label gt ["v"]), meta is ["null"], label in ["a" "b,c"])`},
		{"eval_runs", "not.and=(passed.gt.1,passed.lt.3)&git_dirty=is.TRUE&meta=not.is.null", `eval_runs where not and(passed gt ["1"], passed lt ["3"]) where git_dirty is ["true"] where not meta is ["null"]`},
		{"eval_runs", "order=passed.desc.nullslast,label,id.asc&order=id", "eval_runs by passed/desc/nulls-last by label/asc/nulls-last by id/asc/nulls-last"},
		{"eval_runs", "limit=0&offset=4&limit=7", "eval_runs limit 0 offset 4"},
		{"eval_runs", "limit=99999999999999999999&offset=1000000", "eval_runs limit 2147483647 offset 1000000"},
	} {
		q, err := ParseQuery(table.Find(c.table), c.query)
		if err != nil {
			t.Errorf("%s?%s: %s", c.table, c.query, err.full())
		} else if got := q.String(); got != c.want {
			t.Errorf("%s?%s:\n got %s\nwant %s", c.table, c.query, got, c.want)
		}
	}
}

// TestRefused has the errors of PostgREST in its words.
func TestRefused(t *testing.T) {
	nested := strings.Repeat("(and", 5000) + strings.Repeat(")", 5000)
	for _, c := range []struct{ query, want string }{
		{"passed=0", `400 PGRST100 "failed to parse filter (0)" (line 1, column 1) | unexpected "0" expecting operator (eq, gt, ...)`},
		{"passed=not.3", `400 PGRST100 "failed to parse filter (not.3)" (line 1, column 5) | unexpected "3" expecting operator (eq, gt, ...)`},
		{"order=id.asc.nullslasttt", `400 PGRST100 "failed to parse order (id.asc.nullslasttt)" (line 1, column 17) | unexpected "t" expecting "," or end of input`},
		{"or=()", `400 PGRST100 "failed to parse logic tree (())" (line 1, column 2) | unexpected ")" expecting field name, negation operator (not) or logic operator (and, or)`},
		{"or=(passed.eq.1", `400 PGRST100 "failed to parse logic tree ((passed.eq.1)" (line 1, column 13) | unexpected end of input expecting "," or ")"`},
		{"or=" + nested, "400 PGRST100 "},
		{"or=" + strings.ReplaceAll(nested, "(and", "(and("), "400 PGRST100 "},
		{"or=(and" + strings.Repeat("(or", MaxDepth) + "(passed.eq.1" + strings.Repeat(")", MaxDepth+2), "400 PGRST100 the request is too large | and and or stand in each other more than 16 times"},
		{"select=id,(select 1)", `400 PGRST100 "failed to parse select parameter (id,(select 1))" (line 1, column 4) | unexpected "(" expecting field name (* or [a..z0..9_])`},
		{"select=nope", "400 42703 column eval_runs.nope does not exist"},
		{"select=id,eval_costs(nope)", "400 42703 column eval_costs.nope does not exist"},
		{"select=id,eval_costs()", `400 PGRST100 "failed to parse select parameter (id,eval_costs())" (line 1, column 15) | unexpected ")" expecting field name (* or [a..z0..9_])`},
		{"label%3Bdrop=eq.x", "400 42703 column eval_runs.label;drop does not exist"},
		{"select=count()", "400 PGRST123 Use of aggregate functions is not allowed"},
		{"select=passed.sum()", "400 PGRST123 Use of aggregate functions is not allowed"},
		{"select=eval_costs(calls.max())", "400 PGRST123 Use of aggregate functions is not allowed"},
		{"select=pg_catalog(x)", "400 PGRST200 Could not find a relationship between 'eval_runs' and 'pg_catalog' in the schema cache"},
		{"limit=-1", "416 PGRST103 Requested range not satisfiable | limit must be zero or more, not -1."},
		{"offset=-1", "416 PGRST103 Requested range not satisfiable | offset must be zero or more, not -1."},
		{"offset=-99999999999999999999", "416 PGRST103 Requested range not satisfiable | offset must be zero or more, not -99999999999999999999."},
		{"offset=1000001", "416 PGRST103 Requested range not satisfiable | offset must be at most 1000000."},
		{"offset=99999999999999999999", "416 PGRST103 Requested range not satisfiable | offset must be at most 1000000."},
		{"limit=x", `400 PGRST100 "failed to parse limit parameter (x)" (line 1, column 1) | unexpected "x" expecting integer`},
		{"limit=", `400 PGRST100 "failed to parse limit parameter ()" (line 1, column 1) | unexpected "" expecting integer`},
		{"offset=1.5", `400 PGRST100 "failed to parse offset parameter (1.5)" (line 1, column 1) | unexpected "1.5" expecting integer`},
		{"label=eq.%zz", `400 PGRST100 "failed to parse query string (label=eq.%zz)" (line 1, column 1) | unexpected an escape with % that is none expecting % and two hexadecimal digits`},
		{"label=eq.%00", `400 22021 invalid byte sequence for encoding "UTF8"`},
		{"label=eq.%ff", `400 22021 invalid byte sequence for encoding "UTF8"`},
		{"passed=in.1", `400 PGRST100 "failed to parse filter (in.1)" (line 1, column 4) | unexpected "1" expecting "("`},
		{"passed=in.(1", `400 PGRST100 "failed to parse filter (in.(1)" (line 1, column 6) | unexpected end of input expecting "," or ")"`},
		{"passed=in.(1)2", `400 PGRST100 "failed to parse filter (in.(1)2)" (line 1, column 7) | unexpected "2" expecting end of input`},
		{"passed=is.maybe", `400 PGRST100 "failed to parse filter (is.maybe)" (line 1, column 4) | unexpected maybe expecting null, true or false`},
		{strings.Repeat("passed=eq.1&", MaxFilters+1), "400 PGRST100 the request is too large | there are more than 500 filters"},
		{strings.Repeat("passed=in.("+strings.Repeat("1,", 999)+"1)&", 11), "400 PGRST100 the request is too large | there are more than 10000 values"},
		{"label=eq." + strings.Repeat("x", MaxQuery), "400 PGRST100 the request is too large | the query string has more than 524288 bytes"},
		{"order=id" + strings.Repeat(",id", MaxOrder), "400 PGRST100 the request is too large | there are more than 20 columns to order by"},
	} {
		_, err := ParseQuery(table.Find("eval_runs"), c.query)
		if err == nil {
			t.Errorf("%.80s: no error, want %s", c.query, c.want)
		} else if got := err.full(); got != c.want && !(strings.HasSuffix(c.want, " ") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%.80s:\n got %s\nwant %s", c.query, got, c.want)
		}
	}
}

// TestUnsupported: what PostgREST has and this server has not is refused with one
// sentence that names it, and what there is instead.
func TestUnsupported(t *testing.T) {
	for query, want := range map[string]string{
		"label=like.a*":                            "like",
		"label=ilike.a*":                           "ilike",
		"label=match.^a":                           "match",
		"label=imatch.^a":                          "imatch",
		"label=isdistinct.a":                       "isdistinct",
		"label=fts.a":                              "fts",
		"label=plfts(english).a":                   "plfts(english)",
		"label=phfts.a":                            "phfts",
		"label=wfts.a":                             "wfts",
		"meta=cs.{}":                               "cs",
		"meta=cd.{}":                               "cd",
		"meta=ov.{}":                               "ov",
		"passed=sl.(1,2)":                          "sl",
		"passed=adj.(1,2)":                         "adj",
		"passed=zz.3":                              "zz",
		"passed=eq(any).{1}":                       "eq(any)",
		"passed=not.gt(all).{1}":                   "gt(all)",
		"or=(label.like.a,passed.eq.1)":            "like",
		"meta->a=eq.1":                             "path into JSON",
		"or=(meta->>a.eq.1)":                       "path into JSON",
		"select=meta->a":                           "path into JSON",
		"order=meta->a":                            "path into JSON",
		"meta=eq.{}":                               "by JSON",
		"order=meta":                               "by JSON",
		"select=passed::text":                      "a cast",
		"select=n:passed":                          "an alias",
		"select=run:eval_costs(model)":             "an alias",
		"select=...teams(slug)":                    "spreading",
		"select=eval_costs!inner(model)":           "!inner",
		"select=eval_costs!eval_costs_fkey(model)": "!inner",
		"select=id,id":                             "twice",
		"select=id,*":                              "twice",
		"select=*,*":                               "twice",
		"select=eval_costs(model),eval_costs(calls)":             "twice",
		"select=eval_costs(model,eval_runs(id))":                 "embedded one",
		"select=teams(eval_runs(id))":                            "embedded one",
		"select=id,eval_costs(model)&eval_costs.calls=gt.1":      "embedded table",
		"select=id,eval_costs(model)&eval_costs.limit=1":         "embedded table",
		"select=id,eval_costs(model)&eval_costs.order=calls":     "embedded table",
		"select=id,eval_costs(model)&eval_costs.or=(calls.gt.1)": "embedded table",
		"select=id,eval_costs(model)&eval_costs=not.is.null":     "embedded table",
		"select=eval_costs(model)&order=eval_costs(calls)":       "embedded table",
	} {
		_, err := ParseQuery(table.Find("eval_runs"), query)
		if err == nil || err.Status != 400 || !strings.Contains(err.Message, want) || !strings.Contains(err.Message, "supported; ") && !strings.Contains(err.Message, "is not supported: ") {
			t.Errorf("%s: %v, want a sentence about %s", query, err, want)
		}
	}
	for i, err := range []*Error{
		second(ParsePreferences([]string{"return=representation, tx=rollback"})),
		second(ParseInsert(table.Find("qa_reports"), "url=eq.x", []byte(`{"url":"x"}`), Preferences{})),
		second(ParseUpdate(table.Find("qa_reports"), "limit=1", []byte(`{"url":"x"}`), Preferences{})),
		second(ParseUpdate(table.Find("qa_reports"), "select=teams(id)", []byte(`{"url":"x"}`), Preferences{})),
		second(ParseDelete(table.Find("qa_reports"), "order=url")),
		second(ParseDelete(table.Find("qa_reports"), "offset=1")),
		second(ParseCall("POST", "select=role", nil)),
	} {
		if err == nil || err.Status != 400 || err.Code != "PGRST127" || !strings.Contains(err.Message, "not supported; ") {
			t.Errorf("%d: %v", i, err)
		}
	}
	if _, err := ParseCall("GET", "p_team=x", nil); err == nil || err.Status != 405 || !strings.Contains(err.Message, "POST") {
		t.Errorf("a call by GET: %v", err)
	}
}

func second[T any](_ T, err *Error) *Error { return err }

func TestBodies(t *testing.T) {
	for _, c := range []struct{ query, body, prefer, want string }{
		{"", `{"team_id":"t","url":"x"}`, "", `qa_reports columns team_id url row "t" "x"`},
		{"", `[]`, "", "qa_reports columns"},
		{"", `{}`, "", "qa_reports columns row"},
		{"", `[{"url":"x","mode":null},{"mode":"full","url":"y"}]`, "", `qa_reports columns url mode row "x" null row "y" "full"`},
		{"columns=url,%22mode%22", `[{"url":"x","more":1},{"mode":"full"}]`, "", `qa_reports columns url mode row "x" null row null "full"`},
		{"columns=url,mode", `[{"url":"x"},{"mode":"full"}]`, "missing=default", `qa_reports columns url mode row "x" default row default "full"`},
		{"on_conflict=ingest_key,team_id", `{"url":"x"}`, "resolution=ignore-duplicates", `qa_reports columns url row "x" ignore-duplicates on [team_id ingest_key]`},
		{"on_conflict=url", `{"url":"x"}`, "", `qa_reports columns url row "x"`},
		{"on_conflict=url", `{"url":"x"}`, "resolution=merge-duplicates", "400 42P10 there is no unique or exclusion constraint matching the ON CONFLICT specification"},
		{"on_conflict=nope", `{"url":"x"}`, "resolution=merge-duplicates", "400 42703 column qa_reports.nope does not exist"},
		{"columns=nope", `{"url":"x"}`, "", "400 PGRST204 Could not find the 'nope' column of 'qa_reports' in the schema cache"},
		{"columns=", `{"url":"x"}`, "", `400 PGRST100 "failed to parse columns parameter ()" (line 1, column 1) | unexpected end of input expecting field name`},
		{"", `{"nope":1}`, "", "400 PGRST204 Could not find the 'nope' column of 'qa_reports' in the schema cache"},
		{"", `[{"url":"x"},{"url":"y","mode":"full"}]`, "", "400 PGRST102 All object keys must match"},
		{"", `[{"url":"x"},{"mode":"full"}]`, "", "400 PGRST102 All object keys must match"},
		{"", `[{"url":"x"},3]`, "", "400 PGRST102 All object keys must match"},
		{"", ``, "", "400 PGRST102 Empty or invalid json"},
		{"", `}{ x = 2`, "", "400 PGRST102 Empty or invalid json"},
		{"", `"text"`, "", "400 PGRST102 Empty or invalid json"},
		{"", `{"url":"x"} {}`, "", "400 PGRST102 Empty or invalid json"},
		{"", `[{"url":"x"}`, "", "400 PGRST102 Empty or invalid json"},
		{"", `[{"url":"x"},]`, "", "400 PGRST102 Empty or invalid json"},
		{"", `{"url":"x","url":"y"}`, "", "400 PGRST102 Empty or invalid json"},
		{"", `{"url":"` + "\xff" + `"}`, "", "400 PGRST102 Empty or invalid json"},
		{"", `{"issues":` + strings.Repeat("[", MaxJSON) + strings.Repeat("]", MaxJSON) + "}", "", "400 PGRST102 the JSON is nested too deeply | Objects and arrays stand in each other more than 500 times."},
		{"", `{"url":"\"` + strings.Repeat("[", MaxJSON+1) + `"}`, "", `qa_reports columns url row "\"` + strings.Repeat("[", MaxJSON+1) + `"`},
		{"", "[" + strings.Repeat("{},", MaxRows) + "{}]", "", "413 PGRST102 a body has at most 10000 rows"},
	} {
		p, _ := ParsePreferences([]string{c.prefer})
		w, err := ParseInsert(table.Find("qa_reports"), c.query, []byte(c.body), p)
		got := ""
		if err != nil {
			got = err.full()
		} else {
			got = w.String()
		}
		if got != c.want {
			t.Errorf("%s %.60s:\n got %s\nwant %s", c.query, c.body, got, c.want)
		}
	}
	if _, err := ParseInsert(table.Find("team_invites"), "", []byte(`{"token_hash":"x"}`), Preferences{}); err == nil || err.Code != "42501" {
		t.Errorf("a hidden column: %v", err)
	}
}

func TestRanges(t *testing.T) {
	const nonsense = "416 PGRST103 Requested range not satisfiable | A Range header is two numbers, as in 0-24, or one, as in 10-."
	for _, c := range []struct{ query, unit, header, want string }{
		{"", "items", "0-24", "limit 25 offset 0"}, {"", "", "10-", "limit -1 offset 10"}, {"limit=3", "items", "0-1", "limit 2 offset 0"},
		{"limit=3&offset=2", "items", "1-9", "limit 3 offset 2"}, {"offset=2", "items", "0-3", "limit 2 offset 2"}, {"limit=3", "items", "5-", "limit 0 offset 5"},
		{"", "bytes", "0-24", "limit -1 offset 0"}, {"", "", "bytes=0-24", "limit -1 offset 0"}, {"", "", "items=3-4", "limit 2 offset 3"},
		{"", "items", "0-99999999999999999999", "limit 2147483648 offset 0"}, {"limit=5&offset=1000000", "", "0-", "limit 5 offset 1000000"},
		{"", "items", "5-1", "416 PGRST103 Requested range not satisfiable | The lower boundary must be lower than or equal to the upper boundary in the Range header."},
		{"", "", "x", nonsense}, {"", "", "-", nonsense}, {"", "", "-5", nonsense}, {"", "", "5", nonsense}, {"", "", "1-2-3", nonsense}, {"", "", "0-24,30-40", nonsense}, {"", "", "99999999999-", nonsense},
	} {
		q, _ := ParseQuery(table.Find("eval_runs"), c.query)
		err := q.SetRange(c.unit, c.header)
		got := fmt.Sprintf("limit %d offset %d", q.Limit, q.Offset)
		if err != nil {
			got = err.full()
		}
		if got != c.want {
			t.Errorf("%s with %s %s: %s, want %s", c.query, c.unit, c.header, got, c.want)
		}
	}
}

func TestHeaders(t *testing.T) {
	for _, c := range []struct{ accept, want string }{
		{"", "application/json; charset=utf-8"}, {"*/*", "application/json; charset=utf-8"},
		{"text/html, application/xhtml+xml, */*;q=0.8", "application/json; charset=utf-8"},
		{"text/csv, application/json;q=0.5", "application/json; charset=utf-8"},
		{"application/vnd.pgrst.object+json, application/json;q=0.5", "application/vnd.pgrst.object+json; charset=utf-8"},
		{"application/vnd.pgrst.object+json;nulls=stripped", "406 PGRST107 None of these media types are available: application/vnd.pgrst.object+json;nulls=stripped"},
		{"text/csv", "406 PGRST107 None of these media types are available: text/csv"},
		{"application/json;q=0", "406 PGRST107 None of these media types are available: application/json;q=0"},
	} {
		f, err := ParseAccept([]string{c.accept})
		got := f.ContentType()
		if err != nil {
			got, _, _ = strings.Cut(err.full(), " | ")
		}
		if got != c.want {
			t.Errorf("Accept %s: %s, want %s", c.accept, got, c.want)
		}
	}
	p, err := ParsePreferences([]string{"return=representation, foo", "handling=lenient,count=exact, return=minimal,max-affected=-1"})
	if err != nil || p.Return != "representation" || p.Count != "exact" {
		t.Errorf("%+v %v", p, err)
	}
	if _, err := ParsePreferences([]string{"handling=strict", "something, else"}); err == nil || err.full() != "400 PGRST122 Invalid preferences given with handling=strict | Invalid preferences: something, else; return, count, resolution, missing and handling are known" {
		t.Errorf("%v", err)
	}
}

// FuzzQuery: no query string makes the parser panic, and none makes a tree
// larger than the limits allow.
func FuzzQuery(f *testing.F) {
	for _, q := range []string{
		"select=id,eval_costs!inner(model),...teams(slug),a:meta->x->>0::text&eval_costs.or=(calls.gt.1,not.and(model.eq.x))&order=a.desc.nullslast&limit=1&offset=2",
		`label=in.("a\"b",c,"q"uo(te)")&meta=cs.{"a":[1]}&label=like(any).{a,"b,c"}&x=not.is.null&or=(a.cs.{1,2},b.in.(1,2))&label=wfts(english).a b`,
		"columns=%22a%22&on_conflict=id&select=*,*&or=(and(or(and(", "%ff=%zz&&=&==&select=:::&order=(((", `select="&select="\"`,
		"select=id,eval_costs(*),teams(slug)&not.or=(id.is.null,not.and(label.eq.a,passed.in.(1,2)))", strings.Repeat("\xaf", 300) + "%",
	} {
		f.Add(q)
	}
	tab := table.Find("eval_runs")
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := ParseQuery(tab, raw)
		if err != nil {
			if err.Status < 400 || err.Status > 499 || len(err.Message) > 4000 {
				t.Errorf("%q: %s", raw, err.full())
			}
			return
		}
		filters, values := 0, 0
		for _, f := range q.Where {
			measure(t, f, &filters, &values, 0)
		}
		if filters > MaxFilters || values > MaxValues || len(q.Order) > MaxOrder || q.Offset < 0 || q.Limit < -1 {
			t.Errorf("%q: %d filters, %d values, %d keys of order, %d, %d", raw, filters, values, len(q.Order), q.Limit, q.Offset)
		}
		for i, item := range q.Select {
			if slices.Index(q.Select, item) != i || item.Column == nil && (item.Embed == nil || slices.ContainsFunc(item.Embed.Query.Select, func(i Item) bool { return i.Embed != nil })) {
				t.Errorf("%q selects %v", raw, item)
			}
		}
		for _, write := range []string{`{"label":1}`, `[{"id":"x"}]`, raw} {
			ParseInsert(tab, raw, []byte(write), Preferences{Resolution: "merge-duplicates"})
			ParseUpdate(tab, raw, []byte(write), Preferences{})
		}
		ParseCall("POST", raw, []byte(raw))
	})
}

func measure(t *testing.T, f Filter, filters, values *int, depth int) {
	if f.All == nil && f.Any == nil {
		*filters++
		if *values += len(f.Values); f.Column == nil || f.Op == 0 {
			t.Errorf("a filter of nothing: %+v", f)
		}
	}
	if depth > MaxDepth {
		t.Errorf("depth %d", depth)
	}
	for _, m := range append(f.All, f.Any...) {
		measure(t, m, filters, values, depth+1)
	}
}
