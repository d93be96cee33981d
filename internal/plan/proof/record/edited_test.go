package record

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What was edited by hand is no result, and a verdict that was proves nothing.
func TestEdited(t *testing.T) {
	name := filepath.Join(t.TempDir(), "01-PROOF.jsonl")
	for _, l := range []Line{
		{Key: "k", Run: &Run{For: "after", Command: "go test ./a", Exit: 1}},
		{Accepted: &Answer{ID: "D-01", By: "Ada", Reason: "seen"}},
		{Verdict: &Verdict{For: "x", Proven: false, Unproven: []string{"verify: 01-01/1"}}},
	} {
		if err := Append(name, l); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if all := Parse(text); len(all) != 3 || slices.Contains(Last(all).Unproven, Edited) {
		t.Fatalf("%+v", all)
	}
	for what, change := range map[string][2]string{
		"a verdict":         {`"proven":false`, `"proven":true`},
		"a result":          {`"exit":1`, `"exit":0`},
		"an answer":         {`"id":"D-01"`, `"id":"D-02"`},
		"a verdict, no sum": {`"sum":"` + Parse(text)[2].Sum + `"`, `"note":""`},
	} {
		edited := bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(edited, text) {
			t.Fatalf("%s: nothing to edit in %s", what, text)
		}
		all := Parse(edited)
		if last := Last(all); len(all) == 3 && !slices.Contains(last.Unproven, Edited) || last.Proven {
			t.Errorf("%s: %+v", what, all)
		}
	}
}
