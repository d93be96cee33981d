package auth

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list of differences into docs/server.md")

// docs/server.md lists what the replays allow to be different, and nothing else.
func TestDifferencesAreDocumented(t *testing.T) {
	t.Parallel()
	const page, mark = "../../../../docs/server.md", "<!-- differences -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(text), mark)
	if !ok {
		t.Fatalf("%s has no place for the list", page)
	}
	rows := []string{"| request | what | GoTrue | cairn | why |", "|---|---|---|---|---|"}
	for _, file := range []string{"testdata/differences.json", "testdata/differences-rotation.json"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list []struct{ Label, What, GoTrue, Cairn, Reason string }
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			if strings.Contains(d.Reason, "no provider is configured") { // of the test, not of the server
				continue
			}
			label := strings.TrimLeft(d.Label, "0123456789 ")
			row := "| " + strings.Join([]string{label, d.What, d.GoTrue, d.Cairn, d.Reason}, " | ") + " |"
			if !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
		}
	}
	want := "\n" + strings.Join(rows, "\n") + "\n"
	if after == want {
		return
	}
	if !*update {
		t.Fatalf("%s has not the list of differences; go test ./internal/team/server/auth -run Documented -update writes it", page)
	}
	if err := os.WriteFile(page, []byte(before+mark+want), 0o644); err != nil {
		t.Fatal(err)
	}
}
