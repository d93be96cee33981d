package plan

import "cairn/internal/plan/doc"

// RenumberRoadmap gives phases of a milestone other ids in a roadmap, all at once:
// in headings, checklist, progress table, Depends on and lists of plans. It is for
// who has nothing but the document; version "" is any milestone.
func RenumberRoadmap(t *doc.Text, version string, to map[doc.PhaseID]doc.PhaseID) {
	var rn renumbering
	for from, id := range to {
		if from != id {
			rn = append(rn, renumbered{&Phase{ID: from}, id})
		}
	}
	if len(rn) > 0 {
		rn.roadmap(doc.ReadRoadmap(t), version, nil)
	}
}
