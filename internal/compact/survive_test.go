package compact

import (
	"strings"
	"testing"

	"cairn/internal/compact/record"
	"cairn/test/cairntest"
)

// fragile is a parser with a mistake in it.
type fragile struct{ inner record.Parser }

func (f fragile) Line(l record.Line, emit record.Emit) {
	if strings.Contains(l.Text, "BOOM") {
		panic("index out of range")
	}
	f.inner.Line(l, emit)
}

func (f fragile) Close(emit record.Emit) { f.inner.Close(emit) }

type fragileEnd struct{ record.Parser }

func (fragileEnd) Close(record.Emit) { panic("nil map") }

// A parser that panics costs its own compaction and nothing else.
func TestSurvivesParser(t *testing.T) {
	cairntest.Long(t)
	in := numbered(300, "=== RUN   TestThing%d") + "BOOM\nerror: it broke at main.go:12\n" + numbered(300, "working on item %d of the many")
	for name, wrap := range map[string]func(record.Parser) record.Parser{
		"in the middle": func(p record.Parser) record.Parser { return fragile{p} },
		"at the end":    func(p record.Parser) record.Parser { return fragileEnd{p} },
	} {
		for _, whole := range []bool{true, false} {
			s := NewStream(Envelope{Command: "go test ./..."}, Options{Level: Normal})
			s.choose()
			s.parser = wrap(s.parser)
			s.filter.parser = s.parser
			text := in
			if !whole {
				text += numbered(400_000, "working on item %d of the many")
			}
			s.Write([]byte(text))
			exit := 1
			res := s.Finish(&exit)
			if name == "at the end" && !whole {
				// Both ends are held, and stand for the output.
				if !strings.Contains(res.Reduced, "]\n"+in[:1000]) || !strings.HasSuffix(res.Reduced, text[len(text)-1000:]) {
					t.Errorf("neither end is there: %.200s", res.Reduced)
				}
				continue
			}
			if !strings.Contains(res.Reduced, "error: it broke at main.go:12") || len(res.Meta.Warnings) != 1 {
				t.Errorf("%s, whole %v: warnings %q:\n%.400s", name, whole, res.Meta.Warnings, res.Reduced)
			}
			if whole && res.Meta.Rule != "generic" {
				t.Errorf("%s: rule %s", name, res.Meta.Rule)
			}
		}
	}
}
