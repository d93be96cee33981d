package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestJSONPretty(t *testing.T) {
	type item struct {
		Type, Id string
		State    map[string]string
		Tags     []int
		Blob     map[string]string
	}
	var items []item
	for i := range 60 {
		items = append(items, item{"t3.micro", fmt.Sprintf("i-%03d", i), map[string]string{"Name": "running"}, []int{1, 2}, map[string]string{"Name": "x"}})
	}
	data, _ := json.MarshalIndent(map[string]any{"Items": items, "Token": "abc"}, "", "  ")
	recs := parse(t, "json", string(data))
	kept := strings.Join(shown(recs, Keep), "\n")
	for _, want := range []string{`"i-000"`, `"i-001"`, `"Token": "abc"`} {
		if !strings.Contains(kept, want) {
			t.Errorf("lost %s", want)
		}
	}
	rows := groups(recs)
	if len(rows) != 58 || rows[57] != "Type · Id · State Name [… more …]: t3.micro · i-059 · running" {
		t.Errorf("%d rows, %q", len(rows), rows)
	}
	scramble(t, "json", string(data[:3000]))
}

func TestJSONCounts(t *testing.T) {
	data, _ := json.MarshalIndent(map[string]any{"n": make([]int, 100)}, "", "    ")
	recs := parse(t, "json", string(data))
	equal(t, notes(recs), "[… 90 more …]")
	if n := len(shown(recs, Keep)); n != 14 {
		t.Errorf("%d lines are kept", n)
	}
	many := parse(t, "json", strings.Repeat("{\n  \"id\": 7\n}\n", 30))
	if rows := groups(many); len(rows) != 28 || rows[0] != "id: 7" {
		t.Errorf("documents one after another: %q", rows)
	}
}

func TestJSONOnOneLine(t *testing.T) {
	data, _ := json.Marshal(map[string]any{"list": make([]map[string]string, 500), "s": strings.Repeat(`a"ü`, 200), "n": 1.5})
	got := cutJSON(string(data))
	if len(got) > 1000 || !strings.Contains(got, "[… 380 more …]") || !strings.HasPrefix(got, `{"list":[null,null,null,`) || !strings.HasSuffix(got, ` bytes …]"}`) {
		t.Errorf("%s", got)
	}
	for _, odd := range []string{"[", "{", `{"a`, `{"a":`, "[1,2", "}]", `{"a" 1}`, "[,,]"} {
		long := strings.Repeat(odd, 200)
		if got := cutJSON(long); len(got) > len(long)+40 {
			t.Errorf("%q grew to %d", odd, len(got))
		}
	}
	lines := strings.Repeat(`{"level": "info", "msg": "ok"}`+"\n", 20) + `{"level": "error", "msg": "bad"}` + "\n"
	kept := shown(parseCut(t, "json", lines), Keep)
	if len(kept) != jsonLines+1 || !strings.Contains(kept[jsonLines], "bad") {
		t.Errorf("%q", kept)
	}
}
