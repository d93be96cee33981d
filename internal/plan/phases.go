package plan

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/plan/doc"
)

// Phase is one phase as roadmap, disk and archive know it together. It is the
// one model behind every counter, index, gate and edit.
type Phase struct {
	ID        doc.PhaseID
	Name      string              // as the roadmap has it, else the directory's slug
	Section   *doc.RoadmapPhase   // in the roadmap, or nil
	Box       *doc.RoadmapBox     // in the roadmap's checklist, or nil
	Dir       string              // such as ".planning/phases/02-api", or ""
	Slug      string              // of the directory
	Files     []string            // in the directory, by name
	Plans     []PlanFile          // by name
	Archived  string              // the milestone whose archive holds the directory, or ""
	Milestone string              // the version of its milestone, where anything says it
	current   bool                // of the current milestone or the backlog
	claims    []Claim             // what the roadmap says of its completion
	sections  []*doc.RoadmapPhase // every section of it; Section is the first
	rows      int                 // in tables of progress
	strays    []string            // files that look like plans and are not
	orphans   []string            // summaries of no plan
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
func (tx *Tx) Phases(scope Scope) []*Phase { return tx.phases(scope, true) }

// phases is Phases, without the files of the directories where those do not
// matter.
func (tx *Tx) phases(scope Scope, files bool) []*Phase {
	readDirs, readArchives := tx.phaseDirs, tx.phaseDirs
	if !files {
		readDirs = tx.namedDirs
	}
	if !files || scope != Everything {
		readArchives = tx.namedDirs
	}
	r := tx.Roadmap()
	j := &joiner{by: byNumber{}}
	if r != nil {
		j.version = tx.milestoneVersion(r)
		j.addCurrent(r)
	}
	j.addDirs(r, readDirs(tx.Path("phases"), ""))
	j.addArchived(tx.archivedPhases(readArchives))
	if r != nil {
		j.addOlder(r)
		j.addBullets(r)
		j.addRows(r)
		j.reunite()
		j.claims(r, tx.Path("ROADMAP.md"))
		for _, p := range j.out {
			if p.Disputed() != nil && tx.leftOpen(p) { // its milestone does not speak for it
				p.claims = slices.DeleteFunc(p.claims, func(c Claim) bool { return c.Source == ClaimMilestone })
			}
		}
	}
	for _, p := range j.out { // something says of a phase that seemed to be current that it is of another milestone
		p.current = p.current && (j.version == "" || p.Milestone == "" || p.Milestone == j.version)
	}
	named := slices.ContainsFunc(j.out, func(p *Phase) bool { return p.current })
	phases := slices.DeleteFunc(slices.Clone(j.out), func(p *Phase) bool {
		switch {
		case scope == Everything || p.current:
			return false
		case p.ID.Backlog():
			return p.Archived != "" || p.Dir == ""
		}
		return named || p.Archived != "" || p.Dir == "" || j.past(r, p)
	})
	if scope == Current {
		phases = slices.DeleteFunc(phases, func(p *Phase) bool { return p.ID.Backlog() })
	}
	if files && scope != Everything {
		for _, p := range phases {
			if p.Archived != "" {
				tx.readFiles(p)
			}
		}
	}
	rank := func(p *Phase) int { // of one number: archived, current, only on disk, of other milestones
		switch {
		case p.current:
			return 1
		case p.Archived != "":
			return 0
		case p.Dir != "":
			return 2
		}
		return 3
	}
	slices.SortStableFunc(phases, func(a, b *Phase) int { return cmp.Or(a.ID.Compare(b.ID), rank(a)-rank(b)) })
	return phases
}

// Phase returns one phase of whatever scope, nil when there is none: one of
// the current milestone before one on disk, that before the newest archived
// one, and that before one that only an old part of the roadmap knows.
func (tx *Tx) Phase(id doc.PhaseID) *Phase {
	phases := tx.phases(Everything, false)
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
	if found == nil || found.ID.Code != id.Code && id.Code != "" && !tx.hasCode(id.Code, phases) {
		return nil
	}
	if found.Dir != "" {
		tx.readFiles(found)
	}
	return found
}

// hasCode reports whether a code before a phase's number is the project's: one of its
// phases has it, or the settings say so. MEM-01 is a task of somebody else's, and
// not phase 1.
func (tx *Tx) hasCode(code string, phases []*Phase) bool {
	for _, p := range phases {
		if p.ID.Code == code || p.Section != nil && p.Section.ID.Code == code || p.Box != nil && p.Box.ID.Code == code {
			return true
		}
	}
	for _, rel := range []string{tx.Path("config.json"), tx.Shared("config.json")} {
		b, err := tx.ReadBytes(rel)
		if d, bad := jsonc.Parse(b); err == nil && bad == nil && strings.EqualFold(d.String(jsonc.Path{"project_code"}), code) {
			return true
		}
	}
	return false
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
