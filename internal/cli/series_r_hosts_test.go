package cli

import (
	"strings"
	"testing"

	"cairn/internal/host"
)

// failed is a captured call of a command that failed, of each host that lets
// its output be replaced, and what tells the model how it ended: "" when the
// host does not say.
var failed = map[string]struct {
	hostCall
	ended string
}{
	"codex":    {hostCall{file: "bash-failed", text: "1\n2\n3\n"}, "7"},
	"gemini":   {hostCall{file: "shell-killed", text: "(empty)"}, "Signal: 9"},
	"kilo":     {hostCall{file: "bash-failed", text: "1\n2\n3\noops\n"}, ""},
	"opencode": {hostCall{file: "bash-failed", text: "1\n2\n3\noops\n"}, ""},
	"copilot":  {hostCall{file: "bash-failed", text: "1\n2\n3\noops\n"}, "\n<shellId: 1 completed with exit code 3>"},
	"cline":    {hostCall{file: "bash-failed", text: "1\n2\n3\n\n[stderr]\noops\n"}, "[Command exited with code 3]\n"},
}

// R1 and R2 where a hook replaces failures: the exit code stays to be read, and
// so does the line that explains the failure.
func TestR1R2Hosts(t *testing.T) {
	t.Parallel()
	const reason = "main.c:3: error: undefined name\n"
	text := numbered(700, "lines of it") + reason + numbered(800, "more of them")
	for _, h := range host.All() {
		c, ok := failed[h.Name]
		if ok != h.Failures {
			t.Errorf("%s: a failure is captured: %v, and is replaced: %v", h.Name, ok, h.Failures)
		}
		if !ok {
			continue
		}
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			answer, _ := u.hook(h.Name, u.envelope(h.Name, c.hostCall, "", text))
			got := texts(t, answer)
			if !strings.Contains(got, "[cairn: ") || !strings.Contains(got, reason) || !strings.Contains(got, c.ended) || strings.Contains(got, "350 lines") {
				t.Errorf("the model reads %.600q, log %q", got, u.log())
			}
		})
	}
}
