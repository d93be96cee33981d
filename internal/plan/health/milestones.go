package health

import (
	"strings"

	"cairn/internal/plan/doc"
)

// unlistedMilestones finds archives (milestones/v1.0-ROADMAP.md) that
// MILESTONES.md does not speak of.
func unlistedMilestones(l *look) []Finding {
	var out []Finding
	for _, e := range l.entries(l.Path("milestones")) {
		version, ok := strings.CutSuffix(e.Name, "-ROADMAP.md")
		if v, _ := doc.Version(version); !ok || v != version || l.listed(version) {
			continue
		}
		out = append(out, Finding{
			Message: "milestone " + version + " is archived, but MILESTONES.md has no entry for it", Path: l.Path("milestones", e.Name),
		})
	}
	return out
}

func (l *look) listed(version string) bool {
	t := l.text(l.Path("MILESTONES.md"))
	if t == nil {
		return false
	}
	for _, h := range t.Headings() {
		if v, _ := doc.Version(h.Text); v == version {
			return true
		}
	}
	return false
}

// isKnown reports whether a Markdown file may be at the root of a plan: it is
// one of the plan's own, or belongs to a milestone.
func isKnown(name string) bool {
	for _, known := range knownFiles {
		if strings.EqualFold(name, known) {
			return true
		}
	}
	version, at := doc.Version(name)
	return at == 0 && strings.HasPrefix(name[len(version):], "-")
}
