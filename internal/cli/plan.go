package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/plan"
	"cairn/internal/plan/content"
	"cairn/internal/plan/verb"
	"cairn/internal/plan/workstream"
	"cairn/internal/term"
	"cairn/internal/text"
)

// newPlan makes the commands that package verb declares, and `plan query`.
// A word that is a noun, or a verb of plan itself, limits them to what can
// follow it: to build them all takes longer than most of them run.
func newPlan(env *Env, word string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Keep a project's plan: phases, decisions, progress, gates",
		Long: "The plan is Markdown under .planning/. Every change is made under one lock,\n" +
			"keeps what it does not concern byte for byte, and cairn plan undo takes it back.",
		Example: "  cairn plan init\n  cairn plan next",
		Args:    knownVerb,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	nouns := map[string]*cobra.Command{"": cmd}
	for _, n := range verb.Nouns() {
		nouns[n.Name] = &cobra.Command{
			Use: n.Name, Short: n.Short, Args: knownVerb,
			RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		}
		cmd.AddCommand(nouns[n.Name])
	}
	opts := planFlags(cmd)
	for _, v := range reachable(word) {
		noun := nouns[v.Noun]
		noun.AddCommand(newPlanVerb(env, v, opts))
		if v.Noun != "" && noun.Example == "" {
			noun.Example = planExamples(v)
		}
	}
	cmd.AddCommand(newPlanQuery(env))
	return cmd
}

// reachable returns the verbs that `cairn plan WORD …` may mean.
func reachable(word string) []*verb.Verb {
	all := verb.All()
	some := slices.DeleteFunc(slices.Clone(all), func(v *verb.Verb) bool {
		return v.Noun != word && (v.Noun != "" || v.Name != word)
	})
	if word == "" || len(some) == 0 {
		return all
	}
	return some
}

// planOptions are the flags that every verb of plan takes.
type planOptions struct {
	dir    string
	stream string
	json   bool
	get    string
	dryRun bool
}

// planFlags declares them on plan itself, so that they may stand anywhere on
// the line.
func planFlags(cmd *cobra.Command) *planOptions {
	opts := &planOptions{}
	flags := cmd.PersistentFlags()
	flags.StringVarP(&opts.dir, "dir", "C", ".", "a directory of the project")
	flags.StringVar(&opts.stream, "ws", "", "the workstream")
	flags.BoolVar(&opts.json, "json", false, "print JSON")
	flags.StringVar(&opts.get, "get", "", "print one value of the JSON: phases[0].name")
	return opts
}

func newPlanVerb(env *Env, v *verb.Verb, opts *planOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use: v.Use(), Short: v.Short, Long: planLong(v), Example: planExamples(v),
		Args: usageArgs(planArgs(v)),
	}
	cmd.ValidArgsFunction = completePlan(v, opts)
	values := map[string]func() any{}
	for _, f := range v.Flags {
		values[f.Name] = planFlag(cmd, f)
		if f.Required {
			_ = cmd.MarkFlagRequired(f.Name)
		}
	}
	if v.Effect == verb.Writes {
		cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "change nothing, print the change as a diff")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given := map[string]any{}
		for name, value := range values {
			given[name] = value()
		}
		return runPlanVerb(cmd.Context(), env, v, *opts, args, given)
	}
	return cmd
}

func runPlanVerb(ctx context.Context, env *Env, v *verb.Verb, opts planOptions, args []string, flags map[string]any) error {
	res, err := callPlanVerb(ctx, env, v, opts, args, flags)
	if err != nil {
		return err
	}
	if err := printPlanResult(env, opts, res); err != nil {
		return err
	}
	if res.No {
		return exitStatus(exitGate)
	}
	return nil
}

