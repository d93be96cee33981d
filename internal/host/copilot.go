package host

import (
	"time"

	"cairn/internal/runtimes"
)

var copilot = Host{
	Runtime:      &runtimes.Copilot,
	Title:        "Copilot CLI",
	Prompts:      &copilotPrompts,
	Settings:     "hooks/cairn.json",
	Own:          []string{"copilot.json"},
	AdviseLate:   true,
	Timeout:      10 * time.Second, // as in the registration
	Matches:      listOrRegexp,
	ReplaceEvent: "postToolUse",
	ReplaceTools: []string{"bash", "view", "server-tool"},
	Failures:     true,
	Marker:       "COPILOT_CLI",
	SessionEnv:   "COPILOT_AGENT_SESSION_ID",
	Clip:         Clip{Over: 20 << 10, Keep: 900},
	ClipFailed:   Clip{Over: 20 << 10, Keep: 900},
	Decode:       decodeCopilot,
}
