package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/team/gstack"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/transcript"
)

type migrateGstackOptions struct {
	from, repo           string
	dryRun, json, strict bool
	unnamed, noPush      bool
}

func newMigrateGstack(env *Env) *cobra.Command {
	var opts migrateGstackOptions
	cmd := &cobra.Command{
		Use:   "gstack",
		Short: "Take over the results and records that gstack kept",
		Long: `Reads what gstack left in ~/.gstack, ~/.gstack-dev and this repository: results
of evals, retrospectives, QA reports, ships, verdicts on review comments, and
settings that mean the same. Runs go to ~/.cairn/evals, records to
~/.cairn/records and, where the repository has a team, to the queue for it. A
second time it takes only what is new. Nothing of gstack's is changed.

What cannot be taken is listed with the reason, and the rest is taken all the
same; --strict then ends with exit code 3. What is of another repository is for
a run in that one. Sign-in tokens are never read.

The directory is --from, else $GSTACK_STATE_ROOT, $GSTACK_HOME or
$GSTACK_STATE_DIR, else ~/.gstack.`,
		Example: "  cairn migrate gstack --dry-run\n  cairn migrate gstack\n  cairn migrate gstack --from /backup/.gstack --repo ~/src/app",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runMigrateGstack(env, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.from, "from", "", "gstack's directory, instead of ~/.gstack")
	f.StringVar(&opts.repo, "repo", "", "the repository, instead of this one")
	f.BoolVar(&opts.dryRun, "dry-run", false, "print the same report and store nothing")
	f.BoolVar(&opts.unnamed, "unnamed", false, "take also what names no repository, as this one's")
	f.BoolVar(&opts.strict, "strict", false, "end with exit code 3 when something could not be read")
	f.BoolVar(&opts.noPush, "no-push", false, "store here only, also where the repository has a team")
	f.BoolVar(&opts.json, "json", false, "print the report as JSON, with everything that was left out")
	return cmd
}

func runMigrateGstack(env *Env, opts migrateGstackOptions) error {
	src, err := gstackSource(env, opts)
	if err != nil {
		return err
	}
	keep := newGstackKeeper(env, src.Repo.Name, opts)
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	report, err := gstack.Import(ctx, src, keep)
	if ended := keep.end(); err == nil || ended != nil { // a write that failed may have stopped it
		err = ended
	}
	switch {
	case errors.Is(err, context.Canceled):
		err = term.Hint(errors.New("stopped"), "what is stored stays; the next run takes the rest")
	case err != nil:
		err = term.Hint(err, "what is stored stays; the next run takes the rest")
	}
	if said := printGstack(env, src, report, keep, opts); err == nil {
		err = said
	}
	if n := report.Bad(); err == nil && opts.strict && n > 0 {
		err = command.Dataf("%d of %d could not be read", n, report.Sum().Found)
	}
	return err
}

// gstackSource says where to look, and goes to the repository.
func gstackSource(env *Env, opts migrateGstackOptions) (gstack.Source, error) {
	user := home.UserDir(env.Getenv)
	src := gstack.Where(env.Getenv, user)
	if opts.from != "" {
		from, err := env.Abs(opts.from)
		if err != nil || !env.IsDir(from) {
			return src, command.Usagef("--from: %s is not a directory", command.Shown(opts.from))
		}
		src = gstack.Source{State: from, Slug: src.Slug, Dev: filepath.Join(filepath.Dir(from), ".gstack-dev")}
	} else {
		src.History = transcript.HistoryFile(env.Getenv)
		src.Temp = []string{os.TempDir()}
		if runtime.GOOS == "darwin" {
			src.Temp = append(src.Temp, "/tmp")
		}
	}
	for _, path := range [...]*string{&src.State, &src.Evals, &src.Dev} { // before the directory changes
		if abs, err := env.Abs(*path); *path != "" && err == nil {
			*path = abs
		}
	}
	if opts.repo != "" {
		dir, err := env.Abs(opts.repo)
		if err == nil {
			_, err = os.Stat(filepath.Join(dir, ".") + string(filepath.Separator))
		}
		if err != nil {
			return src, command.Usagef("--repo: %s is not a directory that can be entered", command.Shown(opts.repo))
		}
		env.Dir = dir
	}
	src.Repo, src.Unnamed = gstackRepo(env), opts.unnamed
	if !opts.json {
		src.Bar = term.NewProgress(env.Stderr)
	}
	return src, nil
}

// gstackRepo is the repository that the working directory is in.
func gstackRepo(env *Env) gstack.Repo {
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
