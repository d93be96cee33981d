package host

// These have hooks, but none whose answer stands in place of a result, and a
// hook of ours does not rewrite commands.

var qwen = Host{
	Name:      "qwen",
	Title:     "Qwen Code",
	ConfigDir: ".qwen",
	RunOnly:   "0.15.10 and 0.24.4 ignore every answer but an addition to the result",
	Source:    "docs/agents.md",
}

var windsurf = Host{
	Name:      "windsurf",
	Title:     "Windsurf",
	ConfigDir: ".codeium/windsurf",
	RunOnly:   "what a hook after a command prints is shown to the user, not to the model",
	Source:    "https://docs.windsurf.com/windsurf/cascade/hooks",
}

var augment = Host{
	Name:      "augment",
	Title:     "Augment",
	ConfigDir: ".augment",
	RunOnly:   "a hook after a tool can add to its result, not replace it",
	Source:    "https://docs.augmentcode.com/cli/hooks",
}
