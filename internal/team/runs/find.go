package runs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/team/eval"
	"cairn/internal/team/result/reader"
	"cairn/internal/term"
)

// A Finder finds what refs name: files of results, or runs of a store.
type Finder struct {
	Store
	AllAttempts bool           // joins runs of the same code
	Map         reader.Mapping // of files that are tables
	entries     []eval.Entry
	listed      bool
}

// Find returns what a ref names, which is to be compared with other if that is
// not nil. The entry of a file has no ID.
func (f *Finder) Find(ref string, other *eval.Entry) (eval.Selection, error) {
	if ref == "-" || f.env.IsFile(ref) {
		return f.file(ref)
	}
	if !f.listed {
		var err error
		if f.entries, err = f.List(); err != nil {
			return eval.Selection{}, err
		}
		f.listed = true
	}
	sel, err := eval.Select(ref, f.entries, f.wish(other))
	if err != nil {
		return sel, f.explain(ref, err)
	}
	if f.AllAttempts {
		sel.Attempts(f.entries)
	}
	return sel, command.Data(f.Open(&sel))
}

// wish is what decides here which run a ref names.
func (f *Finder) wish(other *eval.Entry) eval.Wish {
	repo, top := Repo(f.env)
	w := eval.Wish{Repo: repo, Other: other, Ancestry: func() (eval.Ancestry, error) { return ancestry(f.env, other) }}
	if top != "" {
		w.Branch, w.Head = Branch(f.env, top), func() (string, error) { return head(top) }
	}
	return w
}

