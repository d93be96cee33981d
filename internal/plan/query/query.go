// Package query answers every call that gsd-tools and `gsd-sdk query` took,
// with their JSON, their plain forms and their exit codes, on top of the one
// model of package plan. Their quirks live here and shape nothing else; where
// the old tool lost data ours does the right thing (docs/query.md lists each
// difference).
//
// Only package cli imports it. Every command is a row of one table; a row's
// function makes the answer, and one place prints it.
package query

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/workstream"
	"cairn/internal/text"
)

// Env is what a call may touch of the outside.
type Env struct {
	Dir    string // the working directory
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
}

// Run answers one call and returns the exit code.
func Run(ctx context.Context, env Env, args []string) int {
	g := global{jsonErrors: env.Getenv("GSD_JSON_ERRORS") == "1", stream: env.Getenv("GSD_WORKSTREAM"), project: env.Getenv("GSD_PROJECT")}
	var res result
	err := must.Catch(func() {
		if args = g.parse(args); g.help {
			printUsage(env.Stdout)
			return
		}
		err := must.Catch(func() { res = answer(ctx, env, g, args) })
		if early := new(answered); errors.As(err, early) {
			res, err = early.result, nil
		}
		must.OK(err)
		print(env, g, res)
	})
	if err != nil {
		report(env.Stderr, g, err)
		return 1
	}
	return res.code
}

func answer(ctx context.Context, env Env, g global, args []string) result {
	require(len(args) > 0, "usage", "%s", usageLine)
	cmd, rest := lookup(args)
	if cmd == nil {
		must.OK(unknown(table, args))
	}
	name, _, _ := strings.Cut(cmd.name, "|")
	c := &call{Env: env, Workspace: open(env, g, cmd), context: ctx, table: table, name: name, args: rest, deflt: g.deflt}
	c.parse(cmd.takes)
	if cmd.needs != "" && c.arg(0) == "" {
		refuse(either(strings.HasPrefix(cmd.needs, "Usage: "), "usage", missing), "%s", cmd.needs)
	}
	return cmd.answer(c)
}

func open(env Env, g global, cmd *row) *plan.Workspace {
	dir := env.Dir
	if g.cwd != "" {
		fi, err := os.Stat(g.cwd)
		require(err == nil && fi.IsDir(), "usage", "Invalid --cwd: %s", g.cwd)
		dir = g.cwd
	}
	if cmd.bare {
		return must.Get(plan.At(dir, g.project, g.stream))
	}
	root := must.Get(plan.FindRoot(dir))
	w := must.Get(plan.At(root, g.project, g.stream))
	if g.stream != "" {
		return w
	}
	return must.Get(plan.At(root, g.project, workstream.Current(w, env.Getenv)))
}

// report prints an error as the old tool did.
func report(w io.Writer, g global, err error) {
	reason, message := "unknown", err.Error()
	var f *failure
	if errors.As(err, &f) {
		reason, message = f.reason, f.message
	}
	switch {
	case g.jsonErrors:
		line, _ := marshal(object{{"ok", false}, {"reason", reason}, {"message", message}}, "")
		fmt.Fprintf(w, "%s\n", line)
	case message == usageLine:
		printUsage(w)
	default:
		fmt.Fprintf(w, "Error: %s\n", message)
	}
}

// lookup finds the command whose words are the longest beginning of args;
// `state.update` is `state update`.
func lookup(args []string) (cmd *row, rest []string) {
	if noun, verb, dotted := strings.Cut(args[0], "."); dotted && noun != "" && verb != "" {
		if cmd, rest = match(append([]string{noun, verb}, args[1:]...)); cmd != nil {
			return cmd, rest
		}
	}
	return match(args)
}

func match(args []string) (best *row, rest []string) {
	words := 0
	for i := range table {
		for name := range strings.SplitSeq(table[i].name, "|") {
			if n := begins(args, name); n > words {
				best, words = &table[i], n
			}
		}
	}
	return best, args[words:]
}

// begins returns how many words a name has, 0 when args do not begin with them.
func begins(args []string, name string) (n int) {
	for word := range strings.SplitSeq(name, " ") {
		if n == len(args) || args[n] != word {
			return 0
		}
		n++
	}
	return n
}

// below returns the words that follow a noun in the table.
func below(all []row, noun string) string {
	var out []string
	for _, cmd := range all {
		name, _, _ := strings.Cut(cmd.name, "|")
		if sub, ok := strings.CutPrefix(name, noun+" "); ok {
			out = append(out, sub)
		}
	}
	return strings.Join(out, ", ")
}

func badSubcommand(noun, names string) error {
	return fail("sdk_unknown_command", "Unknown %s subcommand. Available: %s", noun, names)
}

// unknown says what is wrong with words that are no command: a family's word
// with a wrong subcommand, or no family at all.
func unknown(all []row, args []string) error {
	if subs := below(all, args[0]); subs != "" {
		return badSubcommand(args[0], subs)
	}
	if noun, verb, dotted := strings.Cut(args[0], "."); dotted {
		return fail("sdk_unknown_command", "Unknown command: %s (did you mean %q?)", args[0], noun+" "+verb)
	}
	if near := text.Nearest(args[0], firstWords(all)); near != "" {
		return fail("sdk_unknown_command", "Unknown command: %s (did you mean %q?)", args[0], near)
	}
	return fail("sdk_unknown_command", "Unknown command: %s", args[0])
}

// firstWords returns what a call can begin with.
func firstWords(all []row) (words []string) {
	for _, cmd := range all {
		for name := range strings.SplitSeq(cmd.name, "|") {
			if word, _, _ := strings.Cut(name, " "); cmd.absent == "" && !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return words
}

func printUsage(w io.Writer) {
	fmt.Fprintf(w, "%s\n\nCommands: %s\n", usageLine, strings.Join(names(), ", "))
}

// names returns the first spelling of every command, sorted.
func names() []string {
	all := each(table, func(cmd row) string {
		name, _, _ := strings.Cut(cmd.name, "|")
		return name
	})
	slices.Sort(all)
	return slices.Compact(all)
}

// listCommands lists every spelling: by words and, of two words or more, by
// dots.
func listCommands(c *call) result {
	all := []string{}
	for _, cmd := range c.table {
		for name := range strings.SplitSeq(cmd.name, "|") {
			all = append(all, name, strings.ReplaceAll(name, " ", "."))
		}
	}
	slices.Sort(all)
	return data(slices.Compact(all))
}

// initUnknown answers `init` without a workflow's name, or with a wrong one.
func initUnknown(c *call) result {
	names := below(c.table, "init")
	require(c.arg(0) != "", missing, "init workflow required\nAvailable: %s", names)
	return refuse("sdk_unknown_command", "Unknown init workflow: %s\nAvailable: %s", c.arg(0), names)
}
