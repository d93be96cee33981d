package record

import "testing"

const eslintJSONReport = `[{"filePath":"/home/dev/a \"b\".js","messages":[` +
	`{"ruleId":"semi","severity":2,"message":"Missing semicolon.","line":1,"column":15,"nodeType":"X","fix":{"range":[14,14],"text":";"}},` +
	`{"ruleId":"no-unused-vars","severity":1,"message":"'x' is defined but never used.","line":10,"column":7}],` +
	`"suppressedMessages":[{"ruleId":"eqeqeq","severity":2,"message":"m","line":2,"column":3}],"errorCount":1,"warningCount":1,` +
	`"source":"{\"ruleId\":\"no\"}","usedDeprecatedRules":[{"ruleId":"semi","replacedBy":[]}]},` +
	`{"filePath":"/home/dev/c.js","messages":[{"ruleId":null,"nodeType":null,"fatal":true,"severity":2,"message":"Parsing error: Unexpected token","line":3,"column":1}],"errorCount":1}]`

// The messages of a report on one line are records of their own; what was
// suppressed and what is said of the rules is no message.
func TestESLintJSON(t *testing.T) {
	read := func(text string) (rs []Record) {
		p := New("eslint")
		p.Line(Line{Text: text}, func(r Record) { rs = append(rs, r) })
		p.Close(func(r Record) { rs = append(rs, r) })
		return rs
	}
	want := []Record{
		{Class: Failure, Group: "semi", Site: `/home/dev/a \"b\".js:1:15`, Row: `{"ruleId":"semi","severity":2,"message":"Missing semicolon.","line":1,"column":15`},
		{Class: Warn, Group: "no-unused-vars", Site: `/home/dev/a \"b\".js:10:7`, Row: `{"ruleId":"no-unused-vars","severity":1,"message":"'x' is defined but never used.","line":10,"column":7`},
		{Class: Failure, Group: "Parsing error", Site: "/home/dev/c.js:3:1", Row: `{"ruleId":null,"nodeType":null,"fatal":true,"severity":2,"message":"Parsing error: Unexpected token","line":3,"column":1`},
	}
	got := read(eslintJSONReport)
	if len(got) != len(want) {
		t.Fatalf("%d records: %+v", len(got), got)
	}
	for i, w := range want {
		if g := got[i]; g.Class != w.Class || g.Group != w.Group || g.Site != w.Site || g.Row != w.Row {
			t.Errorf("record %d is %+v", i, g)
		}
	}
	for n := range eslintJSONReport { // a report that is cut off
		if rs := read(eslintJSONReport[:n]); n > 0 && len(rs) == 0 {
			t.Errorf("nothing of the first %d bytes", n)
		}
	}
	if rs := read(`[{"filePath":"/home/dev/a.js","messages":[],"errorCount":0}]`); len(rs) != 1 || rs[0].Class != Keep {
		t.Errorf("a clean report: %+v", rs)
	}
}
