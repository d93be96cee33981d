package mcpcmd

import (
	"bytes"
	"context"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/mcp"
)

// Tools are the questions that an agent can ask: those of the commands that
// declare one. What they take and say costs each session tokens: a test keeps it
// small.
func Tools(env *command.Env, all []*command.Command) (tools []mcp.Tool) {
	paths := command.Link(all)
	for _, c := range all {
		if c.Tool != nil {
			tools = append(tools, toolOf(env, c, paths))
		}
	}
	return tools
}

// toolOf makes a tool of a command, which runs once: what it says is both text
// and data.
func toolOf(env *command.Env, c *command.Command, paths map[string]*command.Command) mcp.Tool {
	tool := mcp.Tool{Name: c.Tool.Name, Does: c.Tool.Does, Network: c.Tool.Network}
	if tool.Does == "" {
		tool.Does = c.Short
	}
	params, defaults := c.ToolParams()
	for i, p := range params {
		kind := mcp.Text
		switch defaults[i].(type) {
		case bool:
			kind = mcp.Flag
		case int:
			kind = mcp.Whole
		}
		tool.Params = append(tool.Params, mcp.Param{Name: p.Name, Kind: kind, Does: p.Does, OneOf: p.OneOf, Required: p.Required})
	}
	tool.Run = func(ctx context.Context, args mcp.Args) (mcp.Answer, error) {
		page, talk := &mcp.Page{}, &bytes.Buffer{}
		of := c
		if c.Tool.Of != nil {
			of = c.Tool.Of(paths, args)
		}
		quiet := &command.Env{Stdin: strings.NewReader(""), Stdout: page, Stderr: talk, Getenv: env.Getenv}
		call := of.ToolCall(ctx, quiet, c.Tool, args)
		if c.Tool.Check != nil {
			if err := c.Tool.Check(call); err != nil {
				return mcp.Answer{}, err
			}
		}
		a, err := of.Do(call)
		if err != nil {
			return mcp.Answer{}, err
		}
		a.Diff = nil // of a rehearsal: nothing is changed here
		if err := a.Print(page, talk, answer.Form{}, false); err != nil {
			return mcp.Answer{}, err
		}
		_, _ = talk.WriteTo(page) // a page takes everything
		out := mcp.Answer{Page: page, Data: a.Data}
		if c.Tool.Data != nil {
			out.Data = c.Tool.Data(call, a)
		}
		if c.Tool.Rest != nil {
			out.Rest = func(lines int) string { return c.Tool.Rest(call, lines) }
		}
		return out, nil
	}
	return tool
}
