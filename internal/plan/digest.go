package plan

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

// Digest is what the summaries of every phase, archived ones included, say
// that later work should know.
type Digest struct {
	Phases    []PhaseDigest    `json:"phases"`
	Decisions []DigestDecision `json:"decisions"`
	Tech      []string         `json:"tech_stack"` // what was added to the stack, once each
}

// PhaseDigest is what the summaries of one phase say together.
type PhaseDigest struct {
	ID       string   `json:"phase"` // as the summaries have it, else the directory's number
	Name     string   `json:"name"`
	Provides []string `json:"provides"`
	Affects  []string `json:"affects"`
	Patterns []string `json:"patterns"`
}

// DigestDecision is a decision that a summary records.
type DigestDecision struct {
	Phase string `json:"phase"`
	Text  string `json:"decision"`
}

// Digest reads the frontmatter of every summary. A summary without one says
// nothing.
func (tx *Tx) Digest() *Digest { return tx.DigestOf(tx.PhaseDirs()...) }

// DigestOf is the digest of some phases.
func (tx *Tx) DigestOf(phases ...*Phase) *Digest {
	var names []string
	var of []*Phase
	for _, p := range phases {
		for _, name := range p.Summaries() {
			names, of = append(names, path.Join(p.Dir, name)), append(of, p)
		}
	}
	fronts := tx.Fronts(names, "phase", "name", "dependency-graph", "provides", "affects", "patterns-established", "key-decisions", "tech-stack")
	d := &Digest{Phases: []PhaseDigest{}, Decisions: []DigestDecision{}, Tech: []string{}}
	for i, front := range fronts {
		if front != nil {
			d.add(of[i], front)
		}
	}
	return d
}

func (d *Digest) add(p *Phase, front *doc.Node) {
	id := front.Get("phase").Text()
	if id == "" {
		id = p.ID.Padded()
	}
	ph := d.phase(id)
	if ph.Name == "" {
		ph.Name = digestName(p, front)
	}
	graph := front.Get("dependency-graph")
	ph.Provides = merge(ph.Provides, append(graph.Get("provides").Names(), front.Get("provides").Names()...)...)
	ph.Affects = merge(ph.Affects, append(graph.Get("affects").Names(), front.Get("affects").Names()...)...)
	ph.Patterns = merge(ph.Patterns, front.Get("patterns-established").Names()...)
	for _, text := range front.Get("key-decisions").Names() {
		d.Decisions = append(d.Decisions, DigestDecision{id, text})
	}
	d.Tech = merge(d.Tech, front.Get("tech-stack", "added").Names()...)
}

func (d *Digest) phase(id string) *PhaseDigest {
	i := slices.IndexFunc(d.Phases, func(p PhaseDigest) bool { return p.ID == id })
	if i < 0 {
		d.Phases = append(d.Phases, PhaseDigest{ID: id, Provides: []string{}, Affects: []string{}, Patterns: []string{}})
		i = len(d.Phases) - 1
	}
	return &d.Phases[i]
}

func digestName(p *Phase, front *doc.Node) string {
	if name := front.Get("name").Text(); name != "" {
		return name
	}
	return strings.ReplaceAll(p.Slug, "-", " ")
}

// merge appends what is not there yet.
func merge(list []string, more ...string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
