// Package mcpcmd declares `cairn mcp`, and makes the tools of the server out of the
// commands that declare one.
//
// Only package cli imports it. The protocol belongs to mcp.
package mcpcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"cairn/internal/answer"
	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/mcp"
	"cairn/internal/plan"
	"cairn/internal/plan/workstream"
	"cairn/internal/version"
)

const long = `Serves the Model Context Protocol on stdin and stdout, for an agent to start:
the plan, its progress and gates, runs of evals compared, what the team did,
and raw outputs behind compacted ones. Every tool only reads. It works in the
directory that the agent names, or else in the one it was started in, and ends
with stdin.

Answers are text. With --json they carry the same as data, too, for programs:
Claude Code and Codex would show their model that instead, at two to three
times the tokens.`

// Commands lists mcp. Its tools are those that the commands of all declare.
func Commands(all func(*command.Env) []*command.Command) []*command.Command {
	return []*command.Command{{
		Path: "mcp", Short: "Answer a coding agent's questions as an MCP server", Long: long,
		Examples: []string{"claude mcp add cairn -- cairn mcp", "codex mcp add cairn -- cairn mcp"},
		Effect:   command.Reads, Text: true,
		Flags: []command.Flag{{Name: "json", Default: false, Help: "send the data of answers, too (structuredContent)"}},
		Run:   func(c *command.Call) (*answer.Answer, error) { return nil, serve(c.Env, all(c.Env), c.Bool("json")) },
	}}
}

func serve(env *command.Env, all []*command.Command, data bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // an agent that is gone ends us by the end of stdin
	if env.Stdout == os.Stdout {
		defer func(f *os.File) { os.Stdout = f }(os.Stdout)
		os.Stdout = os.Stderr // whatever prints there is not the protocol
	}
	server := &mcp.Server{
		Version:      strings.Fields(version.Full())[0],
		Instructions: "What cairn knows of this project: its plan, results of evals, the team, and raw outputs behind [cairn: …] lines. To change any of it run cairn in a shell.",
		Tools:        Tools(env, all),
		Data:         data,
		Documents:    func() []mcp.Document { return documents(env) },
		Enter:        os.Chdir,
		Log:          env.Stderr,
	}
	return server.Serve(ctx, env.Stdin, env.Stdout)
}

// documents are the documents of the plan that there are.
func documents(env *command.Env) (list []mcp.Document) {
	w, err := plan.Open(env.Path("."), "")
	if err == nil {
		w, err = plan.Open(env.Path("."), workstream.Current(w, env.Getenv))
	}
	if err != nil || !w.Exists() {
		return nil
	}
	for _, name := range []string{"PROJECT.md", "REQUIREMENTS.md", "ROADMAP.md", "STATE.md"} {
		file := w.Path(name)
		if name == "PROJECT.md" { // of all workstreams
			file = w.Shared(name)
		}
		if !env.IsFile(file) || !env.IsRegular(file) {
			continue
		}
		list = append(list, mcp.Document{
			URI: "cairn://plan/" + name, Name: plan.Planning + "/" + name, Kind: "text/markdown",
			Read: func() ([]byte, error) {
				data, err := atomicfile.ReadRegular(file, 1<<20)
				if err != nil {
					return nil, fmt.Errorf("%s/%s cannot be read: %w", plan.Planning, filepath.Base(file), errors.Unwrap(err))
				}
				return data, nil
			},
		})
	}
	return list
}
