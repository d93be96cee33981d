package commit

import (
	"context"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan"
)

// Made is a commit of a phase.
type Made struct {
	Hash    string `json:"hash"` // short
	Subject string `json:"subject"`
}

// OfPhase returns the commits whose subject names one of the phase's ids as
// its scope, the oldest first, and the files that they changed apart from
// planning documents: `feat(02-01): …` and `docs(02): …` are of phase 02.
// Merges are left out.
func OfPhase(ctx context.Context, dir string, ids ...string) (made []Made, files []string, err error) {
	made, files = []Made{}, []string{}
	if _, err := git.Run(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return made, files, nil // no commits yet
	}
	out, err := git.Run(ctx, dir, "log", "--no-merges", "--reverse", "--format=%h %s")
	if err != nil {
		return nil, nil, err
	}
	show := []string{"show", "--format=", "--name-only", "-z"}
	for line := range strings.Lines(out) {
		hash, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		if isOf(subject, ids) {
			made = append(made, Made{hash, subject})
			show = append(show, hash)
		}
	}
	if len(made) == 0 {
		return made, files, nil
	}
	names, err := git.Output(ctx, dir, append(show, "--", ".", ":(exclude)"+plan.Planning)...)
	if err != nil {
		return nil, nil, err
	}
	files = append(files, git.Fields(names)...)
	slices.Sort(files)
	return made, slices.Compact(files), nil
}

// isOf reports whether a subject such as `fix(02-01)!: x` has one of the ids,
// or a plan of it, as its scope.
func isOf(line string, ids []string) bool {
	s, ok := parseSubject(line)
	return ok && slices.ContainsFunc(ids, func(id string) bool { return s.scope == id || strings.HasPrefix(s.scope, id+"-") })
}

// subject is the first line of a commit's message: kind(scope)breaks: what.
type subject struct{ kind, scope, breaks, what string }

// parseSubject reads fix(02-01)!: what, with or without a scope. A line that
// begins with no such kind is not ok.
func parseSubject(line string) (s subject, ok bool) {
	head, what, ok := strings.Cut(line, ":")
	if s.what = strings.TrimSpace(what); !ok || s.what == "" {
		return s, false
	}
	if cut, found := strings.CutSuffix(head, "!"); found {
		head, s.breaks = cut, "!"
	}
	if kind, scope, found := strings.Cut(head, "("); found {
		if s.scope, ok = strings.CutSuffix(scope, ")"); !ok {
			return s, false
		}
		head = kind
	}
	s.kind = head
	return s, head != "" && !strings.ContainsAny(head, " ()")
}
