package plan

import (
	"regexp"
	"strings"

	"cairn/internal/plan/doc"
)

// foldMilestone puts the milestone's part of the roadmap, from its heading to
// the end of its last phase, inside a <details>: what is in one is shipped.
// Of a roadmap without milestones that is every phase but the backlog.
func (tx *Tx) foldMilestone(c MilestoneCompletion, m *MilestoneReport) {
	r := tx.Roadmap()
	if r == nil {
		return
	}
	from, to := foldLines(r, c.Version)
	for _, it := range r.Milestones {
		if it.Level == 0 && it.Version == c.Version {
			r.SetLine(it.Line, shippedLine(r.Line(it.Line), c.Date))
		}
	}
	if from >= to {
		return
	}
	for to > from && strings.TrimSpace(r.Line(to-1)) == "" {
		to--
	}
	r.Insert(to, "", "</details>")
	r.Insert(from, "<details>", "<summary>✅ "+milestoneTitle(m.Version, m.Name)+" - SHIPPED "+c.Date+"</summary>", "")
}

// unshipped is a note at the end of a milestone's line that says it is not shipped.
func unshipped() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\((?:in progress|active|current|planned|planning|upcoming|not started)\b[^()]*\)(\W*)$`)
}

// shippedLine is a line of the list of milestones once that one is shipped: by its
// sign or box, and by its note.
func shippedLine(line, date string) string {
	if before, rest, ok := strings.Cut(line, "[ ]"); ok && strings.Trim(before, " \t-*+") == "" {
		line = before + "[x]" + rest
	}
	line = strings.NewReplacer("🚧", "✅", "📋", "✅").Replace(line)
	return unshipped().ReplaceAllString(line, "(shipped "+date+")$1")
}

// foldLines returns the lines that belong to a milestone; 0, 0 for none.
func foldLines(r *doc.Roadmap, version string) (from, to int) {
	from = r.Len()
	divided := false
	for _, m := range r.Milestones {
		divided = divided || m.Level > 0
		if m.Version == version && m.Level > 0 && m.State != doc.MilestoneShipped {
			from = min(from, m.Line)
			to = max(to, m.Line+1)
		}
	}
	in := func(id doc.PhaseID, shipped bool, v string) bool {
		return !shipped && !id.Backlog() && (v == version || !divided)
	}
	for _, b := range r.Boxes {
		if in(b.ID, b.Shipped, b.Version) {
			from, to = min(from, b.Line), max(to, b.Line+1)
		}
	}
	for _, p := range r.Phases {
		if in(p.ID, p.Shipped, p.Version) {
			from, to = min(from, p.Line), max(to, p.End)
		}
	}
	if s := beforeProgress(r, doc.Section{Start: from, End: to}); s.End > from {
		to = s.End
	}
	return from, to
}