// head is the commit that is checked out, "" where there is none yet.
func head(top string) (string, error) {
	sha, err := git.Run(context.Background(), top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if git.Code(err) == 1 {
		return "", nil
	}
	return sha, command.Data(err)
}

// Pair returns what two refs name, before and after, and says on stderr what a
// reader should know of how they were found. What a relative ref means before,
// such as previous or merge-base, depends on the run after, which is returned also
// where the one before is not found.
func (f *Finder) Pair(before, after string) (a, b eval.Selection, err error) {
	if f.env.IsFile(before) && f.env.IsFile(after) {
		return f.files(before, after)
	}
	if b, err = f.Find(after, nil); err != nil {
		return a, b, err
	}
	other := b.Entry()
	if len(b.Entries) > 1 { // none of what was taken together is its baseline
		all := f.entries
		defer func() { f.entries = all }()
		f.entries = slices.DeleteFunc(slices.Clone(all), func(e eval.Entry) bool {
			return slices.ContainsFunc(b.Entries[1:], func(part eval.Entry) bool { return part.ID == e.ID })
		})
	}
	if a, err = f.Find(before, &other); err == nil {
		SayNote(f.env, a)
	}
	SayNote(f.env, b)
	return a, b, err
}

// Earlier is the newest run before a baseline that Pair found, of its repository and
// branch, that has a suite.
func (f *Finder) Earlier(baseline eval.Selection, suite string) (eval.Entry, bool) {
	if len(baseline.Entries) == 0 {
		return eval.Entry{}, false
	}
	return eval.Earlier(f.entries, baseline.Entry(), suite)
}

// SayNote says on stderr what a person should know of how a run was found.
func SayNote(env *command.Env, sel eval.Selection) {
	if sel.Note != "" {
		fmt.Fprintf(env.Stderr, "cairn: %s\n", term.Line(sel.Note))
	}
}

// files reads two files, one after the other: both at once would save no time on
// one processor, and twice the memory that reading takes is more than a CI job has
// to spare.
func (f *Finder) files(before, after string) (a, b eval.Selection, err error) {
	if a, err = f.file(before); err != nil {
		return a, b, err
	}
	if b, err = f.file(after); err == nil && sameFile(f.env.Path(before), f.env.Path(after)) {
		b = a
	}
	return a, b, err
}

// sameFile reports whether two names are of one file. Two files with the same bytes
// are two runs that came out alike: tests without chance in them mostly do.
func sameFile(a, b string) bool {
	fa, errA := os.Stat(a)
	fb, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(fa, fb)
}

func (f *Finder) file(name string) (eval.Selection, error) {
	runs, err := Read(f.env, name, f.Map)
	if err != nil {
		return eval.Selection{}, err
	}
	if len(runs) > 1 {
		return eval.Selection{}, command.Dataf("%s must have one run, not %d", command.Shown(name), len(runs))
	}
	runs[0].ID, runs[0].IngestKey = "", "" // the store's, of what it holds: a file may have been edited since, or copied
	c := contextOf(f.env, name)
	if c.Before(runs[0]) { // it was made of something else than what is checked out
		c.SHA, c.Branch, c.Dirty = "", "", false
	}
	c.Fill(runs[0])
	e := eval.EntryOf(runs[0])
	e.ID, e.File = "", ""
	return eval.Selection{Run: runs[0], Entries: []eval.Entry{e}}, nil
}

// explain adds to an error what would help.
func (f *Finder) explain(ref string, err error) error {
	switch notHere := new(eval.NotHereError); {
	case errors.As(err, &notHere), errors.Is(err, command.ErrData):
		return command.Data(err)
	case LooksLikeFile(ref) && f.env.IsDir(ref):
		return command.Data(isDirectory(ref))
	case LooksLikeFile(ref):
		err = fmt.Errorf("%s does not exist", command.Shown(ref))
	case len(f.entries) == 0:
		return command.Usage(term.Hint(err, "cairn eval push FILE stores what a runner wrote"))
	case strings.HasPrefix(ref, eval.MergeBase) && shallow(f.env.Here()):
		return command.Usage(term.Hint(err, "this clone is shallow; fetch the whole history (fetch-depth: 0 at GitHub, GIT_DEPTH: 0 at GitLab)"))
	case strings.HasPrefix(ref, eval.MergeBase), strings.HasPrefix(ref, "@"):
		return command.Usage(term.Hint(err, "push a run of that branch first; cairn eval list shows the runs"))
	case strings.HasPrefix(ref, eval.Previous):
		return command.Usage(term.Hint(err, "@main or merge-base names a run of another branch"))
	}
	return command.Usage(term.Hint(err, "cairn eval list shows the runs; a file, an id, a label, @branch, a commit or a suite names one"))
}

// LooksLikeFile reports whether a ref that names nothing was meant as a file.
func LooksLikeFile(ref string) bool {
	return strings.ContainsAny(ref, `/\`) && !strings.HasPrefix(ref, "@") || filepath.Ext(ref) == ".json" || filepath.Ext(ref) == ".xml"
}

// ancestry asks git where the commit of other, or else HEAD, left the default
// branch.
func ancestry(env *command.Env, other *eval.Entry) (eval.Ancestry, error) {
	ctx, dir := context.Background(), env.Here()
	if !git.Repo(dir) {
		return eval.Ancestry{}, fmt.Errorf("%s needs a git repository", eval.MergeBase)
	}
	branch := git.DefaultBranch(ctx, dir)
	if branch == "" {
		if _, err := git.Run(ctx, dir, "rev-parse", "--git-dir"); err != nil { // git is not there, or this is broken
			return eval.Ancestry{}, err
		}
		return eval.Ancestry{}, fmt.Errorf("no default branch found: git has no origin/HEAD, main, master or trunk")
	}
	tip := "HEAD"
	if other != nil && other.SHA != "" && !strings.HasPrefix(other.SHA, "-") {
		if sha, err := git.Run(ctx, dir, "rev-parse", "--verify", "--quiet", other.SHA+"^{commit}"); err == nil {
			tip = sha
		}
	}
	base, err := git.Run(ctx, dir, "merge-base", tip, branch)
	if err != nil || base == "" {
		return eval.Ancestry{}, fmt.Errorf("git finds no commit that %s and %s share", git.Short(tip), branch)
	}
	out, err := git.Run(ctx, dir, "rev-list", "--first-parent", "--max-count="+strconv.Itoa(eval.MostAncestors+1), base)
	return eval.Ancestry{Branch: branch, Commits: strings.Fields(out)}, err
}

// shallow reports whether a clone lacks the older commits.
func shallow(dir string) bool {
	out, err := git.Run(context.Background(), dir, "rev-parse", "--is-shallow-repository")
	return err == nil && out == "true"
}

// mostOffered is how many runs a shell is offered values of: the newest.
const mostOffered = 200

// stored are the newest runs of the store.
func stored(c *command.Call) []eval.Entry {
	entries, err := Own(c.Env).List()
	if err != nil {
		return nil
	}
	return entries[:min(len(entries), mostOffered)]
}

// distinct is what a member of the stored runs can be, the newest first.
func distinct(c *command.Call, member func(e eval.Entry) []string) (found []string) {
	for _, e := range stored(c) {
		for _, v := range member(e) {
			if v = term.Line(v); v != "" && !slices.Contains(found, v) {
				found = append(found, v)
			}
		}
	}
	return found
}

// Labels and the others offer what the stored runs have, to a shell.
func Labels(c *command.Call) []string {
	return distinct(c, func(e eval.Entry) []string { return []string{e.Label} })
}
func Branches(c *command.Call) []string {
	return distinct(c, func(e eval.Entry) []string { return []string{e.Branch} })
}
func Repositories(c *command.Call) []string {
	return distinct(c, func(e eval.Entry) []string { return []string{e.Repo} })
}
func Suites(c *command.Call) []string {
	return distinct(c, func(e eval.Entry) []string { return append(e.Suites, e.Suite) })
}

// Refs are what a run can be named by.
func Refs(c *command.Call) []string {
	out := []string{eval.Latest + "\tthe newest of HEAD's commit", eval.Previous + "\tthe one before", eval.MergeBase + "\twhere the branch began"}
	for _, l := range Labels(c) {
		out = append(out, l+"\tthe newest with this label")
	}
	for _, b := range Branches(c) {
		out = append(out, "@"+b+"\tthe newest of this branch")
	}
	for i, e := range stored(c) {
		if i == 30 { // a screen full
			break
		}
		out = append(out, e.ID+"\t"+term.Line(e.SuiteText())+", "+e.Time.Local().Format("2 Jan 15:04"))
	}
	return out
}
