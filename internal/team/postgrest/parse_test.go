package postgrest

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/team/table"
)

func TestQueries(t *testing.T) {
	for _, c := range []struct{ table, query, want string }{
		{"eval_runs", "", "eval_runs"},
		{"eval_runs", "select=*", "eval_runs"},
		{"team_invites", "select=*,teams(slug)", "team_invites[team_id id email role invited_by expires_at accepted_at created_at (teams[slug])]"},
		{"eval_runs", "select=id,meta->a->0->>b,x:meta->>a::int", "eval_runs[id b=meta->a->0->>b x=meta->>a::int4]"},
		{"eval_runs", "select=meta->0", "eval_runs[meta=meta->0]"},
		{"eval_runs", `select="id", label ,"my name":label`, "eval_runs[id label my name=label]"},
		{"eval_costs", "select=model,...eval_runs(label,suite)", "eval_costs[model ...(eval_runs[label suite])]"},
		{"eval_costs", "select=run:eval_runs!eval_costs_team_id_run_id_fkey!inner(label)&run.label=like.a*", `eval_costs[run=(eval_runs[label] where label like ["a%"])inner]`},
		{"eval_runs", "select=id,eval_results(status,eval_cases(name))&eval_results.eval_cases.name=eq.x&eval_results.order=case_id&eval_results.limit=3&eval_results.offset=1",
			`eval_runs[id (eval_results[status (eval_cases[name] where name eq ["x"])] by case_id/asc/nulls-last limit 3 offset 1)]`},
		{"eval_runs", "select=id,eval_costs!inner()", "eval_runs[id (eval_costs[])inner]"},
		{"eval_runs", "select=id,eval_costs(model)&eval_costs=not.is.null", "eval_runs[id (eval_costs[model])inner]"},
		{"eval_runs", "select=id,eval_costs(model)&eval_costs.not.or=(calls.eq.1,calls.eq.2)", `eval_runs[id (eval_costs[model] where not or(calls eq ["1"], calls eq ["2"]))]`},
		{"eval_runs", "passed=not.in.(1,2)&passed=in.()", `eval_runs where not passed in ["1" "2"] where passed in []`},
		{"eval_runs", "label=eq.a.b,c(d)&label=eq.", `eval_runs where label eq ["a.b,c(d)"] where label eq [""]`},
		{"eval_runs", "label=in.(%22a\\%22b%22,%22c%22,d%20e)", `eval_runs where label in ["a\"b" "c" "d e"]`},
		{"eval_runs", "and=(label.eq.%22a,b)%22,not.or(passed.is.null,meta->>k.eq.v),meta.cs.{%22a%22:[1,2]},label.like(any).{a*,%22b,c%22})",
			`eval_runs where and(label eq ["a,b)"], not or(passed is ["null"], meta->>k eq ["v"]), meta cs ["{\"a\":[1,2]}"], label like(any) ["a%" "b,c"])`},
		{"eval_runs", "not.and=(passed.gt.1,passed.lt.3)", `eval_runs where not and(passed gt ["1"], passed lt ["3"])`},
		{"eval_runs", "passed=gte(all).{1,2}&label=fts.x&label=plfts(german).y&label=phfts.z&git_dirty=is.NOT_NULL",
			`eval_runs where passed gte(all) ["1" "2"] where label fts ["x"] where label plfts(german) ["y"] where label phfts ["z"] where git_dirty is ["not_null"]`},
		{"eval_runs", "order=passed.desc.nullslast,label,meta->a.asc&order=id", "eval_runs by passed/desc/nulls-last by label/asc/nulls-last by meta->a/asc/nulls-last"},
		{"eval_runs", "limit=0&offset=-4", "eval_runs limit 0"},
		{"eval_runs", "limit=99999999999999999999&offset=99999999999999999999", "eval_runs limit 2147483647 offset 2147483647"},
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
		{"passed=0", `400 PGRST100 "failed to parse filter (0)" (line 1, column 1) | unexpected "0" expecting "not" or operator (eq, gt, ...)`},
		{"passed=zz.3", `400 PGRST100 "failed to parse filter (zz.3)" (line 1, column 1) | unexpected "z" expecting "not" or operator (eq, gt, ...)`},
		{"passed=not.3", `400 PGRST100 "failed to parse filter (not.3)" (line 1, column 5) | unexpected "3" expecting operator (eq, gt, ...)`},
		{"order=id.asc.nullslasttt", `400 PGRST100 "failed to parse order (id.asc.nullslasttt)" (line 1, column 17) | unexpected "t" expecting "," or end of input`},
		{"or=()", `400 PGRST100 "failed to parse logic tree (())" (line 1, column 2) | unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)`},
		{"or=(passed.eq.1", `400 PGRST100 "failed to parse logic tree ((passed.eq.1)" (line 1, column 13) | unexpected end of input expecting "," or ")"`},
		{"or=" + nested, "400 PGRST100 "},
		{"or=" + strings.ReplaceAll(nested, "(and", "(and("), "400 PGRST100 "},
		{"or=(and" + strings.Repeat("(or", MaxDepth) + "(passed.eq.1" + strings.Repeat(")", MaxDepth+2), "400 PGRST100 the request is too large | and and or stand in each other more than 16 times"},
		{"select=id,(select 1)", `400 PGRST100 "failed to parse select parameter (id,(select 1))" (line 1, column 4) | unexpected "(" expecting field name (* or [a..z0..9_$])`},
		{"select=meta->>--34", `400 PGRST100 "failed to parse select parameter (meta->>--34)" (line 1, column 9) | unexpected "-" expecting "-", digit or any non reserved character different from: .,>()`},
		{"select=nope", "400 42703 column eval_runs.nope does not exist"},
		{"select=labell", `400 42703 column eval_runs.labell does not exist | hint: Perhaps you meant to reference the column "eval_runs.label".`},
		{"label%3Bdrop=eq.x", "400 42703 column eval_runs.label;drop does not exist"},
		{"select=label::xml", `400 42704 type "xml" does not exist`},
		{"select=label::text;drop", `400 PGRST100 "failed to parse select parameter (label::text;drop)" (line 1, column 12) | unexpected ";" expecting "," or end of input`},
		{"select=count()", "400 PGRST123 Use of aggregate functions is not allowed"},
		{"select=passed.sum()", "400 PGRST123 Use of aggregate functions is not allowed"},
		{"select=eval_costs(calls.max())", "400 PGRST123 Use of aggregate functions is not allowed"},
		{"select=pg_catalog(x)", "400 PGRST200 Could not find a relationship between 'eval_runs' and 'pg_catalog' in the schema cache | Searched for a foreign key relationship between 'eval_runs' and 'pg_catalog' in the schema 'public', but no matches were found."},
		{"select=eval_costs!nope(model)", "400 PGRST200 Could not find a relationship between 'eval_runs' and 'eval_costs' in the schema cache | Searched for a foreign key relationship between 'eval_runs' and 'eval_costs' using the hint 'nope' in the schema 'public', but no matches were found."},
		{"select=...eval_costs(model)", "400 PGRST119 A spread operation on 'eval_costs' is not possible | 'eval_runs' and 'eval_costs' do not form a many-to-one or one-to-one relationship"},
		{"eval_costs.calls=gt.1", "400 PGRST108 'eval_costs' is not an embedded resource in this request | hint: Verify that 'eval_costs' is included in the 'select' query parameter."},
		{"select=c:eval_costs(model)&eval_costs.limit=1", "400 PGRST108 'eval_costs' is not an embedded resource in this request | hint: Verify that 'eval_costs' is included in the 'select' query parameter."},
		{"select=eval_costs(model)&order=eval_costs(model)", "400 PGRST118 A related order on 'eval_costs' is not possible | 'eval_runs' and 'eval_costs' do not form a many-to-one or one-to-one relationship"},
		{"select=eval_costs(model)&eval_costs=eq.1", "400 PGRST120 Bad operator on the 'eval_costs' embedded resource | Only is null or not is null filters are allowed on embedded resources"},
		{"limit=-1", "416 PGRST103 Requested range not satisfiable | Limit should be greater than or equal to zero."},
		{"limit=x", `400 PGRST100 "failed to parse limit parameter (x)" (line 1, column 1) | unexpected "x" expecting integer`},
		{"label=eq.%zz", `400 PGRST100 "failed to parse query string (label=eq.%zz)" (line 1, column 1) | unexpected an escape with % that is none expecting % and two hexadecimal digits`},
		{"label=eq.%00", `400 22021 invalid byte sequence for encoding "UTF8"`},
		{"label=eq.%ff", `400 22021 invalid byte sequence for encoding "UTF8"`},
		{"passed=in.1", `400 PGRST100 "failed to parse filter (in.1)" (line 1, column 4) | unexpected "1" expecting "("`},
		{"passed=in.(1", `400 PGRST100 "failed to parse filter (in.(1)" (line 1, column 6) | unexpected end of input expecting "," or ")"`},
		{"passed=in.(1)2", `400 PGRST100 "failed to parse filter (in.(1)2)" (line 1, column 7) | unexpected "2" expecting end of input`},
		{"passed=is.maybe", `400 PGRST100 "failed to parse filter (is.maybe)" (line 1, column 4) | unexpected "m" expecting null, not_null, true, false or unknown`},
		{"passed=neq(any).{1}", `400 PGRST100 "failed to parse filter (neq(any).{1})" (line 1, column 4) | unexpected "(" expecting "."`},
		{"label=fts(english;).x", `400 PGRST100 "failed to parse filter (fts(english;).x)" (line 1, column 12) | unexpected ";" expecting ")"`},
		{"label->a=eq.1", "400 42804 column eval_runs.label has no JSON to look into"},
		{"passed=sl.(1,2)", "404 42883 operator does not exist: there is no column of a range type"},
		{strings.Repeat("passed=eq.1&", MaxFilters+1), "400 PGRST100 the request is too large | there are more than 500 filters"},
		{"passed=in.(" + strings.Repeat("1,", MaxList) + "1)", "400 PGRST100 the request is too large | a list has more than 5000 values"},
		{"label=eq." + strings.Repeat("x", MaxQuery), "400 PGRST100 the request is too large | the query string has more than 524288 bytes"},
		{"select=" + strings.Repeat("eval_costs(eval_runs(", MaxNesting) + "id" + strings.Repeat("))", MaxNesting), "400 PGRST100 the request is too large | tables are embedded in each other more than 5 times"},
		{"select=id" + strings.Repeat(",eval_costs(model)", MaxEmbeds+1), "400 PGRST100 the request is too large | more than 12 tables are embedded"},
		{"select=id" + strings.Repeat(",*", 10), "400 PGRST100 the request is too large | more than 300 columns are selected"},
	} {
		_, err := ParseQuery(table.Find("eval_runs"), c.query)
		if err == nil {
			t.Errorf("%.80s: no error, want %s", c.query, c.want)
		} else if got := err.full(); got != c.want && !(strings.HasSuffix(c.want, " ") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%.80s:\n got %s\nwant %s", c.query, got, c.want)
		}
	}
	if got := NoTable("eval_run", []string{"eval_runs"}).full(); got != "404 PGRST205 Could not find the table 'public.eval_run' in the schema cache | hint: Perhaps you meant the table 'public.eval_runs'" {
		t.Error(got)
	}
}

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
		{"columns=", `{"url":"x"}`, "", `400 PGRST100 "failed to parse columns parameter ()" (line 1, column 1) | unexpected end of input expecting field name (* or [a..z0..9_$])`},
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
	for _, c := range []struct{ query, unit, header, want string }{
		{"", "items", "0-24", "limit 25 offset 0"}, {"", "", "10-", "limit -1 offset 10"}, {"limit=3", "items", "0-1", "limit 2 offset 0"},
		{"limit=3&offset=2", "items", "1-9", "limit 3 offset 2"}, {"offset=2", "items", "0-3", "limit 2 offset 2"}, {"limit=3", "items", "5-", "limit 0 offset 5"},
		{"", "bytes", "0-24", "limit -1 offset 0"}, {"", "", "bytes=0-24", "limit -1 offset 0"}, {"", "", "x", "limit -1 offset 0"},
		{"", "items", "5-1", "416 PGRST103 Requested range not satisfiable | The lower boundary must be lower than or equal to the upper boundary in the Range header."},
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
		{"text/csv;q=0.5, application/json", "application/json; charset=utf-8"}, {"text/csv, application/json", "text/csv; charset=utf-8"},
		{"application/vnd.pgrst.object+json;nulls=stripped", "application/vnd.pgrst.object+json; nulls=stripped; charset=utf-8"},
		{"image/png", "406 PGRST107 None of these media types are available: image/png"},
		{"application/json;q=0", "406 PGRST107 None of these media types are available: application/json;q=0"},
	} {
		m, err := ParseAccept([]string{c.accept})
		got := m.ContentType()
		if err != nil {
			got = err.full()
		}
		if got != c.want {
			t.Errorf("Accept %s: %s, want %s", c.accept, got, c.want)
		}
	}
	p, err := ParsePreferences([]string{"return=representation, foo", "handling=lenient,count=exact, return=minimal,max-affected=-1"})
	if err != nil || p.Return != "representation" || p.Count != "exact" || p.MaxAffected != -1 {
		t.Errorf("%+v %v", p, err)
	}
	if _, err := ParsePreferences([]string{"handling=strict", "something, else"}); err == nil || err.full() != "400 PGRST122 Invalid preferences given with handling=strict | Invalid preferences: something, else" {
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
		strings.Repeat("\xaf", 300) + "%",
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
		filters, embeds := 0, 0
		measure(t, q, &filters, &embeds, 0)
		if filters > MaxFilters || embeds > MaxEmbeds {
			t.Errorf("%q: %d filters, %d embedded tables", raw, filters, embeds)
		}
		for _, write := range []string{`{"label":1}`, `[{"id":"x"}]`, raw} {
			ParseInsert(tab, raw, []byte(write), Preferences{Resolution: "merge-duplicates"})
			ParsePut(tab, raw, []byte(write))
		}
		ParseCall(nil, raw, "GET", raw, nil)
	})
}

func measure(t *testing.T, q *Query, filters, embeds *int, nesting int) {
	if nesting > MaxNesting || len(q.Select) > MaxItems+64 || len(q.Order) > MaxItems {
		t.Errorf("nested %d times, %d items, %d keys of order", nesting, len(q.Select), len(q.Order))
	}
	var tree func(f Filter, depth int)
	tree = func(f Filter, depth int) {
		if f.All == nil && f.Any == nil {
			*filters++
			if f.Path.Column == nil || f.Op == 0 {
				t.Errorf("a filter of nothing: %+v", f)
			}
		}
		if depth > MaxDepth || len(f.Values) > MaxList {
			t.Errorf("depth %d, %d values", depth, len(f.Values))
		}
		for _, m := range append(f.All, f.Any...) {
			tree(m, depth+1)
		}
	}
	for _, f := range q.Where {
		tree(f, 0)
	}
	for _, item := range q.Select {
		if item.Embed != nil {
			*embeds++
			measure(t, &item.Embed.Query, filters, embeds, nesting+1)
		} else if item.Column.Column == nil {
			t.Error("an item of nothing")
		}
	}
}
