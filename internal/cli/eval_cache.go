package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/cache"
	"cairn/internal/term"
)

func newEvalCache(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Keep what an eval computed, by suite and key, for any language",
		Long: `Keeps what an eval computed, one file per entry: SUITE/KEY.json in
~/.cairn/eval-cache. Any number of processes may read and write at once.
Suites and keys are letters, digits and . _ -, at most 100 bytes.

  key=$(cairn eval cache key --case case.yaml --source prompt.txt)
  cairn eval cache read my_suite "$key" || {
    ask_the_model | tee answer.json
    cairn eval cache write my_suite "$key" < answer.json
  }

EVAL_CACHE=0        reads miss and writes do nothing
EVAL_CACHE_CLEAR=1  reads miss; what is then written replaces what was there.
                    Nothing is removed, so parallel workers cannot lose each
                    other's entries. A time instead of 1 (seconds since 1970, as
                    of date +%s when the run began) lets the run use what it has
                    written itself: only older entries miss.

What judges answered is kept apart, in ~/.cairn/judge-cache.`,
		Example: "  cairn eval cache read my_suite abc123def456\n  cairn eval cache stats",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newEvalCacheRead(env),
		newEvalCacheWrite(env),
		newEvalCacheKey(env),
		newEvalCacheStats(env),
		newEvalCacheVerify(env),
		newEvalCacheClear(env),
	)
	return cmd
}

type evalCacheReadOptions struct {
	suite, key string
	envelope   bool
}

func newEvalCacheRead(env *Env) *cobra.Command {
	var opts evalCacheReadOptions
	cmd := &cobra.Command{
		Use:   "read SUITE KEY",
		Short: "Print an entry's data; exit 1 when there is none",
		Long: `Prints the JSON that was written, byte for byte, and ends with 0. When there is
no such entry it prints nothing and ends with 1. An entry that is damaged, or
that another version of cairn wrote, is none; a damaged one is named on stderr.`,
		Example: "  cairn eval cache read my_suite abc123def456\n  cairn eval cache read my_suite abc123def456 --envelope",
		Args:    usageArgs(cobra.ExactArgs(2)),
		RunE: func(_ *cobra.Command, args []string) error {
			opts.suite, opts.key = args[0], args[1]
			return runEvalCacheRead(env, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.envelope, "envelope", false, "print the whole entry: its data with version, time and names")
	return cmd
}

// quickCacheRead recognizes the plain form of the verb, that of scripts: a
// runner calls it once for every case.
func quickCacheRead(args []string) (opts evalCacheReadOptions, ok bool) {
	if len(args) < 5 || args[0] != "eval" || args[1] != "cache" || args[2] != "read" {
		return opts, false
	}
	opts = evalCacheReadOptions{suite: args[3], key: args[4], envelope: len(args) == 6 && args[5] == "--envelope"}
	plain := !strings.HasPrefix(opts.suite, "-") && !strings.HasPrefix(opts.key, "-")
	return opts, plain && (len(args) == 5 || opts.envelope)
}

func runEvalCacheRead(env *Env, opts evalCacheReadOptions) error {
	entry, err := evalCache(env).Read(opts.suite, opts.key)
	var corrupt *cache.CorruptError
	switch {
	case errors.As(err, &corrupt):
		term.Warn(env.Stderr, "%s", term.Printable(corrupt.Error()))
		return command.Status(command.ExitFailed)
	case errors.Is(err, cache.ErrMiss):
		return command.Status(command.ExitFailed)
	case err != nil:
		return evalCacheError(err)
	}
	if opts.envelope {
		_, err = env.Stdout.Write(entry.Raw)
	} else {
		_, err = env.Stdout.Write(append(entry.Data, '\n')) // over the envelope's last brace
	}
	return err
}

func newEvalCacheWrite(env *Env) *cobra.Command {
	var caseName string
	cmd := &cobra.Command{
		Use:   "write SUITE KEY [DATA]",
		Short: "Keep JSON, given as an argument or on stdin",
		Long: fmt.Sprintf(`Keeps one JSON value of at most %d MB. What is no JSON is refused with exit 3,
and what was there before stays.`, cache.MaxData>>20),
		Example: `  cairn eval cache write my_suite abc123def456 '{"response": "yes"}'
  ./ask-the-model | cairn eval cache write my_suite abc123def456 --case must_cite_sources`,
		Args: usageArgs(cobra.RangeArgs(2, 3)),
		RunE: func(_ *cobra.Command, args []string) error {
			return runEvalCacheWrite(env, args, caseName)
		},
	}
	cmd.Flags().StringVar(&caseName, "case", "", "the `name` of the case, kept with the data")
	return cmd
}

func runEvalCacheWrite(env *Env, args []string, caseName string) error {
	var data []byte
	if len(args) == 3 && args[2] != "-" {
		data = []byte(args[2])
	} else {
		if term.IsTerminal(env.Stdin) {
			return command.Usage(term.Hint(errors.New("there is no data"), "give it as the last argument, or on stdin"))
		}
		var err error
		if data, err = io.ReadAll(io.LimitReader(env.Stdin, cache.MaxData+1<<20)); err != nil {
			return fmt.Errorf("stdin cannot be read: %w", err)
		}
	}
	return evalCacheError(evalCache(env).Write(args[0], args[1], caseName, data, time.Now()))
}

// evalCache is the cache of the user, used as the environment says.
func evalCache(env *Env) cache.Cache {
	policy, err := cache.ParsePolicy(env.Getenv("EVAL_CACHE"), env.Getenv("EVAL_CACHE_CLEAR"))
	if err != nil {
		term.Warn(env.Stderr, "EVAL_CACHE or EVAL_CACHE_CLEAR: %v", err)
	}
	return cache.Cache{Root: home.Find(env.Getenv).EvalCache(), Policy: policy}
}

// evalCacheError gives the errors of package cache their exit code and remedy.
func evalCacheError(err error) error {
	switch {
	case errors.Is(err, cache.ErrName):
		return command.Usage(err)
	case errors.Is(err, cache.ErrData):
		return command.Dataf("the data %w", err)
	}
	return err
}
