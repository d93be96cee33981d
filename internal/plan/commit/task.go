package commit

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/term"
)

// taskTrailer is the trailer of a task's commit: which task of the plan it is. The plan
// is the scope of its subject.
const taskTrailer = "Plan-Task"

// TaskSubject returns the subject of a commit of a plan: `feat: x` gets the plan as its
// scope. A message without a type, or with the scope of another plan, is an error.
func TaskSubject(message, plan string) (string, error) {
	first, rest, _ := strings.Cut(strings.TrimSpace(message), "\n")
	s, ok := parseSubject(first)
	switch {
	case !ok:
		return "", term.Hint(fmt.Errorf("%q is no subject of a commit", first), "begin with a type, such as feat: or fix:, then what now works")
	case s.scope != "" && s.scope != plan:
		return "", fmt.Errorf("the scope of %q is not %s", first, plan)
	}
	out := s.kind + "(" + plan + ")" + s.breaks + ": " + s.what
	if rest != "" {
		out += "\n" + rest
	}
	return out, nil
}

// TaskCommit is a commit of one of a plan's tasks.
type TaskCommit struct {
	Hash    string    `json:"hash"` // short
	Task    int       `json:"task"` // 0 for one that does not say
	Subject string    `json:"subject"`
	Files   []string  `json:"files"` // but planning documents
	Added   []string  `json:"-"`     // of them
	Time    time.Time `json:"time"`
}

// OfPlan returns the commits that have the plan as their scope, the oldest first. What
// only touches planning documents is none of them, and neither is a merge.
func OfPlan(ctx context.Context, dir, plan string) ([]TaskCommit, error) {
	out := []TaskCommit{}
	if _, err := git.Run(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return out, nil // no commits yet
	}
	log, err := git.Output(ctx, dir, "log", "--no-merges", "--reverse", "--fixed-strings", "--grep=("+plan+")", "-z", "--name-status", "--no-renames",
		"--format=%x01%h%x02%ct%x02%(trailers:key="+taskTrailer+",valueonly,separator=%x2C)%x02%s%x03")
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(string(log), "\x01") {
		head, names, ok := strings.Cut(entry, "\x03")
		fields := strings.SplitN(head, "\x02", 4)
		if !ok || len(fields) < 4 || !isOf(fields[3], []string{plan}) {
			continue
		}
		c := TaskCommit{Hash: fields[0], Subject: fields[3], Files: []string{}}
		if s, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			c.Time = time.Unix(s, 0)
		}
		c.Task, _ = strconv.Atoi(strings.TrimSpace(fields[2]))
		for i, list := 0, strings.Split(strings.TrimLeft(names, "\x00\n"), "\x00"); i+1 < len(list); i += 2 { // A, then the name
			if name := list[i+1]; !isPlanning(name) {
				c.Files = append(c.Files, name)
				if list[i] == "A" {
					c.Added = append(c.Added, name)
				}
			}
		}
		if len(c.Files) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}

// Task commits the files of one task. Files that were committed for this task before, and
// have not changed since, are no second commit: the result names the first. A directory
// that holds the whole project is an error: a task names what is its own.
func Task(ctx context.Context, dir, plan string, task int, r Request) (*Result, error) {
	for i, name := range r.Paths {
		name = path.Clean(filepath.ToSlash(name))
		if name == "." || strings.HasPrefix(name, "../") || path.IsAbs(name) {
			return nil, fmt.Errorf("%s is no file of this task: name the files that it changed, from %s", r.Paths[i], dir)
		}
		r.Paths[i] = name
	}
	subject, err := TaskSubject(r.Message, plan)
	if err != nil {
		return nil, err
	}
	r.Message = subject + "\n\n" + taskTrailer + ": " + strconv.Itoa(task)
	res, err := Do(ctx, dir, r)
	if err != nil || res.Skipped != SkipNothing || len(res.Missing) > 0 {
		return res, err
	}
	err = must.Catch(func() {
		for _, c := range must.Get(OfPlan(ctx, dir, plan)) {
			if c.Task == task {
				res.Hash, res.Files = c.Hash, c.Files
			}
		}
	})
	return res, err
}
