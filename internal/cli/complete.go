package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/command"
	"cairn/internal/team/dashboard"
	"cairn/internal/team/runs"
)

// An offer is what a shell offers as values. It looks at files of this machine only,
// and finds nothing when anything goes wrong: who presses Tab is not told of it.
type offer func(env *Env) []string

// argValues are the sources of the arguments of commands, in order; the last is
// also for those that follow. Agents, settings' keys and phases are offered by
// their commands.
func argValues() []argValue {
	return []argValue{
		{"dashboard show", []offer{views}},
	}
}

type argValue struct {
	path    string
	sources []offer
}

// flagValues are the sources of flags by their name, below the verb that path
// begins with.
func flagValues() []flagValue {
	return []flagValue{
		{"dashboard", "branch", ofRuns(runs.Branches)},
		{"dashboard", "repo", ofRuns(runs.Repositories)},
		{"", "since", oneOf("24h", "7d", "30d", "90d", "all")},
	}
}

type flagValue struct {
	path, flag string
	values     offer
}

// completes reports whether a shell asks what could follow.
func completes(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// addValues gives the commands their sources. Only a shell that asks needs them.
func addValues(env *Env, root *cobra.Command) {
	quiet := *env
	quiet.Stderr = io.Discard
	args, flags := argValues(), flagValues()
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		for _, a := range args {
			if a.path == path {
				cmd.ValidArgsFunction = completeArgs(&quiet, a.sources)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			for _, v := range flags {
				if v.flag == f.Name && strings.HasPrefix(path+" ", strings.TrimLeft(v.path+" ", " ")) && f.Value.Type() != "bool" {
					_ = cmd.RegisterFlagCompletionFunc(f.Name, completeFlag(&quiet, v.values))
				}
			}
		})
		for _, c := range cmd.Commands() {
			walk(c, strings.TrimSpace(path+" "+c.Name()))
		}
	}
	walk(root, "")
	command.Complete(env, root, declared(env))
}

// completeArgs offers values of the argument that is being typed. A file is
// offered too by the shell itself, if no value fits.
func completeArgs(env *Env, sources []offer) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(sources) {
			return nil, cobra.ShellCompDirectiveDefault
		}
		if sources[len(args)] == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return sources[len(args)](env), cobra.ShellCompDirectiveDefault
	}
}

func completeFlag(env *Env, values offer) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values(env), cobra.ShellCompDirectiveNoFileComp
	}
}

func ofRuns(values command.Offer) offer {
	return func(env *Env) []string { return values(&command.Call{Env: env}) }
}

func oneOf(list ...string) offer { return func(*Env) []string { return list } }

func views(*Env) []string { return dashboard.Views() }
