package query

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// phaseDirs returns every phase that has a directory, in order; archived ones
// only when asked for.
func phaseDirs(tx *plan.Tx, archived bool) ([]*plan.Phase, error) {
	phases, err := tx.Phases(plan.Everything)
	return slices.DeleteFunc(phases, func(p *plan.Phase) bool {
		return p.Dir == "" || p.Archived != "" && !archived
	}), err
}

func phasesList(c *call, tx *plan.Tx) (result, error) {
	kind, _ := c.flag("type")
	number, one := c.flag("phase")
	archived := c.switched("include-archived")
	phases, err := phaseDirs(tx, archived)
	if err != nil {
		return result{}, err
	}
	if one {
		id, _ := doc.ParsePhaseID(number)
		phases = slices.DeleteFunc(phases, func(p *plan.Phase) bool { return !p.ID.Same(id) })
		if len(phases) == 0 {
			return dataRaw(object{{"files", []string{}}, {"count", 0}, {"phase_dir", nil}, {"error", "Phase not found"}}, ""), nil
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
		return dataRaw(object{{"directories", dirs}, {"count", len(dirs)}}, strings.Join(dirs, "\n")), nil
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
	return dataRaw(o.given("warning", strings.Join(warnings, "; ")), strings.Join(files, "\n")), nil
}

// filesOf returns the phase's files of a kind: plans, summaries, or what is
// neither.
func filesOf(p *plan.Phase, kind string) []string {
	var plans []string
	for _, f := range p.Plans {
		plans = append(plans, f.Path)
	}
	done := p.Summaries()
	switch kind {
	case "plans":
		return plans
	case "summaries":
		return done
	}
	return slices.DeleteFunc(slices.Clone(p.Files), func(name string) bool {
		return slices.Contains(plans, name) || slices.Contains(done, name)
	})
}

// phasesClear removes every phase's directory but those of the backlog. Ours
// can be undone.
func phasesClear(c *call) (result, error) {
	confirmed := c.switched("confirm")
	n := 0
	clearAll := func(tx *plan.Tx) error {
		entries, err := tx.ReadDir(c.Path("phases"))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.Dir || strings.HasPrefix(e.Name, "999") {
				continue
			}
			n++
			if confirmed {
				if err := tx.Remove(c.Path("phases", e.Name)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if !confirmed {
		if err := c.View(clearAll); err != nil {
			return result{}, err
		}
		if n > 0 {
			return result{}, fail("usage", "phases clear would delete %d phase director%s. Pass --confirm to proceed.", n, either(n == 1, "y", "ies"))
		}
	} else if _, err := c.Update(c.context, "phases clear", clearAll); err != nil {
		return result{}, err
	}
	return dataRaw(object{{"cleared", n}}, strconv.Itoa(n)+" phase director"+either(n == 1, "y", "ies")+" cleared"), nil
}

// phasesArchive moves every phase's directory but those of the backlog into
// the archive of a milestone.
func phasesArchive(c *call) (result, error) {
	version := c.arg(0)
	if version == "" {
		return result{}, fail("sdk_missing_arg", "version required for phases archive")
	}
	if v, at := doc.Version(version); at != 0 || v != version {
		return result{}, fail("usage", "Invalid version: %s", version)
	}
	dir := c.Path("milestones", version+"-phases")
	n := 0
	_, err := c.Update(c.context, "phases archive", func(tx *plan.Tx) error {
		phases, err := phaseDirs(tx, false)
		for _, p := range phases {
			if p.ID.Backlog() {
				continue
			}
			if err := tx.Move(p.Dir, path.Join(dir, path.Base(p.Dir))); err != nil {
				return err
			}
			n++
		}
		return err
	})
	return data(object{{"archived", n}, {"version", version}, {"archive_directory", dir}}), err
}
