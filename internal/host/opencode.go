package host

import (
	_ "embed" // the plugin and a captured envelope
	"time"

	"cairn/internal/runtimes"
)

//go:embed own/opencode.js
var opencodePlugin []byte

//go:embed sample/opencode.json
var opencodeSample []byte

var opencode = Host{
	Runtime:      runtimes.OpenCode,
	Title:        "OpenCode",
	Prompts:      opencodePrompts,
	Settings:     "plugins/cairn.js",
	Own:          plugin(opencodePlugin),
	AdviseLate:   true,
	ReadsFirst:   true, // its edit refuses a file that was not read
	Timeout:      10 * time.Second,
	Matches:      listOrRegexp,
	Advice:       "start OpenCode once while the npm registry is in reach: for any plugin it fetches its plugin library, and without that each start takes over a minute longer",
	ReplaceEvent: "tool.execute.after",
	ReplaceTools: []string{"bash", "read", "grep", "glob", "webfetch", "websearch"},
	Failures:     true,
	Marker:       "OPENCODE",
	Clip:         Clip{Over: 50 << 10, Keep: 50 << 10},
	ClipFailed:   Clip{Over: 50 << 10, Keep: 50 << 10},
	Decode:       decodeOpenCode,
	Sample:       opencodeSample,
}
