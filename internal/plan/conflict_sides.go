package plan

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// Sides are the two versions that a merge left in a document.
type Sides struct {
	Line         int // of the first marker, counted from 1
	end          int // the line after the last one
	Ours, Theirs []string
	ourName      string // as the markers call them
	theirName    string
}

// Sides returns the conflicts of a file, in order.
func (w *Workspace) Sides(rel string) ([]Sides, error) {
	data, err := os.ReadFile(w.Abs(rel))
	if err != nil {
		return nil, err
	}
	return sidesIn(string(data)), nil
}

func sidesIn(data string) (out []Sides) {
	var s *Sides
	var into *[]string
	n := 0
	for l := range strings.Lines(data) {
		n++
		line := strings.TrimRight(l, "\r\n")
		switch {
		case strings.HasPrefix(line, "<<<<<<< "):
			s = &Sides{Line: n, ourName: line[len("<<<<<<< "):]}
			into = &s.Ours
		case s != nil && strings.HasPrefix(line, "||||||| "):
			into = new([]string) // what it was before
		case s != nil && line == "=======":
			into = &s.Theirs
		case s != nil && into == &s.Theirs && strings.HasPrefix(line, ">>>>>>> "):
			s.theirName, s.end = line[len(">>>>>>> "):], n+1
			out = append(out, *s)
			s = nil
		case s != nil:
			*into = append(*into, line)
		}
	}
	return out
}

// String asks which of the two is meant: of a field by its name, else by the lines
// as they are.
func (s Sides) String() string {
	ours, theirs, name := quoted(s.Ours), quoted(s.Theirs), ""
	if f, ok := oneField(s.Ours); ok {
		if g, ok := oneField(s.Theirs); ok && strings.EqualFold(f.Name, g.Name) {
			name, ours, theirs = f.Name, quoted([]string{f.Value}), quoted([]string{g.Value})
		}
	}
	return fmt.Sprintf("%s%s in %s, %s in %s", strings.TrimPrefix(name+": ", ": "), ours, s.ourName, theirs, s.theirName)
}

func oneField(lines []string) (doc.Field, bool) {
	if len(lines) != 1 {
		return doc.Field{}, false
	}
	fields := doc.New(strings.TrimSpace(lines[0])).Fields(0, 1)
	if len(fields) == 0 {
		return doc.Field{}, false
	}
	return fields[0], true
}

// quoted is a version in one line.
func quoted(lines []string) string {
	const most = 120
	lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return strings.TrimSpace(l) == "" })
	if len(lines) == 0 {
		return "nothing"
	}
	first := []rune(strings.TrimSpace(lines[0]))
	if len(first) > most {
		first = append(first[:most], '…')
	}
	if len(lines) == 1 {
		return fmt.Sprintf("%q", string(first))
	}
	return fmt.Sprintf("%q and %d more lines", string(first), len(lines)-1)
}

// Place is a file of the plan, or the line of one conflict in it; 0 is all.
type Place struct {
	File string
	Line int
}

// TakeSides decides conflicts: one version stays, the markers go. It returns how
// many it decided. That is the one change that a plan with markers takes.
func (w *Workspace) TakeSides(ctx context.Context, places []Place, theirs bool) (change *Change, decided int, err error) {
	open := *w
	open.merged = true
	change, err = open.Update(ctx, "merge-driver take", func(tx *Tx) error {
		for _, p := range places {
			n := tx.takeSide(p, theirs)
			if n == 0 {
				must.Fail(term.Hint(&InputError{Path: p.File, Line: p.Line, What: "has no conflict"}, "cairn plan health lists them"))
			}
			decided += n
		}
		return nil
	})
	return change, decided, err
}

func (tx *Tx) takeSide(p Place, theirs bool) (decided int) {
	was := must.Get(tx.ReadBytes(p.File))
	lines := slices.Collect(strings.Lines(string(was)))
	for _, s := range slices.Backward(sidesIn(string(was))) {
		if p.Line > 0 && (p.Line < s.Line || p.Line >= s.end) {
			continue
		}
		side := s.Ours
		if theirs {
			side = s.Theirs
		}
		kept := make([]string, len(side))
		ending := lines[s.Line-1][len(strings.TrimRight(lines[s.Line-1], "\r\n")):]
		for i, l := range side {
			kept[i] = l + ending
		}
		lines = slices.Concat(lines[:s.Line-1], kept, lines[s.end-1:])
		decided++
	}
	tx.Write(p.File, []byte(strings.Join(lines, "")))
	return decided
}
