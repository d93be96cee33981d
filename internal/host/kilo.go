package host

import (
	_ "embed" // a captured envelope
	"time"

	"cairn/internal/runtimes"
)

//go:embed sample/kilo.json
var kiloSample []byte

// kilo is a fork of OpenCode with directories and variables of its own. It
// sets OPENCODE for commands as well, so its row must come first.
var kilo = Host{
	Runtime:      runtimes.Kilo,
	Title:        "Kilo",
	Prompts:      opencodePrompts,
	Settings:     "plugin/cairn.js",
	Own:          plugin(opencodePlugin),
	AdviseLate:   true,
	ReadsFirst:   true, // its edit refuses a file that was not read
	Timeout:      10 * time.Second,
	Matches:      listOrRegexp,
	Advice:       "start Kilo once while the npm registry is in reach: for any plugin it fetches its plugin library, and without that each start takes over a minute longer",
	ReplaceEvent: "tool.execute.after",
	ReplaceTools: []string{"bash", "read", "grep", "glob", "webfetch", "websearch"},
	Failures:     true,
	Marker:       "KILO_PID",
	Clip:         Clip{Over: 50 << 10, Keep: 50 << 10},
	ClipFailed:   Clip{Over: 50 << 10, Keep: 50 << 10},
	Decode:       decodeOpenCode,
	Sample:       kiloSample,
}
