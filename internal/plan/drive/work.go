package drive

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
)

// work is what was committed for one plan.
type work struct {
	commits []commit.TaskCommit
	files   []string
	added   []string  // of them
	before  time.Time // of the commit that it began at
}

func workOf(ctx context.Context, dir, id string) (w work, err error) {
	if w.commits, err = commit.OfPlan(ctx, dir, id); err != nil || len(w.commits) == 0 {
		return w, err
	}
	for _, c := range w.commits {
		w.files, w.added = append(w.files, c.Files...), append(w.added, c.Added...)
	}
	for _, list := range []*[]string{&w.files, &w.added} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	if out, err := git.Run(ctx, dir, "log", "-1", "--format=%ct", w.commits[0].Hash+"^"); err == nil { // the first of all has none before
		if s, err := strconv.ParseInt(out, 10, 64); err == nil {
			w.before = time.Unix(s, 0)
		}
	}
	return w, nil
}

// longestPlan: a commit that is older was not made when the plan was handed out.
const longestPlan = 12 * time.Hour

// took says how long the plan took: from when it was handed out, else from the commit
// that it began at, to its last one; "" when that is not known.
func (w work) took(handed time.Time) string {
	from := handed
	if from.IsZero() {
		from = w.before
	}
	took := w.commits[len(w.commits)-1].Time.Sub(from)
	if from.IsZero() || took < 0 || handed.IsZero() && took > longestPlan {
		return ""
	}
	return strconv.Itoa(max(1, int(took.Round(time.Minute)/time.Minute))) + "min"
}

// tasks counts the tasks that have a commit; one that names no task is of its own.
func (w work) tasks() int {
	seen := map[int]bool{}
	for i, c := range w.commits {
		seen[cmp.Or(c.Task, -1-i)] = true
	}
	return len(seen)
}

// Summarize adds to the values of a summary's template what git knows of the plan: the
// tasks' commits, the files, how long it took. Without a commit of it nothing is known.
func Summarize(ctx context.Context, w *plan.Workspace, id string, values map[string]string) (done *Summary, err error) {
	err = must.Catch(func() {
		if !git.Repo(w.Root) {
			return
		}
		made := must.Get(workOf(ctx, w.Root, id))
		if len(made.commits) == 0 {
			return
		}
		done = &Summary{Added: made.added, Changed: slices.DeleteFunc(slices.Clone(made.files), func(name string) bool { return slices.Contains(made.added, name) })}
		var tasks []doc.Task
		must.OK(w.View(func(tx *plan.Tx) error {
			if p, f := tx.Plan(id); p != nil {
				tasks = doc.ReadPlan(must.Get(tx.Read(p.Dir + "/" + f.Path))).Tasks
			}
			return nil
		}))
		for i, t := range tasks {
			done.row(i+1, t.Name, made.commits)
		}
		done.row(0, "", made.commits)
		set := func(name, value string) {
			if _, ok := values[name]; !ok && value != "" {
				values[name] = value
			}
		}
		set("duration", made.took(time.Time{}))
		set("tasks", strconv.Itoa(made.tasks()))
		set("files", strconv.Itoa(len(made.files)))
	})
	return done, err
}

// Summary is the part of a summary that follows from git.
type Summary struct {
	Rows           []string // of Task Commits
	Added, Changed []string // files
}

// row adds the line of a task that has commits; of 0 a line per commit that names none.
func (s *Summary) row(task int, name string, commits []commit.TaskCommit) {
	var hashes []string
	for _, c := range commits {
		switch {
		case c.Task != task:
		case task == 0:
			s.Rows = append(s.Rows, fmt.Sprintf("%d. **%s** - `%s`", len(s.Rows)+1, c.Subject, c.Hash))
		default:
			hashes = append(hashes, "`"+c.Hash+"`")
		}
	}
	if len(hashes) > 0 {
		if !strings.HasPrefix(name, "Task ") {
			name = fmt.Sprintf("Task %d: %s", task, name)
		}
		s.Rows = append(s.Rows, fmt.Sprintf("%d. **%s** - %s", len(s.Rows)+1, name, strings.Join(hashes, ", ")))
	}
}

// Write puts it into a summary that was made from the template.
func (s *Summary) Write(t *doc.Text) error {
	for i := range t.Len() {
		if strings.Contains(t.Line(i), "**Task 1: [task]**") {
			t.Delete(i, i+1)
			for n, row := range s.Rows {
				t.Insert(i+n, row)
			}
			break
		}
	}
	for _, f := range []struct {
		key  string
		list []string
	}{{"created", s.Added}, {"modified", s.Changed}} {
		if err := t.SetFront(f.list, "key-files", f.key); err != nil {
			return err
		}
	}
	return nil
}
