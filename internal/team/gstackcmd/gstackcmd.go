// Package gstackcmd declares `cairn migrate gstack`: it stores what an import reads, and
// tells what became of it.
//
// Only package cli imports it. What gstack wrote, and how it is read, belongs to gstack.
package gstackcmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/gstack"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/transcript"
)

const long = `Reads what gstack left in ~/.gstack, ~/.gstack-dev and this repository: results
of evals, retrospectives, QA reports, ships, verdicts on review comments, and
settings that mean the same. Runs go to ~/.cairn/evals, records to
~/.cairn/records and, where the repository has a team, to the queue for it. A
second time it takes only what is new. Nothing of gstack's is changed.

What cannot be taken is listed with the reason, and the rest is taken all the
same; --strict then ends with exit code 3. What is of another repository is for
a run in that one. Sign-in tokens are never read.

The directory is --from, else $GSTACK_STATE_ROOT, $GSTACK_HOME or
$GSTACK_STATE_DIR, else ~/.gstack.`

// Commands lists migrate and migrate gstack.
func Commands() []*command.Command {
	return []*command.Command{{
		Path: "migrate", Short: "Take over what another tool kept",
		Examples: []string{"cairn migrate gstack --dry-run", "cairn migrate gsd"},
	}, {
		Path: "migrate gstack", Short: "Take over the results and records that gstack kept", Long: long,
		Examples: []string{"cairn migrate gstack --dry-run", "cairn migrate gstack", "cairn migrate gstack --from /backup/.gstack --repo ~/src/app"},
		Effect:   command.Writes, CSV: true, Waits: true, Run: run,
		Flags: []command.Flag{
			{Name: "from", Default: "", Help: "gstack's directory, instead of ~/.gstack"},
			{Name: "repo", Default: "", Help: "the repository, instead of this one"},
			{Name: "dry-run", Default: false, Help: "print the same report and store nothing"},
			{Name: "unnamed", Default: false, Help: "take also what names no repository, as this one's"},
			{Name: "strict", Default: false, Help: "end with exit code 3 when something could not be read"},
			{Name: "no-push", Default: false, Help: "store here only, also where the repository has a team"},
			{Name: "json", Default: false, Help: "print the report as JSON, with everything that was left out"},
		},
	}}
}

func run(c *command.Call) (*answer.Answer, error) {
	src := source(c)
	keep := newKeeper(c, src.Repo.Name)
	report, err := gstack.Import(c, src, keep)
	if ended := keep.end(); err == nil || ended != nil { // a write that failed may have stopped it
		err = ended
	}
	switch {
	case errors.Is(err, context.Canceled):
		err = term.Hint(errors.New("stopped"), "what is stored stays; the next run takes the rest")
	case err != nil:
		err = term.Hint(err, "what is stored stays; the next run takes the rest")
	}
	a := view(c, src, report, keep)
	if n := report.Bad(); err == nil && c.Bool("strict") && n > 0 {
		err = command.Dataf("%d of %d could not be read", n, report.Sum().Found)
	}
	a.Err = err
	return a, nil
}

// source says where to look, and goes to the repository.
func source(c *command.Call) gstack.Source {
	src := gstack.Where(c.Getenv, home.UserDir(c.Getenv))
	if given := c.String("from"); given != "" {
		from, err := c.Abs(given)
		if err != nil || !c.IsDir(from) {
			must.Fail(command.Usagef("--from: %s is not a directory", command.Shown(given)))
		}
		src = gstack.Source{State: from, Slug: src.Slug, Dev: filepath.Join(filepath.Dir(from), ".gstack-dev")}
	} else {
		src.History = transcript.HistoryFile(c.Getenv)
		src.Temp = []string{os.TempDir()}
		if runtime.GOOS == "darwin" {
			src.Temp = append(src.Temp, "/tmp")
		}
	}
	for _, path := range [...]*string{&src.State, &src.Evals, &src.Dev} { // before the directory changes
		if abs, err := c.Abs(*path); *path != "" && err == nil {
			*path = abs
		}
	}
	if repo := c.String("repo"); repo != "" {
		dir, err := c.Abs(repo)
		if err == nil {
			_, err = os.Stat(filepath.Join(dir, ".") + string(filepath.Separator))
		}
		if err != nil {
			must.Fail(command.Usagef("--repo: %s is not a directory that can be entered", command.Shown(repo)))
		}
		c.Dir = dir
	}
	src.Repo, src.Unnamed = repository(c.Env), c.Bool("unnamed")
	if c.AsText() {
		src.Bar = term.NewProgress(c.Stderr)
	}
	return src
}

// repository is the repository that the working directory is in.
func repository(env *command.Env) gstack.Repo {
	name, top := runs.Repo(env)
	if top == "" { // one of cairn's, without git
		if top = string(home.FindRepo(env.Here(), env.Getenv)); top != "" {
			name = filepath.Base(top)
		}
		return gstack.Repo{Dir: top, Name: name, HasCommit: func(string) bool { return false }}
	}
	var all []string // the commits, sorted
	asked := false
	return gstack.Repo{Dir: top, Name: name, HasCommit: func(sha string) bool {
		if !asked {
			asked = true
			out, _ := git.Output(context.Background(), top, "rev-list", "--all", "--reflog")
			all = strings.Fields(string(out))
			slices.Sort(all)
		}
		const least = 7 // digits: fewer are in every large repository
		sha = strings.ToLower(sha)
		i, _ := slices.BinarySearch(all, sha)
		return len(sha) >= least && i < len(all) && strings.HasPrefix(all[i], sha)
	}}
}
