package compactcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/benchmark"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/setup"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/hook"
	"cairn/internal/host"
	"cairn/internal/must"
	"cairn/internal/term"
	"cairn/internal/text"
	"cairn/internal/transcript"
)

// transcriptCommands read what agents wrote down of their sessions.
func transcriptCommands() []*command.Command {
	since := command.SinceFlag("")
	since.Help += " (default 30d; all with --root, or without a session since)"
	flags := []command.Flag{
		since,
		{Name: "root", Default: []string(nil), Help: "read the transcripts in this `directory` instead of the agents' own (repeatable)"},
	}
	return []*command.Command{
		{
			Path: "compact discover", Short: "Find commands that need a rule, in your transcripts",
			Long: "Lists commands whose long outputs reach the model, the most tokens first: those\n" +
				"without a rule, those whose rule hardly cuts them, and those that fail where\n" +
				"cairn does not see it. COST is what the passed tokens were billed at list prices:\n" +
				"written to the cache once, read again by each later request until the context\n" +
				"was replaced. Nothing leaves this machine.\n\n" +
				"With --skeleton, prints the draft of a rule for one of them, made from the\n" +
				"largest of its outputs. Put it into .cairn/rules, correct what it drops, and try\n" +
				"it with cairn compact test.",
			Flags: append(flags[:2:2], command.Flag{Name: "skeleton", Default: "", Help: "print a rule for this `command`"}),
			Examples: []string{
				"cairn compact discover --since 7d",
				"cairn compact discover --skeleton 'bd show' > .cairn/rules/bd-show.json && cairn compact reload",
			},
			Effect: command.Reads, Run: runDiscover,
		},
		{
			Path: "compact benchmark", Short: "Measure on your transcripts what cairn saves and loses",
			Long: "Reads the transcripts of your agents, compacts every tool result again, and\n" +
				"counts tokens against what the model received. It plants lines that explain a\n" +
				"failure into the real outputs; these must come through. Nothing leaves this\n" +
				"machine: no socket is opened.\n\n" +
				"A result counts if cairn may touch it. So does a Read of lines that the model had\n" +
				"in its context. Source code that was read for the first time, edits, small\n" +
				"results and tools without a hook are listed apart with their tokens. So is what\n" +
				"the agent cut itself, where cairn shows more instead of less. The largest calls\n" +
				"that together hold 80 % of the tokens make the scenarios, by tool and command.\n" +
				"Their files, secrets removed, are envelopes for cairn compact test.\n\n" +
				"The bill is counted as the model's maker does: each request once, at list prices\n" +
				"by cache tier. --dollars explains it by session: what each rule saves, what\n" +
				"later calls would have needed of it, and what is left to save.",
			Flags: append(flags[:2:2], levelFlag,
				command.Flag{Name: "dollars", Default: false, Help: "explain what each session cost, and what of it would be saved"},
				command.Flag{Name: "out", Default: "", Help: "replace latest/ in this `directory` (default: the setting compact.benchmark.output_dir)"}),
			Exits: "5 if the ship gate fails: less than 15 % of the tokens of all results is saved, less than 5 % in one of the scenarios, or a planted line is lost; 3 without transcripts",
			Examples: []string{
				"cairn compact benchmark",
				"cairn compact benchmark --since 7d --level aggressive",
				"cairn compact benchmark --dollars --since 30d",
				"cairn compact benchmark --root ./transcripts --json | jq .gate",
			},
			Effect: command.Writes, Run: runBenchmark,
		},
	}
}

