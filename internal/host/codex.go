package host

import (
	"time"

	"cairn/internal/runtimes"
)

// codexOutputs are the tools whose output is cut.
const codexOutputs = "^(Bash|mcp__.*)$"

var codex = Host{
	Runtime:         &runtimes.Codex,
	Title:           "Codex",
	Prompts:         &codexPrompts,
	Settings:        "hooks.json",
	Shape:           Shape{Unit: time.Second},
	ProjectSettings: []string{".codex/hooks.json"},
	StrictJSON:      true,
	Hooks: []Hook{
		{Event: "PostToolUse", Matcher: codexOutputs},

		{Event: "SessionStart", Part: Plan},
		{Event: "PreToolUse", Matcher: "^(Bash|apply_patch)$", Part: Plan},
		{Event: "PostToolUse", Matcher: codexOutputs, Part: Plan},
		{Event: "PostToolUse", Matcher: "^apply_patch$", Part: Plan},
	},
	Timeout:      10 * time.Second,
	Matches:      anyOrRegexp,
	Advice:       "Codex skips a new hook without a word until you approve it: start codex, type /hooks, trust cairn's",
	Trust:        codexTrust,
	ReplaceEvent: "PostToolUse",
	ReplaceTools: []string{"Bash", "mcp__server__tool"},
	Failures:     true,
	Marker:       "CODEX_THREAD_ID",
	SessionEnv:   "CODEX_SESSION_ID",
	Clip:         Clip{Over: 10_200, Keep: 10_200},
	ClipFailed:   Clip{Over: 10_200, Keep: 10_200},
	Decode:       decodeCodex,
}
