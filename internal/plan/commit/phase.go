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
	Hash    string   `json:"hash"` // short
	Subject string   `json:"subject"`
	ID      string   `json:"-"` // the whole hash
	Scope   string   `json:"-"` // of the subject: 02-01
	Kind    string   `json:"-"` // feat, fix, test …
	Message string   `json:"-"` // all of it
	Files   []string `json:"-"` // that it changed, without planning documents
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
	show := []string{"show", "--format=%x01%H%x02%B%x02", "--name-only", "--relative", "-z"}
	for line := range strings.Lines(out) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		hash, subject, _ := strings.Cut(rest, " ")
		if kind, scope, ok := Scope(subject); ok && isOf(scope, ids) {
			made = append(made, Made{Hash: hash, Subject: subject, ID: id, Scope: scope, Kind: kind})
			show = append(show, id)
		}
	}
	if len(made) == 0 {
		return made, files, nil
	}
	shown, err := git.Output(ctx, dir, append(show, "--")...)
	if err != nil {
		return nil, nil, err
	}
	for part := range strings.SplitSeq(string(shown), "\x01") {
		field := strings.SplitN(part, "\x02", 3)
		i := slices.IndexFunc(made, func(m Made) bool { return m.ID == field[0] })
		if i < 0 || len(field) < 3 {
			continue
		}
		made[i].Message = strings.TrimSpace(field[1])
		for name := range strings.SplitSeq(field[2], "\x00") {
			if name = strings.Trim(name, "\n"); name != "" && !strings.HasPrefix(name, plan.Planning+"/") {
				made[i].Files = append(made[i].Files, name)
			}
		}
		files = append(files, made[i].Files...)
	}
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
