package host

import (
	_ "embed" // a captured envelope
	"time"
)

//go:embed sample/gemini.json
var geminiSample []byte

var gemini = Host{
	Name:            "gemini",
	Title:           "Gemini CLI",
	ConfigDirEnv:    "GEMINI_CLI_HOME",
	ConfigDirSub:    ".gemini",
	ConfigDir:       ".gemini",
	LocalDir:        ".gemini",
	Prompts:         geminiPrompts,
	Settings:        "settings.json",
	Shape:           Shape{Unit: time.Millisecond},
	ProjectSettings: []string{".gemini/settings.json"},
	OffSwitch:       "hooksConfig.enabled=false",
	Forbids:         geminiForbids,
	Hooks:           []Hook{{Event: "AfterTool", Matcher: "^(run_shell_command|read_file|grep_search|glob|mcp_.*)$"}},
	Timeout:         10 * time.Second,
	Matches:         anyOrRegexp,
	ReplaceEvent:    "AfterTool",
	ReplaceTools:    []string{"run_shell_command", "read_file", "grep_search", "glob", "mcp_server_tool"},
	Failures:        true,
	Marker:          "GEMINI_CLI",
	Clip:            geminiClip,
	ClipFailed:      geminiClip,
	Decode:          decodeGemini,
	Sample:          geminiSample,
}
