package compactcmd

import (
	"errors"
	"fmt"
	"io"
	"os"

	"cairn/internal/answer"
	"cairn/internal/child"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/setup"
	"cairn/internal/compact/shell"
	"cairn/internal/compact/usage"
	"cairn/internal/must"
	"cairn/internal/term"
)

func run() *command.Command {
	return &command.Command{
		Path: "run", Args: []command.Arg{commandArg}, Lines: true,
		Short: "Run a command and print its output compacted",
		Long: "Runs a command and prints its output, stdout and stderr together, compacted for\n" +
			"an agent. On a terminal the output comes live and whole, and a last line says\n" +
			"what an agent would have read.\n\n" +
			"The exit code is the command's, and a command that dies of a signal takes cairn\n" +
			"with it. As in a shell, 126 means not executable and 127 not found.",
		Flags: []command.Flag{
			{Name: "raw", Default: false, Help: "leave the output alone"},
			levelFlag,
			{Name: "json", Default: false, Help: "print the result and its metadata as JSON"},
			{Name: "tee", Default: false, Help: "store the raw output even if compact.tee.on_exit is never (see cairn compact show)"},
			{Name: "quiet", Default: false, Help: "on a terminal, print only the compacted output"},
		},
		Examples: []string{"cairn run -- go test ./...", "cairn run --level aggressive --tee -- npm run build | cat"},
		Effect:   command.Writes, Text: true, Run: runRun,
	}
}

func runRun(c *command.Call) (*answer.Answer, error) {
	argv, asJSON := c.Args(), c.Bool("json")
	in := setup.InShell(c.Env, usage.Run)
	how := setup.Checked(c.Env, c.Here(), in.Session)
	how.Tee.Session = in.Session
	if in.Session == "" {
		how.Verify.Quota.Call("") // else the agent's hook counts the call
	}
	how.Level = level(c, how.Level)
	path := must.Get(child.Find(argv[0]))
	tool := child.Command{Path: path, Args: argv, Copier: child.Copier()}
	if c.Bool("raw") || how.Off {
		return nil, child.Exec(tool)
	}

	if c.Bool("tee") {
		how.Tee.OnExit = "always"
	}
	live := term.IsTerminal(c.Stdout) && !c.Bool("quiet") && !asJSON
	stdout, _ := c.Stdout.(*os.File)
	switch {
	case live:
		tool.Late, how.Passthrough = stdout, io.Discard // it is on the screen already
		how.Verify.Ask = nil                            // and nothing can be added to it
	case asJSON:
		tool.Reader = stdout
	default:
		tool.Reader, how.Passthrough = stdout, c.Stdout
	}
	e := compact.Envelope{Tool: "Bash", Command: shell.Join(argv), Argv: argv, Cwd: c.Here()}
	stream := compact.NewStream(e, how)
	var out io.Writer = stream
	if live {
		out = io.MultiWriter(c.Stdout, stream)
	}

	status, err := child.Pipe(tool, out)
	if start := (*child.StartError)(nil); errors.As(err, &start) {
		return nil, err
	}
	code := status.ExitCode()
	res := stream.Finish(&code)
	if failed := report(c, live, res); err == nil {
		err = failed
	}
	if e.ExitCode = &code; !live {
		in.Note(c.Env, e, res.Meta)
	}
	if err != nil && code == 0 {
		return nil, err // or else the command's own failure is the one to be seen
	}
	if status.Signal != 0 {
		status.Exit()
	}
	return nil, command.Status(status.Code)
}

// report prints what came of a run, and to a person what it saved.
func report(c *command.Call, live bool, res compact.Result) error {
	text := []byte(res.Reduced)
	if c.Bool("json") {
		var err error
		if text, err = answer.JSON(res); err != nil {
			return err
		}
	}
	if !live {
		if _, err := c.Stdout.Write(text); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		return nil
	}
	warnOfRules(c, res.Meta.Warnings)
	setup.WarnUntrusted(c.Env)
	if res.Meta.BytesBefore > 0 && (live || term.IsTerminal(c.Stderr)) {
		fmt.Fprintln(c.Stderr, summary(res.Meta))
	}
	return nil
}

// warnOfRules says which rules could not be used: of many, as a stranger's
// repository may have, only how many.
func warnOfRules(c *command.Call, warnings []string) {
	const most = 3
	for _, w := range warnings[:min(len(warnings), most)] {
		term.Warn(c.Stderr, "%s", w)
	}
	if more := len(warnings) - most; more > 0 {
		term.Warn(c.Stderr, "%d more rule files cannot be used; cairn compact reload names them", more)
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
