// Package cli is the command line: it puts the commands of the domains together, and
// has what is of none: streams, exit codes, help, completion, and the short ways of
// hook, shell-exit, plan query and eval cache read.
//
// It may import every package of ours and nothing imports it but main.
package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/child"
	"cairn/internal/command"
	"cairn/internal/compact/compactcmd"
	"cairn/internal/config/configcmd"
	"cairn/internal/install/installcmd"
	"cairn/internal/mcp/mcpcmd"
	"cairn/internal/plan/plancmd"
	"cairn/internal/team/dashboardcmd"
	"cairn/internal/team/evalcmd"
	"cairn/internal/team/gstackcmd"
	"cairn/internal/team/retrocmd"
	"cairn/internal/team/servecmd"
	"cairn/internal/team/spendcmd"
	"cairn/internal/team/synccmd"
	"cairn/internal/team/teamcmd"
	"cairn/internal/team/upcmd"
	"cairn/internal/version"
)

// Main runs the command line args, args[0] being the program, and returns the
// exit code.
func Main(args []string) int {
	env := osEnv()
	if code, ok := runForAgent(env, args[1:]); ok {
		return code
	}
	root := newRootFor(env, args[1:])
	if completes(args[1:]) {
		command.Complete(env, root, declared(env))
	}
	root.SetArgs(args[1:])
	return exitCode(env, root.Execute())
}

// runForAgent answers the verbs that agents and runners of evals call many times
// a minute, and what they start, before the command tree is built; package early has
// answered an agent's hooks already. Their help still comes from the tree.
func runForAgent(env *Env, args []string) (code int, ok bool) {
	switch {
	case len(args) >= 2 && args[0] == "shim" && args[1] != "-h" && args[1] != "--help":
		return exitCode(env, runShim(args[1:])), true
	case len(args) >= 2 && args[0] == "plan" && args[1] == "query":
		return exitCode(env, runPlanQuery(env, args[2:])), true
	case len(args) >= 2 && args[0] == "eval" && args[1] == "cache":
		if suite, key, envelope, ok := plainCacheRead(args[2:]); ok {
			return exitCode(env, evalcmd.ReadCached(env, suite, key, envelope)), true
		}
	case len(args) == 1 && args[0] == child.CopyWord:
		child.Copy()
		return command.ExitOK, true
	}
	return 0, false
}

// plainCacheRead recognizes the plain form of eval cache read, that of scripts: a
// runner calls it once for every case.
func plainCacheRead(args []string) (suite, key string, envelope, ok bool) {
	if len(args) < 3 || args[0] != "read" || strings.HasPrefix(args[1], "-") || strings.HasPrefix(args[2], "-") {
		return "", "", false, false
	}
	envelope = len(args) == 4 && args[3] == "--envelope"
	return args[1], args[2], envelope, len(args) == 3 || envelope
}

// A family is the commands of a domain, and the words they begin with: a call makes
// the families of its first word alone.
type family struct {
	words    []string
	commands func() []*command.Command
}

func families(env *Env) []family {
	return []family{
		{[]string{"completion", "hook", "shell-exit", "shim"}, func() []*command.Command {
			return []*command.Command{completion(), hookCommand(), shellExitCommand(), shimCommand()}
		}},
		{[]string{"plan"}, func() []*command.Command { return planCommands(env) }},
		{[]string{"run", "compact"}, compactcmd.Commands},
		{[]string{"install", "uninstall", "update", "doctor", "version", "compact"}, installcmd.Commands},
		{[]string{"config", "trust"}, configcmd.Commands},
		{[]string{"eval"}, evalcmd.Commands},
		{[]string{"retro"}, retrocmd.Commands},
		{[]string{"sync"}, func() []*command.Command { return synccmd.Commands(retrocmd.Week) }},
		{[]string{"team"}, teamcmd.Commands},
		{[]string{"serve"}, servecmd.Commands},
		{[]string{"spend"}, spendcmd.Commands},
		{[]string{"up", "down"}, upcmd.Commands},
		{[]string{"dashboard"}, dashboardcmd.Commands},
		{[]string{"migrate"}, func() []*command.Command {
			return append(gstackcmd.Commands(), plancmd.Migrate())
		}},
		{[]string{"mcp"}, func() []*command.Command { return mcpcmd.Commands(declared) }},
	}
}

// declared are the commands of the domains, of which more than the command line
// is made.
func declared(env *Env) (all []*command.Command) {
	for _, f := range families(env) {
		all = append(all, f.commands()...)
	}
	return all
}

// Commands is the whole tree, for what makes pages of it.
func Commands() *cobra.Command { return newRoot(osEnv()) }

// newRootFor makes as much of the command tree as args can reach.
func newRootFor(env *Env, args []string) *cobra.Command {
	if len(args) < 2 {
		return newRoot(env)
	}
	var own []*command.Command
	for _, f := range families(env) {
		if slices.Contains(f.words, args[0]) {
			own = append(own, f.commands()...)
		}
	}
	if own == nil {
		return newRoot(env)
	}
	root := bareRoot(env)
	command.Tree(env, root, command.Reachable(own, args))
	return root
}

// newRoot lists the verbs in the order a newcomer should read them.
func newRoot(env *Env) *cobra.Command {
	root := bareRoot(env)
	command.Tree(env, root, declared(env))
	root.SetHelpCommand(newHelp(env))
	group(root)
	return root
}

// groups are the parts of help's first page.
var groups = [...]struct{ id, title, verbs string }{
	{"begin", "Begin:", "up down install doctor update uninstall"},
	{"work", "Work with an agent:", "run compact plan mcp"},
	{"evals", "Evals:", "eval"},
	{"team", "Team:", "dashboard spend retro sync team serve"},
	{"more", "More:", "config trust migrate completion version help"},
}

func group(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range root.Commands() {
			if slices.Contains(strings.Fields(g.verbs), c.Name()) {
				c.GroupID = g.id
			}
		}
	}
	root.SetHelpCommandGroupID("more")
}

func bareRoot(env *Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "cairn",
		Short: "Keep agents' context small, the plan on disk and evals honest",
		Long: "One binary for teams that build with coding agents: smaller tool output, plans\n" +
			"that survive, evals you can trust.\n\n" + exitHelp() +
			"\n\nSee cairn help topics for exit codes, environment variables and file formats.",
		Example:       "  cairn up\n  cairn run -- go test ./...\n  cairn install claude && cairn doctor",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          command.KnownCommand,
	}
	root.Flags().BoolP("version", "v", false, "print the version, the commit and the Go release")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if shown, _ := cmd.Flags().GetBool("version"); shown {
			_, err := fmt.Fprintln(env.Stdout, "cairn "+version.Full())
			return err
		}
		return cmd.Help()
	}
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetIn(env.Stdin)
	root.SetFlagErrorFunc(command.FlagError)
	return root
}
