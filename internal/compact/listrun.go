package compact

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/compact/record"
)

// entries is how many rows a group can show.
func (g *rows) entries() int {
	if g.runs > 0 {
		return g.runs
	}
	return g.size
}

// leastRun is how many numbers in a row are folded.
const leastRun = 5

// foldRuns writes names that differ in a number, one after the other, as
// shells do: mod{1..40}.ts. It is done before anything is cut.
func (g *rows) foldRuns() {
	if g.as != record.ListName || g.every > 1 || g.runs > 0 || len(g.held) < leastRun {
		return
	}
	type place struct{ number, at int }
	stems := map[string][]place{}
	for i, e := range g.held {
		if before, number, after, ok := numberIn(e.text); ok && !e.must && !e.low {
			n, _ := strconv.Atoi(number)
			stem := before + "\x00" + after
			if number[0] == '0' && len(number) > 1 {
				stem += "\x00" + strconv.Itoa(len(number))
			}
			stems[stem] = append(stems[stem], place{n, i})
		}
	}
	gone := make([]bool, len(g.held))
	for _, places := range stems {
		slices.SortFunc(places, func(a, b place) int { return a.number - b.number })
		for from := 0; from < len(places); {
			to := from + 1
			for to < len(places) && places[to].number == places[to-1].number+1 {
				to++
			}
			if to-from >= leastRun {
				g.foldRun(places[from].at, places[to-1].at, to-from-1)
				for _, p := range places[from+1 : to] {
					gone[p.at] = true
				}
			}
			from = to
		}
	}
	kept := g.held[:0]
	g.bytes = 0
	for i, e := range g.held {
		if !gone[i] {
			kept = append(kept, e)
			g.bytes += len(e.text)
		}
	}
	g.held, g.runs = kept, len(kept)
}

// foldRun makes the row at first stand for all up to the one at last.
func (g *rows) foldRun(first, last, more int) {
	before, low, after, _ := numberIn(g.held[first].text)
	_, high, _, _ := numberIn(g.held[last].text)
	g.held[first].text = fmt.Sprintf("%s{%s..%s}%s", before, low, high, after)
	g.held[first].more = more
}

// numberIn cuts a name at its last number, that of its extension left out.
func numberIn(s string) (before, number, after string, ok bool) {
	stem := s
	if i := strings.LastIndexByte(s, '.'); i > 0 && strings.ContainsAny(s[:i], "0123456789") {
		stem = s[:i]
	}
	end := strings.LastIndexAny(stem, "0123456789") + 1
	begin := end
	for begin > 0 && s[begin-1] >= '0' && s[begin-1] <= '9' {
		begin--
	}
	if begin == end || end-begin > 9 || strings.ContainsAny(s, " {}") {
		return "", "", "", false
	}
	return s[:begin], s[begin:end], s[end:], true
}

// sameLong is how long the places of equal matches may get.
const sameLong = 120

// A match is one row of a file.
type match struct {
	of *rows
	at int
}

// foldSame puts equal matches in one file on one line, with the numbers of
// theirs: "12,30:return nil", takes off how far they are indented, and notes which
// texts were seen in another. It is done before anything is cut.
func (g *rows) foldSame(seen map[string]match) {
	if g.as != record.ListUnder || g.every > 1 || g.runs > 0 {
		return
	}
	first := map[string]int{} // by text, where it stands in kept
	kept := g.held[:0]
	g.bytes = 0
	for _, e := range g.held {
		at := placeOf(e.text)
		text := strings.TrimLeft(e.text[len(at):], ": \t")
		if i, ok := first[text]; ok && at != "" && !e.must && !e.low && len(placeOf(kept[i].text)) < sameLong {
			same := &kept[i]
			g.bytes += 1 + len(at)
			same.text = placeOf(same.text) + "," + at + same.text[len(placeOf(same.text)):]
			same.more += 1 + e.more
			continue
		}
		if at != "" && !e.must && !e.low {
			first[text] = len(kept)
			if rest := e.text[len(at)+1:]; len(rest) > len(text)+1 && g.lows == 0 {
				e.text = at + ": " + text // of an indentation only that there is one
			}
			if m, ok := seen[text]; ok {
				e.again = true
				g.agains++
				m.of.held[m.at].speaks, m.of.speaks = true, true
			} else {
				seen[text] = match{g, len(kept)}
			}
		}
		g.bytes += len(e.text)
		kept = append(kept, e)
	}
	clear(g.held[len(kept):])
	g.held, g.runs = kept, len(kept)
}
