package plan

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Annotated tells what AnnotatePhase wrote.
type Annotated struct {
	Phase   string   `json:"phase"`
	Updated bool     `json:"updated"`
	Waves   int      `json:"waves"`
	Shared  []string `json:"cross_cutting_constraints"`
}

// AnnotatePhase writes into a phase's section which plans run in which wave,
// and the truths that at least two plans must hold. The waves are lists of
// plan ids in order. One wave alone is not written. Marks of waves that are there
// follow the plans; where somebody wrote them in another form they stay.
func (tx *Tx) AnnotatePhase(p *Phase, waves [][]string) *Annotated {
	r := tx.needRoadmap()
	if p.Section == nil {
		must.Fail(&PhaseError{p.ID.String(), "has no section in ROADMAP.md"})
	}
	shared := tx.sharedTruths(p)
	out := &Annotated{Phase: p.ID.String(), Waves: len(waves), Shared: shared}
	text := strings.Join(r.Lines(p.Section.Start, p.Section.End), "\n")
	before := r.String()
	if len(waves) > 1 && unmarkWaves(r, *p.Section) {
		again := doc.ReadRoadmap(r.Text)
		section, _ := again.Phase(p.ID)
		markWaves(again, section, waves)
	}
	if len(shared) > 0 && !strings.Contains(text, "**Cross-cutting constraints") {
		again := doc.ReadRoadmap(r.Text)
		section, _ := again.Phase(p.ID)
		lines := []string{"", "**Cross-cutting constraints:**"}
		for _, truth := range shared {
			lines = append(lines, "- "+truth)
		}
		again.AppendTo(section.Section, lines...)
	}
	out.Updated = r.String() != before
	return out
}

// unmarkWaves takes out the lines that markWaves puts in, with the blank lines that
// belong to them. It reports false where marks are in another form.
func unmarkWaves(r *doc.Roadmap, section doc.RoadmapPhase) bool {
	var marks []int
	for i := section.Start; i < section.End; i++ {
		rest, ok := strings.CutPrefix(r.Line(i), "**Wave ")
		if !ok || r.Code(i) {
			continue
		}
		rest = strings.TrimLeft(rest, "0123456789")
		if rest != "**" && !strings.HasPrefix(rest, "** *(blocked on Wave ") {
			return false
		}
		marks = append(marks, i)
	}
	blank := func(i int) bool { return i >= section.Start && i < r.Len() && strings.TrimSpace(r.Line(i)) == "" }
	for n, i := range slices.Backward(marks) {
		from, to := i, i+1
		if blank(to) {
			to++
		}
		if n > 0 && blank(from-1) {
			from--
		}
		r.Delete(from, to)
	}
	return true
}

// markWaves puts a line before the first listed plan of each wave.
func markWaves(r *doc.Roadmap, section doc.RoadmapPhase, waves [][]string) {
	items := r.Items(section.Start, section.End)
	last := 0
	type mark struct{ line, wave int }
	var marks []mark
	for _, it := range items {
		if !it.Box {
			continue
		}
		wave := slices.IndexFunc(waves, func(ids []string) bool {
			return slices.ContainsFunc(ids, func(id string) bool { return isPlanItem(it.Text, id) })
		}) + 1
		if wave > 0 && wave != last {
			marks = append(marks, mark{it.Line, wave})
			last = wave
		}
	}
	for i, m := range slices.Backward(marks) {
		title := fmt.Sprintf("**Wave %d**", m.wave)
		if m.wave > 1 {
			title += fmt.Sprintf(" *(blocked on Wave %d completion)*", m.wave-1)
		}
		lines := []string{title, ""}
		if i > 0 {
			lines = append([]string{""}, lines...)
		}
		r.Insert(m.line, lines...)
	}
}

// sharedTruths returns the truths that at least two plans have, compared
// without case, as the first has them.
func (tx *Tx) sharedTruths(p *Phase) []string {
	type count struct {
		text  string
		plans int
	}
	var counts []*count
	for _, f := range p.Plans {
		t := must.Get(tx.Read(p.Dir + "/" + f.Path))
		seen := map[string]bool{}
		for _, truth := range t.Front().Get("must_haves", "truths").Strings() {
			truth = strings.TrimSpace(truth)
			key := strings.ToLower(truth)
			if key == "" || seen[key] {
				continue
			}
			seen[key] = true
			i := slices.IndexFunc(counts, func(c *count) bool { return strings.EqualFold(c.text, truth) })
			if i < 0 {
				counts = append(counts, &count{text: truth})
				i = len(counts) - 1
			}
			counts[i].plans++
		}
	}
	out := []string{}
	for _, c := range counts {
		if c.plans >= 2 {
			out = append(out, c.text)
		}
	}
	return out
}
