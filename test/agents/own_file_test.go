//go:build agents

package agents

import (
	"regexp"
	"testing"
)

// Agents that take a file of ours beside the user's settings.

var opencodeAgent = agent{
	name: "opencode", title: "OpenCode 1.18.33", settings: ".config/opencode/plugins/cairn.js", document: "opencode.md",
	servers: []string{"--settings", `{"mcp": {"demo": {"type": "local", "command": ["node", "$H/mcp-demo.mjs"], "enabled": true}}}`},
	noKill:  true, previews: true,
	// OpenCode loses the end of what a command writes just before it exits,
	// now and then, with us and without.
	shell: func(command string) call {
		return tool("bash", map[string]any{"command": "trap 'sleep 0.5' EXIT; " + command, "description": "a step"})
	},
	mcp: func(name string, input map[string]any) call { return tool("demo_"+name, input) },
	// The model is not told the exit code, only of a timeout.
	exit: regexp.MustCompile(`(?m)^shell tool terminated command.*`),
	more: []scenario{
		row("`git diff`", tool("bash", map[string]any{"command": "git diff", "description": "x"}).cut("diff --git a/source.go b/source.go", "-\treturn \"before\"", "+\treturn \"after\"")),
		row("a command that is stopped", tool("bash", map[string]any{"command": "make ok; sleep 30", "description": "x", "timeout": 3000}).cut("build complete", "<shell_metadata>")),
		row("read of a lock file", tool("read", map[string]any{"filePath": "$CWD/package-lock.json"}).holds("node_modules/part-1", "lines …]", "</content>")),
		row("a part of a lock file", tool("read", map[string]any{"filePath": "$CWD/package-lock.json", "offset": 1500, "limit": 100})),
		row("read of a source file", tool("read", map[string]any{"filePath": "$CWD/source.go"})),
		row("read of a file that is not there", tool("read", map[string]any{"filePath": "$CWD/none.go"})),
		row("grep", tool("grep", map[string]any{"pattern": "return"}).cut("Found 100 matches", "source.go ×100", "(Results truncated.")),
		row("edit beyond the cut", tool("edit", map[string]any{"filePath": "$CWD/package-lock.json", "oldString": `"9.9.9"`, "newString": `"9.9.10"`})),
	},
	changing: []*regexp.Regexp{regexp.MustCompile(`tool-output/tool_\w+`)},
}

var copilotAgent = agent{
	name: "copilot", title: "Copilot CLI 1.0.102", settings: ".copilot/hooks/cairn.json", document: "copilot.md",
	servers:  []string{"--args", `["--allow-all-paths", "--additional-mcp-config", "{\"mcpServers\": {\"demo\": {\"type\": \"local\", \"command\": \"node\", \"args\": [\"$H/mcp-demo.mjs\"], \"tools\": [\"*\"]}}}"]`},
	previews: true,
	noKill:   true,
	shell: func(command string) call {
		return tool("bash", map[string]any{"command": command, "description": "a step", "mode": "sync", "initial_wait": 120})
	},
	mcp:  func(name string, input map[string]any) call { return tool("demo-"+name, input) },
	exit: regexp.MustCompile(`completed with exit code \d+>$`),
	more: []scenario{
		row("`git diff`", tool("bash", map[string]any{"command": "git diff", "description": "x"}).cut("diff --git a/source.go b/source.go", "-\treturn \"before\"", "+\treturn \"after\"")),
		row("view of a lock file's part", tool("view", map[string]any{"path": "$CWD/package-lock.json", "view_range": []int{1500, 1600}})),
		row("view of a source file", tool("view", map[string]any{"path": "$CWD/source.go"})),
		row("view of a file that is not there", tool("view", map[string]any{"path": "$CWD/none.go"})),
		row("grep", tool("grep", map[string]any{"pattern": "return", "output_mode": "content"})),
	},
	changing: []*regexp.Regexp{regexp.MustCompile(`/\d+-copilot-tool-output-[-\w]+`), regexp.MustCompile(`shellId: \d+`)},
}

func TestOpenCode(t *testing.T) { opencodeAgent.prove(t) }
func TestCopilot(t *testing.T)  { copilotAgent.prove(t) }
