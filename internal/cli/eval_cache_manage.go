package cli

import (
	"cairn/internal/command"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/home"
	"cairn/internal/team/cache"
	"cairn/internal/term"
	"cairn/internal/text"
)

type evalCacheOptions struct {
	judge  bool
	json   bool
	remove bool
	older  string
}

// cache is the one that a verb about all entries is for.
func (o evalCacheOptions) cache(env *Env) cache.Cache {
	h := home.Find(env.Getenv)
	if o.judge {
		return cache.Cache{Root: h.JudgeCache()}
	}
	return cache.Cache{Root: h.EvalCache()}
}

func (o *evalCacheOptions) judgeFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.judge, "judge", false, "of what judges answered, in ~/.cairn/judge-cache")
}

func newEvalCacheStats(env *Env) *cobra.Command {
	var opts evalCacheOptions
	cmd := &cobra.Command{
		Use:     "stats",
		Short:   "Show entries, size and dates of each suite",
		Example: "  cairn eval cache stats\n  cairn eval cache stats --judge --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runEvalCacheStats(env, opts) },
	}
	opts.judgeFlag(cmd)
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON, sizes in bytes")
	return cmd
}

type evalCacheSum struct {
	Suite  string    `json:"suite,omitempty"`
	Files  int       `json:"files"`
	Bytes  int64     `json:"bytes"`
	Oldest time.Time `json:"oldest,omitzero"`
	Newest time.Time `json:"newest,omitzero"`
}

func runEvalCacheStats(env *Env, opts evalCacheOptions) error {
	c := opts.cache(env)
	suites, err := c.Stats()
	if err != nil {
		return err
	}
	sums, total := make([]evalCacheSum, 0, len(suites)), evalCacheSum{}
	for _, s := range suites {
		sums = append(sums, evalCacheSum{s.Name, s.Files, s.Bytes, s.Oldest, s.Newest})
		total.Files += s.Files
		total.Bytes += s.Bytes
		if total.Oldest.IsZero() || s.Oldest.Before(total.Oldest) {
			total.Oldest = s.Oldest
		}
		if s.Newest.After(total.Newest) {
			total.Newest = s.Newest
		}
	}
	if opts.json {
		return printJSON(env, struct {
			Dir    string         `json:"dir"`
			Suites []evalCacheSum `json:"suites"`
			Total  evalCacheSum   `json:"total"`
		}{c.Root, sums, total})
	}
	if len(sums) == 0 {
		fmt.Fprintf(env.Stderr, "cairn: %s has no entry yet\n", c.Root)
		term.PrintHint(env.Stderr, "cairn eval cache --help shows how a runner uses it")
		return nil
	}
	if len(sums) > 1 {
		total.Suite = "(all)" // no suite can be called that
		sums = append(sums, total)
	}
	w := tabwriter.NewWriter(term.Table(env.Stdout), 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "FILES\tSIZE\tOLDEST\tNEWEST\t  SUITE")
	for _, s := range sums {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t  %s\n", s.Files, text.Bytes(s.Bytes),
			s.Oldest.Local().Format(time.DateOnly), s.Newest.Local().Format(time.DateOnly), term.Printable(s.Suite))
	}
	return w.Flush()
}

func newEvalCacheVerify(env *Env) *cobra.Command {
	var opts evalCacheOptions
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check every entry; exit 5 when one cannot be used",
		Long: `Reads every entry: it must be JSON, of this version, and its suite and key must
be those of its place. An entry that is not is a miss for a runner, so removing
it loses nothing.`,
		Example: "  cairn eval cache verify\n  cairn eval cache verify --remove",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runEvalCacheVerify(env, opts) },
	}
	opts.judgeFlag(cmd)
	cmd.Flags().BoolVar(&opts.remove, "remove", false, "remove those that cannot be used, and end with 0")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func runEvalCacheVerify(env *Env, opts evalCacheOptions) error {
	c := opts.cache(env)
	suites, err := c.Stats()
	if err != nil {
		return err
	}
	var size int64
	for _, s := range suites {
		size += s.Bytes
	}
	bar := term.NewProgress(env.Stderr)
	bar.Begin("checking", size)
	entries, invalid, err := c.Verify(bar.Add)
	bar.End()
	if err != nil {
		return err
	}
	type unusable struct {
		File   string `json:"file"`
		Reason string `json:"reason"`
	}
	list, removed := make([]unusable, 0, len(invalid)), 0
	for _, i := range invalid {
		list = append(list, unusable{i.File, i.Err.Error()})
		if opts.remove {
			if err := os.Remove(i.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			removed++
		}
	}
	if opts.json {
		err = printJSON(env, struct {
			Entries int        `json:"entries"`
			Invalid []unusable `json:"invalid"`
			Removed int        `json:"removed"`
		}{entries, list, removed})
	} else {
		for _, u := range list {
			name, rerr := filepath.Rel(c.Root, u.File)
			if rerr != nil {
				name = u.File
			}
			fmt.Fprintf(env.Stdout, "%s: %s\n", term.Printable(name), term.Printable(u.Reason))
		}
		_, err = fmt.Fprintf(env.Stdout, "%s, %d cannot be used, %d removed\n", text.Count(entries, "entry"), len(list), removed)
	}
	if err != nil || len(list) == removed {
		return err
	}
	hint := "cairn eval cache verify --remove removes them"
	if opts.judge {
		hint = "cairn eval cache verify --judge --remove removes them"
	}
	return command.Gate(term.Hint(fmt.Errorf("%s of %s cannot be used", text.Count(len(list), "entry"), c.Root), "%s", hint))
}

func newEvalCacheClear(env *Env) *cobra.Command {
	var opts evalCacheOptions
	cmd := &cobra.Command{
		Use:     "clear [SUITE]",
		Short:   "Remove the entries of a suite, or all",
		Example: "  cairn eval cache clear my_suite\n  cairn eval cache clear --older 30d",
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			suite := ""
			if len(args) == 1 {
				if suite = args[0]; suite == "" {
					return command.Usagef("the suite is empty; leave it out to clear all")
				}
			}
			return runEvalCacheClear(env, suite, opts)
		},
	}
	opts.judgeFlag(cmd)
	cmd.Flags().StringVar(&opts.older, "older", "", "only what was written before this `time`: 30d, 12h, 2w ago, or a date")
	return cmd
}

func runEvalCacheClear(env *Env, suite string, opts evalCacheOptions) error {
	var before time.Time
	if opts.older != "" {
		var err error
		if before, err = command.Since(opts.older, time.Now()); err != nil || before.IsZero() {
			return command.Usage(term.Hint(fmt.Errorf("--older %q is no time", opts.older), "30d, 12h, 2w or 2026-01-31"))
		}
	}
	files, bytes, err := opts.cache(env).Clear(suite, before)
	if err != nil {
		return evalCacheError(err)
	}
	_, err = fmt.Fprintf(env.Stdout, "%s removed, %s\n", text.Count(files, "entry"), text.Bytes(bytes))
	return err
}
