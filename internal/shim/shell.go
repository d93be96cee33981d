// Package shim compacts the output of a tool that an agent's shell starts,
// where no hook can replace it afterwards: the result of a failed command.
//
// A block of shell functions, one for each noisy tool, puts `cairn shim TOOL`
// in front of the tool. The text of the command, and with it permissions, cd,
// pipes and history, stays as the agent wrote it. hook writes the block and
// the notes on calls; cli runs the shim. What is cut belongs to compact, how a
// tool is run to child.
package shim

import (
	_ "embed"
	"fmt"
	"os"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A Shell is the agent's shell, as far as we prepare it. A nil one does
// nothing.
type Shell struct {
	EnvFile string    // sourced before every command of the session; "" when the host has none
	Binary  string    // our own, absolute
	Tools   []string  // names that get a function
	Home    home.Home // the notes are under it
}

//go:embed block.sh
var block string

// The block stands between these lines, so that it can be found and replaced.
const (
	blockBegin = "# >>> cairn >>>"
	blockEnd   = "# <<< cairn <<<"
)

// WriteBlock puts the functions into the file that the host sources before
// every command. A session that is resumed or cleared gets no second block.
func (s *Shell) WriteBlock() error {
	if s == nil || s.EnvFile == "" || len(s.Tools) == 0 {
		return nil
	}
	old, err := os.ReadFile(s.EnvFile)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	text, ok := replaceBlock(string(old), s.block())
	if !ok {
		return fmt.Errorf("%s: the block of cairn has no end", s.EnvFile)
	}
	if text == string(old) {
		return nil
	}
	return atomicfile.WriteFile(s.EnvFile, []byte(text), home.PrivateFile)
}

func (s *Shell) block() string {
	var tools []string
	for _, t := range s.Tools {
		if isToolName(t) {
			tools = append(tools, t)
		}
	}
	return strings.NewReplacer(
		"@BIN@", quote(s.Binary), "@DIR@", quote(string(s.Home)), "@TOOLS@", strings.Join(tools, " "),
	).Replace(block)
}

// replaceBlock returns text with its block replaced, or the block appended.
func replaceBlock(text, block string) (string, bool) {
	begin := strings.Index(text, blockBegin)
	if begin < 0 {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return text + block, true
	}
	end := strings.Index(text[begin:], blockEnd)
	if end < 0 {
		return text, false
	}
	rest := text[begin+end+len(blockEnd):]
	return text[:begin] + strings.TrimSuffix(block, "\n") + rest, true
}

// isToolName keeps shell syntax out of the block: a name comes from settings.
func isToolName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-/") == ""
}

// quote makes s one word for a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// DefaultTools are the tools that get a function: those whose output is long
// when they fail. An interpreter such as python or node is not one: what it
// prints is its program's affair.
var DefaultTools = []string{
	"go", "npm", "npx", "pnpm", "yarn", "pytest", "cargo", "jest", "vitest", "tsc", "eslint", "make",
	"mix", "mvn", "gradle", "./gradlew", "docker", "pip", "bundle", "rspec", "terraform",
	"timeout", "env", "nice", "uv", "poetry",
}
