package plancmd

import (
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
	"cairn/internal/term"
	"cairn/internal/text"
)

func taskVerbs() []*command.Command {
	of := command.Arg{Name: "PLAN", Help: "the plan's id, such as 02-01, or its path"}
	return []*command.Command{
		{
			Path: "plan task commit", Short: "Commit the files of a plan's task",
			Long: "Commits these files and nothing else that is changed or staged. The subject gets the\n" +
				"plan as its scope and the message a trailer that names the task: feat(02-01): …. Run\n" +
				"again for files that were committed and have not changed since, it names that commit.\n" +
				"In an executor's worktree the hooks wait for the merge if workflow.worktree_skip_hooks\n" +
				"is on.",
			Args: []command.Arg{of, {Name: "TASK", Help: "its number in the plan: 1 is the first"}, {Name: "FILE", Many: true}},
			Flags: []command.Flag{
				{Name: "message", Short: "m", Default: "", Help: "type and what now works, such as feat: orders are kept"},
				{Name: "no-verify", Default: false, Help: "skip the repository's hooks"},
			},
			Examples: []string{
				`cairn plan task commit 02-01 1 store.go store_test.go -m "feat: orders are kept"`,
				`cairn plan task commit 02-01 2 api.go -m "fix: an empty order is refused" -C .planning/.cairn/trees/02-01`,
			},
			Effect: command.Writes, Run: run(taskCommit),
		},
		{
			Path: "plan task list", Short: "List a plan's tasks and their commits",
			Args:     []command.Arg{of},
			Examples: []string{"cairn plan task list 02-01", "cairn plan task list 02-01 --json"},
			Effect:   command.Reads, Run: run(taskList),
		},
	}
}

// planOf returns the plan that PLAN names, by its id or its path, and its tasks. The phase
// of a quick task is nil.
func (c *Call) planOf(tx *plan.Tx) (p *plan.Phase, id string, tasks []doc.Task) {
	name := c.Arg("PLAN")
	p, f := tx.Plan(name)
	rel := ""
	if p != nil {
		rel, id = path.Join(p.Dir, f.Path), f.ID
	} else if base, ok := strings.CutSuffix(path.Base(name), "-PLAN.md"); ok {
		rel, id = documentPath(c, tx, name, "PLAN"), base
	}
	if rel == "" || !tx.Has(rel) {
		fail(term.Hint(&plan.InputError{Path: name, What: "there is no such plan"}, "cairn plan phase index N lists the plans of a phase"))
	}
	return p, id, doc.ReadPlan(must.Get(tx.Read(rel))).Tasks
}

func taskCommit(c *Call) *answer.Answer {
	n, err := strconv.Atoi(c.Arg("TASK"))
	if err != nil || n < 1 {
		return fail(command.Usagef("%q is not the number of a task: 1 is the first", c.Arg("TASK")))
	}
	if c.String("message") == "" {
		return fail(command.Usagef(`a commit needs a message: -m "feat: what now works"`))
	}
	r := commit.Request{Message: c.String("message"), Paths: c.Rest("FILE"), NoVerify: c.Bool("no-verify"), DryRun: c.DryRun}
	var id, dir string
	c.look(func(tx *plan.Tx) {
		p, name, tasks := c.planOf(tx)
		if n > len(tasks) {
			fail(&plan.InputError{Path: c.Arg("PLAN"), What: fmt.Sprintf("has %s, and no task %d", text.Count(len(tasks), "task"), n)})
		}
		if id = name; p != nil {
			dir = p.Dir
		}
	})
	must.OK(drive.PrepareTask(c.Context, c.Workspace, dir, &r))
	res, err := commit.Task(c.Context, c.Root, id, n, r)
	must.OK(command.Usage(err))
	res.Files, res.Missing = answer.List(res.Files), answer.List(res.Missing)
	again := res.Skipped == commit.SkipNothing && res.Hash != ""
	if again {
		res.Skipped = ""
	}
	return &answer.Answer{Data: res, No: res.Skipped != "", View: answer.Text(func(w io.Writer) {
		if again {
			fmt.Fprintln(w, "committed before:")
		}
		printCommit(w, res)
	})}
}

// taskMade is a task with its commits.
type taskMade struct {
	Task    int                 `json:"task"` // 0 for commits that name none
	Name    string              `json:"name"`
	Commits []commit.TaskCommit `json:"commits"`
}

func taskList(c *Call) *answer.Answer {
	var rows []taskMade
	var id string
	c.look(func(tx *plan.Tx) {
		var tasks []doc.Task
		_, id, tasks = c.planOf(tx)
		for i, t := range tasks {
			rows = append(rows, taskMade{i + 1, t.Name, []commit.TaskCommit{}})
		}
	})
	other := taskMade{Commits: []commit.TaskCommit{}}
	if git.Repo(c.Root) {
		for _, made := range must.Get(commit.OfPlan(c.Context, c.Root, id)) {
			at := &other
			if made.Task >= 1 && made.Task <= len(rows) {
				at = &rows[made.Task-1]
			}
			at.Commits = append(at.Commits, made)
		}
	}
	if len(other.Commits) > 0 {
		rows = append(rows, other)
	}
	return &answer.Answer{Data: answer.List(rows), View: table("TASK\tCOMMITS\tNAME", rows, func(r taskMade) string {
		var hashes []string
		for _, made := range r.Commits {
			hashes = append(hashes, made.Hash)
		}
		number := strconv.Itoa(r.Task)
		if r.Task == 0 {
			number, r.Name = "-", "commits that name no task"
		}
		return number + "\t" + dash(strings.Join(hashes, " ")) + "\t" + r.Name
	})}
}
