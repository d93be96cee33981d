package runtimes

// all is in the order in which a plan looks for installed roles where its
// settings name no runtime. The models of a row are those of its tiers.
var all = [...]*Runtime{
	&Claude,
	&Codex,
	&Gemini,
	&Qwen,
	&OpenCode,
	&Hermes,
	&Copilot,
	&Kilo,
	&Cline,
	&Cursor,
	&Windsurf,
	&Augment,
	&Trae,
	&CodeBuddy,
	&Antigravity,
}

// The rows. Only package host may name one.

var Claude = Runtime{
	Name:         "claude",
	ConfigDirEnv: "CLAUDE_CONFIG_DIR",
	ConfigDir:    ".claude",
	LocalDir:     ".claude",
	Agents:       "agents",
	Transcripts:  []string{"projects"},
	Usage:        []string{"projects"},
	Models:       [3]Choice{{Model: "claude-opus-4-7"}, {Model: "claude-sonnet-4-6"}, {Model: "claude-haiku-4-5"}},
}

var Codex = Runtime{
	Name:         "codex",
	ConfigDirEnv: "CODEX_HOME",
	ConfigDir:    ".codex",
	LocalDir:     ".codex",
	Agents:       "agents",
	Transcripts:  []string{"sessions", "archived_sessions"},
	Usage:        []string{"sessions", "archived_sessions"},
	Models:       [3]Choice{{"gpt-5.4", "xhigh"}, {"gpt-5.3-codex", "medium"}, {"gpt-5.4-mini", "medium"}},
	Effort:       true,
}

var Gemini = Runtime{
	Name:         "gemini",
	ConfigDirEnv: "GEMINI_CLI_HOME",
	ConfigDirSub: ".gemini",
	ConfigDir:    ".gemini",
	LocalDir:     ".gemini",
	Agents:       "agents",
	Usage:        []string{"tmp"},
	Models:       [3]Choice{{Model: "gemini-3-pro"}, {Model: "gemini-3-flash"}, {Model: "gemini-2.5-flash-lite"}},
}

var Qwen = Runtime{
	Name:      "qwen",
	ConfigDir: ".qwen",
	LocalDir:  ".qwen",
	Agents:    "agents",
	Models:    [3]Choice{{Model: "qwen3-max-2026-01-23"}, {Model: "qwen3-coder-plus"}, {Model: "qwen3-coder-next"}},
}

var OpenCode = Runtime{
	Name:         "opencode",
	ConfigDirEnv: "XDG_CONFIG_HOME",
	ConfigDirSub: "opencode",
	ConfigDir:    ".config/opencode",
	LocalDir:     ".opencode",
	Agents:       "agents",
	Usage:        []string{"opencode.db"},
	Data:         &DataDir{Env: "XDG_DATA_HOME", Home: ".local/share", Sub: "opencode"},
	Models:       [3]Choice{{Model: "anthropic/claude-opus-4-7"}, {Model: "anthropic/claude-sonnet-4-6"}, {Model: "anthropic/claude-haiku-4-5"}},
}

var Hermes = Runtime{
	Name:         "hermes",
	ConfigDirEnv: "HERMES_HOME",
	ConfigDir:    ".hermes",
	LocalDir:     ".hermes",
	Models:       [3]Choice{{Model: "anthropic/claude-opus-4-7"}, {Model: "anthropic/claude-sonnet-4-6"}, {Model: "anthropic/claude-haiku-4-5"}},
}

var Copilot = Runtime{
	Name:         "copilot",
	ConfigDirEnv: "COPILOT_HOME",
	ConfigDir:    ".copilot",
	LocalDir:     ".github",
	Usage:        []string{"session-state"},
	Agents:       "agents",
	Models:       [3]Choice{{Model: "claude-opus-4-7"}, {Model: "claude-sonnet-4-6"}, {Model: "claude-haiku-4-5"}},
}

var Kilo = Runtime{
	Name:         "kilo",
	ConfigDirEnv: "XDG_CONFIG_HOME",
	ConfigDirSub: "kilo",
	ConfigDir:    ".config/kilo",
	LocalDir:     ".kilo",
	Agents:       "agents",
}

var Cline = Runtime{
	Name:         "cline",
	ConfigDirEnv: "CLINE_DIR",
	ConfigDir:    ".cline",
	LocalDir:     ".cline",
}

var Cursor = Runtime{
	Name:      "cursor",
	ConfigDir: ".cursor",
	LocalDir:  ".cursor",
	Agents:    "agents",
}

var Windsurf = Runtime{
	Name:      "windsurf",
	ConfigDir: ".codeium/windsurf",
	LocalDir:  ".windsurf",
}

var Augment = Runtime{
	Name:      "augment",
	ConfigDir: ".augment",
	LocalDir:  ".augment",
	Agents:    "agents",
}

var Trae = Runtime{
	Name:      "trae",
	ConfigDir: ".trae",
	LocalDir:  ".trae",
}

var CodeBuddy = Runtime{
	Name:      "codebuddy",
	ConfigDir: ".codebuddy",
	LocalDir:  ".codebuddy",
	Agents:    "agents",
}

var Antigravity = Runtime{
	Name:      "antigravity",
	ConfigDir: ".gemini/config",
	LocalDir:  ".agents",
}
