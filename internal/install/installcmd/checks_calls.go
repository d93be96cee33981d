package installcmd

import (
	"fmt"
	"os"
	"time"

	"cairn/internal/command"
	"cairn/internal/compact/setup"
	"cairn/internal/home"
	"cairn/internal/install"
	"cairn/internal/transcript"
)

const (
	silentAfter = 24 * time.Hour     // that an agent worked on without calling us
	coverageOf  = 7 * 24 * time.Hour // the time that the coverage is of
)

// callChecks compare what an agent wrote down of its sessions with what we
// know of its calls: a hook may be registered, answer when it is tried, and
// yet never be called.
func callChecks(env *command.Env, targets []install.Target) []install.Check {
	var checks []install.Check
	roots := transcript.Roots(env.Getenv)
	newest := transcript.Newest(roots)
	for _, t := range targets {
		h := t.Host
		fi, err := os.Stat(home.Find(env.Getenv).Fired(h.Name))
		worked, ok := newest[h.Name]
		if err != nil || !ok {
			continue // not installed, or its sessions are not known
		}
		c := install.Check{Host: h.Name, Name: "calls", Status: install.OK,
			Detail: "last called on " + fi.ModTime().Format(time.DateOnly)}
		if worked.Sub(fi.ModTime()) > silentAfter {
			c.Status = install.Fail
			c.Detail = fmt.Sprintf("not called since %s, while sessions went on until %s",
				fi.ModTime().Format(time.DateOnly), worked.Format(time.DateOnly))
			c.Hint = "start a new session; if that does not help, look whether a managed setting or a flag turns hooks off"
			if h.Advice != "" {
				c.Hint = h.Advice
			}
		}
		checks = append(checks, c)
		if h.EnvFile == "" {
			continue
		}
		if seen, failing := setup.Coverage(env, roots, h.Name, time.Now().Add(-coverageOf)); failing > 0 {
			checks = append(checks, install.Check{Host: h.Name, Name: "coverage", Status: install.OK,
				Detail: fmt.Sprintf("cairn saw %d of %d failing commands of the last 7 days", seen, failing)})
		}
	}
	return checks
}
