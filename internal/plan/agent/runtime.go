package agent

import (
	"path/filepath"
	"strings"
)

// A Runtime is a coding agent as far as models and agents' files go.
type Runtime struct {
	Name   string
	Env    string // the variable that moves its directory
	Sub    string // where that is below what Env names, with slashes; "" is that one
	Home   string // its directory in the user's home, with slashes
	Local  string // its directory in a project
	Agents string // where agents are in these; "": it has none, and its own model does their work
	Models [3]Choice
}

// A Choice is a model and how hard it should think; empty means that the
// runtime is told no model.
type Choice struct {
	Model  string
	Effort string
}

// Claude is the runtime when the settings name none.
const Claude = "claude"

// runtimes hold the models behind opus, sonnet and haiku. Without any, the
// tier's own name is used.
var runtimes = [...]Runtime{
	{Claude, "CLAUDE_CONFIG_DIR", "", ".claude", ".claude", "agents", [3]Choice{{Model: "claude-opus-4-7"}, {Model: "claude-sonnet-4-6"}, {Model: "claude-haiku-4-5"}}},
	{"codex", "CODEX_HOME", "", ".codex", ".codex", "agents", [3]Choice{{"gpt-5.4", "xhigh"}, {"gpt-5.3-codex", "medium"}, {"gpt-5.4-mini", "medium"}}},
	{"gemini", "GEMINI_CLI_HOME", ".gemini", ".gemini", ".gemini", "agents", [3]Choice{{Model: "gemini-3-pro"}, {Model: "gemini-3-flash"}, {Model: "gemini-2.5-flash-lite"}}},
	{"qwen", "", "", ".qwen", ".qwen", "agents", [3]Choice{{Model: "qwen3-max-2026-01-23"}, {Model: "qwen3-coder-plus"}, {Model: "qwen3-coder-next"}}},
	{"opencode", "XDG_CONFIG_HOME", "opencode", ".config/opencode", ".opencode", "agents", [3]Choice{{Model: "anthropic/claude-opus-4-7"}, {Model: "anthropic/claude-sonnet-4-6"}, {Model: "anthropic/claude-haiku-4-5"}}},
	{"hermes", "HERMES_HOME", "", ".hermes", ".hermes", "", [3]Choice{{Model: "anthropic/claude-opus-4-7"}, {Model: "anthropic/claude-sonnet-4-6"}, {Model: "anthropic/claude-haiku-4-5"}}},
	{"copilot", "COPILOT_HOME", "", ".copilot", ".github", "agents", [3]Choice{{Model: "claude-opus-4-7"}, {Model: "claude-sonnet-4-6"}, {Model: "claude-haiku-4-5"}}},
	{"kilo", "XDG_CONFIG_HOME", "kilo", ".config/kilo", ".kilo", "agents", [3]Choice{}},
	{"cline", "CLINE_DIR", "", ".cline", ".cline", "", [3]Choice{}},
	{"cursor", "", "", ".cursor", ".cursor", "agents", [3]Choice{}},
	{"windsurf", "", "", ".codeium/windsurf", ".windsurf", "", [3]Choice{}},
	{"augment", "", "", ".augment", ".augment", "agents", [3]Choice{}},
	{"trae", "", "", ".trae", ".trae", "", [3]Choice{}},
	{"codebuddy", "", "", ".codebuddy", ".codebuddy", "agents", [3]Choice{}},
	{"antigravity", "", "", ".gemini/antigravity", ".agent", "", [3]Choice{}},
}

// findRuntime returns the runtime of that name; "" is Claude.
func findRuntime(name string) (Runtime, bool) {
	if name == "" {
		name = Claude
	}
	for _, r := range runtimes {
		if strings.EqualFold(r.Name, name) {
			return r, true
		}
	}
	return Runtime{}, false
}

// choice returns the model of a tier.
func (r Runtime) choice(tier string) Choice {
	switch tier {
	case "opus":
		return r.Models[0]
	case "sonnet":
		return r.Models[1]
	case "haiku":
		return r.Models[2]
	}
	return Choice{}
}

// agentDirs returns where the runtime looks for agents: in the project, then
// in its own directory.
func (r Runtime) agentDirs(root, home string, getenv func(string) string) []string {
	own := filepath.Join(home, filepath.FromSlash(r.Home))
	if r.Env != "" && getenv(r.Env) != "" {
		own = filepath.Join(getenv(r.Env), filepath.FromSlash(r.Sub))
	}
	return []string{filepath.Join(root, r.Local, r.Agents), filepath.Join(own, r.Agents)}
}