// callPlanVerb runs a verb and prints nothing.
func callPlanVerb(ctx context.Context, env *Env, v *verb.Verb, opts planOptions, args []string, flags map[string]any) (*verb.Result, error) {
	fi, err := os.Stat(env.path(opts.dir))
	if err != nil || !fi.IsDir() {
		return nil, withKind(errUsage, fmt.Errorf("%s is not a directory", opts.dir))
	}
	w, err := plan.Open(env.path(opts.dir), opts.stream)
	if err == nil && opts.stream == "" {
		w, err = plan.Open(env.path(opts.dir), workstream.Current(w, env.Getenv))
	}
	if err != nil {
		return nil, withKind(errUsage, err)
	}
	if !v.Anywhere && !w.Exists() {
		return nil, withKind(errData, term.Hint(fmt.Errorf("%w in %s", plan.ErrNoProject, w.Root), "cairn plan init makes one"))
	}
	w.DryRun = opts.dryRun
	if ctx == nil {
		ctx = context.Background()
	}
	call := verb.NewCall(ctx, w, v, args, flags)
	call.Getenv, call.Stdin = env.Getenv, env.Stdin
	call.Style = func(runtime string) (content.Style, error) { return contentStyle(env, runtime) }
	call.Calls = func() []content.Call { return contentCalls(env) }
	res, err := v.Run(call)
	return res, planError(err)
}

func printPlanResult(env *Env, opts planOptions, res *verb.Result) error {
	switch {
	case opts.dryRun && res.Change != nil && !opts.json:
		diff := res.Change.Diff()
		if diff == "" {
			fmt.Fprintln(env.Stderr, "nothing would change")
		}
		_, err := fmt.Fprint(env.Stdout, term.Text(diff))
		return err
	case opts.get != "":
		value, err := verb.Get(res.Data, opts.get)
		if err != nil && res.Change != nil && !opts.dryRun { // to fail would have it done twice
			term.Warn(env.Stderr, "the change was made, but %v", err)
			return nil
		}
		if err != nil {
			return withKind(errData, term.Hint(err, "--json prints all of it"))
		}
		_, err = fmt.Fprintln(env.Stdout, value)
		return err
	case opts.json:
		return printJSON(env, res.Data)
	case res.Text != nil:
		var text strings.Builder // of documents that strangers may have written
		res.Text(&text)
		if _, err := fmt.Fprint(env.Stdout, term.Text(text.String())); err != nil {
			return err
		}
	}
	if res.Talk != "" && !opts.json {
		fmt.Fprintln(env.Stderr, res.Talk)
	}
	return nil
}

// planError gives an error of the plan its exit code.
func planError(err error) error {
	var input *plan.InputError
	var phase *plan.PhaseError
	var open *plan.UnfinishedError
	var executed *plan.ExecutedError
	var usage *verb.UsageError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &usage):
		return withKind(errUsage, err)
	case errors.As(err, &input), errors.As(err, &phase):
		return withKind(errData, err)
	case errors.As(err, &open), errors.As(err, &executed):
		return withKind(errGate, err)
	}
	return err
}

func planLong(v *verb.Verb) string {
	long := v.Short
	if v.Long != "" {
		long = v.Long
	}
	for _, a := range v.Args {
		if a.Help != "" {
			long += fmt.Sprintf("\n\n%s: %s", a.Name, a.Help)
		}
	}
	return text.Wrap(long, 78)
}

func planExamples(v *verb.Verb) string { return "  " + strings.Join(v.Examples, "\n  ") }

// planArgs checks how many arguments are given, and names what is missing.
func planArgs(v *verb.Verb) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		for i, a := range v.Args {
			if i >= len(args) && !a.Optional {
				return fmt.Errorf("%s is missing", a.Name)
			}
		}
		if n := len(v.Args); len(args) > n && (n == 0 || !v.Args[n-1].Many) {
			return fmt.Errorf("%q is one argument too many", args[n])
		}
		return nil
	}
}

// planFlag declares one flag and returns how to read it.
func planFlag(cmd *cobra.Command, f verb.Flag) func() any {
	flags := cmd.Flags()
	switch d := f.Default.(type) {
	case bool:
		p := flags.BoolP(f.Name, f.Short, d, f.Help)
		return func() any { return *p }
	case int:
		p := flags.IntP(f.Name, f.Short, d, f.Help)
		return func() any { return *p }
	case []string:
		p := flags.StringArrayP(f.Name, f.Short, d, f.Help)
		return func() any { return *p }
	default:
		p := flags.StringP(f.Name, f.Short, f.Default.(string), f.Help)
		return func() any { return *p }
	}
}
