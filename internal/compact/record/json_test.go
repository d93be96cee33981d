package record

import (
	"encoding/json"
	"strings"
	"testing"
)

// told is what a parser says of an output in the end, the lines it keeps.
func told(t *testing.T, p Parser, text string) string {
	t.Helper()
	var recs []Record
	emit := func(r Record) { recs = append(recs, r) }
	for i, s := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		p.Line(Line{N: i, Text: s}, emit)
	}
	p.Close(emit)
	return strings.Join(shown(recs, Keep, Body), "\n")
}

func TestJSONIsReadStrictly(t *testing.T) {
	for _, good := range []string{`{}`, `[]`, `[1,-2.5e3,NaN]`, `{"a":[true,null,"x\"y\\"]}`, `[[],{}]`, ` [ { "a" : 1 } ] `} {
		var r jsonReader
		if rest, ok := r.read(good, 0); !ok || strings.TrimSpace(rest) != "" || r.reading() {
			t.Errorf("%s: %q, %v", good, rest, ok)
		}
	}
	for _, bad := range []string{`[INFO] ok`, `{'a': 1}`, `[1,]`, `{"a":1,}`, `{"a" 1}`, `[1 2]`, `{a: 1}`, `[1/5]`, `["open`, `["a\"]`, `{"a":1]`, `[tru]`} {
		var r jsonReader
		if _, ok := r.read(bad, 0); ok {
			t.Errorf("%s is taken for JSON", bad)
		}
	}
}

// What only looks like JSON, or is a few words of it, goes to the rule's
// parser as it came.
func TestLittleJSONIsLeftAlone(t *testing.T) {
	for _, text := range []string{
		"[INFO] started\n{\"a\": 1}\n[1] 4711\ndone",
		"{\n  \"a\": [1, 2\nbroke",
		"[\n[\n[\nno",
		`{"code": 2} and more`,
		"  {\n    \"a\": 1,\n    \"b\": \"" + strings.Repeat("x", 2*jsonSure) + "\"\n  }", // indented: of a text about it
	} {
		if got := told(t, WithDocuments(&verbatim{}), text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestTextBesideJSONStays(t *testing.T) {
	rows, _ := json.MarshalIndent(alike(400), "", "  ")
	got := told(t, WithDocuments(&verbatim{}), "> app@1.0.0 dump\nconnected\n"+string(rows)+"\nclosed\n"+`{"ok":true}`+"\nbye")
	for _, want := range []string{"> app@1.0.0 dump", "connected", "closed", "bye", `{"ok":true}`} {
		if !strings.Contains(got, want) {
			t.Errorf("lost %q in\n%s", want, got)
		}
	}
	if len(got) > 3000 {
		t.Errorf("%s", got)
	}
}

func alike(n int) (rows []map[string]any) {
	for i := range n {
		rows = append(rows, map[string]any{"id": i, "status": "ok"})
	}
	return rows
}

// A document that breaks off says so.
func TestJSONBreaksOff(t *testing.T) {
	rows, _ := json.MarshalIndent(alike(400), "", "  ")
	if got := told(t, newJSON(), string(rows[:len(rows)/2])); !strings.Contains(got, "[… it breaks off here …]") || strings.HasSuffix(got, "]\n]") {
		t.Errorf("%s", got)
	}
}

// Of a long document only odd rows are held, whatever its length.
func TestJSONMemoryIsBounded(t *testing.T) {
	p := WithDocuments(&verbatim{}).(*documents)
	var recs []Record
	emit := func(r Record) {
		if len(r.Lines[0].Text) > 0 {
			recs = append(recs, r)
		}
	}
	for i := range 60_000 {
		row := `{"id":` + number(float64(i)) + `,"name":"job` + number(float64(i)) + `","status":"ok"}`
		if i == 41_000 {
			row = `{"id":41000,"name":"job41000","status":"halted"}`
		}
		p.Line(Line{N: i, Text: row}, emit)
		if p.read.leaves > 3*jsonLeaves {
			t.Fatalf("%d scalars are held", p.read.leaves)
		}
	}
	p.Close(emit)
	if got := strings.Join(shown(recs, Keep), "\n"); !strings.Contains(got, "halted") || !strings.Contains(got, "job41000") || !strings.Contains(got, "60,000 entries") {
		t.Errorf("%s", got)
	}
}
