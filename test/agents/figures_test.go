//go:build agents

package agents

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const (
	document    = "../../docs/claude-code.md"
	tableBegins = "<!-- figures: go test -tags agents ./test/agents -update -->\n"
	tableEnds   = "<!-- end of figures -->\n"
)

// A figure is one row of the table: what the model received in a scenario.
type figure struct {
	session, scenario string
	without, with     int // characters
	checked           []string
}

func (f *figure) add(c call, without, with result) {
	f.without += len([]rune(without.text))
	f.with += len([]rune(with.text))
	what := map[expectation]string{same: "same text", cut: "compacted", holds: "text"}[c.is]
	if exit := exitLine.FindString(without.text); exit != "" {
		what += ", " + strings.ToLower(exit)
	} else if without.failed {
		what += ", refused or failed"
	}
	for _, k := range c.keep {
		k, _, _ = strings.Cut(strings.TrimSpace(k), "\n")
		if !strings.HasPrefix(k, header) && !strings.HasPrefix(k, "Exit code") {
			what += fmt.Sprintf(", has `%s`", strings.ReplaceAll(k, "|", `\|`))
		}
	}
	if len(f.checked) == 0 || f.checked[len(f.checked)-1] != what {
		f.checked = append(f.checked, what)
	}
}

// writeFigures puts the table between its marks.
func writeFigures(t *testing.T, figures []figure) {
	t.Helper()
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(data), tableBegins)
	_, tail, ok2 := strings.Cut(rest, tableEnds)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no marks for the table", document)
	}
	var b strings.Builder
	session := ""
	for _, f := range figures {
		if f.session != session {
			session = f.session
			fmt.Fprintf(&b, "\n### Session: %s\n\n| case | without | with | checked |\n|---|---:|---:|---|\n", session)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", f.scenario, f.without, f.with, strings.Join(f.checked, "; "))
	}
	write(t, document, head+tableBegins+b.String()+"\n"+tableEnds+tail)
}
