package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// gitsync is the parser for what git says while it moves things: clone,
// fetch, pull, push, checkout, merge, rebase, commit. Progress and advice on
// settings go; refs, conflicts and errors stay.
//
// Formats: git-fetch(1) and git-push(1), "output"; git-merge(1).
type gitsync struct {
	refs int // lists are long after a first fetch
	rows int // files of a diffstat
}

const (
	syncRefs = 15
	syncRows = 10
)

func (p *gitsync) Line(l Line, emit func(Record)) {
	s := strings.TrimPrefix(l.Text, "remote: ")
	t := strings.TrimSpace(s)
	r := Record{Lines: []Line{l}}
	switch {
	case t == "" || t == "remote:":
		r.Class = Folded
	case transfer(t):
		r.Class = Good
	case strings.HasPrefix(t, "hint: Disable this message"), strings.HasPrefix(t, "(use \"git "), t == "hint:":
		r.Class = Folded
	case conflict(t) || fatal(t):
		r.Class, r.Key = Failure, t
	case strings.HasPrefix(t, "! ["):
		r.Class = Failure
	case strings.HasPrefix(t, "warning: "):
		r.Class, r.Key = Warn, lines.Template(t)
	case strings.HasPrefix(t, "* ["), strings.HasPrefix(t, "- ["), strings.HasPrefix(t, "+ ["), strings.Contains(t, " -> ") && strings.Contains(t, ".."):
		r.Class = Keep
		if p.refs++; p.refs > syncRefs {
			r.Class = Good
		}
	case statSummary(t):
		r.Class = Keep
	case statLine(t):
		r.Lines[0].Text = statBar(l.Text)
		r.Class = Keep
		if p.rows++; p.rows > syncRows {
			r.Class = Good
		}
	case strings.HasPrefix(t, "hint: "), strings.HasPrefix(l.Text, "To "), strings.HasPrefix(l.Text, "From "), strings.HasPrefix(t, "["), strings.HasPrefix(t, "Updating "), strings.HasPrefix(t, "HEAD is now at "):
		r.Class = Keep
	}
	emit(r)
}

func (p *gitsync) Close(func(Record)) {}

// transfer reports whether s counts objects or files while they are moved.
func transfer(s string) bool {
	for _, w := range [...]string{
		"Enumerating objects", "Counting objects", "Compressing objects", "Receiving objects", "Resolving deltas", "Writing objects",
		"Unpacking objects", "Updating files", "Checking out files", "Delta compression using", "Total ", "Filtering content",
		"Rebasing (", "Finding sources", "Auto packing", "Checking connectivity",
	} {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// conflict reports whether s says that something stands in the way.
func conflict(s string) bool {
	for _, w := range [...]string{"CONFLICT (", "Automatic merge failed", "error: ", "Could not apply ", "could not apply ", "Aborting", "Merge conflict", "Patch failed at"} {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}
