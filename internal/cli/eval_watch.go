package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/live"
	"cairn/internal/team/result"
	"cairn/internal/team/watch"
	"cairn/internal/term"
)

type evalWatchOptions struct {
	port          int
	idle, silence time.Duration
	noOpen, json  bool
}

func newEvalWatch(env *Env) *cobra.Command {
	var opts evalWatchOptions
	cmd := &cobra.Command{
		Use:   "watch [SUITE | FILE | DIR | -]",
		Short: "Show a run in the browser while it is going on",
		Long: `Serves one page on this machine that follows a run: progress, what passed and
failed, cost so far, time left, and a table of the cases. It prints the address
and opens it where a browser can be seen; only who has the address can look.

Runners in any language write one line of JSON for each thing that happens to
~/.cairn/evals/live/SUITE.ndjson (docs/eval-watch.md has the format and a shell
example). Understood too are a go test -json stream, a result file that grows,
and a directory of worker_PID.json as in ~/.cairn/eval-partials/SUITE. Without
an argument it is the run that was written to last, or the next one.

The page tells when the runner is done, and when it is gone without having
finished. A second watch of the same run shows the page of the first. The watch
ends by itself when the run is over and nobody has looked for a while.`,
		Example: `  cairn eval watch posts
  go test -json ./... | cairn eval watch -`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalWatch(env, strings.Join(args, ""), opts) },
	}
	f := cmd.Flags()
	f.BoolVar(&opts.noOpen, "no-open", false, "print the address and open no browser")
	f.IntVar(&opts.port, "port", 0, "the port on 127.0.0.1, for one that is forwarded (default: one that is free)")
	f.DurationVar(&opts.idle, "idle", 10*time.Minute, "how long to go on without a viewer when the run is over")
	f.DurationVar(&opts.silence, "silence", 2*time.Minute, "after how long without a line a runner of unknown fate may have stopped")
	f.BoolVar(&opts.json, "json", false, "print the address, and at the end the tally, as a line of JSON each")
	return cmd
}

// watchBegin and watchEnd are the two lines of --json.
type watchBegin struct {
	URL    string `json:"url"`
	Source string `json:"source"`
	PID    int    `json:"pid,omitempty"`
	Reused bool   `json:"reused"` // another process serves it
}

type watchEnd struct {
	Suite   string     `json:"suite,omitempty"`
	State   live.State `json:"state"`
	Why     string     `json:"why,omitempty"`
	Total   int        `json:"total"` // expected, or done where that is not known
	Passed  int        `json:"passed"`
	Failed  int        `json:"failed"`
	Errored int        `json:"errored"`
	Skipped int        `json:"skipped"`
	CostUSD float64    `json:"cost_usd"`
	Broken  int        `json:"broken_lines"`
}

func runEvalWatch(env *Env, what string, opts evalWatchOptions) error {
	if opts.port < 0 || opts.port > 65535 {
		return command.Usagef("--port %d: 0 to 65535 is wanted", opts.port)
	}
	if opts.idle < 0 || opts.silence <= 0 {
		return command.Usagef("--idle and --silence want a duration such as 10m")
	}
	o, err := watched(env, what)
	if err != nil {
		return err
	}
	o.Port, o.Idle, o.Quiet = opts.port, opts.idle, opts.silence
	o.Dir = home.Find(env.Getenv).EvalWatch()
	o.Host, _ = os.Hostname()
	if what != "-" { // a stream is gone when it was read
		o.Push = func(source string) string { return "cairn eval push " + term.ShellWord(source) }
	}
	prices, err := loadPrices(env, "")
	if err != nil {
		term.Warn(env.Stderr, "costs are shown as the runner tells them: %v", err)
	} else {
		o.Price = prices.Of
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	w, other, err := watch.Start(o)
	if err != nil {
		return err
	}
	if w == nil {
		return showWatch(env, opts, watchBegin{URL: other, Source: o.Source.Name(), Reused: true}, func() string {
			url, _ := watch.OpenOther(o)
			return url
		})
	}
	if err := showWatch(env, opts, watchBegin{URL: w.URL(), Source: o.Source.Name(), PID: os.Getpid()}, w.OpenURL); err != nil {
		return err
	}
	out, err := w.Run(ctx)
	if err != nil {
		return err
	}
	return printWatchEnd(env, opts, out, o)
}

// watched says what the argument names.
func watched(env *Env, what string) (o watch.Options, err error) {
	h := home.Find(env.Getenv)
	if what == "-" {
		o.Source = watch.Stream("stdin", env.Stdin)
		return o, nil
	}
	path, err := env.Abs(what)
	if err != nil {
		return o, err
	}
	fi, missing := os.Stat(path)
	suite := what == "" || watch.IsSuite(what)
	switch {
	case missing == nil && !fi.IsDir() && !fi.Mode().IsRegular(): // opening one can wait for ever
		return o, command.Usage(term.Hint(fmt.Errorf("%s is no file that can be followed", shownName(what)), "cat %s | cairn eval watch -", term.ShellWord(shownName(what))))
	case missing == nil && fi.IsDir() && !suite:
		o.Source, o.Key = watch.Workers(path), "workers "+path
	case what != "" && (missing == nil && !fi.IsDir() || !suite || strings.HasSuffix(what, ".ndjson") || strings.HasSuffix(what, ".json")):
		o.Source, o.Key = watch.File(path), "file "+path
	default:
		o.Source, o.Key = watch.Suite(what, h.EvalLive(), h.EvalPartials()), "suite "+what
	}
	return o, nil
}

// showWatch prints where the page is, and opens it. The address that a browser
// is started with is of use once: others can see it in the list of processes.
func showWatch(env *Env, opts evalWatchOptions, begin watchBegin, once func() string) error {
	if opts.json {
		if err := printJSON(env, begin); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintln(env.Stdout, begin.URL); err != nil {
		return err
	}
	if begin.Reused {
		fmt.Fprintf(env.Stderr, "another process serves this page already\n")
	} else {
		fmt.Fprintf(env.Stderr, "follows %s; ctrl-C ends it\n", term.Printable(begin.Source))
	}
	if opts.noOpen || !mayOpenBrowser(env) {
		return nil
	}
	if url := once(); url != "" && openBrowser(env, url) != nil {
		term.PrintHint(env.Stderr, "no browser could be started; open the address in one")
	}
	return nil
}

func printWatchEnd(env *Env, opts evalWatchOptions, out watch.Outcome, o watch.Options) error {
	n, usd := out.Run.Counts, out.Run.Spent(o.Price).USD
	if opts.json {
		return printJSON(env, watchEnd{
			Suite: out.Run.Suite, State: out.State, Why: out.Why, Total: max(out.Run.Expected, n.Total), Passed: n.Passed,
			Failed: n.Failed, Errored: n.Errored, Skipped: n.Skipped, CostUSD: usd, Broken: out.Run.Broken.Lines,
		})
	}
	if out.Idle {
		fmt.Fprintln(env.Stderr, "nobody looked any more")
	}
	if n == (result.Counts{}) {
		return nil
	}
	word := string(out.State)
	if out.Why != "" {
		word += ": " + out.Why
	}
	fmt.Fprintf(env.Stderr, "%s; %s\n", countsText(n, usd), term.Printable(word))
	if out.State == live.Finished && o.Push != nil {
		term.PrintHint(env.Stderr, "%s keeps these results", o.Push(out.Source))
	}
	return nil
}
