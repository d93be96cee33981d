package record

import (
	"path"
	"strings"
)

// named is the record of a path in a list, told with what is known of it: of
// state before it and of detail after it. Those of one directory are folded.
func named(l Line, state, name, detail string) Record {
	dir, base := path.Split(strings.TrimSuffix(name, "/"))
	if base == "" {
		return Record{List: ListRow, Lines: []Line{l}}
	}
	if strings.HasSuffix(name, "/") {
		base += "/"
	}
	if detail != "" {
		base += " " + detail
	}
	if dir == "" {
		dir = "./"
	}
	return Record{List: ListName, Group: state + dir, Row: base, Lines: []Line{l}}
}

// row gives a line as a row of a list.
func (emit Emit) row(l Line) { emit(Record{List: ListRow, Lines: []Line{l}}) }

// changed is the record of a row about one file of git's --stat, --numstat,
// --name-status or --summary.
func changed(l Line) Record {
	t := strings.TrimSpace(l.Text)
	if i := strings.LastIndex(t, " | Bin "); i > 0 && !strings.Contains(t, "=>") {
		l.Text = statBar(l.Text)
		return named(l, "", strings.TrimRight(t[:i], " "), strings.TrimSuffix(t[i+len(" | "):], " bytes"))
	}
	if hasAny(t, " => ", " -> ", "=>") || hasPrefix(t, "rename ", "copy ", "rewrite ", "mode change ") {
		l.Text = statBar(l.Text)
		return Record{List: ListRow, Lines: []Line{l}}
	}
	if i := strings.LastIndex(t, " | "); i > 0 {
		l.Text = statBar(l.Text)
		bar := statBar(t)
		return named(l, "", strings.TrimRight(t[:i], " "), bar[strings.LastIndex(bar, " | ")+3:])
	}
	if hasPrefix(t, "create mode ", "delete mode ") {
		f := strings.SplitN(t, " ", 4)
		return named(l, strings.Join(f[:len(f)-1], " ")+" ", f[len(f)-1], "")
	}
	switch f := strings.Split(t, "\t"); {
	case len(f) == 2: // of --raw the status alone
		return named(l, f[0][strings.LastIndexByte(f[0], ' ')+1:]+"\t", f[1], "")
	case len(f) == 3 && (f[0] == "-" || f[0] != "" && isDigit(f[0][0])):
		return named(l, "", f[2], "+"+f[0]+" -"+f[1])
	}
	return Record{List: ListRow, Lines: []Line{l}}
}
