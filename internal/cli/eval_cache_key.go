package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/cache"
	"cairn/internal/term"
)

type evalCacheKeyOptions struct {
	caseFile string
	sources  []string
}

func newEvalCacheKey(env *Env) *cobra.Command {
	var opts evalCacheKeyOptions
	cmd := &cobra.Command{
		Use:   "key --case FILE",
		Short: "Print the key of a case: it changes with its input and its sources",
		Long: `Prints 16 hex digits of the SHA-256 over a case's input and the files that its
output depends on: those of --source, and prompt_source_files of the case. When
any of them changes the key is another, and a file that is missing is an error
(exit 3), never a key without it.

The case is YAML or JSON; - reads it from stdin. All of it is input but
description, category, tags and expectations: what is expected can change and
be checked against the output in the cache. Comments and layout do not count.

A name in prompt_source_files is relative to the repository that the case is in
(without one, to the case's directory); one that begins with ./ or ../ to the
case's directory. --source is relative to where the command runs. Files of the
repository count by their place in it, so every checkout gives the same key.`,
		Example: `  cairn eval cache key --case evals/must_cite_sources.yaml
  cairn eval cache key --case - --source app/prompt.txt --source app/chat.rb < case.json`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runEvalCacheKey(env, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.caseFile, "case", "", "the case: a YAML or JSON `file`, or - for stdin")
	f.StringArrayVar(&opts.sources, "source", nil, "a `file` that the output depends on; may be given again")
	return cmd
}

func runEvalCacheKey(env *Env, opts evalCacheKeyOptions) error {
	if opts.caseFile == "" {
		return command.Usage(term.Hint(errors.New("--case is missing"), "name the file of the case, or - for stdin"))
	}
	text, err := readCase(env, opts.caseFile)
	if err != nil {
		return command.Data(err)
	}
	c, err := cache.ParseCase(text)
	if err != nil {
		return command.Dataf("%s: %w", opts.caseFile, err)
	}
	dir, err := env.Wd()
	if err != nil {
		return err
	}
	caseDir := dir
	if opts.caseFile != "-" {
		if caseDir, err = env.Abs(filepath.Dir(opts.caseFile)); err != nil {
			return err
		}
	}
	root := caseDir
	if repo := home.FindRepo(caseDir, env.Getenv); repo != "" {
		root = string(repo)
	}
	key, err := cache.Key(c, cache.SourcesOf(c, caseDir, root, opts.sources, dir))
	if err != nil {
		return command.Data(err)
	}
	_, err = fmt.Fprintln(env.Stdout, key)
	return err
}

// readCase reads no more than a case may have, and a byte.
func readCase(env *Env, name string) ([]byte, error) {
	in := env.Stdin
	if name != "-" {
		f, err := os.Open(env.Path(name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, cache.MaxCase+1))
}
