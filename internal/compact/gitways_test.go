package compact

import (
	"strings"
	"testing"
)

// In the midst of a merge, a rebase and the like every way out of it is shown, whichever
// command shows it.
func TestGitWaysOut(t *testing.T) {
	for state, hints := range map[string][]string{
		"You have unmerged paths.":                                             {`(fix conflicts and run "git commit")`, `(use "git merge --abort" to abort the merge)`},
		"You are currently rebasing branch 't' on '28f6ed7'.":                  {`(fix conflicts and then run "git rebase --continue")`, `(use "git rebase --skip" to skip this patch)`, `(use "git rebase --abort" to check out the original branch)`},
		"You are currently editing a commit while rebasing.":                   {`(use "git commit --amend" to amend the current commit)`, `(use "git rebase --continue" once you are satisfied with your changes)`},
		"You are currently cherry-picking commit d9df03d.":                     {`(fix conflicts and run "git cherry-pick --continue")`, `(use "git cherry-pick --skip" to skip this patch)`, `(use "git cherry-pick --abort" to cancel the cherry-pick operation)`},
		"You are currently reverting commit ed4c6e0.":                          {`(all conflicts fixed: run "git revert --continue")`, `(use "git revert --skip" to skip this patch)`, `(use "git revert --abort" to cancel the revert operation)`},
		"You are currently bisecting, started from branch 't'.":                {`(use "git bisect reset" to get back to the original branch)`},
		"You are in the middle of an am session.":                              {`(use "git am --show-current-patch=diff" to see the current patch)`, `(use "git am --skip" to skip this patch)`, `(use "git am --abort" to restore the original branch)`},
		"interactive rebase in progress; onto 4276c85\nNo commands remaining.": {`(use "git rebase --edit-todo" to view and edit)`},
	} {
		out := "On branch main\n" + state + "\n  " + strings.Join(hints, "\n  ") + "\n\nChanges not staged for commit:\n  (use \"git add <file>...\" to update what will be committed)\n" + repeated(40, "\tmodified:   lib/f%d.go\n") + "\nno changes added to commit (use \"git add\" and/or \"git commit -a\")\n"
		for _, command := range []string{"git status", "git stash pop", "git commit -m x"} {
			res := reduce(command, out)
			for _, hint := range hints {
				if !strings.Contains(res.Reduced, hint) {
					t.Errorf("%s, %s: lost %s\n%s", command, state, hint, res.Reduced)
				}
			}
			if strings.Contains(res.Reduced, "git add <file>") {
				t.Errorf("%s:\n%s", command, res.Reduced)
			}
		}
	}
}
