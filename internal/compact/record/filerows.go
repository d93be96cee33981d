package record

import "strings"

// fileRows reads problems that a build tool prints as eslint does: a file's
// name on a line of its own, then a row for each problem. They are grouped by
// rule; the same message is told once, with its places.
type fileRows struct {
	held *Line  // a file's name, of which rows or a message follow
	name string // of the file whose rows these are
}

// begin takes a line that is a file's name.
func (f *fileRows) begin(l Line, emit Emit) {
	f.release(emit)
	f.held = &l
}

// row takes a problem at a place, "4:9". ok is false when it is none.
func (f *fileRows) row(l Line, place, rest string, class Class, emit Emit) (ok bool) {
	line, col, _ := strings.Cut(place, ":")
	columns := columnsOf(rest)
	if !digitsOnly(line) || !digitsOnly(col) || len(columns) == 0 || f.held == nil && f.name == "" {
		return false
	}
	if f.held != nil {
		f.name = strings.TrimSpace(f.held.Text)
		emit.held(Folded, &f.held) // the rows repeat it
	}
	rec := Record{
		Class: class, Group: "Parsing error", Key: columns[0],
		Site: f.name + ":" + place, Under: f.name, Row: place + "  " + strings.Join(columns, "  "), Lines: []Line{l},
	}
	if len(columns) > 1 {
		rec.Group = columns[len(columns)-1]
	}
	emit(rec)
	return true
}

// heads returns the file's name if a message follows it: t is its first line.
func (f *fileRows) heads(t string) *Line {
	held := f.held
	f.name = ""
	if held == nil || t == "" {
		return nil
	}
	f.held = nil
	return held
}

// release lets go of a file's name that nothing followed.
func (f *fileRows) release(emit Emit) {
	if f.held != nil {
		emit(plain(*f.held))
		f.held = nil
	}
}
