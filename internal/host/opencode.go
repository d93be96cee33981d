package host

import (
	"time"

	"cairn/internal/runtimes"
)

// kilo is a fork of OpenCode with directories and variables of its own. It
// sets OPENCODE for commands as well, so its row must come first.
var (
	opencode = opencodeHost(&runtimes.OpenCode, "OpenCode", "plugins/cairn.js", "OPENCODE")
	kilo     = opencodeHost(&runtimes.Kilo, "Kilo", "plugin/cairn.js", "KILO_PID")
)

func opencodeHost(r *runtimes.Runtime, title, settings, marker string) Host {
	return Host{
		Runtime:      r,
		Title:        title,
		Settings:     settings,
		Marker:       marker,
		Prompts:      &opencodePrompts,
		Own:          []string{"ask.js", "opencode.js"},
		AdviseLate:   true,
		ReadsFirst:   true, // its edit refuses a file that was not read
		Timeout:      10 * time.Second,
		Matches:      listOrRegexp,
		Advice:       "start " + title + " once while the npm registry is in reach: for any plugin it fetches its plugin library, and without that each start takes over a minute longer",
		ReplaceEvent: "tool.execute.after",
		ReplaceTools: []string{"bash", "read", "grep", "glob", "webfetch", "websearch"},
		Failures:     true,
		Clip:         Clip{Over: 50 << 10, Keep: 50 << 10},
		ClipFailed:   Clip{Over: 50 << 10, Keep: 50 << 10},
		Decode:       decodeOpenCode,
	}
}
