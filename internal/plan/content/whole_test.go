package content

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxChars is what one shell output may hold: Codex shows its model no more,
// and a piece that is cut says something else. maxLines is how much of a
// command a person reads in one go.
const (
	maxChars = 10_000
	maxLines = 150
)

// Every piece says something, in a size that arrives whole.
func TestPiecesAreWhole(t *testing.T) {
	for _, p := range expanded(t) {
		if strings.TrimSpace(p.Body) == "" {
			t.Errorf("%s: it has no body", p.Path())
		}
		if strings.Contains(p.text, "<<<<<<<") {
			t.Errorf("%s: a merge was not finished", p.Path())
		}
		if n := utf8.RuneCountInString(p.text); n > maxChars {
			t.Errorf("%s: %d characters, of %d", p.Path(), n, maxChars)
		}
		if n := strings.Count(p.text, "\n"); p.Kind == Command && n > maxLines {
			t.Errorf("%s: %d lines, of %d", p.Path(), n, maxLines)
		}
	}
}

// printed is what a verb shows or hands out by itself.
var printed = []string{"workflows/review/instructions", "workflows/run/alone"}

// What no prompt sends for is never read.
func TestNoOrphans(t *testing.T) {
	used := slices.Clone(printed)
	all := expanded(t)
	for _, p := range all {
		names := slices.Clone(p.Loads)
		for _, after := range strings.Split(p.text, "plan content show ")[1:] {
			names = append(names, strings.FieldsFunc(after, func(r rune) bool { return strings.ContainsRune(" \n`", r) })[0])
		}
		for _, after := range strings.Split(p.Body, `include "`)[1:] {
			name, _, _ := strings.Cut(after, `"`)
			names = append(names, string(Partial)+"/"+name)
		}
		for _, name := range names {
			if to, err := Find(name); err == nil && to.Path() != p.Path() {
				used = append(used, to.Path())
			}
		}
	}
	for _, p := range all {
		if (p.Kind == Workflow || p.Kind == Reference || p.Kind == Partial) && !slices.Contains(used, p.Path()) {
			t.Errorf("%s: nothing reads it", p.Path())
		}
	}
}

type shown struct {
	*Piece
	text string
}

func expanded(t *testing.T) []shown {
	t.Helper()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	var out []shown
	for _, p := range all {
		text, err := Expand(p, Plain())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, shown{p, text})
	}
	return out
}
