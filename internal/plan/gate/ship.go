package gate

import (
	"cmp"
	"slices"
	"strings"
)

// Shipping is what a pull request of a phase needs.
type Shipping struct {
	Result   Result
	Verified bool
	Clean    bool   // nothing in the working tree waits for a commit
	Branch   string // "" when there is none, as in a detached HEAD
	Base     string // the branch that the work goes into
	Feature  bool   // Branch is another one than Base
	Remote   bool
	GH       bool // GitHub's command line tool is there
}

// Ship is the gate before a phase is shipped: its proof is there, as package
// lifecycle judges it, and git can send it. It blocks, except that GitHub's
// tool is asked for only where the remote is on GitHub. The base branch is the
// one set, or what the remote or the repository calls its main one.
func (g Subject) Ship() Shipping {
	s := Shipping{Result: Result{Gate: "ship", Stage: Verify, Type: Transition, Blocking: true}, GH: g.HasGH()}
	p, git := g.Phase, g.Git
	missing := g.Proof()
	want := func(id, text string, remedies ...string) {
		missing = append(missing, Missing{ID: id, Category: "precondition", Text: text, Remedies: remedies})
	}
	s.Verified = !slices.ContainsFunc(missing, func(m Missing) bool { return m.Condition == "verification" })
	if dirty, err := git("status", "--porcelain"); err != nil {
		want("repository", err.Error(), "git init")
	} else if s.Clean = dirty == ""; !s.Clean {
		want("clean tree", "changes are not committed", "commit or stash them")
	}
	s.Branch, _ = git("symbolic-ref", "--quiet", "--short", "HEAD")
	s.Base = cmp.Or(g.Settings.BaseBranch, baseBranch(git))
	if s.Feature = s.Branch != "" && s.Branch != s.Base; !s.Feature {
		want("feature branch", cmp.Or(s.Branch, "no branch")+" is checked out", "git switch -c gsd/phase-"+p.ID.Padded())
	}
	remotes, _ := git("remote", "-v")
	if s.Remote = remotes != ""; !s.Remote {
		want("remote", "the repository has none", "git remote add origin URL")
	}
	if strings.Contains(remotes, "github.com") && !s.GH {
		want("gh", "the remote is on GitHub and gh is not installed", "install gh, or open the pull request in the browser")
	}
	s.Result = s.Result.judge(missing, "phase "+p.ID.String()+" can be shipped from "+s.Branch, "phase "+p.ID.String()+" cannot be shipped yet:")
	return s
}

// baseBranch returns what the remote calls its main branch, else main or master,
// whichever is there, else the only branch that the remote is known to have, else main.
func baseBranch(git Git) string {
	if head, err := git("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"); err == nil {
		return strings.TrimPrefix(head, "origin/")
	}
	for _, name := range []string{"main", "master"} {
		if _, err := git("rev-parse", "--verify", "--quiet", "refs/heads/"+name); err == nil {
			return name
		}
	}
	if there, err := git("for-each-ref", "--format=%(refname:lstrip=3)", "refs/remotes"); err == nil && there != "" && !strings.Contains(there, "\n") {
		return there
	}
	return "main"
}
