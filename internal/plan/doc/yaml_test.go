package doc

import "testing"

func TestYAMLInASection(t *testing.T) {
	d := Parse([]byte("## Gaps\n\n- truth: \"Users: log in\"\n  missing:\n    - page\n- truth: two\n\n## Empty\n\n## Map\n\na: |\n  b\n"))
	for name, want := range map[string]string{
		"Gaps":  `[map["truth":"Users: log in" "missing":["page"]] map["truth":"two"]]`,
		"Map":   `map["a":"b\n"]`,
		"Empty": "",
	} {
		s, _ := d.Section(name)
		got := ""
		if n := d.yaml(s.Start, s.End); n != nil {
			got = nodeText(n)
		}
		if got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
}

func TestCurrentTest(t *testing.T) {
	for text, want := range map[string]UATCurrent{
		"## Current Test\n\nnumber: 2\nname: Log in\nexpected: |\n  one\n  two\nawaiting: user response\n\n---\n\n## Tests\n": {Number: 2, Name: "Log in", Expected: "one\ntwo", Awaiting: "user response"},
		"## Current Test\n<!-- one at a time -->\nnumber: 1\nname: A: b\nexpected: it works\n":                                {Number: 1, Name: "A: b", Expected: "it works"},
		"## Current Test\n\n[testing complete]\n":                                                                             {Complete: true},
		"## Current Test\n\n": {},
		"## Tests\n":          {},
	} {
		got, ok := Parse([]byte(text)).CurrentTest()
		if got != want || ok != (want != UATCurrent{}) {
			t.Errorf("%q is %+v, %v", text, got, ok)
		}
	}
}
