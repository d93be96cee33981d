package commit

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Branch returns the branch that a commit of these paths belongs on by
// git.branching_strategy, or "" when the settings leave it open: the phase's
// that one of the paths is in, or the milestone's.
func Branch(tx *plan.Tx, paths []string) string {
	s := settings.Load(tx)
	if s.Text("git.branching_strategy") == "none" {
		return ""
	}
	version, name := tx.Milestone()
	return BranchOf(s, phaseOf(tx, paths), version, name)
}

// BranchOf returns the branch that the work of a phase, which may be nil, in
// a milestone belongs on; "" when the settings leave it open.
func BranchOf(s *settings.Settings, p *plan.Phase, version, name string) string {
	switch strategy := s.Text("git.branching_strategy"); {
	case strategy == "phase" && p != nil:
		return PhaseBranch(s, p)
	case strategy == "milestone" && version != "":
		slug := cmp.Or(text.LetterSlug(name, doc.SlugLength), "milestone")
		return strings.NewReplacer("{milestone}", version, "{slug}", slug).Replace(s.Text("git.milestone_branch_template"))
	}
	return ""
}

// PhaseBranch is the branch that a phase has if each has one.
func PhaseBranch(s *settings.Settings, p *plan.Phase) string {
	return strings.NewReplacer("{phase}", p.ID.Padded(), "{slug}", cmp.Or(p.DirSlug(), "phase")).Replace(s.Text("git.phase_branch_template"))
}

// phaseOf returns the phase whose directory the first of the paths that is in
// one is in; nil when none is.
func phaseOf(tx *plan.Tx, paths []string) *plan.Phase {
	phases := tx.Path("phases") + "/"
	for _, p := range paths {
		rest, ok := strings.CutPrefix(path.Clean(strings.ReplaceAll(p, `\`, "/")), phases)
		if !ok {
			continue
		}
		dir, _, _ := strings.Cut(rest, "/")
		if id, _, ok := doc.DirPhaseID(dir); ok {
			return tx.Phase(id)
		}
	}
	return nil
}

// RequireBranch makes sure that the commit goes where it belongs. It never
// switches: work that is not committed would come along.
func RequireBranch(ctx context.Context, dir, want string) error {
	if want == "" {
		return nil
	}
	at, err := git.Branch(ctx, dir)
	if git.Code(err) == 1 {
		at = "no branch"
	} else if err != nil {
		return err
	}
	if at == want {
		return nil
	}
	verb := "git switch -c "
	if _, err := git.Run(ctx, dir, "rev-parse", "--verify", "--quiet", "refs/heads/"+want); err == nil {
		verb = "git switch "
	}
	return term.Hint(fmt.Errorf("this belongs on the branch %s, and %s is checked out", want, at), "%s%s, or cairn plan config set git.branching_strategy none", verb, want)
}

// Switch checks out a branch and makes it when it is not there. git refuses
// when that would lose something.
func Switch(ctx context.Context, dir, branch string) error {
	at, _ := git.Branch(ctx, dir)
	if at == branch || branch == "" {
		return nil
	}
	if _, err := git.Run(ctx, dir, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch); err == nil {
		_, err = git.Run(ctx, dir, "switch", "--quiet", "--no-guess", branch)
		return err
	}
	_, err := git.Run(ctx, dir, "switch", "--quiet", "-c", branch)
	return err
}
