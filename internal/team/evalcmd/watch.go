package evalcmd

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/live"
	"cairn/internal/team/result"
	"cairn/internal/team/runs"
	"cairn/internal/team/watch"
	"cairn/internal/term"
)

var watching = command.Command{
	Path: "eval watch", Short: "Show a run in the browser while it is going on",
	Long: "Serves one page on this machine that follows a run: progress, what passed and\n" +
		"failed, cost so far, time left, and a table of the cases. Prints the URL and opens\n" +
		"it in a browser if one is available. The URL is secret.\n\n" +
		"Runners in any language write one line of JSON for each event to\n" +
		"~/.cairn/evals/live/SUITE.ndjson (docs/eval-watch.md has the format and a shell\n" +
		"example). It also reads a go test -json stream, a result file that grows, and a\n" +
		"directory of worker_PID.json as in ~/.cairn/eval-partials/SUITE. Without an\n" +
		"argument it follows the run that was written to last, or the next one.\n\n" +
		"The page says when the runner is done, and when it is gone without having\n" +
		"finished. A second watch of the same run shows the page of the first. The watch\n" +
		"ends by itself when the run is over and nobody has looked for a while.",
	Args:     []command.Arg{{Name: "SUITE|FILE|DIR|-", Optional: true, Values: runs.Suites}},
	Examples: []string{"cairn eval watch posts", "go test -json ./... | cairn eval watch -"},
	Flags: []command.Flag{
		{Name: "no-open", Default: false, Help: "print the URL and open no browser"},
		{Name: "port", Default: 0, Help: "the port on 127.0.0.1, for one that is forwarded (default: a free one)"},
		{Name: "idle", Default: 10 * time.Minute, Help: "how long to go on without a viewer when the run is over"},
		{Name: "silence", Default: 2 * time.Minute, Help: "after how long without a line to say that the runner may have stopped"},
		{Name: "json", Default: false, Help: "print the URL, and at the end the tally, as a line of JSON each"}},
	Effect: command.Reads, Text: true, Run: runWatch,
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

func runWatch(c *command.Call) (*answer.Answer, error) {
	what := c.Arg("SUITE|FILE|DIR|-")
	if port := c.Int("port"); port < 0 || port > 65535 {
		return nil, command.Usagef("--port must be 0 to 65535, not %d", port)
	}
	if c.Duration("idle") < 0 || c.Duration("silence") <= 0 {
		return nil, command.Usagef("--idle and --silence must be a duration such as 10m")
	}
	o := watched(c.Env, what)
	o.Port, o.Idle, o.Quiet = c.Int("port"), c.Duration("idle"), c.Duration("silence")
	o.Dir = home.Find(c.Getenv).EvalWatch()
	o.Host, _ = os.Hostname()
	if what != "-" { // a stream is gone when it was read
		o.Push = func(source string) string { return "cairn eval push " + term.ShellWord(source) }
	}
	if prices, err := loadPrices(c.Env, ""); err != nil {
		term.Warn(c.Stderr, "costs are shown as the runner reports them: %v", err)
	} else {
		o.Price = prices.Of
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	w, other := must.Get2(watch.Start(o))
	if w == nil {
		showWatch(c, watchBegin{URL: other, Source: o.Source.Name(), Reused: true}, func() string {
			url, _ := watch.OpenOther(o)
			return url
		})
		return nil, nil
	}
	showWatch(c, watchBegin{URL: w.URL(), Source: o.Source.Name(), PID: os.Getpid()}, w.OpenURL)
	endWatch(c, must.Get(w.Run(ctx)), o)
	return nil, nil
}

// watched says what the argument names.
func watched(env *command.Env, what string) (o watch.Options) {
	h := home.Find(env.Getenv)
	if what == "-" {
		o.Source = watch.Stream("stdin", env.Stdin)
		return o
	}
	path := must.Get(env.Abs(what))
	fi, missing := os.Stat(path)
	suite := what == "" || watch.IsSuite(what)
	switch {
	case missing == nil && !fi.IsDir() && !fi.Mode().IsRegular(): // opening one can wait for ever
		must.Fail(command.Usage(term.Hint(fmt.Errorf("%s is not a file that can be followed", command.Shown(what)), "cat %s | cairn eval watch -", term.ShellWord(command.Shown(what)))))
	case missing == nil && fi.IsDir() && !suite:
		o.Source, o.Key = watch.Workers(path), "workers "+path
	case what != "" && (missing == nil && !fi.IsDir() || !suite || strings.HasSuffix(what, ".ndjson") || strings.HasSuffix(what, ".json")):
		o.Source, o.Key = watch.File(path), "file "+path
	default:
		o.Source, o.Key = watch.Suite(what, h.EvalLive(), h.EvalPartials()), "suite "+what
	}
	return o
}

// printLine prints a line of JSON, or what a person reads.
func printLine(c *command.Call, v any, text string) {
	line := []byte(text)
	if c.Bool("json") {
		line = must.Get(answer.JSON(v))
	}
	must.Get(c.Stdout.Write(line))
}

// showWatch prints where the page is, and opens it. The address that a browser
// is started with is of use once: others can see it in the list of processes.
func showWatch(c *command.Call, begin watchBegin, once func() string) {
	printLine(c, begin, begin.URL+"\n")
	if begin.Reused {
		fmt.Fprintf(c.Stderr, "another process serves this page already\n")
	} else {
		fmt.Fprintf(c.Stderr, "follows %s; ctrl-C stops it\n", term.Printable(begin.Source))
	}
	if c.Bool("no-open") || !c.SeesBrowser() {
		return
	}
	if url := once(); url != "" && c.OpenBrowser(url) != nil {
		term.PrintHint(c.Stderr, "no browser could be started; open the URL in one")
	}
}

func endWatch(c *command.Call, out watch.Outcome, o watch.Options) {
	n, usd := out.Run.Counts, out.Run.Spent(o.Price).USD
	if c.Bool("json") {
		printLine(c, watchEnd{
			Suite: out.Run.Suite, State: out.State, Why: out.Why, Total: max(out.Run.Expected, n.Total), Passed: n.Passed,
			Failed: n.Failed, Errored: n.Errored, Skipped: n.Skipped, CostUSD: usd, Broken: out.Run.Broken.Lines,
		}, "")
		return
	}
	if out.Idle {
		fmt.Fprintln(c.Stderr, "stopped: no viewer left")
	}
	if n == (result.Counts{}) {
		return
	}
	word := string(out.State)
	if out.Why != "" {
		word += ": " + out.Why
	}
	fmt.Fprintf(c.Stderr, "%s; %s\n", runs.Outcome(n, usd), term.Printable(word))
	if out.State == live.Finished && o.Push != nil {
		term.PrintHint(c.Stderr, "%s keeps these results", o.Push(out.Source))
	}
}
