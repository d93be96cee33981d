//go:build agents

package agents

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
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
func writeFigures(t *testing.T, figures []figure, costs string) {
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
	write(t, document, head+tableBegins+b.String()+"\n### Time of a hook\n\n"+costs+"\n"+tableEnds+tail)
}

// latency is the median time of a hook's process, beside that of one that does
// nothing, as lines of a list.
func latency(t *testing.T, binary string) string {
	t.Helper()
	home := t.TempDir()
	median := func(event, name string, args ...string) float64 {
		var times []time.Duration
		for range 40 {
			cmd := exec.Command(name, args...)
			cmd.Env = []string{"HOME=" + home, "CLAUDE_ENV_FILE=" + home + "/env"}
			cmd.Stdin = strings.NewReader(event)
			begin := time.Now()
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
			times = append(times, time.Since(begin))
		}
		slices.Sort(times)
		return float64(times[len(times)/2].Microseconds()) / 1000
	}
	const event = `{"session_id": "s", "cwd": "/", "hook_event_name": %q, "tool_name": "Bash", "tool_input": {"command": "make all"}%s}`
	var b strings.Builder
	fmt.Fprintf(&b, "- a program that does nothing (`true`): %.1f ms\n", median("", "true"))
	for _, kind := range []struct{ event, what, response string }{
		{"SessionStart", "at the start of a session", ""},
		{"PreToolUse", "before a call", ""},
		{"PostToolUse", "after a call with 20 KB of output", fmt.Sprintf(`, "tool_response": {"stdout": %q, "stderr": "", "interrupted": false}`, lockFile(260))},
	} {
		fmt.Fprintf(&b, "- %s: %.1f ms\n", kind.what, median(fmt.Sprintf(event, kind.event, kind.response), binary, "hook", "claude"))
	}
	return b.String()
}
