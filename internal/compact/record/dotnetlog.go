package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// dotnetEntry opens an entry of .NET's console logger, which puts what is said
// below where it comes from. Without both, entries of one source look alike:
//
//	warn: Shop.Import.Importer[12]
//	      3 rows have no price and were skipped
func dotnetEntry(s string) (class Class, ok bool) {
	level, source, found := strings.Cut(s, ": ")
	if !found || !strings.HasSuffix(source, "]") || strings.Contains(source, " ") {
		return Body, false
	}
	class = Body.unless(level == "warn", Warn).unless(level == "fail" || level == "crit", Failure)
	return class, class != Body || oneOf(level, "trce", "dbug", "info")
}

const (
	dotnetInset      = "      "
	dotnetEntryLines = 20
)

// inEntry takes a line of an open entry, or opens one that is no failure.
func (p *dotnet) inEntry(l Line, emit Emit) bool {
	if p.entry.Lines != nil {
		if strings.HasPrefix(l.Text, dotnetInset) && len(p.entry.Lines) < dotnetEntryLines {
			p.entry.Lines = append(p.entry.Lines, l)
			return true
		}
		p.endEntry(emit)
	}
	class, ok := dotnetEntry(strings.TrimRight(l.Text, " "))
	if !ok {
		return false
	}
	p.end(emit)
	if class == Failure {
		p.begin(l, "", emit)
		return true
	}
	p.diag.Close(emit)
	p.entry = Record{Class: class, Lines: []Line{l}}
	return true
}

func (p *dotnet) endEntry(emit Emit) {
	r := p.entry
	if p.entry = (Record{}); r.Lines == nil {
		return
	}
	if r.Class == Warn {
		for _, l := range r.Lines {
			r.Key += lines.Template(l.Text) + "\n"
		}
	}
	emit(r)
}
