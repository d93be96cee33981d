package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/benchmark"
	"cairn/internal/compact"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/term"
)

type benchmarkOptions struct {
	transcriptOptions
	level string
	json  bool
	out   string
}

func newCompactBenchmark(env *Env) *cobra.Command {
	var opts benchmarkOptions
	cmd := &cobra.Command{
		Use:   "benchmark",
		Short: "Measure on your own transcripts what cairn would save, and what it would lose",
		Long: `Reads the transcripts of your agents, makes of every tool result what cairn
would have made of it, and counts tokens against what the model received. Lines
that explain a failure are planted into the real outputs and must come through.
Nothing leaves this machine: no socket is opened.

A result counts when cairn may touch it. Source code that was read, edits,
small results and tools without a hook stand apart with their tokens; so does
what the agent cut itself, where cairn shows more instead of less. The largest
calls that together hold 80 % of the tokens make the scenarios, by tool and
command; their files, secrets taken out, are envelopes for cairn compact test.

Exit code 5 when the ship gate says no: the scenarios together save less than
15 %, one of them less than 5 %, or a planted line is lost. 3 without
transcripts.`,
		Example: `  cairn compact benchmark
  cairn compact benchmark --since 7d --level aggressive
  cairn compact benchmark --root ./transcripts --json | jq .gate`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runCompactBenchmark(env, opts) },
	}
	f := cmd.Flags()
	opts.flags(f)
	f.StringVar(&opts.level, "level", "", "how much to cut: minimal, normal or aggressive (default: the setting compact.level)")
	f.BoolVar(&opts.json, "json", false, "print the report as JSON")
	f.StringVar(&opts.out, "out", "", "directory in which latest/ is replaced (default: the setting compact.benchmark.output_dir)")
	return cmd
}

func runCompactBenchmark(env *Env, opts benchmarkOptions) error {
	bench, progress, err := opts.benchmark(env)
	if err != nil {
		return err
	}
	set, _ := config.Load(workDir(""), env.Getenv)
	level := compact.Options{}
	level.Level, _ = compact.ParseLevel(set.Text(config.CompactLevel))
	if err := setLevel(&level, opts.level); err != nil {
		return err
	}
	bench.Level, bench.Cap = level.Level, set.Int(config.BenchmarkCap)
	bench.Dir = home.Find(env.Getenv).Benchmark()
	if dir := expandHome(env, set.Text(config.BenchmarkDir)); dir != "" {
		bench.Dir = dir
	}
	if opts.out != "" {
		bench.Dir = opts.out
	}
	if bench.Dir, err = filepath.Abs(bench.Dir); err != nil {
		return err
	}

	var dirs []string
	for _, r := range bench.Roots {
		dirs = append(dirs, r.Dir)
	}
	fmt.Fprintf(env.Stderr, "Scanning local transcripts at %s (local-only; nothing leaves this machine).\n", strings.Join(dirs, ", "))
	report, err := benchmark.Run(bench)
	progress.End()
	if err != nil {
		return benchmarkHint(err)
	}
	if opts.json {
		err = printJSON(env, report)
	} else {
		err = report.WriteText(term.Table(env.Stdout))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "page: %s\n", filepath.Join(report.Dir, "index.html"))
	if !report.Gate.Pass {
		return withKind(errGate, errors.New("the ship gate says no: "+strings.Join(report.Gate.Reasons, "; ")))
	}
	return nil
}

func benchmarkHint(err error) error {
	switch {
	case errors.Is(err, benchmark.ErrNoCalls):
		return withKind(errData, term.Hint(err, "name a directory of transcripts with --root, or look further back with --since all"))
	case errors.Is(err, benchmark.ErrNotOurs):
		return withKind(errData, term.Hint(err, "name another directory with --out"))
	}
	return permissionHint(err)
}

// parseSince reads how far to look back: 30d, 12h, 2w, a date, or all.
func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "all" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return day, nil
	}
	var n int
	var unit string
	if _, err := fmt.Sscanf(text, "%d%s", &n, &unit); err == nil && n >= 0 && n < 100_000 {
		switch unit {
		case "h":
			return now.Add(-time.Duration(n) * time.Hour), nil
		case "d":
			return now.AddDate(0, 0, -n), nil
		case "w":
			return now.AddDate(0, 0, -7*n), nil
		}
	}
	return time.Time{}, withKind(errUsage, term.Hint(fmt.Errorf("--since %q is no time", text), "30d, 12h, 2w, 2026-01-31 or all"))
}
