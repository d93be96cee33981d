package health

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/text"
)

// unreadable tells of documents that are too large, binary, links out of the
// project, or not files.
func unreadable(l *look) []Finding {
	for _, name := range l.documents() {
		t := l.text(name)
		if t != nil && strings.ContainsRune(t.String(), 0) {
			l.broken = append(l.broken, Finding{Path: name, Message: "is binary, not text"})
		}
	}
	return l.broken
}

// conflicts tells of documents that a merge left in two versions. Until they are
// one, no verb changes the plan.
func conflicts(l *look) (out []Finding) {
	found, err := l.Conflicts(context.Background())
	if err != nil {
		return []Finding{{Message: reason(err), Path: l.Shared()}}
	}
	for _, e := range found {
		sides, err := l.Sides(e.Path)
		if err != nil || len(sides) == 0 {
			out = append(out, Finding{Message: e.What, Path: e.Path, Line: e.Line})
		}
		for _, s := range sides {
			at := fmt.Sprintf("%s:%d", e.Path, s.Line)
			out = append(out, Finding{
				Message: e.What + ": " + s.String(), Path: e.Path, Line: s.Line,
				Fix: "cairn plan merge-driver take ours " + at + ", or theirs; or write what is meant and remove the markers; then git add " + e.Path,
			})
		}
	}
	l.broken = append(l.broken, out...) // what else is wrong with them the merge did
	return append(out, l.halfRemoved()...)
}

// halfRemoved tells of documents that one branch changed and the other removed, while
// git waits for the merge to be finished.
func (l *look) halfRemoved() (out []Finding) {
	if !git.Repo(l.Root) {
		return nil
	}
	top, _ := git.Top(l.Root)
	dir, _ := git.Dir(top)
	if !slices.ContainsFunc([]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"}, func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}) {
		return nil
	}
	listed, _ := git.Output(context.Background(), l.Root, "ls-files", "--unmerged", "-z", "--", l.Shared())
	stages := map[string]string{}
	for _, entry := range git.Fields(listed) { // mode object stage, a tab, the name
		about, name, _ := strings.Cut(entry, "\t")
		stages[name] += about[len(about)-1:]
	}
	for _, name := range slices.Sorted(maps.Keys(stages)) {
		if s := stages[name]; s == "12" || s == "13" {
			out = append(out, Finding{
				Message: "was changed in one branch and removed in the other", Path: name,
				Fix: "git add " + name + " keeps it, git rm " + name + " removes it",
			})
		}
	}
	return out
}

func frontmatter(l *look) []Finding {
	var out []Finding
	for _, name := range l.documents() {
		if l.unreadable(name) {
			continue
		}
		t := l.text(name)
		if t == nil {
			continue
		}
		if t.Len() > 1 && t.Front() == nil && strings.TrimSpace(t.Line(0)) == "---" {
			out = append(out, Finding{Message: "the frontmatter has no end: a line --- is missing", Path: name, Line: 1})
		}
		for _, p := range t.FrontProblems() {
			out = append(out, Finding{Message: "frontmatter: " + p.What, Path: name, Line: p.Line + 1})
		}
	}
	return out
}

// leftovers tells of files that a killed write left. A younger one may be of a
// writer that is at work.
func leftovers(l *look) (out []Finding) {
	for _, name := range l.Leftovers() {
		if fi, err := os.Stat(l.Abs(name)); err == nil && time.Since(fi.ModTime()) > time.Minute {
			out = append(out, Finding{Path: name, Message: "was left by a write that was killed"})
		}
	}
	return out
}

func orphans(l *look) []Finding {
	return l.phaseFiles((*plan.Phase).Orphans, "belongs to no plan")
}

func strays(l *look) []Finding {
	return l.phaseFiles((*plan.Phase).Strays, "looks like a plan and is none")
}

// gaps tells of documents that were begun from a template and not written.
func gaps(l *look) (out []Finding) {
	for _, u := range l.Unfilled() {
		out = append(out, Finding{Message: text.Count(u.Gaps, "gap") + " of the template not filled", Path: u.Path, Line: u.First})
	}
	return out
}

func (l *look) phaseFiles(of func(*plan.Phase) []string, what string) []Finding {
	var out []Finding
	for _, p := range l.dirs() {
		for _, name := range of(p) {
			out = append(out, Finding{Message: path.Join(path.Base(p.Dir), name) + " " + what, Path: path.Join(p.Dir, name)})
		}
	}
	return out
}

// placeOf returns the file and line that an error is about.
func placeOf(err error, file string) (string, int) {
	var input *plan.InputError
	if errors.As(err, &input) && input.Path != "" {
		return input.Path, input.Line
	}
	return file, 0
}
