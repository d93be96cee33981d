package evalcmd

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/eval"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/evalview"
	"cairn/internal/team/result"
	"cairn/internal/team/retro"
	"cairn/internal/team/runs"
	"cairn/internal/term"
)

var viewing = command.Command{
	Path: "eval view", Short: "Show runs, cases and answers in the browser",
	Long: "Serves pages of the stored runs on this machine. A case's page shows what was\n" +
		"asked, what was expected, the answer beside that of the run before with a word\n" +
		"diff, the checks that failed, what judges said, and its last 40 results. With two\n" +
		"runs it begins with their comparison, without one with a list of all runs.\n\n" +
		"Prints the URL and opens it in a browser if one is available. The URL is secret.\n" +
		"On a case's page, r and w label the answer right or wrong; cairn eval judge\n" +
		"agreement then says how far the judges agree with you. Labels are kept on this\n" +
		"machine; with --team they are sent to the team too, and the members' are shown.\n" +
		"? lists all keys.",
	Args: []command.Arg{{Name: "RUN", Optional: true, Many: true, Values: runs.Refs, Files: true,
		Help: "one or two runs: a file of results, an id or its beginning, a label, @branch, a commit, a suite, latest, previous or merge-base"}},
	Examples: []string{"cairn eval view latest", "cairn eval view @main latest"},
	Flags: []command.Flag{teamFlag,
		{Name: "no-open", Default: false, Help: "print the URL and open no browser"},
		{Name: "port", Default: 0, Help: "the port on 127.0.0.1, for one that is forwarded (default: a free one)"},
		{Name: "idle", Default: time.Hour, Help: "stop after so long without a request"},
		{Name: "json", Default: false, Help: "print the URL as a line of JSON"}},
	Effect: command.Writes, Text: true, Run: runView,
}

// viewBegin is the line of --json.
type viewBegin struct {
	URL  string   `json:"url"`
	PID  int      `json:"pid"`
	Runs []string `json:"runs"` // ids of those that were named
}

func runView(c *command.Call) (*answer.Answer, error) {
	refs := c.Args()
	switch port := c.Int("port"); {
	case port < 0 || port > 65535:
		return nil, command.Usagef("--port must be 0 to 65535, not %d", port)
	case c.Duration("idle") < 0:
		return nil, command.Usagef("--idle must be a duration such as 1h")
	case len(refs) > 2:
		return nil, command.Usage(term.Hint(fmt.Errorf("one or two runs can be shown, not %d", len(refs)), "without a run it lists all"))
	}
	f := &runs.Finder{Store: must.Get(runs.Open(c.Env, c.Bool("team")))}
	must.Get(f.List()) // which warns of what cannot be read, once
	o := evalview.Options{Store: stored{f.Store.Store}, Labels: home.Find(c.Getenv).EvalLabels(), Site: site(c.Env), Port: c.Int("port"), Idle: c.Duration("idle")}
	if c.Bool("team") {
		team, err := runs.OpenLabels(c.Env)
		if err != nil {
			term.Warn(c.Stderr, "labels are kept on this machine only: %v", err)
		} else {
			o.Team = team
		}
	}
	for _, run := range named(f, refs) {
		if run.ID == "" { // a file
			must.OK(run.Identify())
			o.Files = append(o.Files, run)
		}
		o.First = append(o.First, run.ID)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	v := must.Get(evalview.Start(o))
	begin := viewBegin{URL: v.URL(), PID: os.Getpid(), Runs: append([]string{}, o.First...)}
	printLine(c, begin, begin.URL+"\n")
	fmt.Fprintln(c.Stderr, "ctrl-C stops it")
	if !c.Bool("no-open") && c.SeesBrowser() && c.OpenBrowser(v.OpenURL()) != nil {
		term.PrintHint(c.Stderr, "no browser could be started; open the URL in one")
	}
	if idle := must.Get(v.Run(ctx)); idle && !c.Bool("json") {
		fmt.Fprintln(c.Stderr, "stopped: nobody has looked for a while")
	}
	return nil, nil
}

// stored lists runs without a word on those that cannot be read.
type stored struct{ *eval.Store }

func (s stored) List() ([]eval.Entry, error) {
	entries, _, err := s.Store.List()
	return entries, err
}

// named finds the runs of an invocation: two mean what they mean to compare.
func named(f *runs.Finder, refs []string) (list []*result.Run) {
	switch len(refs) {
	case 1:
		list = []*result.Run{must.Get(f.Find(refs[0], nil)).Run}
	case 2:
		a, b := must.Get2(f.Pair(refs[0], refs[1]))
		list = []*result.Run{a.Run, b.Run}
	}
	return list
}

// site leads to the host of the repository that one is in, for its own runs.
func site(env *command.Env) evalpage.Site {
	s := evalpage.Site{Zone: time.Local}
	repo, top := runs.Repo(env)
	if top == "" {
		return s
	}
	remote, err := git.Run(context.Background(), top, "config", "--get", "remote.origin.url")
	if err != nil {
		return s
	}
	web := retro.WebOf(remote)
	s.Commit = func(run *result.Run) string {
		if run.Repo != repo {
			return ""
		}
		return web.Commit(run.GitSHA)
	}
	var mu sync.Mutex
	asked := map[string]evalpage.Link{}
	s.Pull = func(run *result.Run) evalpage.Link {
		if run.Repo != repo || run.GitSHA == "" {
			return evalpage.Link{}
		}
		mu.Lock()
		defer mu.Unlock()
		if l, ok := asked[run.GitSHA]; ok {
			return l
		}
		var l evalpage.Link
		if number, to := web.Pull(context.Background(), top, run.GitSHA); to != "" {
			l = evalpage.Link{Text: "pull request " + number, To: to}
		}
		asked[run.GitSHA] = l
		return l
	}
	return s
}
