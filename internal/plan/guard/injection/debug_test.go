package injection

import (
	"github.com/rogpeppe/go-internal/txtar"
	"testing"
)

func TestDebug(t *testing.T) {
	count(texts(t, "attacks/tune.txtar"), func(f txtar.File, found []Finding) {
		if found == nil {
			s := scanner{text: string(f.Data)}
			s.scan(0)
			t.Logf("%s (%d words)", f.Name, len(s.words))
			for _, h := range s.hits {
				t.Logf("    %d %s %s", h.points, h.pattern, excerpt(s.text[h.from:h.to]))
			}
			if len(s.reports) > 0 {
				t.Logf("    talk %d", s.reports)
			}
		}
	})
}
