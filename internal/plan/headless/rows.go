package headless

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// CLI is a coding agent's command line that works without a person in front of it: the
// prompt on standard input, one answer on standard output.
type CLI struct {
	Name string
	Args func(Grant) []string
	// Read returns the last message and the dollars that the agent says it cost; nil when
	// it does not say.
	Read func(out []byte) (text string, usd *float64, failed bool)
}

// Grant is what one agent is given to work with.
type Grant struct {
	Model string
	Free  []string // our calls: cairn plan task
	Allow []string // what a person allows besides, as the agent names it
	Repo  []string // where git keeps what belongs to its tree, and the repository
}

// CLIs returns those that are known.
func CLIs() []CLI {
	return []CLI{
		{Name: "claude", Args: claudeArgs, Read: readClaude},
		{Name: "codex", Args: codexArgs, Read: readCodex},
	}
}

// Find returns the command line of a name.
func Find(name string) (CLI, bool) {
	for _, c := range CLIs() {
		if c.Name == name {
			return c, true
		}
	}
	return CLI{}, false
}

func claudeArgs(g Grant) []string {
	args := []string{"-p", "--output-format", "json", "--permission-mode", "acceptEdits"}
	if g.Model != "" && g.Model != "inherit" {
		args = append(args, "--model", g.Model)
	}
	var allow []string
	for _, call := range g.Free {
		allow = append(allow, "Bash("+call+":*)")
	}
	return append(args, "--allowedTools", strings.Join(append(allow, g.Allow...), ","))
}

func readClaude(out []byte) (string, *float64, bool) {
	var r struct {
		Result  string   `json:"result"`
		USD     *float64 `json:"total_cost_usd"`
		IsError bool     `json:"is_error"`
	}
	answer := bytes.TrimSpace(out)
	if json.Unmarshal(answer, &r) != nil { // something was printed before it
		answer = answer[bytes.LastIndexByte(answer, '\n')+1:]
		if json.Unmarshal(answer, &r) != nil {
			return string(out), nil, true
		}
	}
	return r.Result, r.USD, r.IsError
}

// codex asks nobody with exec; what it may write is what its sandbox allows. That keeps
// .git from being written, and where a worktree has its own part of it, so that nothing
// could be committed: both are allowed.
func codexArgs(g Grant) []string {
	args := []string{"exec", "--json", "--sandbox", "workspace-write"}
	if g.Model != "" && g.Model != "inherit" {
		args = append(args, "--model", g.Model)
	}
	for _, dir := range slices.Concat(g.Repo, g.Allow) {
		args = append(args, "--add-dir", dir)
	}
	return append(args, "-")
}

// readCodex reads the events of --json: the last message of the agent. Codex names tokens
// and no price.
func readCodex(out []byte) (text string, _ *float64, failed bool) {
	failed = true
	for line := range strings.Lines(string(out)) {
		var e struct {
			Type string `json:"type"`
			Item struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"item"`
		}
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		switch {
		case e.Type == "item.completed" && e.Item.Type == "agent_message":
			text = e.Item.Text
		case e.Type == "turn.completed":
			failed = false
		case e.Type == "turn.failed" || e.Type == "error":
			failed = true
		}
	}
	return text, nil, failed
}
