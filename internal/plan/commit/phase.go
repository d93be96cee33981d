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
		if isOf(subject, ids) {
			kind, scope, _ := Scope(subject)
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
func Scope(line string) (kind, scope string, ok bool) {
	s, ok := parseSubject(line)
	return s.kind, s.scope, ok && s.scope != ""
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
