package host

import (
	"time"

	"cairn/internal/runtimes"
)

// cursor is built from Cursor's documentation (https://cursor.com/docs/hooks)
// and has not been seen at work here.
var cursor = Host{
	Runtime:         &runtimes.Cursor,
	Title:           "Cursor",
	Prompts:         &cursorPrompts,
	Settings:        "hooks.json",
	Shape:           Shape{Flat: true, Unit: time.Second, Version: 1},
	ProjectSettings: []string{".cursor/hooks.json"},
	Hooks: []Hook{
		{Event: "postToolUse", Matcher: "^MCP:"},

		{Event: "sessionStart", Part: Plan},
		{Event: "postToolUse", Matcher: "^MCP:", Part: Plan},
	},
	Timeout:      10 * time.Second,
	Matches:      anyOrRegexp,
	Advice:       "Cursor lets hooks replace the results of MCP tools only; for commands there is cairn run -- CMD",
	ReplaceEvent: "postToolUse",
	ReplaceTools: []string{"MCP:tool"},
	Decode:       decodeCursor,
}
