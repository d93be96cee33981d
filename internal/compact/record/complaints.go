package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// complaints are what a tool says itself in the middle of a listing: "find:
// ‘/root’: Permission denied". The first stay as they are; of more of the same
// kind the first stays and the others' paths are listed.
type complaints int

const complaintsShown = 20

func (c *complaints) record(l Line) Record {
	r := Record{Class: Keep, Lines: []Line{l}}
	if *c++; *c > complaintsShown {
		r.Key, r.Site = lines.Template(l.Text), complainsOf(l.Text)
	}
	return r
}

// complainsOf returns the path that a complaint is about, or "".
func complainsOf(s string) string {
	_, s, _ = strings.Cut(s, ": ")
	for _, quotes := range [...]string{"‘’", "''", `""`} {
		q := []rune(quotes)
		if i := strings.IndexRune(s, q[0]); i >= 0 {
			rest := s[i+len(string(q[0])):]
			if j := strings.IndexRune(rest, q[1]); j > 0 {
				return rest[:j]
			}
		}
	}
	if i := strings.Index(s, ": "); i > 0 {
		return s[:i]
	}
	return ""
}
