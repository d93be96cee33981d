package command

import (
	"context"
	"slices"
	"strings"

	"cairn/internal/answer"
)

// A Tool makes a command one of the MCP server, which only reads. What it takes
// and says costs each session tokens.
type Tool struct {
	Name    string         // plan_next
	Does    string         // for the model: what it gets, and when to ask; "" is the command's summary
	Params  []Param        // nil: the command's arguments
	Flags   map[string]any // that the tool sets where the call does not
	Network bool           // may ask the team's server
	// Data is what programs get in place of the answer's data; nil is that itself.
	Data func(*Call, *answer.Answer) any
	// Rest says how to ask for what was cut after so many lines; nil where there is no way.
	Rest func(c *Call, lines int) string
	// Check refuses what a person may do and a tool may not; nil refuses nothing.
	Check func(*Call) error
	// Of finds the command for a call where several share the tool; nil is the one that
	// declares it.
	Of func(all map[string]*Command, params map[string]any) *Command
}

// A Param is an argument or a flag, as a tool has it.
type Param struct {
	Name     string // as the model calls it
	Of       string // the argument or flag; "" is the one with that name, an argument's in capitals
	Does     string // for the model; "" where the name says it
	OneOf    []string
	Required bool
}

// ToolParams returns what a command's tool takes, and the default of the flag that
// each sets; nil is that of an argument.
func (c *Command) ToolParams() (params []Param, defaults []any) {
	params = slices.Clone(c.Tool.Params)
	if params == nil {
		for _, a := range c.Args {
			params = append(params, Param{Name: strings.ToLower(a.Name), Does: a.Help, OneOf: a.OneOf, Required: !a.Optional})
		}
	}
	for i, p := range params {
		var def any
		if at := c.argument(p); at < 0 {
			if f := c.flag(p.flag()); f != nil {
				def, params[i].OneOf = f.Default, append(p.OneOf, f.OneOf...)
			}
		}
		defaults = append(defaults, def)
	}
	return params, defaults
}

func (p Param) flag() string {
	if p.Of != "" {
		return p.Of
	}
	return p.Name
}

// argument is which positional argument a parameter is, -1 for none.
func (c *Command) argument(p Param) int {
	return slices.IndexFunc(c.Args, func(a Arg) bool { return a.Name == p.Of || p.Of == "" && a.Name == strings.ToUpper(p.Name) })
}

// ToolCall makes a call of a command from the parameters of its tool.
func (c *Command) ToolCall(ctx context.Context, env *Env, tool *Tool, given map[string]any) *Call {
	var args []string
	flags := map[string]any{}
	for name, v := range tool.Flags {
		flags[name] = v
	}
	if c.Effect == Writes { // a gate that keeps what it found, say
		flags["dry-run"] = true
	}
	params := tool.Params
	if params == nil {
		params, _ = c.ToolParams()
	}
	for _, p := range params {
		v, ok := given[p.Name]
		if !ok {
			continue
		}
		if at := c.argument(p); at >= 0 {
			for len(args) <= at {
				args = append(args, "")
			}
			args[at] = v.(string)
		} else if c.flag(p.flag()) != nil {
			flags[p.flag()] = v
		}
	}
	return NewCall(ctx, env, c, args, flags)
}

// Do checks a call and makes it.
func (c *Command) Do(call *Call) (*answer.Answer, error) {
	if err := c.checkArgs(call.args); err != nil {
		return nil, Usage(err)
	}
	if err := c.checkFlags(call); err != nil {
		return nil, Usage(err)
	}
	a, err := c.answer(call)
	if a == nil {
		a = &answer.Answer{}
	}
	return a, err
}
