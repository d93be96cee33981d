package query

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/settings"
)

// newPhase makes what is added of a description; the project's settings decide
// about the id.
func newPhase(tx *plan.Tx, description, id string) (n plan.NewPhase, mode string) {
	s := settings.Load(tx)
	n = plan.NewPhase{Name: description, Code: s.Text("project_code"), ID: strings.ToUpper(slug(id))} // `proj 42` is PROJ-42
	mode = s.Text("phase_naming")
	if n.ID == "" && mode == "custom" {
		n.ID = strings.ToUpper(slug(description))
	}
	if n.ID != "" {
		mode = "custom"
	}
	return n, mode
}

func phaseAdd(c *call) result {
	description := strings.Join(c.args, " ")
	require(strings.TrimSpace(description) != "", missing, "description required for phase add")
	return c.changed(func(tx *plan.Tx) result {
		o := addOne(tx, description, c.opt("id"))
		return dataRaw(o, o[1].value.(string))
	})
}

func addOne(tx *plan.Tx, description, id string) object {
	n, mode := newPhase(tx, description, id)
	p := tx.AddPhase(n)
	number, padded := any(p.ID.Number), p.ID.Padded()
	if n.ID != "" {
		number, padded = n.ID, n.ID
	}
	return object{
		{"phase_number", number}, {"padded", padded}, {"name", description}, {"slug", p.Slug},
		{"directory", p.Dir}, {"naming_mode", mode},
	}
}

// phaseAddBatch takes --descriptions '["a", "b"]', several --descriptions, or
// words.
func phaseAddBatch(c *call) result {
	var descriptions []string
	for _, v := range c.all("descriptions") {
		list := []string{v}
		if strings.HasPrefix(strings.TrimSpace(v), "[") {
			err := json.Unmarshal([]byte(v), &list)
			require(err == nil, "usage", "--descriptions must be a JSON array of strings: %v", err)
		}
		descriptions = append(descriptions, list...)
	}
	descriptions = append(descriptions, c.args...)
	descriptions = slices.DeleteFunc(descriptions, func(d string) bool { return strings.TrimSpace(d) == "" })
	require(len(descriptions) > 0, missing, "descriptions array required for phase add-batch")
	return c.changed(func(tx *plan.Tx) result {
		phases := each(descriptions, func(d string) object { return addOne(tx, d, "") })
		return data(object{{"phases", phases}, {"count", len(phases)}})
	})
}

func phaseInsert(c *call) result {
	after, description := c.arg(0), ""
	if after != "" {
		description = strings.Join(c.args[1:], " ")
	}
	require(strings.TrimSpace(description) != "", missing, "after-phase and description required for phase insert")
	base, ok := doc.ParsePhaseID(after)
	require(ok, "phase_not_found", "Phase %s not found in ROADMAP.md", after)
	return c.changed(func(tx *plan.Tx) result {
		n, _ := newPhase(tx, description, "")
		n.ID, n.Padded = "", true
		p := tx.InsertPhase(base, n)
		number := p.ID.Padded()
		return dataRaw(object{
			{"phase_number", number}, {"after_phase", after}, {"name", description}, {"slug", p.Slug}, {"directory", p.Dir},
		}, number)
	})
}

func phaseRemove(c *call) result {
	id, ok := doc.ParsePhaseID(c.arg(0))
	require(ok, missing, "phase number required for phase remove")
	return c.changed(func(tx *plan.Tx) result {
		done := tx.RemovePhase(id, settings.Load(tx).Text("project_code"), c.given("force"))
		return data(object{
			{"removed", c.arg(0)}, {"directory_deleted", orNull(done.Directory)},
			{"renamed_directories", done.Directories}, {"renamed_files", done.Files},
			{"roadmap_updated", true}, {"state_updated", done.State},
		})
	})
}

// phaseComplete refuses a phase with plans that have no summary, unless
// --force is given.
func phaseComplete(c *call) result {
	id, ok := doc.ParsePhaseID(c.arg(0))
	require(ok, missing, "phase number required for phase complete")
	return c.changed(func(tx *plan.Tx) result {
		if phaseOf(tx, c.arg(0)).Dir == "" {
			must.OK(&plan.PhaseError{Phase: c.arg(0), What: "not found"})
		}
		warnings := lifecycle.New(c.context, tx).Unsettled(phaseOf(tx, c.arg(0)))
		done := tx.CompletePhase(id, plan.Completion{
			Force: c.given("force"), Reason: c.opt("reason"), Lenient: true, ByOrder: true, Prune: settings.Load(tx).Bool("workflow.auto_prune_state"),
		})
		p := done.Phase
		warnings = append(warnings, done.Warnings...)
		number, name := any(nil), any(nil)
		if next := done.Next; next != nil && next.Dir != "" {
			number, name = dirNumber(next), orNull(next.Slug)
		} else if next != nil {
			number, name = written(next), orNull(slug(next.Name))
		}
		return data(object{
			{"completed_phase", c.arg(0)}, {"phase_name", orNull(p.Slug)},
			{"plans_executed", strconv.Itoa(len(p.Summaries())) + "/" + strconv.Itoa(len(p.Plans))},
			{"next_phase", number}, {"next_phase_name", name}, {"is_last_phase", done.Next == nil}, {"date", done.Date},
			{"roadmap_updated", done.Roadmap}, {"state_updated", done.State}, {"requirements_updated", len(done.Requirements.Complete) > 0},
			{"auto_pruned", done.Pruned}, {"warnings", warnings}, {"has_warnings", len(warnings) > 0},
		})
	})
}

// written returns the phase's id as the roadmap has it.
func written(p *plan.Phase) string {
	switch {
	case p.Section != nil:
		return p.Section.Written
	case p.Box != nil:
		return p.Box.Written
	}
	return dirNumber(p)
}

// scaffold takes KIND --phase N [--name WORDS…].
func scaffold(c *call) result {
	number, name, kind := c.opt("phase"), c.opt("name"), c.arg(0)
	id, ok := doc.ParsePhaseID(number)
	if kind == "phase-dir" {
		require(ok && name != "", missing, "phase and name required for phase-dir scaffold")
		return scaffoldDir(c, id, name)
	}
	require(slices.Contains(plan.ScaffoldKinds(), kind), "usage", "Unknown scaffold type: %s. Available: context, uat, verification, phase-dir", kind)
	require(ok, missing, "phase required for scaffold %s", kind)
	return c.changed(func(tx *plan.Tx) result {
		p := tx.Phase(id)
		require(p != nil && p.Dir != "", "phase_not_found", "Phase %s directory not found", number)
		file, created := tx.ScaffoldFile(p, kind, name)
		if !created {
			return dataRaw(object{{"created", false}, {"reason", "already_exists"}, {"path", file}}, "exists")
		}
		return dataRaw(object{{"created", true}, {"path", file}}, file)
	})
}

func scaffoldDir(c *call, id doc.PhaseID, name string) result {
	return c.changed(func(tx *plan.Tx) result {
		dir, _ := tx.ScaffoldDir(id, slug(name), settings.Load(tx).Text("project_code"))
		return dataRaw(object{{"created", true}, {"directory", dir}, {"path", c.Abs(dir)}}, dir)
	})
}
