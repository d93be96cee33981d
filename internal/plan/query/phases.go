package query

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

func findPhase(c *call, tx *plan.Tx) result {
	p := onDisk(tx, c.arg(0))
	plans, summaries, incomplete := plansOf(p)
	o := object{
		{"found", p.Dir != ""}, {"directory", orNull(p.Dir)}, {"phase_number", orNull(dirNumber(p))}, {"phase_name", orNull(p.Slug)}, {"phase_slug", orNull(slug(p.Slug))},
		{"plans", plans}, {"summaries", summaries}, {"incomplete_plans", incomplete},
		hasFile(p, "RESEARCH"), hasFile(p, "CONTEXT"), hasFile(p, "VERIFICATION"), hasFile(p, "REVIEWS"),
	}
	if p.Dir == "" {
		return data(o.with("searched_directories", searched(tx)))
	}
	return data(o.given("warning", strayWarning(p)).given("archived", p.Archived))
}

// searched are the directories where find-phase looked.
func searched(tx *plan.Tx) []string {
	dirs := []string{tx.Path("phases")}
	for _, a := range tx.ReadDir(tx.Path("milestones")) {
		if a.Dir && strings.HasSuffix(a.Name, "-phases") {
			dirs = append(dirs, tx.Path("milestones", a.Name))
		}
	}
	return dirs
}

// plansOf returns the plans, summaries and plans without one, by file name.
func plansOf(p *plan.Phase) (plans, summaries, incomplete []string) {
	file := func(f plan.PlanFile) string { return f.Path }
	open := only(p.Plans, func(f plan.PlanFile) bool { return f.Summary == "" })
	return each(p.Plans, file), list(p.Summaries()), each(open, file)
}

// hasFile is a member that holds whether the phase has a document.
func hasFile(p *plan.Phase, kind string) member {
	name := "has_" + strings.ReplaceAll(strings.ToLower(kind), "-", "_")
	return member{name, p.File(kind) != ""}
}

func slug(name string) string { return text.LetterSlug(name, doc.SlugLength) }

// onDisk returns the phase of that name that has a directory: one in use
// before the newest that is archived.
func onDisk(tx *plan.Tx, name string) *plan.Phase {
	p := phaseOf(tx, name)
	if p.Dir != "" || !known(p) {
		return p
	}
	found := &plan.Phase{}
	for _, q := range phaseDirs(tx, true) {
		if q.ID.Same(p.ID) {
			found = q
		}
	}
	return found
}

// phaseDirs returns every phase that has a directory, in order; archived ones
// only when asked for.
func phaseDirs(tx *plan.Tx, archived bool) []*plan.Phase {
	return slices.DeleteFunc(tx.Phases(plan.Everything), func(p *plan.Phase) bool {
		return p.Dir == "" || p.Archived != "" && !archived
	})
}

// dirNumber returns the phase's number as its directory has it, without the
// project's code.
func dirNumber(p *plan.Phase) string {
	name := p.Dir[strings.LastIndexByte(p.Dir, '/')+1:]
	number := strings.TrimSuffix(strings.TrimSuffix(name, p.Slug), "-")
	if p.ID.Code != "" {
		number = strings.TrimPrefix(number, p.ID.Code+"-")
	}
	return number
}

// strayWarning names the files that look like plans and are not, "" when
// there are none.
func strayWarning(p *plan.Phase) string {
	if len(p.Strays()) == 0 {
		return ""
	}
	return "Files look like plans but are not named {phase}-{plan}-PLAN.md, so they are ignored: " + strings.Join(p.Strays(), ", ")
}

func phaseNextDecimal(c *call, tx *plan.Tx) result {
	base, ok := doc.ParsePhaseID(c.arg(0))
	require(ok, missing, "phase number required for phase next-decimal")
	next, ids := tx.NextDecimal(base)
	existing := each(ids, doc.PhaseID.Padded)
	p := tx.Phase(base)
	found := p != nil && p.Dir != "" && p.Archived == ""
	return dataRaw(object{
		{"found", found}, {"base_phase", base.Padded()}, {"next", next.Padded()}, {"existing", existing},
	}, next.Padded())
}

func phasesList(c *call, tx *plan.Tx) result {
	kind, one := c.opt("type"), c.given("phase")
	phases := phaseDirs(tx, c.given("include-archived"))
	if one {
		id, _ := doc.ParsePhaseID(c.opt("phase"))
		phases = slices.DeleteFunc(phases, func(p *plan.Phase) bool { return !p.ID.Same(id) })
		if len(phases) == 0 {
			return dataRaw(object{{"files", []string{}}, {"count", 0}, {"phase_dir", nil}, {"error", "Phase not found"}}, "")
		}
		phases = phases[:1]
	}
	if kind == "" {
		dirs := each(phases, func(p *plan.Phase) string {
			return path.Base(p.Dir) + either(p.Archived != "", " ["+p.Archived+"]", "")
		})
		return dataRaw(object{{"directories", dirs}, {"count", len(dirs)}}, strings.Join(dirs, "\n"))
	}
	files, warnings := []string{}, []string{}
	for _, p := range phases {
		files = append(files, filesOf(p, kind)...)
		if w := strayWarning(p); w != "" && kind == "plans" {
			warnings = append(warnings, w)
		}
	}
	dir := any(nil)
	if one {
		dir = path.Base(phases[0].Dir)
	}
	o := object{{"files", files}, {"count", len(files)}, {"phase_dir", dir}}
	return dataRaw(o.given("warning", strings.Join(warnings, "; ")), strings.Join(files, "\n"))
}

// filesOf returns the phase's files of a kind: plans, summaries, or what is
// neither.
func filesOf(p *plan.Phase, kind string) []string {
	plans, summaries, _ := plansOf(p)
	switch kind {
	case "plans":
		return plans
	case "summaries":
		return summaries
	}
	return slices.DeleteFunc(slices.Clone(p.Files), func(name string) bool {
		return slices.Contains(plans, name) || slices.Contains(summaries, name)
	})
}

// phasesClear removes every phase's directory but those of the backlog. Ours
// can be undone.
func phasesClear(c *call) result {
	var dirs []string
	find := func(tx *plan.Tx) {
		for _, e := range tx.ReadDir(c.Path("phases")) {
			if e.Dir && !strings.HasPrefix(e.Name, "999") {
				dirs = append(dirs, c.Path("phases", e.Name))
			}
		}
	}
	count := func() string { return strconv.Itoa(len(dirs)) + " phase director" + either(len(dirs) == 1, "y", "ies") }
	if c.given("confirm") {
		c.change(func(tx *plan.Tx) {
			find(tx)
			for _, dir := range dirs {
				tx.Remove(dir)
			}
		})
	} else {
		c.look(find)
		require(len(dirs) == 0, "usage", "phases clear would delete %s. Pass --confirm to proceed.", count())
	}
	return dataRaw(object{{"cleared", len(dirs)}}, count()+" cleared")
}

// phasesArchive moves every phase's directory but those of the backlog into
// the archive of a milestone.
func phasesArchive(c *call) result {
	version := c.arg(0)
	v, at := doc.Version(version)
	require(at == 0 && v == version, "usage", "Invalid version: %s", version)
	dir := c.Path("milestones", version+"-phases")
	n := 0
	c.change(func(tx *plan.Tx) {
		for _, p := range phaseDirs(tx, false) {
			if !p.ID.Backlog() {
				tx.Move(p.Dir, path.Join(dir, path.Base(p.Dir)))
				n++
			}
		}
	})
	return data(object{{"archived", n}, {"version", version}, {"archive_directory", dir}})
}
