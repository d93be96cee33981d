package query

import (
	"maps"
	"slices"

	"cairn/internal/plan"
	"cairn/internal/plan/wave"
)

// roadmapAnnotate marks the waves that the plans declare; their depends_on
// was not looked at.
func roadmapAnnotate(c *call) (result, error) {
	p, docs, err := c.phasePlans()
	switch {
	case err != nil:
		return result{}, err
	case p == nil || p.Section == nil:
		return notAnnotated(c, "phase not found in ROADMAP.md"), nil
	case len(docs) == 0:
		return notAnnotated(c, "no plans found"), nil
	}
	var done *plan.Annotated
	_, err = c.Update(c.context, "roadmap annotate", func(tx *plan.Tx) (err error) {
		fresh, err := tx.Phase(p.ID)
		if err != nil {
			return err
		}
		done, err = tx.AnnotatePhase(fresh, declaredWaves(docs))
		return err
	})
	if err != nil {
		return result{}, err
	}
	o := object{
		{"updated", done.Updated}, {"phase", padded(c.arg(0))}, {"waves", done.Waves}, {"cross_cutting_constraints", len(done.Shared)},
	}
	return dataRaw(o, either(done.Updated, "annotated", "no changes")), nil
}

func notAnnotated(c *call, reason string) result {
	return dataRaw(object{
		{"updated", false}, {"phase", padded(c.arg(0))}, {"waves", 0}, {"cross_cutting_constraints", 0}, {"reason", reason},
	}, "no changes")
}

// declaredWaves groups plans by the wave their frontmatter claims, 1 when it
// claims none.
func declaredWaves(docs []wave.Document) [][]string {
	by := map[int][]string{}
	for _, d := range docs {
		n := 1
		if d.Declared != nil {
			n = *d.Declared
		}
		by[n] = append(by[n], d.ID)
	}
	var out [][]string
	for _, n := range slices.Sorted(maps.Keys(by)) {
		out = append(out, by[n])
	}
	return out
}
