package host

import (
	"time"

	"cairn/internal/runtimes"
)

// geminiOutputs are the tools whose output is cut.
const geminiOutputs = "^(run_shell_command|read_file|grep_search|glob|mcp_.*)$"

var gemini = Host{
	Runtime:         &runtimes.Gemini,
	Title:           "Gemini CLI",
	Prompts:         &geminiPrompts,
	Settings:        "settings.json",
	Shape:           Shape{Unit: time.Millisecond},
	ProjectSettings: []string{".gemini/settings.json"},
	OffSwitch:       "hooksConfig.enabled=false",
	Forbids:         geminiForbids,
	Hooks: []Hook{
		{Event: "AfterTool", Matcher: geminiOutputs},

		{Event: "SessionStart", Part: Plan},
		{Event: "BeforeTool", Matcher: "^run_shell_command$", Part: Plan},
		{Event: "AfterTool", Matcher: geminiOutputs, Part: Plan},
		{Event: "AfterTool", Matcher: "^(write_file|replace|web_fetch|google_web_search)$", Part: Plan},
	},
	AdviseLate:   true,
	ReadsFirst:   true, // replace takes the text that it changes from the file
	Timeout:      10 * time.Second,
	Matches:      anyOrRegexp,
	ReplaceEvent: "AfterTool",
	ReplaceTools: []string{"run_shell_command", "read_file", "grep_search", "glob", "mcp_server_tool"},
	Failures:     true,
	Marker:       "GEMINI_CLI",
	Clip:         geminiClip,
	ClipFailed:   geminiClip,
	Decode:       decodeGemini,
}
