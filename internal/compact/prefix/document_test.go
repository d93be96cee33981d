package prefix

import (
	"strings"
	"testing"
)

// Of a document on one line nothing can be learnt from repetition: what stands
// before it is its prefix, if the few other lines begin so too.
func TestDocument(t *testing.T) {
	doc := `{"rows":[` + strings.Repeat(`{"id":1,"note":"done"},`, 40) + `{}]}`
	for _, front := range []string{"[unit] ", "web-1  | ", "2026-03-04T10:00:00.1Z ", "2026-03-04T10:00:00.1Z 01O ", "@app/cart: ", "unit\tRun it\t2026-03-04T10:00:00Z "} {
		for _, ls := range [][]string{{front + doc}, {front + "starting", front + doc, strings.TrimRight(front, " "), front + "done"}} {
			l := Document(ls)
			if l == nil {
				t.Errorf("%q: nothing is found in front of the document", ls[0][:40])
				continue
			}
			found := false
			for _, s := range ls {
				cut, ok := l.Cut(s)
				found = found || ok && cut.Text == doc
			}
			if !found {
				t.Errorf("%q: the document is not what is left", ls[0][:40])
			}
		}
	}
	for name, ls := range map[string][]string{
		"a document":       {doc},
		"a sentence":       {"the answer was the following one: " + doc},
		"another line":     {"[unit] " + doc, "no prefix at all"},
		"a short document": {`[unit] {"a":1}`},
		"many lines":       {"[unit] " + doc, "[unit] a", "[unit] b", "[unit] c", "[unit] d", "[unit] e", "[unit] f", "[unit] g"},
	} {
		if Document(ls) != nil {
			t.Errorf("%s: a prefix is found where none is", name)
		}
	}
}
