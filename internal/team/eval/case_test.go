package eval

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/team/result"
)

// A name finds one case with all its variants; what it could mean besides is said.
func TestFindCases(t *testing.T) {
	run := &result.Run{Suite: "s", Results: []result.Result{
		{Name: "order 1", Variant: "a"}, {Name: "order 1", Variant: "b"}, {Name: "order 2", Variant: "a"}, {Name: "refund"}, {Name: "refund", Variant: "a"},
		{Name: "refund late", CaseID: "77"}, {Suite: "other", Name: "order 2", Variant: "a"},
	}}
	tallies := Tallies(run)
	for name, want := range map[string]string{
		"order 1":     "order 1 [a], order 1 [b]",
		"ORDER 1":     "order 1 [a], order 1 [b]",
		"order 1 [b]": "order 1 [b]",
		"refund":      "refund, refund [a]",
		"late":        "refund late",
		"77":          "refund late",
		"order 2":     `2 cases of the run are called like "order 2": s › order 2 [a], other › order 2 [a]`,
		"order":       `4 cases of the run are called like "order"`,
		"nobody":      `no case of the run is called "nobody"`,
	} {
		found, err := FindCases(tallies, name)
		var titles []string
		for _, t := range found {
			titles = append(titles, t.Title)
		}
		if got := strings.Join(titles, ", "); err == nil && got != want || err != nil && !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("%q: %q, %v; want %q", name, got, err, want)
		}
	}
}
