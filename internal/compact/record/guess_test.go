package record

import (
	"fmt"
	"strings"
	"testing"
)

// Of many lines that only tell how far a program is, the first of each kind stay
// and the last.
func TestGuessProgress(t *testing.T) {
	in := "Listing 'loaves'...\n"
	for i := range 30 {
		in += fmt.Sprintf("Baking 'loaf-%d'...\n", i)
		if i == 20 {
			in += "*** Error: loaf-20 is burnt\n"
		}
	}
	recs := parse(t, "guess", in+"bye\n")
	equal(t, shown(recs, Body, Keep, Failure), "Listing 'loaves'...", "Baking 'loaf-0'...", "Baking 'loaf-1'...", "Baking 'loaf-2'...", "*** Error: loaf-20 is burnt", "Baking 'loaf-29'...", "bye")
	kept := 0
	for _, r := range parse(t, "guess", strings.ReplaceAll(strings.ReplaceAll(in, "Baking", "baking"), "*** Error: loaf-20 is burnt\n", "")) {
		if r.Class == Body || r.List > 0 {
			kept += len(r.Lines)
		}
	}
	if kept != 31 {
		t.Errorf("%d lines of 31 that are no progress", kept)
	}
	scramble(t, "guess", in)
}

// A text that a person wrote stays whole up to lines.ProseRoom; where less is to be
// shown it is text like any other.
func TestGuessProse(t *testing.T) {
	in := ""
	for i := range 300 {
		in += fmt.Sprintf("- Loaf%d goes to shelf %d of the shop, beside the one before it\n", i, i)
	}
	kept := len(shown(parse(t, "guess", in), Keep))
	if kept < 200 || kept == 300 {
		t.Errorf("%d of 300 lines are kept", kept)
	}
	p := New("guess")
	p.(Scaled).Scale(3)
	n := 0
	for i, l := range strings.Split(in, "\n") {
		p.Line(Line{N: i, Text: l}, func(r Record) {
			if r.Class == Keep {
				n++
			}
		})
	}
	if n > 0 {
		t.Errorf("%d lines are kept where a third is to be shown", n)
	}
}
