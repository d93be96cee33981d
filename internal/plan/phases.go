package plan

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

// Phase is one phase as roadmap, disk and archive know it together. It is the
// one model behind every counter, index, gate and edit.
type Phase struct {
	ID       doc.PhaseID
	Name     string            // as the roadmap has it, else the directory's slug
	Section  *doc.RoadmapPhase // in the roadmap, or nil
	Box      *doc.RoadmapBox   // in the roadmap's checklist, or nil
	Dir      string            // such as ".planning/phases/02-api", or ""
	Slug     string            // of the directory
	Files    []string          // in the directory, by name
	Plans    []PlanFile        // by name
	Archived string            // the milestone whose archive holds the directory, or ""
	current  bool              // of the current milestone or the backlog
	claims   []Claim           // what the roadmap says of its completion
	strays   []string          // files that look like plans and are not
	orphans  []string          // summaries of no plan
}

// PlanFile is a plan of a phase.
type PlanFile struct {
	ID      string // the file's name without -PLAN.md: 02-01
	Path    string // relative to the phase's directory
	Summary string // the file that says it was executed, or ""
}

// Scope says which phases are asked for.
type Scope int

const (
	Current    Scope = iota // those of the current milestone, without the backlog
	WithIdeas               // those and the backlog (999.x)
	Everything              // every phase: archived, shipped, backlog
)

// File returns the name of the phase's file of that kind — CONTEXT,
// RESEARCH, VERIFICATION, UAT … — or "". A numbered one (02-CONTEXT.md) is
// taken before a bare one.
func (p *Phase) File(kind string) string {
	bare := ""
	for _, name := range p.Files {
		if before, ok := strings.CutSuffix(name, "-"+kind+".md"); ok && !isOtherKind(before) {
			return name
		}
		if name == kind+".md" {
			bare = name
		}
	}
	return bare
}

// isOtherKind reports whether what stands before a kind makes it another one:
// UI-SPEC is no SPEC.
func isOtherKind(before string) bool {
	last := before[strings.LastIndexByte(before, '-')+1:]
	return last == "UI" || last == "AI" || last == "EVAL"
}

// Strays returns the files that look like plans and are not, for a warning.
func (p *Phase) Strays() []string { return p.strays }

// Orphans returns the summaries that belong to no plan.
func (p *Phase) Orphans() []string { return p.orphans }

// Roadmap reads ROADMAP.md; nil without an error when there is none.
func (tx *Tx) Roadmap() *doc.Roadmap {
	t := tx.ReadIfThere(tx.Path("ROADMAP.md"))
	if t == nil {
		return nil
	}
	if tx.roadmap == nil || tx.roadmap.Text != t || tx.roadmapEdits != t.Edits() {
		tx.roadmap, tx.roadmapEdits = doc.ReadRoadmap(t), t.Edits()
	}
	return tx.roadmap
}

// Phases returns the phases in scope, in the order of their ids. Outside of
// Everything a roadmap that names phases decides which belong to the
// milestone. A phase of an older milestone with the number of a current one
// is a phase of its own.
func (tx *Tx) Phases(scope Scope) []*Phase { return tx.phases(scope, tx.phaseDirs) }

// phases is Phases with how to read a directory of phases: phaseDirs, or
// namedDirs where the files do not matter.
func (tx *Tx) phases(scope Scope, readDirs func(dir, archived string) []*Phase) []*Phase {
	dirs := readDirs(tx.Path("phases"), "")
	r := tx.Roadmap()
	j := newJoiner("", dirs)
	if r != nil {
		j.version = tx.milestoneVersion(r)
		j.addCurrent(r)
	}
	for _, p := range j.out {
		p.current = true
	}
	phases := slices.Clone(j.out)
	for _, d := range dirs { // that the roadmap does not name
		if !d.current && (len(j.out) == 0 && !j.before(r, d.ID) || d.ID.Backlog() || scope == Everything) {
			phases = append(phases, d)
		}
	}
	if scope == Everything {
		archived := tx.archivedPhases(readDirs)
		phases = slices.Concat(archived, phases)
		if r != nil {
			phases = addOlder(r, j.version, phases)
		}
	}
	if r != nil {
		tx.claim(r, j.version, phases)
	}
	if scope == Current {
		phases = slices.DeleteFunc(phases, func(p *Phase) bool { return p.ID.Backlog() })
	}
	slices.SortStableFunc(phases, func(a, b *Phase) int { return a.ID.Compare(b.ID) })
	return phases
}

// Phase returns one phase of whatever scope, nil when there is none: one of
// the current milestone before one on disk, that before the newest archived
// one, and that before one that only an old part of the roadmap knows.
func (tx *Tx) Phase(id doc.PhaseID) *Phase {
	phases := tx.phases(Everything, tx.namedDirs)
	rank := func(p *Phase) int {
		switch {
		case p.current:
			return 3
		case p.Dir != "" && p.Archived == "":
			return 2
		case p.Dir != "":
			return 1
		}
		return 0
	}
	var found *Phase
	for _, p := range phases {
		if p.ID.Same(id) && (found == nil || rank(p) > rank(found) || rank(p) == 1 && rank(found) == 1) {
			found = p
		}
	}
	if found == nil || found.Dir == "" {
		return found
	}
	tx.readFiles(found)
	return found
}

// archivedPhases reads milestones/vX-phases/.
func (tx *Tx) archivedPhases(readDirs func(dir, archived string) []*Phase) []*Phase {
	archives := tx.ReadDir(tx.Path("milestones"))
	var out []*Phase
	for _, a := range archives {
		version, ok := strings.CutSuffix(a.Name, "-phases")
		if !ok || !a.Dir {
			continue
		}
		out = append(out, readDirs(tx.Path("milestones", a.Name), version)...)
	}
	return out
}

// phaseDirs reads the phase directories in a directory.
func (tx *Tx) phaseDirs(dir, archived string) []*Phase {
	phases := tx.namedDirs(dir, archived)
	if len(tx.steps) == 0 {
		dirs := make([]string, len(phases))
		for i, p := range phases {
			dirs[i] = p.Dir
		}
		tx.listMany(dirs)
	}
	for _, p := range phases {
		tx.readFiles(p)
	}
	return phases
}

// namedDirs is phaseDirs by the directories' names alone.
func (tx *Tx) namedDirs(dir, archived string) []*Phase {
	entries := tx.ReadDir(dir)
	var out []*Phase
	for _, e := range entries {
		if id, slug, ok := doc.DirPhaseID(e.Name); ok && e.Dir {
			out = append(out, &Phase{ID: id, Name: slug, Slug: slug, Dir: path.Join(dir, e.Name), Archived: archived})
		}
	}
	return out
}

// readFiles lists the phase's directory and finds its plans.
func (tx *Tx) readFiles(p *Phase) {
	for _, f := range tx.ReadDir(p.Dir) {
		switch {
		case !f.Dir:
			p.Files = append(p.Files, f.Name)
		case f.Name == "plans":
			p.nest(tx.ReadDir(path.Join(p.Dir, f.Name)))
		}
	}
	p.readPlans()
}
