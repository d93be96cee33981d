package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/benchmark"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/term"
)

type compactBenchmarkOptions struct {
	transcriptOptions
	level string
	json  bool
	out   string
}

func newCompactBenchmark(env *Env) *cobra.Command {
	var opts compactBenchmarkOptions
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

func runCompactBenchmark(env *Env, opts compactBenchmarkOptions) error {
	bench, progress, err := opts.benchmark(env)
	if err != nil {
		return err
	}
	set, _ := config.Load(env.Here(), env.Getenv)
	bench.Level, _ = compact.ParseLevel(set.Text(config.CompactLevel))
	if bench.Level, err = levelFlag(opts.level, bench.Level); err != nil {
		return err
	}
	bench.Cap = set.Int(config.BenchmarkCap)
	bench.Dir = home.Find(env.Getenv).Benchmark()
	if dir := expandHome(env, set.Text(config.BenchmarkDir)); dir != "" {
		bench.Dir = dir
	}
	if opts.out != "" {
		bench.Dir = opts.out
	}
	if bench.Dir, err = env.Abs(bench.Dir); err != nil {
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
		return command.Gate(errors.New("the ship gate says no: " + strings.Join(report.Gate.Reasons, "; ")))
	}
	return nil
}
