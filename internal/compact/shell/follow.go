package shell

import (
	"slices"
	"strings"
)

// follows reports tail -f, and the logs of something that still runs.
func (c Call) follows() bool {
	args := c.Args
	if c.Name != "tail" && c.Name != "journalctl" {
		// In `docker compose -f FILE logs -f` only the second -f follows.
		for len(args) > 0 && args[0] != "logs" {
			args = args[1:]
		}
		if !listed("docker kubectl heroku fly flyctl vercel oc nerdctl pm2 supabase", c.Name) {
			return false
		}
	}
	return slices.ContainsFunc(args, func(a string) bool {
		short := len(a) > 1 && a[0] == '-' && a[1] != '-'
		return short && strings.ContainsAny(a, "fF") || strings.HasPrefix(a, "--follow") && a != "--follow=false"
	})
}