func runDiscover(c *command.Call) (*answer.Answer, error) {
	bench, progress := options(c)
	defer progress.End()
	if c.Set("skeleton") {
		r, err := benchmark.Skeleton(bench, c.String("skeleton"))
		if errors.Is(err, benchmark.ErrNotFound) {
			return nil, command.Data(term.Hint(err, "cairn compact discover lists them; cairn compact new-rule -- COMMAND runs one"))
		}
		if err != nil {
			return nil, explain(err)
		}
		return ruleText(&r)
	}
	found, err := benchmark.Discover(bench)
	if err != nil {
		return nil, explain(err)
	}
	a := &answer.Answer{Data: found, Said: "every long output has a rule that cuts it"}
	if len(found) == 0 {
		return a, nil
	}
	t := answer.NewTable("command:name", "calls:count", "tokens:tokens", "passed:tokens", "cost", "saved:percent", "rule:name", "example")
	for _, f := range found[:min(len(found), mostRows)] {
		name := f.Rule
		switch {
		case f.Unseen:
			name = "(failed unseen)"
		case name == "":
			name = "none"
		}
		t.Add(text.Shorten(f.Command, 32), f.Calls, f.Before, f.Passed, paid(f.Dollars), f.Percent/100, name, text.Shorten(f.Example, 60))
	}
	a.View, a.Said = t, ""
	if i := slices.IndexFunc(found, func(f benchmark.Found) bool { return !f.Unseen }); i >= 0 {
		a.Hint = fmt.Sprintf("cairn compact discover --skeleton '%s' drafts a rule", strings.ReplaceAll(found[i].Command, "'", ""))
	}
	return a, nil
}

func runBenchmark(c *command.Call) (*answer.Answer, error) {
	bench, progress := options(c)
	set, _ := config.Load(c.Here(), c.Getenv)
	setting, _ := compact.ParseLevel(set.Text(config.CompactLevel))
	bench.Level = level(c, setting)
	bench.Cap = set.Int(config.BenchmarkCap)
	bench.Dir = home.Find(c.Getenv).Benchmark()
	if dir := expandHome(c, set.Text(config.BenchmarkDir)); dir != "" {
		bench.Dir = dir
	}
	if c.Set("out") {
		bench.Dir = c.String("out")
	}
	bench.Dir = must.Get(c.Abs(bench.Dir))
	var dirs []string
	for _, r := range bench.Roots {
		dirs = append(dirs, r.Dir)
	}
	fmt.Fprintf(c.Stderr, "Scanning local transcripts at %s (local-only; nothing leaves this machine).\n", strings.Join(dirs, ", "))
	report, err := benchmark.Run(bench)
	progress.End()
	if err != nil {
		return nil, explain(err)
	}
	a := &answer.Answer{
		Data: report,
		View: answer.Painted(func(p *answer.Page) error {
			w := term.Table(p.Writer)
			if err := report.WriteText(w); err != nil || !c.Bool("dollars") {
				return err
			}
			return report.Dollars.WriteText(w)
		}),
		Said: "page: " + filepath.Join(report.Dir, "index.html"),
	}
	if !report.Gate.Pass {
		a.Err = command.Gate(errors.New("the ship gate failed: " + strings.Join(report.Gate.Reasons, "; ")))
	}
	return a, nil
}

// options returns what a benchmark of the transcripts needs, and the bar that
// shows how it goes.
func options(c *command.Call) (benchmark.Options, *term.Progress) {
	set, _ := config.Load(c.Here(), c.Getenv)
	roots := roots(c, set)
	progress := term.NewProgress(c.Stderr)
	opt := replayed(c, set, progress)
	opt.Roots, opt.Since = roots, since(c, roots, time.Now())
	return opt, progress
}

// Past is what the agents of this user did since then, as far as so many bytes of
// their newest transcripts tell, and what compaction would have saved. It is
// benchmark.ErrNoCalls where there are none.
func Past(c *command.Call, since time.Time, most int64) (*benchmark.Sum, error) {
	set, _ := config.Load(c.Here(), c.Getenv)
	opt := replayed(c, set, &term.Progress{})
	opt.Roots, opt.Since, opt.Most = transcript.Roots(c.Getenv), since, most
	opt.Price = nil
	opt.Warn = func(error) {} // cairn compact benchmark tells
	return benchmark.Measure(opt)
}

