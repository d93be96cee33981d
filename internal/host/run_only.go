package host

import (
	"time"

	"cairn/internal/runtimes"
)

// These have no hooks, or none whose answer stands in place of a result, and a
// hook of ours does not rewrite commands. Commands and agents they all take.

var qwen = Host{
	Runtime: &runtimes.Qwen,
	Title:   "Qwen Code",
	Prompts: &qwenPrompts,
	RunOnly: "0.15.10 and 0.24.4 ignore every answer but an addition to the result",
	Source:  "docs/agents.md",

	Settings:        "settings.json",
	Shape:           Shape{Unit: time.Millisecond},
	ProjectSettings: []string{".qwen/settings.json"},
	OffSwitch:       "disableAllHooks=true",
	Hooks: []Hook{ // of which tools a matcher speaks is not known: all
		{Event: "SessionStart", Part: Plan},
		{Event: "PostToolUse", Part: Plan},
	},
	AdviseLate: true,
	ReadsFirst: true, // edit takes the text that it changes from the file
	Timeout:    10 * time.Second,
	Matches:    anyOrRegexp,
	Decode:     decodeQwen,
}

var windsurf = Host{
	Runtime: &runtimes.Windsurf,
	Title:   "Windsurf",
	Prompts: &windsurfPrompts,
	RunOnly: "what a hook after a command prints is shown to the user, not to the model",
	Source:  "https://docs.windsurf.com/windsurf/cascade/hooks",
}

var augment = Host{
	Runtime: &runtimes.Augment,
	Title:   "Augment",
	Prompts: &augmentPrompts,
	RunOnly: "a hook after a tool can add to its result, not replace it",
	Source:  "https://docs.augmentcode.com/cli/hooks",
}

var antigravity = Host{
	Runtime: &runtimes.Antigravity,
	Title:   "Antigravity",
	Prompts: &antigravityPrompts,
	RunOnly: "its documentation names no answer of a hook that stands in place of a result",
	Source:  "https://antigravity.google/docs/hooks",
}

var trae = Host{
	Runtime: &runtimes.Trae,
	Title:   "Trae",
	Prompts: &traePrompts,
	RunOnly: "only its enterprise edition has hooks, and those call a web server",
	Source:  "https://docs.trae.cn/enterprise_automate-actions-with-hooks.md",
}

var hermes = Host{
	Runtime: &runtimes.Hermes,
	Title:   "Hermes Agent",
	Prompts: &hermesPrompts,
	RunOnly: "only a plugin in Python can replace a result, and cairn has none",
	Source:  "https://hermes-agent.nousresearch.com/docs/user-guide/features/hooks",
}

var codebuddy = Host{
	Runtime: &runtimes.CodeBuddy,
	Title:   "CodeBuddy Code",
	Prompts: &codebuddyPrompts,
	RunOnly: "its documentation names no answer of a hook that stands in place of a result",
	Source:  "https://www.codebuddy.ai/docs/cli/hooks",
}
