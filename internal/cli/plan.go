package cli

import (
	"context"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/install"
	"cairn/internal/install/installcmd"
	"cairn/internal/install/render"
	"cairn/internal/plan/content"
	"cairn/internal/plan/plancmd"
	"cairn/internal/plan/query"
)

// planCommands are plan and all below it.
func planCommands(env *Env) []*command.Command {
	return append(plancmd.Commands(plancmd.Prompts{Style: contentStyle, Calls: func() []content.Call { return contentCalls(env) }}), planQuery())
}

func planQuery() *command.Command {
	return &command.Command{
		Path:  "plan query",
		Args:  []command.Arg{{Name: "COMMAND"}, {Name: "ARG", Optional: true, Many: true}},
		Short: "Answer the calls of gsd-tools and gsd-sdk query, as they did",
		Long: "Takes what gsd-tools and gsd-sdk query took, prints the same JSON and ends with\n" +
			"the same exit codes: 0 ok, 1 error. docs/query.md lists what is different on\n" +
			"purpose. An install of that tool works with a wrapper by its name:\n\n" +
			"  #!/bin/sh\n  exec cairn plan query \"$@\"",
		Examples: []string{"cairn plan query find-phase 2 --pick directory", "cairn plan query state.load --raw"},
		Raw:      true, Text: true,
		Run: func(c *command.Call) (*answer.Answer, error) { return nil, runPlanQuery(c.Env, c.Args()) },
	}
}

func runPlanQuery(env *Env, args []string) error {
	debug.SetGCPercent(400) // one answer, then the process ends: nothing is worth collecting below 16 MB
	dir, err := env.Wd()
	if err != nil {
		return err
	}
	code := query.Run(context.Background(), query.Env{
		Dir: dir, Stdin: env.Stdin, Stdout: env.Stdout, Stderr: env.Stderr, Getenv: env.Getenv,
	}, args)
	if code != 0 {
		return command.Status(code)
	}
	return nil
}

// contentStyle returns how a coding agent is spoken to.
func contentStyle(env *Env, runtime string) (content.Style, error) {
	h, err := installcmd.FindHost(runtime)
	if err != nil {
		return content.Style{}, err
	}
	m, err := install.ThisMachine(env.Getenv)
	if err != nil {
		return content.Style{}, err
	}
	return render.Shown(h, m.Call(m.Target(h))), nil
}

// contentCalls returns every command line of cairn, for the check of what
// prompts call.
func contentCalls(env *Env) []content.Call {
	declared := command.Link(declared(env))
	var all []content.Call
	var walk func(cmd *cobra.Command, words []string)
	walk = func(cmd *cobra.Command, words []string) {
		for _, sub := range cmd.Commands() {
			walk(sub, append(words[:len(words):len(words)], sub.Name()))
		}
		if len(words) == 0 || cmd.HasSubCommands() && !cmd.Runnable() {
			return
		}
		c := content.Call{Words: words, Max: -1, Flags: map[string]bool{"-h": false, "--help": false}}
		add := func(f *pflag.Flag) {
			takes := f.NoOptDefVal == ""
			c.Flags["--"+f.Name] = takes
			if f.Shorthand != "" {
				c.Flags["-"+f.Shorthand] = takes
			}
		}
		cmd.Flags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		if d := declared[strings.Join(words, " ")]; d != nil && d.Run != nil {
			c.Min, c.Max = d.Takes()
		} else if cmd.HasSubCommands() {
			c.Max = 0
		}
		all = append(all, c)
	}
	walk(newRoot(env), nil)
	return all
}
