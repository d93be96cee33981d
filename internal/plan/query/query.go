// Package query answers every call that gsd-tools and `gsd-sdk query` took,
// with their JSON, their plain forms and their exit codes, on top of the one
// model of package plan. Their quirks live here and shape nothing else; where
// the old tool lost data ours does the right thing (docs/query.md lists each
// difference).
//
// Only package cli imports it. There is one file per family of commands, with
// the family's table first.
package query

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/workstream"
)

// Env is what a call may touch of the outside.
type Env struct {
	Dir    string // the working directory
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
}

// command is one row of a family's table.
type command struct {
	name  string // its words, by spaces; other spellings follow a |
	run   func(*call) (result, error)
	needs string // what is said when the first argument is missing; "" when none has to be there
	bare  bool   // works on the working directory itself, not on its project
}

// families are tried in order; tables returns them so that no table is built
// before a call.
func families() [][]command {
	return [][]command{
		phaseCommands, roadmapCommands, requirementsCommands, consistencyCommands,
		configCommands,
		modelCommands,
		configGateCommands,
		textCommands,
		migrateCommands,
		customCommands,
		learningCommands,
		promptCommands,
		skillCommands, intelCommands,
		helpCommands(),
		decisionCommands, driftCommands, checkCommands, gapCommands,
		stateCommands(),
		initCommands(), todoCommands,
		planIndexCommands, commitCommands, workstreamCommands, worktreeCommands,
		frontmatterCommands, verifyDocumentCommands, templateCommands, planDocumentCommands,
		milestoneCommands, healthCommands, auditCommands, digestCommands, progressCommands(),
		absentCommands,
	}
}

// Run answers one call and returns the exit code.
func Run(ctx context.Context, env Env, args []string) int {
	g, args, err := globals(env, args)
	if err == nil && g.help {
		printUsage(env.Stdout)
		return 0
	}
	var res result
	if err == nil {
		res, err = answer(ctx, env, g, args)
	}
	if err == nil {
		err = print(env, g, res)
	}
	if err != nil {
		report(env.Stderr, g, err)
		return 1
	}
	return res.code
}

func answer(ctx context.Context, env Env, g global, args []string) (result, error) {
	if len(args) == 0 {
		return result{}, fail("usage", "%s", usageLine)
	}
	cmd, rest, ok := lookup(args)
	if !ok {
		return result{}, unknown(args)
	}
	w, err := open(env, g, cmd)
	if err != nil {
		return result{}, err
	}
	c := &call{Env: env, Workspace: w, context: ctx, args: rest, deflt: g.deflt}
	if cmd.needs != "" && c.arg(0) == "" {
		return result{}, fail("sdk_missing_arg", "%s", cmd.needs)
	}
	return cmd.run(c)
}

func open(env Env, g global, cmd command) (*plan.Workspace, error) {
	dir := env.Dir
	if g.cwd != "" {
		fi, err := os.Stat(g.cwd)
		if err != nil || !fi.IsDir() {
			return nil, fail("usage", "Invalid --cwd: %s", g.cwd)
		}
		dir = g.cwd
	}
	if cmd.bare {
		return plan.At(dir, g.project, g.stream)
	}
	root, err := plan.FindRoot(dir)
	if err != nil {
		return nil, err
	}
	w, err := plan.At(root, g.project, g.stream)
	if err != nil || g.stream != "" {
		return w, err
	}
	return plan.At(root, g.project, workstream.Current(w, env.Getenv))
}

// report prints an error as the old tool did.
func report(w io.Writer, g global, err error) {
	reason, message := "unknown", err.Error()
	var f *failure
	if errors.As(err, &f) {
		reason, message = f.reason, f.message
	}
	if g.jsonErrors {
		line, _ := marshal(object{{"ok", false}, {"reason", reason}, {"message", message}}, "")
		fmt.Fprintf(w, "%s\n", line)
		return
	}
	if message == usageLine {
		printUsage(w)
		return
	}
	fmt.Fprintf(w, "Error: %s\n", message)
}

// lookup finds the command whose words are the longest beginning of args;
// `state.update` is `state update`.
func lookup(args []string) (cmd command, rest []string, ok bool) {
	first := args[0]
	if noun, verb, dotted := strings.Cut(first, "."); dotted && noun != "" && verb != "" {
		if cmd, rest, ok = match(append([]string{noun, verb}, args[1:]...)); ok {
			return cmd, rest, ok
		}
	}
	return match(args)
}

func match(args []string) (best command, rest []string, ok bool) {
	words := 0
	for _, family := range families() {
		for _, cmd := range family {
			for name := range strings.SplitSeq(cmd.name, "|") {
				n := strings.Count(name, " ") + 1
				if n > words && n <= len(args) && name == strings.Join(args[:n], " ") {
					best, words, ok = cmd, n, true
				}
			}
		}
	}
	return best, args[words:], ok
}

func badSubcommand(noun, names string) error {
	return fail("sdk_unknown_command", "Unknown %s subcommand. Available: %s", noun, names)
}

// noSubcommand is the command of a word for which the older tool listed other
// names than it took.
func noSubcommand(noun, names string) func(*call) (result, error) {
	return func(*call) (result, error) { return result{}, badSubcommand(noun, names) }
}

// unknown says what is wrong with words that are no command: a family's word
// with a wrong subcommand, or no family at all.
func unknown(args []string) error {
	var subs []string
	for _, family := range families() {
		for _, cmd := range family {
			name, _, _ := strings.Cut(cmd.name, "|")
			if noun, sub, ok := strings.Cut(name, " "); ok && noun == args[0] {
				subs = append(subs, sub)
			}
		}
	}
	if len(subs) > 0 {
		return badSubcommand(args[0], strings.Join(subs, ", "))
	}
	if noun, verb, dotted := strings.Cut(args[0], "."); dotted {
		return fail("sdk_unknown_command", "Unknown command: %s (did you mean %q?)", args[0], noun+" "+verb)
	}
	return fail("sdk_unknown_command", "Unknown command: %s", args[0])
}
