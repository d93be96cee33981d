package evalcmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/team/runs"
	"cairn/internal/term"
)

var push = command.Command{
	Path: "eval push", Short: "Store the results that a runner wrote",
	Long: "Reads results, fills in what the file does not say (repository, commit, branch,\n" +
		"label, time), and stores them in ~/.cairn/evals. The same content is stored\n" +
		"once. - reads stdin.\n\n" +
		"Parallel workers write ~/.cairn/eval-partials/SUITE/worker_PID.json. Without\n" +
		"a FILE these are joined, stored as one run of each suite, and removed; a\n" +
		"directory as FILE is one with such files. Of a case that several workers did,\n" +
		"the one that took longest counts.\n\n" +
		"The label is EVAL_LABEL or the branch; EVAL_TIER says how much was run (quick,\n" +
		"standard, full) and EVAL_JUDGE_TIER who judged (fast, standard, full).",
	Args: []command.Arg{{Name: "FILE", Optional: true, Many: true}},
	Flags: []command.Flag{
		{Name: "label", Default: "", Help: "the label of the runs, instead of the branch", Values: runs.Labels},
		newSuiteFlag, mapFlag,
		{Name: "print-id", Default: false, Help: "print only the id of each run that is stored, a line each; the rest goes to stderr"}},
	Exclusive: [][]string{{"json", "print-id"}},
	Examples:  []string{"cairn eval push results.json", "cairn eval push results.csv --map name=id,passed=ok,output=answer", "go test -json ./... | cairn eval push - --suite go", "cairn eval push results.json --print-id"},
	Effect:    command.Writes, Run: runPush,
}

// runPush stores all runs or, when one cannot be read, none.
func runPush(c *command.Call) (*answer.Answer, error) {
	k := runs.Keeper{Env: c.Env, Label: c.String("label"), Suite: c.String("suite")}
	files := c.Rest("FILE")
	if len(files) == 0 {
		files = written(home.Find(c.Getenv).EvalPartials())
	}
	var all []*result.Run
	var joined []*eval.Partials
	for _, file := range files {
		var read []*result.Run
		if c.IsDir(file) {
			p := readPartials(c.Env, file)
			joined, read = append(joined, p), []*result.Run{p.Run}
		} else {
			read = must.Get(runs.Read(c.Env, file, mapping(c)))
		}
		must.OK(k.Complete(file, read))
		all = append(all, read...)
	}
	done, err := k.Store(all)
	for i := 0; i < len(joined) && err == nil; i++ {
		if err = joined[i].Remove(); err != nil {
			err = fmt.Errorf("the run is stored, but the workers' files could not be removed: %w", err)
		}
	}
	a := keptAnswer(done)
	if c.Bool("print-id") {
		a.View = ids(c, done)
	}
	a.Err = err
	return a, nil
}

// ids is for a script: an id a line. What a person reads goes to stderr.
func ids(c *command.Call, done []runs.Kept) (lines answer.Views) {
	for _, k := range done {
		fmt.Fprintf(c.Stderr, "cairn: %s\n", k)
		lines = append(lines, answer.Line("%s", k.ID))
	}
	return lines
}

// keptAnswer has a line for each run that is stored.
func keptAnswer(done []runs.Kept) *answer.Answer {
	a := &answer.Answer{Data: answer.LinesOf(done), Done: true}
	var lines answer.Views
	for _, k := range done {
		lines = append(lines, answer.Line("%s", k))
	}
	a.View = lines
	return a
}

// written are the directories of suites in which workers wrote results.
func written(root string) (dirs []string) {
	suites, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		must.Fail(err)
	}
	for _, s := range suites {
		dir := filepath.Join(root, s.Name())
		if found, _ := eval.HasPartials(dir); found {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		must.Fail(command.Usage(term.Hint(fmt.Errorf("FILE is missing, and no worker wrote to %s", root), "cairn eval push FILE")))
	}
	return dirs
}

// readPartials joins the workers' files of a directory; the suite is called as
// the directory where the files do not say.
func readPartials(env *command.Env, dir string) *eval.Partials {
	p, err := eval.ReadPartials(env.Path(dir))
	if err == nil && p == nil {
		err = fmt.Errorf("%s is a directory without worker_*.json", command.Shown(dir))
	}
	if err != nil {
		must.Fail(command.Data(term.Hint(err, "name the files, or cairn eval import %s", command.Shown(dir))))
	}
	for _, w := range p.Warnings {
		term.Warn(env.Stderr, "%s", w)
	}
	if p.Run.Suite == "" {
		p.Run.Suite = filepath.Base(dir)
	}
	return p
}

var schema = command.Command{
	Path: "eval schema", Short: "Print the format of results as JSON Schema",
	Long: "Prints what a runner has to write, as JSON Schema 2020-12 with the meaning and\n" +
		"the unit of every member: for an editor, or for a runner that checks itself.\n" +
		"cairn eval push is a little stricter; the description in the schema says in\n" +
		"what. docs/eval-format.md says the same with examples.",
	Examples: []string{"cairn eval schema > eval-result.schema.json", `cairn eval schema | jq '."$defs".result.properties | keys'`},
	Effect:   command.Reads, Text: true,
	Run: func(c *command.Call) (*answer.Answer, error) {
		_, err := io.WriteString(c.Stdout, result.Schema())
		return nil, err
	},
}
