package evalcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/result"
	"cairn/internal/team/result/reader"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/text"
)

var importing = command.Command{
	Path: "eval import", Short: "Import results of other tools, also whole directories",
	Long: "Reads every file of results, also below the directories that are named, and\n" +
		"stores each as a run with its own time, commit and branch.\n" +
		"Read are " + reader.Formats + ".\n\n" +
		"Files of another kind in a directory are left out and named. A file that cannot be\n" +
		"read stops the import before anything is stored, unless --skip-bad.",
	Args: []command.Arg{{Name: "FILE|DIR", Many: true}},
	Flags: []command.Flag{
		{Name: "label", Default: "", Help: "the label of the runs", Values: runs.Labels},
		newSuiteFlag, mapFlag,
		{Name: "dry-run", Default: false, Help: "show what was read, and store nothing"},
		{Name: "skip-bad", Default: false, Help: "leave out files that cannot be read"},
		noPushFlag},
	Examples: []string{"cairn eval import results/ --dry-run", "cairn eval import logs/*.eval --suite agents"},
	Effect:   command.Writes, Run: runImport,
}

func runImport(c *command.Call) (*answer.Answer, error) {
	names := resultFiles(c.Env, c.Rest("FILE|DIR"))
	k := runs.Keeper{Env: c.Env, Label: c.String("label"), Suite: c.String("suite"), NoPush: c.Bool("no-push")}
	t := answer.NewTable("file:name", "format:name", "results:count", "passed:count", "failed:count", "errors:count", "skipped:count", "repeats:count")
	var read []*result.Run
	skipped := 0
	for _, name := range names {
		file, err := runs.ReadFile(c.Env, name, mapping(c))
		if err == nil {
			err = k.Complete(name, file.Runs)
		}
		if err != nil && c.Bool("skip-bad") {
			skipped++
			term.Warn(c.Stderr, "left out: %s", term.Printable(err.Error()))
			continue
		}
		if err != nil {
			return nil, term.Hint(err, "nothing was stored; --skip-bad leaves such files out")
		}
		addFile(t, name, file)
		read = append(read, file.Runs...)
	}
	if c.Bool("dry-run") {
		fmt.Fprintln(c.Stderr, "cairn: nothing was stored")
		return &answer.Answer{Data: answer.Lines{}, View: t}, nil
	}
	done, err := k.Store(read)
	a := keptAnswer(done)
	if a.View, a.Err = t, err; err == nil && skipped > 0 {
		a.Err = command.Dataf("%s could not be read", text.Count(skipped, "file"))
	}
	fmt.Fprintf(c.Stderr, "cairn: %s stored\n", text.Count(len(done), "run"))
	return a, nil
}

// addFile adds a row about a file that was read.
func addFile(t *answer.Table, name string, file reader.File) {
	var n result.Counts
	repeats := 0
	for _, run := range file.Runs {
		n.Add(run.Counts)
		for i := range run.Results {
			if run.Results[i].Try() > 1 {
				repeats++
			}
		}
	}
	t.Add(name, file.Format, n.Total, answer.Some(n.Passed), answer.Some(n.Failed), answer.Some(n.Errored), answer.Some(n.Skipped), answer.Some(repeats))
}

// kindsOfFiles are the ends of names that results have, among other files.
var kindsOfFiles = []string{".json", ".jsonl", ".ndjson", ".xml", ".eval", ".csv", ".tsv", ".yaml", ".yml"}

// resultFiles lists the files that are named, and in directories those that may
// hold results.
func resultFiles(env *command.Env, args []string) (names []string) {
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
			case name == top || slices.Contains(kindsOfFiles, strings.ToLower(filepath.Ext(name))) && env.IsRegular(name):
				names = append(names, arg+strings.TrimPrefix(name, top))
			}
			return nil
		})
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s does not exist", command.Shown(arg))
		}
		must.OK(command.Data(err))
	}
	if len(names) == 0 {
		must.Fail(command.Dataf("no file of results found in %s", command.Shown(strings.Join(args, ", "))))
	}
	return names
}
