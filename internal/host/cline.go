package host

import (
	"time"

	"cairn/internal/runtimes"
)

// cline is Cline's command line: its editor extensions have no plugins. File
// hooks, which all have, can add to a result but not replace it.
var cline = Host{
	Runtime:      &runtimes.Cline,
	Title:        "Cline",
	Prompts:      &clinePrompts,
	Settings:     "plugins/cairn.js",
	Own:          []string{"ask.js", "cline.js"},
	AdviseLate:   true,
	Timeout:      2 * time.Second, // it waits 3 s for a plugin
	Matches:      listOrRegexp,
	ReplaceEvent: "afterTool",
	ReplaceTools: []string{"run_commands", "read_files"},
	Failures:     true,
	Clip:         Clip{Over: 10_000, Keep: 9_800},
	ClipFailed:   Clip{Over: 10_000, Keep: 9_800},
	Decode:       decodeCline,
}
