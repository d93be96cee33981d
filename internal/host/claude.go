package host

import (
	"time"

	"cairn/internal/runtimes"
)

// claudeOutputs are the tools whose output is cut.
const claudeOutputs = "^(Bash|Read|Grep|Glob|WebFetch|WebSearch|TaskOutput|mcp__.*)$"

var claude = Host{
	Runtime:         &runtimes.Claude,
	Title:           "Claude Code",
	Prompts:         &claudePrompts,
	Settings:        "settings.json",
	Shape:           Shape{Unit: time.Second},
	ProjectSettings: []string{".claude/settings.json", ".claude/settings.local.json"},
	StrictJSON:      true,
	OffSwitch:       "disableAllHooks=true",
	Hooks: []Hook{
		{Event: "SessionStart", Shell: true},
		{Event: "PreToolUse", Matcher: "Bash", Shell: true},
		// A plain A|B list is compared exactly, so every MCP tool needs
		// a real expression, and that one is not anchored by the host.
		{Event: "PostToolUse", Matcher: claudeOutputs},
		{Event: "PostToolUse", Matcher: "Write|Edit", Told: true},
		{Event: "PreCompact"},

		{Event: "SessionStart", Part: Plan},
		{Event: "PreToolUse", Matcher: "Bash", Part: Plan},
		{Event: "PreToolUse", Matcher: "Write|Edit|MultiEdit|NotebookEdit", Part: Plan},
		{Event: "PostToolUse", Matcher: claudeOutputs, Part: Plan},
		{Event: "PostToolUse", Matcher: "Write|Edit|MultiEdit|NotebookEdit|Agent|Task", Part: Plan},
	},
	Members: []Member{{
		File: "settings.json", Path: []string{"statusLine"}, Part: Plan, Personal: true,
		Value: `{"type": "command", "command": "@command@"}`,
	},
		claudeTelemetry(`"1"`, "env", "CLAUDE_CODE_ENABLE_TELEMETRY"),
		claudeTelemetry(`"otlp"`, "env", "OTEL_METRICS_EXPORTER"),
		claudeTelemetry(`"otlp"`, "env", "OTEL_LOGS_EXPORTER"),
		claudeTelemetry(`"http/protobuf"`, "env", "OTEL_EXPORTER_OTLP_PROTOCOL"),
		claudeTelemetry(`"@otlp@"`, "env", "OTEL_EXPORTER_OTLP_ENDPOINT"),
		claudeTelemetry(`"@otlp-headers@"`, "otelHeadersHelper"),
	},
	ReadsFirst:   true,
	Timeout:      10 * time.Second,
	Matches:      listOrRegexp,
	ReplaceEvent: "PostToolUse",
	ReplaceTools: []string{"Bash", "Read", "Grep", "Glob", "WebFetch", "WebSearch", "TaskOutput", "mcp__server__tool"},
	EnvFile:      "CLAUDE_ENV_FILE",
	EnvFiles:     "session-env/*/*.sh",
	Marker:       "CLAUDECODE",
	SessionEnv:   "CLAUDE_CODE_SESSION_ID",
	ShellCommand: claudeScript,
	Reserve:      16.5,
	ReserveEnv:   "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
	Clip:         Clip{Over: 30_000, Keep: 2_200},
	ClipFailed:   Clip{Over: 10_000, Keep: 10_000},
	Decode:       decodeClaude,
}

func claudeTelemetry(value string, path ...string) Member {
	return Member{File: "settings.json", Path: path, Part: Telemetry, Value: value}
}
