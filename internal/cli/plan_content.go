package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/host"
	"cairn/internal/install/render"
	"cairn/internal/plan/content"
	"cairn/internal/plan/verb"
)

// contentStyle returns how a coding agent is spoken to.
func contentStyle(env *Env, runtime string) (content.Style, error) {
	h, ok := host.Find(runtime)
	if !ok {
		return content.Style{}, fmt.Errorf("unknown agent %q; known are: %s", runtime, strings.Join(host.Names(), ", "))
	}
	m, err := machine(env)
	if err != nil {
		return content.Style{}, err
	}
	return render.Shown(h, m.Call(m.Target(h))), nil
}

// contentCalls returns every command line of cairn, for the check of what
// prompts call.
func contentCalls(env *Env) []content.Call {
	declared := map[string]*verb.Verb{}
	for _, v := range verb.All() {
		declared["plan "+v.Noun+" "+v.Name] = v
		if v.Noun == "" {
			declared["plan "+v.Name] = v
		}
	}
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
		if v := declared[strings.Join(words, " ")]; v != nil {
			c.Min, c.Max = arguments(v)
		} else if cmd.HasSubCommands() {
			c.Max = 0
		}
		all = append(all, c)
	}
	walk(newRoot(env), nil)
	return all
}

// arguments returns how many arguments a verb needs and takes, -1 for any
// number.
func arguments(v *verb.Verb) (least, most int) {
	for _, a := range v.Args {
		if !a.Optional {
			least++
		}
		if most++; a.Many {
			return least, -1
		}
	}
	return least, most
}
