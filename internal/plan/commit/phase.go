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
	ID      string `json:"-"` // the whole hash
	Scope   string `json:"-"` // of the subject: 02-01
	Kind    string `json:"-"` // feat, fix, test …
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
	out, err := git.Run(ctx, dir, "log", "--no-merges", "--reverse", "--format=%H %h %s")
	if err != nil {
		return nil, nil, err
	}
	show := []string{"show", "--format=", "--name-only", "-z"}
	for line := range strings.Lines(out) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		hash, subject, _ := strings.Cut(rest, " ")
		if kind, scope, ok := Scope(subject); ok && isOf(scope, ids) {
			made = append(made, Made{hash, subject, id, scope, kind})
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

// Scope reads a subject such as `fix(02-01)!: x`.
func Scope(subject string) (kind, scope string, ok bool) {
	kind, rest, _ := strings.Cut(subject, "(")
	scope, rest, ok = strings.Cut(rest, ")")
	if !ok || kind == "" || strings.ContainsAny(kind, " :") || !strings.HasPrefix(strings.TrimPrefix(rest, "!"), ":") {
		return "", "", false
	}
	return kind, scope, true
}

// isOf reports whether a scope is one of the ids, or a plan of it.
func isOf(scope string, ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool { return scope == id || strings.HasPrefix(scope, id+"-") })
}
