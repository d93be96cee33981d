package record

import (
	"encoding/json"
	"strings"
)

// goEvents reads go test -json. Each package gets a parser of its own, since
// their events are mixed; it sees the text that an event carries, and what it
// emits is the event.
type goEvents struct {
	packages map[string]*goTest
	names    []string
	raw      map[int]string // the events of lines that are held
}

const goPackagesMax = 512

func newGoEvents() *goEvents {
	return &goEvents{packages: map[string]*goTest{}, raw: map[int]string{}}
}

// isGoEvent reports whether t is an event as "go doc test2json" has them.
func isGoEvent(t string) bool {
	return strings.HasPrefix(t, `{"`) && strings.HasSuffix(t, "}") && strings.Contains(t, `"Action":"`)
}

func (e *goEvents) line(l Line, emit Emit) {
	var ev struct{ Action, Package, ImportPath, Test, Output string }
	if json.Unmarshal([]byte(l.Text), &ev) != nil {
		emit.line(Body, l)
		return
	}
	if ev.Action != "output" && ev.Action != "build-output" {
		emit.line(Good, l) // the output says it as well
		return
	}
	name := ev.Package + ev.ImportPath
	p := e.packages[name]
	if p == nil {
		if len(e.packages) >= goPackagesMax {
			emit.line(Body, l)
			return
		}
		p = &goTest{}
		e.packages[name] = p
		e.names = append(e.names, name)
	}
	if verb, _ := goMark(ev.Output); verb == "" && p.stack.state == goIdle {
		p.test = ev.Test
	}
	e.raw[l.N] = l.Text
	l.Text = strings.TrimSuffix(ev.Output, "\n")
	p.line(l, e.restore(emit))
}

// restore puts the events back in place of the text they carried.
func (e *goEvents) restore(emit Emit) func(Record) {
	return func(r Record) {
		for i := range r.Lines {
			if raw, ok := e.raw[r.Lines[i].N]; ok {
				r.Lines[i].Text = raw
				delete(e.raw, r.Lines[i].N)
			}
		}
		emit(r)
	}
}

func (e *goEvents) close(emit Emit) {
	failed := false
	for _, p := range e.packages {
		failed = failed || p.failed
	}
	for _, name := range e.names {
		p := e.packages[name]
		p.failed = failed
		p.Close(e.restore(emit))
	}
}
