package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/mcp"
)

// mcpTools are the questions that an agent can ask. What they take and say costs
// each session tokens: a test keeps it small. data says whether answers are
// wanted as data, too.
func mcpTools(env *Env, data bool) []mcp.Tool {
	return append(declaredTools(env), []mcp.Tool{
		{
			Name: "retro", Does: "The repository's last days from git: commits, lines, tests, hotspots, people, agents.",
			Params: []mcp.Param{
				{Name: "days", Kind: mcp.Whole, Does: "default 7"},
				{Name: "path", Kind: mcp.Text, Does: "only this directory"},
			},
			Run: func(_ context.Context, a mcp.Args) (mcp.Answer, error) { return askRetro(env, data, a) },
		},
	}...)
}

// declaredTools are those of the commands that declare one.
func declaredTools(env *Env) (tools []mcp.Tool) {
	all := declared(env)
	paths := command.Link(all)
	for _, c := range all {
		if c.Tool != nil {
			tools = append(tools, mcpTool(env, c, paths))
		}
	}
	return tools
}

// mcpTool makes a tool of a command, which runs once: what it says is both text
// and data.
func mcpTool(env *Env, c *command.Command, paths map[string]*command.Command) mcp.Tool {
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
		quiet := &Env{Stdin: strings.NewReader(""), Stdout: page, Stderr: talk, Getenv: env.Getenv}
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

// said has a verb print into an answer, then what it says beside that.
func said(env *Env, print func(*Env) error) (mcp.Answer, error) {
	page, talk := &mcp.Page{}, &bytes.Buffer{}
	err := print(&Env{Stdin: strings.NewReader(""), Stdout: page, Stderr: talk, Getenv: env.Getenv})
	if err != nil {
		return mcp.Answer{}, err
	}
	_, _ = talk.WriteTo(page) // a page takes everything
	return mcp.Answer{Page: page}, nil
}

// saidTwice is said for a verb that prints JSON by itself.
func saidTwice(env *Env, data bool, print func(env *Env, asJSON bool) error) (mcp.Answer, error) {
	answer, err := said(env, func(env *Env) error { return print(env, false) })
	if err != nil || !data {
		return answer, err
	}
	var object bytes.Buffer
	err = print(&Env{Stdin: strings.NewReader(""), Stdout: &object, Stderr: io.Discard, Getenv: env.Getenv}, true)
	answer.Data = json.RawMessage(object.Bytes())
	return answer, err
}

func askRetro(env *Env, data bool, a mcp.Args) (mcp.Answer, error) {
	days, err := parseDays(fmt.Sprintf("%dd", a.Int("days", 7)))
	if err != nil {
		return mcp.Answer{}, err
	}
	return saidTwice(env, data, func(env *Env, asJSON bool) error {
		return runRetro(env, retroOptions{days: days, path: a.String("path"), timezone: "UTC", json: asJSON})
	})
}
