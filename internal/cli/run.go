package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"cairn/internal/child"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/shell"
	"cairn/internal/compact/usage"
	"cairn/internal/term"
)

type runOptions struct {
	raw, json, tee, quiet bool
	level                 string
}

func newRun(env *Env) *cobra.Command {
	var opts runOptions
	cmd := &cobra.Command{
		Use:   "run [flags] -- COMMAND…",
		Short: "Run a command and print its output compacted",
		Long: `Run a command and print its output, stdout and stderr together, compacted for
an agent. On a terminal the output comes live and whole, and a last line says
what an agent would have read.

The exit code is the command's, and a command that dies of a signal takes
cairn with it. 126 and 127 are a shell's: not executable, not found.`,
		Example: `  cairn run -- go test ./...
  cairn run --level aggressive --tee -- npm run build | cat`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Usage(term.Hint(fmt.Errorf("no command to run"), "cairn run -- go test ./..."))
			}
			return runRun(env, opts, args)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // what follows the command's name is its own
	f.BoolVar(&opts.raw, "raw", false, "leave the output alone")
	f.StringVar(&opts.level, "level", "", "how much to cut: minimal, normal or aggressive (default: the setting compact.level)")
	f.BoolVar(&opts.json, "json", false, "print the result with its meta data as JSON")
	f.BoolVar(&opts.tee, "tee", false, "store the raw output whatever the outcome (see cairn compact show)")
	f.BoolVar(&opts.quiet, "quiet", false, "on a terminal, print only the compacted output")
	return cmd
}

func runRun(env *Env, opts runOptions, argv []string) error {
	dir := env.Here()
	in := inShell(env, usage.Run)
	how := verifiedOptions(env, dir, in.session)
	if in.session == "" {
		how.Verify.Quota.Call("") // else the agent's hook counts the call
	}
	var err error
	if how.Level, err = levelFlag(opts.level, how.Level); err != nil {
		return err
	}
	path, err := child.Find(argv[0])
	if err != nil {
		return toolNotRun(env, err)
	}
	c := child.Command{Path: path, Args: argv, Copier: copier()}
	if opts.raw || how.Off {
		return toolNotRun(env, child.Exec(c))
	}

	if opts.tee {
		how.Tee.OnExit = "always"
	}
	live := term.IsTerminal(env.Stdout) && !opts.quiet && !opts.json
	stdout, _ := env.Stdout.(*os.File)
	switch {
	case live:
		c.Late, how.Passthrough = stdout, io.Discard // it is on the screen already
		how.Verify.Ask = nil                         // and nothing can be added to it
	case opts.json:
		c.Reader = stdout
	default:
		c.Reader, how.Passthrough = stdout, env.Stdout
	}
	e := compact.Envelope{Tool: "Bash", Command: shell.Join(argv), Argv: argv, Cwd: dir}
	stream := compact.NewStream(e, how)
	var out io.Writer = stream
	if live {
		out = io.MultiWriter(env.Stdout, stream)
	}

	status, err := child.Pipe(c, out)
	if _, ok := errors.AsType[*child.StartError](err); ok {
		return toolNotRun(env, err)
	}
	code := status.ExitCode()
	res := stream.Finish(&code)
	if failed := report(env, opts, live, res); err == nil {
		err = failed
	}
	if e.ExitCode = &code; !live {
		noteUse(env, in, e, res.Meta)
	}
	if err != nil && code == 0 {
		return err // or else the command's own failure is the one to be seen
	}
	if status.Signal != 0 {
		status.Exit()
	}
	return command.Status(status.Code)
}

// report prints what came of a run, and to a person what it saved.
func report(env *Env, opts runOptions, live bool, res compact.Result) error {
	if opts.json {
		return printJSON(env, res)
	}
	if !live {
		if _, err := io.WriteString(env.Stdout, res.Reduced); err != nil {
			return err
		}
	}
	warnOfRules(env, res.Meta.Warnings)
	warnUntrusted(env)
	if res.Meta.BytesBefore > 0 && (live || term.IsTerminal(env.Stderr)) {
		fmt.Fprintln(env.Stderr, summary(res.Meta))
	}
	return nil
}

// warnUntrusted says what of the repository is ignored.
func warnUntrusted(env *Env) {
	if text := untrusted(env, env.Here()); text != "" {
		term.Warn(env.Stderr, "%s", text)
	}
}

// warnOfRules says which rules could not be used: of many, as a stranger's
// repository may have, only how many.
func warnOfRules(env *Env, warnings []string) {
	const most = 3
	for _, w := range warnings[:min(len(warnings), most)] {
		term.Warn(env.Stderr, "%s", w)
	}
	if more := len(warnings) - most; more > 0 {
		term.Warn(env.Stderr, "%d more rule files cannot be used; cairn compact reload names them", more)
	}
}

// summary says in one line what an agent reads of the output.
func summary(m compact.Meta) string {
	if m.Unchanged {
		return "cairn: an agent reads all of it; there is nothing to cut"
	}
	return fmt.Sprintf("cairn: an agent reads %d of %d lines, %d of %d tokens (−%.0f %%) · %s%s",
		m.LinesAfter, m.LinesBefore, m.TokensAfter, m.TokensBefore, 100*(1-float64(m.TokensAfter)/float64(max(m.TokensBefore, 1))), m.Rule, m.RawHint())
}

// copierVerb is what this program is called with to be a child.Command's
// Copier. It is nobody else's business and not in the command tree.
const copierVerb = "__copy"

func copier() []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{self, copierVerb}
}