// replayed are the options with which calls of the past are compacted again.
func replayed(c *command.Call, set config.Config, progress *term.Progress) benchmark.Options {
	again := &repeats{outline: set.Bool(config.CompactOutline), short: map[[2]string]said{}}
	return benchmark.Options{
		Level:   compact.Normal,
		Compact: settings(c),
		Price:   prices(),
		Hook:    again.askHook,
		Follow:  again.follow(set.Bool(config.CompactReads)),
		InShell: func(name string) bool {
			h, _ := host.Find(name)
			return h.EnvFile != ""
		},
		Progress: progress.Begin,
		Step:     progress.Add,
		Warn:     func(err error) { term.Warn(c.Stderr, "%v", err) },
	}
}

// since is where the flag says to start. Without one it is a month ago, or
// where the transcripts start if they are older.
func since(c *command.Call, roots []transcript.Root, now time.Time) time.Time {
	if c.Set("since") {
		return must.Get(command.Since(c.String("since"), now))
	}
	month := now.AddDate(0, 0, -30)
	if !c.Set("root") {
		for _, newest := range transcript.Newest(roots) {
			if newest.After(month) {
				return month
			}
		}
	}
	return time.Time{}
}

func roots(c *command.Call, set config.Config) (roots []transcript.Root) {
	named := c.List("root")
	if dir := expandHome(c, set.Text(config.BenchmarkRoot)); len(named) == 0 && dir != "" {
		named = []string{dir}
	}
	if len(named) == 0 {
		return transcript.Roots(c.Getenv)
	}
	for _, dir := range named {
		roots = append(roots, transcript.Root{Dir: dir})
	}
	return roots
}

// explain adds what can be done about an error of package benchmark.
func explain(err error) error {
	switch {
	case errors.Is(err, benchmark.ErrNoCalls):
		return command.Data(term.Hint(err, "name a directory of transcripts with --root, or look further back with --since all"))
	case errors.Is(err, benchmark.ErrNotOurs):
		return command.Data(term.Hint(err, "name another directory with --out"))
	case errors.Is(err, fs.ErrPermission):
		return term.Hint(err, "make the directory writable (chmod u+w), or name another with --out")
	}
	return err
}

// settings returns those for a directory as they are found the first time: a
// benchmark asks for every call.
func settings(c *command.Call) func(dir string) compact.Options {
	known := map[string]compact.Options{}
	return func(dir string) compact.Options {
		opt, ok := known[dir]
		if !ok {
			opt = setup.Options(c.Env, c.WorkDir(dir))
			opt.Library = setup.Rules(c.Env, c.WorkDir(dir)) // one that counts no failures
			opt.Tee.Dry = true
			known[dir] = opt
		}
		return opt
	}
}

// askHook answers for a call of the past as the agent's hook would today.
func (r *repeats) askHook(call *transcript.Call, opt compact.Options, each func(compact.Result)) (text string, asked bool) {
	h, ok := host.Find(call.Host)
	if !ok || call.Failed && !h.Failures || !isAsked(h, call.Tool) {
		return "", false
	}
	if s, ok := r.short[key(call)]; ok {
		each(compact.Replaced(s.rule, call.Body, s.text))
		return s.text, true
	}
	out := &host.Output{Texts: []string{call.Body}, Complete: call.Complete}
	if call.Tool == "Read" {
		out.File, out.Range = call.File, call.Range
	}
	ev := host.Event{Kind: host.CallEnded, Session: call.Session, Cwd: call.Project, Tool: call.Tool, Command: call.Command, ExitCode: call.Exit, Output: out}
	texts, err := hook.Replacement(ev, opt, each)
	if err != nil || texts == nil {
		return "", true
	}
	return strings.Join(texts, "\n"), true
}

// isAsked reports whether the agent calls our hook for the result of a tool.
func isAsked(h host.Host, tool string) bool {
	return slices.ContainsFunc(h.HooksOn(runtime.GOOS, host.Compact), func(k host.Hook) bool {
		return k.Event == h.ReplaceEvent && !k.Told && (k.Matcher == "" || h.Matches == nil || h.Matches(k.Matcher, tool))
	})
}

// expandHome turns ~/x of a setting into a path.
func expandHome(c *command.Call, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(home.UserDir(c.Getenv), rest)
	}
	return path
}
