package plancmd

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/drive"
	"cairn/internal/text"
)

func commitVerbs() []*command.Command {
	return []*command.Command{
		{
			Path: "plan commit", Short: "Commit planning documents, and nothing else that is staged",
			Long: "Commits the named files and nothing else; without FILE, all of .planning. It stays on\n" +
				"the current branch: if git.branching_strategy requires another one, it prints which\n" +
				"and commits nothing. Planning documents are left out if commit_docs is off or git\n" +
				"ignores .planning. An executor in its own worktree skips the hooks if\n" +
				"workflow.worktree_skip_hooks is on.",
			Args: []command.Arg{{Name: "FILE", Optional: true, Many: true}},
			Flags: []command.Flag{
				{Name: "message", Short: "m", Default: "", Help: "what was done"},
				{Name: "amend", Default: false, Help: "amend the last commit"},
				{Name: "staged", Default: false, Help: "commit only what is staged of the files"},
				{Name: "no-verify", Default: false, Help: "skip the repository's hooks"},
				{Name: "force", Default: false, Help: "also commit files that commit_docs or .gitignore exclude"},
			},
			Examples: []string{
				"cairn plan commit -m \"docs(02): plan the API\"",
				"cairn plan commit -m \"docs(02-01): summary\" .planning/phases/02-api .planning/STATE.md",
				"cairn plan commit --amend --staged",
			},
			Effect: command.Writes, Run: run(commitDocs),
		},
		{
			Path: "plan verify commits", Short: "Check that the repository has these commits",
			Args:     []command.Arg{{Name: "COMMIT", Many: true}},
			Examples: []string{"cairn plan verify commits 4f2c91e HEAD~1", "cairn plan verify commits 4f2c91e --json"},
			Effect:   command.Reads, Run: run(verifyCommits),
		},
	}
}

func commitDocs(c *Call) *answer.Answer {
	r := commit.Request{
		Message: c.String("message"), Paths: c.Rest("FILE"), Amend: c.Bool("amend"), Staged: c.Bool("staged"),
		NoVerify: c.Bool("no-verify"), Force: c.Bool("force"), DryRun: c.DryRun,
	}
	if r.Message == "" && !r.Amend {
		return fail(command.Usagef("a commit needs a message: -m TEXT"))
	}
	res := must.Get(drive.Commit(c.Context, c.Workspace, r))
	res.Files, res.Missing = answer.List(res.Files), answer.List(res.Missing)
	return &answer.Answer{Data: res, View: answer.Text(func(w io.Writer) { printCommit(w, res) })}
}

func printCommit(w io.Writer, d *commit.Result) {
	for _, path := range d.Missing {
		fmt.Fprintf(w, "there is no %s\n", path)
	}
	switch {
	case d.Skipped != "":
		fmt.Fprintf(w, "no commit: %s\n", d.Skipped)
	case d.Hash == "":
		fmt.Fprintf(w, "would commit %s\n", strings.Join(d.Files, ", "))
	default:
		fmt.Fprintf(w, "%s, %s\n", d.Hash, text.Count(len(d.Files), "file"))
	}
}

func verifyCommits(c *Call) *answer.Answer {
	valid, invalid := commit.Verify(c.Context, c.Root, c.Rest("COMMIT"))
	data := map[string]any{"valid": answer.List(valid), "invalid": answer.List(invalid)}
	return &answer.Answer{Data: data, No: len(invalid) > 0, View: answer.Text(func(w io.Writer) {
		for _, name := range invalid {
			fmt.Fprintf(w, "no commit %s\n", name)
		}
	})}
}
