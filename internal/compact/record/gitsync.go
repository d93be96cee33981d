package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// gitsync is the parser for what git says while it moves things: clone,
// fetch, pull, push, checkout, merge, rebase, commit. Progress goes, and of
// advice all but its first line; refs, conflicts and errors stay.
//
// Formats: git-fetch(1) and git-push(1), "output"; git-merge(1).
type gitsync struct {
	refs int  // lists are long after a first fetch
	rows int  // files of a diffstat
	hint bool // the line before was advice
	auto Line // "Auto-merging f", until it is known whether f is in conflict
}

const (
	syncRefs = 15
	syncRows = 10
)

func (p *gitsync) Line(l Line, emit Emit) {
	s := strings.TrimPrefix(l.Text, "remote: ")
	t := strings.TrimSpace(s)
	r := Record{Lines: []Line{l}}
	p.merging(t, emit)
	told := p.hint
	p.hint = strings.HasPrefix(t, "hint:")
	switch {
	case strings.HasPrefix(t, "Auto-merging "):
		p.auto = l
		return
	case t == "" || t == "remote:":
		r.Class = Folded
	case transfer(t):
		r.Class = Good
	case hasPrefix(t, "hint: Disable this message", "(use \"git "), t == "hint:":
		r.Class = Folded
	case told && p.hint, hasPrefix(t, "Please make sure you have the correct access rights", "and the repository exists."):
		r.Class = Good
	case conflict(t) || fatal(t):
		r.Class, r.Key = Failure, t
	case strings.HasPrefix(t, "! ["):
		r.Class = Failure
		r.Lines[0].Text = squeezed(l.Text, true)
	case strings.HasPrefix(t, "warning: "):
		r.Class, r.Key = Warn, lines.Template(t)
	case hasPrefix(t, "* [", "- [", "+ ["), strings.Contains(t, " -> ") && strings.Contains(t, ".."):
		r.Class = Keep
		r.Lines[0].Text = squeezed(l.Text, true)
		if p.refs++; p.refs > syncRefs {
			r.Class = Good
		}
	case statSummary(t):
		r.Class = Keep
	case statLine(t):
		r.Lines[0].Text = statBar(l.Text)
		p.rows++
		r.Class = Keep.unless(p.rows > syncRows, Good)
	case strings.HasPrefix(t, "hint: "), hasPrefix(l.Text, "To ", "From "), hasPrefix(t, "[", "Updating ", "HEAD is now at "):
		r.Class = Keep
	}
	emit(r)
}

func (p *gitsync) Close(emit Emit) { p.merging("", emit) }

// merging gives a held line about a file that is merged: the conflict below
// it says as much.
func (p *gitsync) merging(next string, emit Emit) {
	if p.auto.Text == "" {
		return
	}
	_, file, ok := strings.Cut(p.auto.Text, "Auto-merging ")
	emit.line(Good.unless(ok && conflict(next) && strings.Contains(next, file), Folded), p.auto)
	p.auto = Line{}
}

// transfer reports whether s counts objects or files while they are moved.
func transfer(s string) bool {
	return hasPrefix(s,
		"Enumerating objects", "Counting objects", "Compressing objects", "Receiving objects", "Resolving deltas", "Writing objects",
		"Unpacking objects", "Updating files", "Checking out files", "Delta compression using", "Total ", "Filtering content",
		"Rebasing (", "Finding sources", "Auto packing", "Checking connectivity",
	)
}

// conflict reports whether s says that something stands in the way.
func conflict(s string) bool {
	return hasPrefix(s, "CONFLICT (", "Automatic merge failed", "error: ", "Could not apply ", "could not apply ", "Aborting", "Merge conflict", "Patch failed at")
}
