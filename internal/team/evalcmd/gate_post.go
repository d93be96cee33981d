package evalcmd

import (
	"cmp"
	"fmt"
	"os"

	"cairn/internal/command"
	"cairn/internal/team/compare/gate"
	"cairn/internal/team/forge"
	"cairn/internal/term"
)

// checkName is what a comment and a check run are called that nobody names.
const checkName = "cairn eval gate"

// postGate writes the report to where the change is reviewed, if that is asked
// for. Whatever goes wrong is a warning: the verdict is known, and stays.
func postGate(c *command.Call, r *gate.Report, policy string) {
	comment, check := c.Bool("comment"), c.Bool("check")
	if !comment && !check {
		return
	}
	job, err := forge.Find(forge.Environment{Getenv: c.Getenv, ReadFile: func(name string) ([]byte, error) { return os.ReadFile(c.Path(name)) }})
	if err != nil {
		warnPost(c, "the report was not posted", err)
		return
	}
	name := c.String("name")
	if comment {
		marker := forge.Marker(name)
		address, edited, err := job.Comment(c.Context, marker, r.MarkdownWithin(job.Most()-len(marker)))
		switch {
		case err != nil:
			warnPost(c, "the comment was not written", err)
		case edited:
			fmt.Fprintf(c.Stderr, "cairn: edited the comment %s\n", term.Line(address))
		default:
			fmt.Fprintf(c.Stderr, "cairn: commented %s\n", term.Line(address))
		}
	}
	if check {
		err := postCheck(c, job, r, name, policy)
		if err != nil {
			warnPost(c, "the check run was not written", err)
			return
		}
		fmt.Fprintf(c.Stderr, "cairn: wrote the check run %q\n", term.Line(name))
	}
}

func postCheck(c *command.Call, job *forge.Job, r *gate.Report, name, policy string) error {
	sha := cmp.Or(c.String("head-sha"), job.HeadSHA(), r.Run.GitSHA, c.Getenv("GITHUB_SHA"))
	if sha == "" {
		return term.Hint(fmt.Errorf("the run names no commit"), "--head-sha names it")
	}
	sha = wholeSHA(c.Env, sha)
	body, err := r.CheckRun(name, sha, localOnly(policy))
	if err != nil {
		return err
	}
	return job.Check(c.Context, forge.CheckRun{Body: body, SHA: sha, Key: "cairn: " + name})
}

func warnPost(c *command.Call, what string, err error) {
	term.Warn(c.Stderr, "%s: %v", what, err)
	if hint := term.HintOf(err); hint != "" {
		fmt.Fprintf(c.Stderr, "cairn: hint: %s\n", hint)
	}
}
