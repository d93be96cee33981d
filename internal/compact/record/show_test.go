package record

import (
	"slices"
	"sort"
	"strings"
	"testing"
)

// shown returns the lines of the ungrouped records of some classes, in order.
func shown(recs []Record, classes ...Class) []string {
	var ls []Line
	for _, r := range recs {
		class := r.Class
		if r.List == ListRow {
			class = Keep
		}
		for _, c := range classes {
			if class == c && (r.Group == "" || r.List == ListRow) {
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
		case r.Group == "", r.List == ListRow:
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

// parseCut is parse for parsers that cut spans out of lines: what comes out
// of a line are pieces of it, in order, and markers.
func parseCut(t *testing.T, parser, text string) []Record {
	t.Helper()
	in := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	p := bare(parser)
	var out []Record
	emit := func(r Record) {
		r.Lines = slices.Clone(r.Lines) // a parser may use them again
		out = append(out, r)
	}
	for i, s := range in {
		p.Line(Line{N: i, Text: s}, emit)
	}
	p.Close(emit)
	times := make([]int, len(in))
	for _, r := range out {
		if r.Instead {
			continue
		}
		for _, l := range r.Lines {
			times[l.N]++
			if !pieces(l.Text, in[l.N]) && !glued(l.Text, in[l.N], text) {
				t.Errorf("line %d was %q and is %q", l.N, in[l.N], l.Text)
			}
		}
	}
	for i, n := range times {
		if n != 1 {
			t.Errorf("line %d comes out %d times: %q", i, n, in[i])
		}
	}
	return out
}

// glued reports whether a line begins as it did in the output, and has nothing
// that is not said there: what was below it may stand behind it.
func glued(s, own, output string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ,{}[]", r) })
	return len(words) == 0 || strings.Contains(own, words[0]) && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(output, w) })
}

func pieces(cut, whole string) bool {
	for cut != "" {
		if strings.HasPrefix(cut, "[… ") {
			_, cut, _ = strings.Cut(cut, " …]")
			continue
		}
		i := strings.IndexByte(whole, cut[0])
		if after, ok := strings.CutPrefix(cut, "…"); ok && i < 0 {
			cut = after
			continue
		}
		if i < 0 {
			return strings.HasPrefix(strings.TrimLeft(cut, " "), "[… ")
		}
		cut, whole = cut[1:], whole[i+1:]
	}
	return true
}
