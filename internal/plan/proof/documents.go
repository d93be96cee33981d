package proof

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan/check"
	"cairn/internal/text"
)

// documents judges what summaries and the report say by what is there.
func (j *judge) documents() error {
	for _, p := range j.Plans {
		if p.Summary == nil {
			j.unproven("summary", p.ID, p.ID+" summary", "plan "+p.ID+" has no SUMMARY", "execute it, or take the plan out")
			continue
		}
		j.summary(p)
	}
	if wrong := j.Verification.Overscored(); wrong != "" {
		j.unprovenAt("verification", "", j.Report, 0, wrong, "give each truth a row with its evidence")
	}
	if j.Verification.Passed() {
		for _, f := range j.Warnings {
			j.unchecked("review", "", f.ID, fmt.Sprintf("%s of the review is open (%s), and VERIFICATION.md does not say what it means for the truths", f.ID, f.Title))
		}
	}
	return nil
}

func (j *judge) summary(p Plan) {
	s := check.Verify(p.Summary, check.Dir(j.Root), func(string) bool { return true }, 0)
	wrong := func(what, remedy string) {
		j.unproven("summary", p.ID, p.ID+" "+what, fmt.Sprintf("%s: %s", p.SummaryPath, what), remedy)
	}
	bad := len(s.Missing) > 0 || s.SelfCheck == check.SelfFailed
	for _, name := range s.Missing {
		wrong("names "+name+", which is not there", "correct the summary, or make the file")
	}
	if s.SelfCheck == check.SelfFailed {
		wrong("its own check failed", "mend what it found")
	}
	for _, hash := range s.Hashes {
		if !check.LikeCommit(hash) || slices.ContainsFunc(j.all, func(c change) bool { return strings.HasPrefix(c.ID, hash) }) {
			continue
		}
		bad = true
		if _, err := git.Run(j.ctx, j.top, "merge-base", "--is-ancestor", hash, "HEAD"); err != nil {
			wrong("names the commit "+hash+", which is not in the history of HEAD", "name the commits that there are: git log --oneline --grep '("+p.ID+")'")
		} else {
			wrong("names the commit "+hash+", which is from before the phase", "name the commits of the plan: git log --oneline --grep '("+p.ID+")'")
		}
	}
	if len(s.Hashes) == 0 && s.Checked == 0 {
		bad = true
		wrong("names no commit and no file", "write what was done: cairn plan template fill summary")
	}
	if !bad {
		j.proven("summary", p.ID, p.ID+" summary", fmt.Sprintf("its %s and %s are there", text.Count(s.Checked, "file"), text.Count(len(s.Hashes), "commit")))
	}
}
