package cli

import (
	"cairn/internal/command"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/team/result"
	"cairn/internal/team/result/reader"
	"cairn/internal/term"
	"cairn/internal/text"
)

type evalImportOptions struct {
	keep
	dryRun, skipBad bool
}

func newEvalImport(env *Env) *cobra.Command {
	var opts evalImportOptions
	cmd := &cobra.Command{
		Use:   "import FILE|DIR...",
		Short: "Bring in what other tools wrote before: many files, whole directories",
		Long: `Reads every file of results, also below the directories that are named, and
stores each as a run with the time, the commit and the branch that it tells of.
` + text.Wrap("Read are "+reader.Formats+".", 79) + `

Files of another kind in a directory are left out and named. One that cannot be
read stops all of it, before anything is stored, unless --skip-bad.`,
		Example: `  cairn eval import results/ --dry-run
  cairn eval import logs/*.eval --suite agents`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalImport(env, args, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.label, "label", "", "what to call the runs")
	f.StringVar(&opts.suite, "suite", "", "the suite of results that name none")
	f.BoolVar(&opts.dryRun, "dry-run", false, "say what was read and store nothing")
	f.BoolVar(&opts.skipBad, "skip-bad", false, "leave out files that cannot be read")
	f.BoolVar(&opts.noPush, "no-push", false, "store the runs here only, also where the repository has a team")
	f.BoolVar(&opts.json, "json", false, "print what was stored as JSON, one object a line")
	return cmd
}

// imported is a file that was read.
type imported struct {
	name string
	reader.File
}

func runEvalImport(env *Env, args []string, opts evalImportOptions) error {
	names, err := resultFiles(env, args)
	if err != nil {
		return err
	}
	var files []imported
	skipped := 0
	for _, name := range names {
		file, err := readResultFile(env, name)
		if err == nil {
			err = opts.complete(env, name, file.Runs)
		}
		if err != nil && opts.skipBad {
			skipped++
			term.Warn(env.Stderr, "left out: %s", term.Printable(err.Error()))
			continue
		}
		if err != nil {
			return term.Hint(err, "nothing was stored; --skip-bad leaves such files out")
		}
		files = append(files, imported{name, file})
	}
	if !opts.json {
		if err := printImported(env, files); err != nil {
			return err
		}
	}
	if opts.dryRun {
		fmt.Fprintf(env.Stderr, "cairn: nothing was stored\n")
		return nil
	}
	quiet := *env
	if !opts.json {
		quiet.Stdout = io.Discard
	}
	stored := 0
	for _, f := range files {
		if err := opts.store(&quiet, f.Runs); err != nil {
			return err
		}
		stored += len(f.Runs)
	}
	fmt.Fprintf(env.Stderr, "cairn: %s stored\n", text.Count(stored, "run"))
	if skipped > 0 {
		return command.Dataf("%s could not be read", text.Count(skipped, "file"))
	}
	return nil
}

// resultFiles lists the files that are named, and in directories those that may
// hold results.
func resultFiles(env *Env, args []string) (names []string, err error) {
	for _, arg := range args {
		if arg == "-" {
			names = append(names, arg)
			continue
		}
		top := env.Path(arg)
		err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir():
				if base := d.Name(); name != top && (strings.HasPrefix(base, ".") || base == "node_modules") {
					return filepath.SkipDir
				}
			case name == top || mayBeResults(name) && isRegular(name):
				names = append(names, arg+strings.TrimPrefix(name, top))
			}
			return nil
		})
		if isNotThere(err) {
			err = fmt.Errorf("%s is not there", shownName(arg))
		}
		if err != nil {
			return nil, command.Data(err)
		}
	}
	if len(names) == 0 {
		return nil, command.Dataf("no file that may hold results is in %s", shownName(strings.Join(args, ", ")))
	}
	return names, nil
}

func mayBeResults(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json", ".jsonl", ".ndjson", ".xml", ".eval", ".csv", ".yaml", ".yml":
		return true
	}
	return false
}

// printImported is the table of what was read.
func printImported(env *Env, files []imported) error {
	g := grid{head: []string{"FILE", "FORMAT", ">RESULTS", ">PASSED", ">FAILED", ">ERRORS", ">SKIPPED", ">REPEATS"}}
	for _, f := range files {
		var n result.Counts
		repeats := 0
		for _, run := range f.Runs {
			n.Total, n.Passed, n.Failed = n.Total+run.Total, n.Passed+run.Passed, n.Failed+run.Failed
			n.Errored, n.Skipped = n.Errored+run.Errored, n.Skipped+run.Skipped
			for i := range run.Results {
				if run.Results[i].Try() > 1 {
					repeats++
				}
			}
		}
		g.row(term.Line(f.name), f.Format, fmt.Sprint(n.Total), someText(n.Passed), someText(n.Failed), someText(n.Errored), someText(n.Skipped), someText(repeats))
	}
	return g.print(env.Stdout, term.NewPaint(env.Stdout, env.Getenv))
}
