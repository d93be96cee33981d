package record

import (
	"sort"
	"strings"
	"testing"
)

// shown returns the lines of the ungrouped records of some classes, in order.
func shown(recs []Record, classes ...Class) []string {
	var ls []Line
	for _, r := range recs {
		for _, c := range classes {
			if r.Class == c && r.Group == "" {
				ls = append(ls, r.Lines...)
			}
		}
	}
	sort.Slice(ls, func(i, j int) bool { return ls[i].N < ls[j].N })
	var out []string
	for _, l := range ls {
		out = append(out, l.Text)
	}
	return out
}

// groups returns "group: row" of the grouped records.
func groups(recs []Record) (out []string) {
	for _, r := range recs {
		switch {
		case r.Group == "":
		case r.Tally:
			out = append(out, r.Group)
		default:
			out = append(out, r.Group+": "+r.Row)
		}
	}
	return out
}

func notes(recs []Record) (out []string) {
	for _, r := range recs {
		if r.Note != "" {
			out = append(out, r.Note)
		}
	}
	return out
}

func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got:\n%s\nwant:\n%s", g, w)
	}
}
