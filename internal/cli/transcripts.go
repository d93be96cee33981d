package cli

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"cairn/internal/benchmark"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/hook"
	"cairn/internal/host"
	"cairn/internal/term"
	"cairn/internal/transcript"
)

// transcriptOptions are the flags of the verbs that read transcripts.
type transcriptOptions struct {
	since string
	roots []string
}

func (o *transcriptOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.since, "since", "", "how far to look back: 30d, 12h, 2w, a date, or all (default 30d; all with --root, or without a session since)")
	f.StringArrayVar(&o.roots, "root", nil, "a directory of transcripts, instead of the agents' own (repeatable)")
}

// benchmark returns what a benchmark of these transcripts needs, and the bar
// that shows how it goes.
func (o transcriptOptions) benchmark(env *Env) (benchmark.Options, *term.Progress, error) {
	set, _ := config.Load(env.Here(), env.Getenv)
	roots := o.transcripts(env, set)
	since, err := o.from(roots, time.Now())
	if err != nil {
		return benchmark.Options{}, nil, err
	}
	progress := term.NewProgress(env.Stderr)
	return benchmark.Options{
		Roots: roots, Since: since, Level: compact.Normal,
		Compact: settingsOf(env),
		Hook:    askHook,
		ShimTools: func(name string) []string {
			if h, _ := host.Find(name); h.EnvFile == "" {
				return nil
			}
			return set.List(config.CompactShimTools)
		},
		Progress: progress.Begin,
		Step:     progress.Add,
		Warn:     func(err error) { term.Warn(env.Stderr, "%v", err) },
	}, progress, nil
}

// from is where the flag says to begin. Whoever names no time wants the last
// month, or what there is.
func (o transcriptOptions) from(roots []transcript.Root, now time.Time) (time.Time, error) {
	if o.since != "" {
		return command.Since(o.since, now)
	}
	month := now.AddDate(0, 0, -30)
	if len(o.roots) == 0 {
		for _, newest := range transcript.Newest(roots) {
			if newest.After(month) {
				return month, nil
			}
		}
	}
	return time.Time{}, nil
}

// benchmarkHint adds what can be done about an error of package benchmark.
func benchmarkHint(err error) error {
	switch {
	case errors.Is(err, benchmark.ErrNoCalls):
		return command.Data(term.Hint(err, "name a directory of transcripts with --root, or look further back with --since all"))
	case errors.Is(err, benchmark.ErrNotOurs):
		return command.Data(term.Hint(err, "name another directory with --out"))
	}
	return fileHint(err)
}

func (o transcriptOptions) transcripts(env *Env, set config.Config) []transcript.Root {
	named := o.roots
	if dir := expandHome(env, set.Text(config.BenchmarkRoot)); len(named) == 0 && dir != "" {
		named = []string{dir}
	}
	if len(named) == 0 {
		return transcript.Roots(env.Getenv)
	}
	var roots []transcript.Root
	for _, dir := range named {
		roots = append(roots, transcript.Root{Dir: dir})
	}
	return roots
}

// settingsOf returns the settings for a directory as they are found the first
// time: a benchmark asks for every call.
func settingsOf(env *Env) func(dir string) compact.Options {
	known := map[string]compact.Options{}
	return func(dir string) compact.Options {
		opt, ok := known[dir]
		if !ok {
			opt = compactOptions(env, env.WorkDir(dir))
			opt.Library = loadRules(env, env.WorkDir(dir)) // one that counts no failures
			known[dir] = opt
		}
		return opt
	}
}

// askHook answers for a call of the past as the agent's hook would today.
func askHook(c *transcript.Call, opt compact.Options, each func(compact.Result)) (text string, asked bool) {
	h, ok := host.Find(c.Host)
	if !ok || c.Failed && !h.Failures || !isAsked(h, c.Tool) {
		return "", false
	}
	out := &host.Output{Texts: []string{c.Body}, Complete: c.Complete}
	if c.Tool == "Read" {
		out.File, out.Range = c.File, c.Range
	}
	ev := host.Event{Kind: host.CallEnded, Session: c.Session, Cwd: c.Project, Tool: c.Tool, Command: c.Command, ExitCode: c.Exit, Output: out}
	texts, err := hook.Replacement(ev, opt, each)
	if err != nil || texts == nil {
		return "", true
	}
	return strings.Join(texts, "\n"), true
}

// isAsked reports whether the agent calls our hook for the result of a tool.
func isAsked(h host.Host, tool string) bool {
	for _, k := range h.HooksOn(runtime.GOOS, host.Compact) {
		if k.Event == h.ReplaceEvent && (k.Matcher == "" || h.Matches == nil || h.Matches(k.Matcher, tool)) {
			return true
		}
	}
	return false
}

// expandHome turns ~/x of a setting into a path.
func expandHome(env *Env, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(home.UserDir(env.Getenv), rest)
	}
	return path
}
