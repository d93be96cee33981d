package compact

import (
	"strconv"
	"strings"
	"testing"

	"cairn/internal/compact/record"
	"cairn/internal/compact/rule"
)

func TestPlaces(t *testing.T) {
	var p places
	for _, site := range []string{"lib/a.js:3:1", "lib/b.ts(7,2)", "lib/a.js:9:1", "lib/a.js:3:1", "main", "lib/c.go:1"} {
		p.add(site)
	}
	if got, want := p.again("", 7), "[… 7 more: lib/a.js:3:1,9:1, lib/b.ts(7,2), main, lib/c.go:1 …]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for i := range 2 * placesListed {
		p.add("lib/d.go:" + strconv.Itoa(i))
	}
	if got, want := p.String(), "lib/a.js ×2, lib/b.ts, main, lib/c.go, lib/d.go ×200"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A long list names files, and of a long list of files the first; names that
// are no places are all there.
func TestPlacesLong(t *testing.T) {
	var p, names places
	for i := range 40 {
		file := strings.Repeat("d/", i) + "a.go"
		p.add(file + ":12:1")
		p.add(file + ":19:1")
		names.add("test " + strings.Repeat("x", i))
	}
	if s := p.String(); len(s) > placesBytes+50 || !strings.HasPrefix(s, "a.go ×2, d/a.go ×2, ") || !strings.Contains(s, ", +") {
		t.Errorf("%d bytes: %s", len(s), s)
	}
	for i := range 40 {
		names.add("other " + strings.Repeat("x", i))
	}
	if s := names.String(); !strings.HasSuffix(s, "other "+strings.Repeat("x", 39)) {
		t.Errorf("%d bytes: %s", len(s), s)
	}
}

// diagnostics are n records of the shape a linter's parser gives.
func diagnostics(s *store, from, n int, group string) {
	for i := from; i < from+n; i++ {
		text := "a.js:" + strings.Repeat("1", i+1) + " " + group
		s.take(record.Record{Class: record.Keep, Group: group, Site: text[:5+i+1], Under: "dir", Lines: []record.Line{{N: i, Text: text}}})
	}
}

func TestGroupsStayInPlaceWhileFew(t *testing.T) {
	prog, err := rule.Generic().Program()
	if err != nil {
		t.Fatal(err)
	}
	s := newStore(prog, Normal)
	diagnostics(s, 0, 2, "few")
	diagnostics(s, 2, 12, "many")
	var got []string
	for _, it := range s.groupItems() {
		got = append(got, it.text)
	}
	text := strings.Join(got, "\n") + "\n"
	for _, want := range []string{"dir\n  a.js:1 few\n  a.js:11 few\nmany ×12\n  dir\n    a.js:111 many\n", "[… 2 more: a.js:1111111111111, a.js:11111111111111 …]\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// Repeats of a record and records beyond the limits keep the lines that say
// what and where, and say how many lines they left out.
func TestBrief(t *testing.T) {
	prog, err := rule.Generic().Program()
	if err != nil {
		t.Fatal(err)
	}
	s := newStore(prog, Normal)
	for i := range 5 {
		s.take(record.Record{Class: record.Failure, Key: "same", Site: "a.c:1", Brief: 1,
			Lines: []record.Line{{N: 3 * i, Text: "a.c:1: error"}, {N: 3*i + 1, Text: "code"}, {N: 3*i + 2, Text: "^~~~"}}})
	}
	if len(s.kept) != 5 || s.kept[2].text != "^~~~" || s.kept[4].text != "a.c:1: error" || s.silent.has(4) || s.silent.has(8) || !s.silent.has(13) {
		t.Fatalf("kept %d lines, want the first whole and two in brief", len(s.kept))
	}
	if s.noteRepeats(); s.kept[2].note != "[… the same ×2 more …]" {
		t.Errorf("note %q", s.kept[2].note)
	}
}

// Of very many different errors the first stand for themselves; of the others
// there are the places.
func TestManyErrors(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		name := strings.Repeat("x", i+1)
		b.WriteString("src/a.ts(" + strconv.Itoa(i+1) + ",5): error TS2304: Cannot find name '" + name + "'.\n")
	}
	two := 2
	res := Compact(Envelope{Command: "npx tsc", CombinedText: b.String(), ExitCode: &two}, Options{Level: Normal})
	for _, want := range []string{"Cannot find name '" + strings.Repeat("x", 100) + "'.\n", "error TS2304 … ×", ",5 400,5): "} {
		if !strings.Contains(res.Reduced, want) {
			t.Errorf("no %q in:\n%s", want, res.Reduced)
		}
	}
	if len(res.Reduced)*5 > b.Len() {
		t.Errorf("%d bytes became %d", b.Len(), len(res.Reduced))
	}
}

// A single match below its file's name becomes a place that can be copied.
func TestAloneIsAPlace(t *testing.T) {
	r := row{text: "13:  if x", line: "13:  if x"}
	if got := r.alone("src/a.go"); got != "src/a.go:13:  if x" {
		t.Errorf("got %q", got)
	}
}

// Files of one directory stand together, wherever they came.
func TestPlacesOfDirectories(t *testing.T) {
	var p places
	for _, site := range []string{"shop/till/a.ts:3:1", "shop/stock/b.ts:1:1", "shop/till/c.ts", "shop/till/a.ts:9:2", "shop/stock/d.ts:4:4"} {
		p.add(site)
	}
	if got, want := p.inDirs(), "shop/till/{a.ts 3:1,9:2, c.ts}, shop/stock/{b.ts 1:1, d.ts 4:4}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
