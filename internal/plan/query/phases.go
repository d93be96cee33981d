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
	if p == nil {
		return noSuchPhase(tx)
	}
	plans, summaries, incomplete := plansOf(p)
	o := object{
		{"found", true}, {"directory", p.Dir}, {"phase_number", dirNumber(p)}, {"phase_name", orNull(p.Slug)}, {"phase_slug", orNull(slug(p.Slug))},
		{"plans", plans}, {"summaries", summaries}, {"incomplete_plans", incomplete},
		hasFile(p, "RESEARCH"), hasFile(p, "CONTEXT"), hasFile(p, "VERIFICATION"), hasFile(p, "REVIEWS"),
	}
	return data(o.given("warning", strayWarning(p)).given("archived", p.Archived))
}

// plansOf returns the plans, summaries and plans without one, by file name.
func plansOf(p *plan.Phase) (plans, summaries, incomplete []string) {
	plans, incomplete = []string{}, []string{}
	for _, f := range p.Plans {
		plans = append(plans, f.Path)
		if f.Summary == "" {
			incomplete = append(incomplete, f.Path)
		}
	}
	return plans, list(p.Summaries()), incomplete
}

// hasFile is a member that holds whether the phase has a document.
func hasFile(p *plan.Phase, kind string) member {
	name := "has_" + strings.ReplaceAll(strings.ToLower(kind), "-", "_")
	return member{name, p != nil && p.File(kind) != ""}
}

func slug(name string) string { return text.LetterSlug(name, doc.SlugLength) }

// noSuchPhase tells where find-phase looked.
func noSuchPhase(tx *plan.Tx) result {
	searched := []string{tx.Path("phases")}
	for _, a := range try(tx.ReadDir(tx.Path("milestones"))) {
		if a.Dir && strings.HasSuffix(a.Name, "-phases") {
			searched = append(searched, tx.Path("milestones", a.Name))
		}
	}
	return data(object{
		{"found", false}, {"directory", nil}, {"phase_number", nil}, {"phase_name", nil}, {"phase_slug", nil},
		{"plans", []string{}}, {"summaries", []string{}}, {"incomplete_plans", []string{}},
		{"has_research", false}, {"has_context", false}, {"has_verification", false}, {"has_reviews", false},
		{"searched_directories", searched},
	})
}

// onDisk returns the phase of that name that has a directory: one in use
// before the newest that is archived.
func onDisk(tx *plan.Tx, name string) *plan.Phase {
	p := phaseOf(tx, name)
	if p == nil || p.Dir != "" {
		return p
	}
	var found *plan.Phase
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
	return slices.DeleteFunc(try(tx.Phases(plan.Everything)), func(p *plan.Phase) bool {
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
	next, ids, err := tx.NextDecimal(base)
	must(err)
	existing := []string{}
	for _, id := range ids {
		existing = append(existing, id.Padded())
	}
	p := try(tx.Phase(base))
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
		dirs := []string{}
		for _, p := range phases {
			name := path.Base(p.Dir)
			if p.Archived != "" {
				name += " [" + p.Archived + "]"
			}
			dirs = append(dirs, name)
		}
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
		for _, e := range try(tx.ReadDir(c.Path("phases"))) {
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
				must(tx.Remove(dir))
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
				must(tx.Move(p.Dir, path.Join(dir, path.Base(p.Dir))))
				n++
			}
		}
	})
	return data(object{{"archived", n}, {"version", version}, {"archive_directory", dir}})
}
