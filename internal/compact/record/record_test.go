package record

import (
	"math/rand"
	"slices"
	"sort"
	"strings"
	"testing"
)

// bare is the parser that a rule names, without what is made of its records for
// a test runner.
func bare(parser string) Parser {
	p := New(parser)
	if r, ok := p.(*runner); ok {
		return r.Parser
	}
	return p
}

// parse runs the parser on the lines of text and checks that every line comes
// out in exactly one record, as it went in.
func parse(t *testing.T, parser, text string) []Record {
	t.Helper()
	in := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	p := bare(parser)
	if p == nil {
		t.Fatalf("no parser %q", parser)
	}
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
		if !sort.SliceIsSorted(r.Lines, func(i, j int) bool { return r.Lines[i].N < r.Lines[j].N }) {
			t.Errorf("a record's lines are not in order: %+v", r)
		}
		if r.Instead {
			continue
		}
		for _, l := range r.Lines {
			times[l.N]++
			// A line may be blanked that has nothing but a drawing; a task's
			// name in front of it may go, and what it repeats of another. A mark
			// below a line of source may become that line's number.
			if !strings.Contains(in[l.N], l.Text) && !pieces(l.Text, in[l.N]) && !glued(l.Text, in[l.N], text) &&
				!strings.HasSuffix(in[l.N], strings.TrimLeft(l.Text, " :^0123456789")) && !strings.HasPrefix(strings.TrimLeft(in[l.N], " "), strings.TrimLeft(l.Text, " ")+" (in ") {
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

// kept returns what a reader sees of records: the lines of every Keep, Warn
// and Failure, those that repeat a key left out.
func kept(rs []Record) string {
	var ls []Line
	seen := map[string]bool{}
	for _, r := range rs {
		if r.Class < Warn || r.Key != "" && seen[r.Key] {
			continue
		}
		seen[r.Key] = true
		ls = append(ls, r.Lines...)
	}
	sort.Slice(ls, func(i, j int) bool { return ls[i].N < ls[j].N })
	var b strings.Builder
	for _, l := range ls {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// scramble feeds a parser pieces of text: cut at random places, with lines
// left out, doubled and out of place.
func scramble(t *testing.T, parser, text string) {
	t.Helper()
	scrambleBy(t, parse, parser, text)
}

// scrambleBy is scramble for a parser that also cuts inside lines: parse is
// parseCut.
func scrambleBy(t *testing.T, parse func(t *testing.T, parser, text string) []Record, parser, text string) {
	t.Helper()
	all := strings.Split(text, "\n")
	rnd := rand.New(rand.NewSource(1))
	for range 200 {
		from := rnd.Intn(len(all))
		some := append([]string(nil), all[from:from+rnd.Intn(len(all)-from)+1]...)
		for range rnd.Intn(5) {
			i, j := rnd.Intn(len(some)), rnd.Intn(len(some))
			some[i] = [...]string{some[j], "", "  ", some[i][:len(some[i])/2], "\t" + some[j]}[rnd.Intn(5)]
		}
		parse(t, parser, strings.Join(some, "\n"))
	}
}

// Of a stack trace the place where it was thrown stays, and then only frames
// of the project.
func TestTextFrames(t *testing.T) {
	in := "TypeError: x is not a function\n    at wrap (node:internal/timers:1:2)\n    at list (node:internal/timers:2:2)\n    at total (/home/dev/app/bill.js:4:2)\n    at Module._load (node:internal/modules/cjs/loader:5:3)\n    at run (/home/dev/app/run.js:9:1)\n"
	recs := parse(t, "text", in)
	equal(t, shown(recs, Failure), "TypeError: x is not a function", "    at wrap (node:internal/timers:1:2)", "    at total (/home/dev/app/bill.js:4:2)", "    at run (/home/dev/app/run.js:9:1)")
}
