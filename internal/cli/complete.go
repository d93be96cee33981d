package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/command"
	"cairn/internal/team/dashboard"
	"cairn/internal/team/eval"
	"cairn/internal/team/grade"
	"cairn/internal/term"
)

// An offer is what a shell offers as values. It looks at files of this machine only,
// and finds nothing when anything goes wrong: who presses Tab is not told of it.
type offer func(env *Env) []string

// argValues are the sources of the arguments of commands, in order; the last is
// also for those that follow. Agents, settings' keys and phases are offered by
// their commands.
func argValues() []argValue {
	return []argValue{
		{"eval show", []offer{runRefs}},
		{"eval compare", []offer{runRefs, runRefs}},
		{"eval gate", []offer{runRefs}},
		{"eval cost", []offer{runRefs}},
		{"eval judge", []offer{runRefs}},
		{"eval judge agreement", []offer{runRefs}},
		{"eval list", []offer{labels}},
		{"eval trend", []offer{suites}},
		{"eval watch", []offer{suites}},
		{"eval cache clear", []offer{suites}},
		{"eval cache read", []offer{suites}},
		{"eval cache write", []offer{suites}},
		{"eval cases types", []offer{expectations}},
		{"dashboard show", []offer{views}},
		{"retro", []offer{oneOf("7d", "14d", "30d")}},
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
		{"eval", "suite", suites},
		{"eval", "label", labels},
		{"eval", "branch", branches},
		{"eval", "repo", repositories},
		{"eval", "baseline", runRefs},
		{"eval", "kind", oneOf("eval", "e2e", "llm-judge", "unit")},
		{"eval", "tier", oneOf("fast", "standard", "full")},
		{"eval", "combine", oneOf("median", "mean", "min")},
		{"eval leaderboard", "by", oneOf("person", "model", "variant", "label")},
		{"dashboard", "branch", branches},
		{"dashboard", "repo", repositories},
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

func oneOf(list ...string) offer { return func(*Env) []string { return list } }

// mostOffered is how many runs are looked at: the newest.
const mostOffered = 200

// stored are the newest runs of the store.
func stored(env *Env) []eval.Entry {
	entries, err := evalStore(env).list()
	if err != nil {
		return nil
	}
	return entries[:min(len(entries), mostOffered)]
}

// distinct is what a member of the stored runs can be, the newest first.
func distinct(env *Env, member func(e eval.Entry) []string) (found []string) {
	for _, e := range stored(env) {
		for _, v := range member(e) {
			if v = term.Line(v); v != "" && !slices.Contains(found, v) {
				found = append(found, v)
			}
		}
	}
	return found
}

func labels(env *Env) []string {
	return distinct(env, func(e eval.Entry) []string { return []string{e.Label} })
}
func branches(env *Env) []string {
	return distinct(env, func(e eval.Entry) []string { return []string{e.Branch} })
}
func repositories(env *Env) []string {
	return distinct(env, func(e eval.Entry) []string { return []string{e.Repo} })
}
func suites(env *Env) []string {
	return distinct(env, func(e eval.Entry) []string { return append(e.Suites, e.Suite) })
}

// runRefs are what a run can be named by.
func runRefs(env *Env) []string {
	out := []string{eval.Latest + "\tthe newest here", eval.Previous + "\tthe one before", eval.MergeBase + "\twhere the branch began"}
	for _, l := range labels(env) {
		out = append(out, l+"\tthe newest with this label")
	}
	for _, b := range branches(env) {
		out = append(out, "@"+b+"\tthe newest of this branch")
	}
	for i, e := range stored(env) {
		if i == 30 { // a screen full
			break
		}
		out = append(out, e.ID+"\t"+term.Line(e.SuiteText())+", "+e.Time.Local().Format("2 Jan 15:04"))
	}
	return out
}

func expectations(*Env) (names []string) {
	for _, s := range grade.Specs() {
		names = append(names, s.Name)
	}
	return names
}

func views(*Env) []string { return dashboard.Views() }
