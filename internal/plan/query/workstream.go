package query

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/workstream"
)

var workstreamCommands = []command{
	{name: "workstream create", run: workstreamCreate},
	{name: "workstream list", run: workstreamList},
	{name: "workstream status", run: workstreamStatus},
	{name: "workstream set", run: workstreamSet},
	{name: "workstream get", run: workstreamGet},
	{name: "workstream complete", run: workstreamComplete},
	{name: "workstream progress", run: workstreamProgress},
}

func (c *call) pointer() workstream.Pointer { return workstream.PointerOf(c.Workspace, c.Getenv) }

// mode tells whether the project has workstreams.
func mode(count int) string {
	if count == 0 {
		return "flat"
	}
	return "workstream"
}

func workstreamCreate(c *call) (result, error) {
	noMigrate := c.switched("no-migrate")
	migrate, _ := c.flag("migrate-name")
	switch {
	case c.arg(0) == "":
		return result{}, fail("sdk_missing_arg", "workstream name required. Usage: workstream create <name>")
	case !c.planned():
		return result{}, fail("unknown", ".planning/ directory not found")
	}
	var made *workstream.Created
	_, err := c.Update(c.context, "workstream create", func(tx *plan.Tx) (err error) {
		made, err = workstream.Create(tx, workstream.Options{
			Name: c.arg(0), Migrate: migrate, Flat: noMigrate, Today: time.Now().Format(time.DateOnly),
		})
		if err != nil {
			return err
		}
		return c.pointer().Stage(tx, made.Name)
	})
	if errors.Is(err, workstream.ErrExists) {
		return data(object{{"created", false}, {"error", "already_exists"}, {"workstream", made.Name}, {"path", made.Path}}), nil
	}
	if err == nil {
		err = c.pointer().Set(c.context, made.Name)
	}
	if err != nil {
		return result{}, err
	}
	var migration any
	if made.Migrated != "" {
		migration = object{{"migrated", true}, {"workstream", made.Migrated}, {"files_moved", made.Moved}}
	}
	return data(object{
		{"created", true}, {"workstream", made.Name}, {"path", made.Path}, {"state_path", made.Path + "/STATE.md"},
		{"phases_path", made.Path + "/phases"}, {"migration", migration}, {"active", true},
	}), nil
}

// planned reports whether the project has a planning directory, whatever the
// workstream.
func (c *call) planned() bool {
	there := false
	_ = c.View(func(tx *plan.Tx) error { there = tx.Has(tx.Shared()); return nil })
	return there
}

func noStreams() result {
	return data(object{
		{"mode", mode(0)}, {"workstreams", []any{}}, {"message", "No workstreams — operating in flat mode"},
	})
}

func workstreamList(c *call) (result, error) {
	all, err := workstream.List(c.Workspace)
	if err != nil {
		return result{}, err
	}
	if len(all) == 0 {
		return noStreams(), nil
	}
	streams := []object{}
	for _, s := range all {
		streams = append(streams, object{
			{"name", s.Name}, {"path", s.Path}, {"has_roadmap", s.Roadmap}, {"has_state", s.State}, {"status", cmp.Or(s.Status, "unknown")},
			{"current_phase", orNull(s.CurrentPhase)}, {"phase_count", len(s.Phases)}, {"completed_phases", s.Complete()},
		})
	}
	return data(object{{"mode", mode(len(all))}, {"workstreams", streams}, {"count", len(all)}}), nil
}

func workstreamStatus(c *call) (result, error) {
	name, err := c.streamArg("workstream name required. Usage: workstream status <name>")
	if err != nil {
		return result{}, err
	}
	if !c.hasStream(name) {
		return data(object{{"found", false}, {"workstream", name}}), nil
	}
	s, err := workstream.Read(c.Workspace, name)
	if err != nil {
		return result{}, err
	}
	phases := []object{}
	for _, p := range s.Phases {
		status := "pending"
		switch {
		case p.Complete:
			status = "complete"
		case p.Plans > 0:
			status = "in_progress"
		}
		phases = append(phases, object{{"directory", p.Directory}, {"status", status}, {"plan_count", p.Plans}, {"summary_count", p.Summaries}})
	}
	return data(object{
		{"found", true}, {"workstream", name}, {"path", s.Path},
		{"files", object{{"roadmap", s.Roadmap}, {"state", s.State}, {"requirements", s.Requirements}}},
		{"phases", phases}, {"phase_count", len(s.Phases)}, {"completed_phases", s.Complete()},
		{"status", cmp.Or(s.Status, "unknown")}, {"current_phase", orNull(s.CurrentPhase)}, {"last_activity", orNull(s.LastActivity)},
	}), nil
}

func (c *call) streamArg(usage string) (string, error) {
	switch name := c.arg(0); {
	case name == "":
		return "", fail("sdk_missing_arg", "%s", usage)
	case !plan.ValidStream(name):
		return "", fail("usage", "%s", invalidStream)
	default:
		return name, nil
	}
}

func (c *call) hasStream(name string) bool {
	has := false
	_ = c.View(func(tx *plan.Tx) error { has = workstream.Has(tx, name); return nil })
	return has
}

func workstreamSet(c *call) (result, error) {
	if c.switched("clear") {
		previous, _ := c.pointer().Get()
		if err := c.pointer().Clear(c.context); err != nil {
			return result{}, err
		}
		return dataRaw(object{{"active", nil}, {"cleared", true}, {"previous", orNull(previous)}}, ""), nil
	}
	name, err := c.streamArg("Workstream name required. Usage: workstream set <name> (or workstream set --clear to unset)")
	if err != nil {
		return result{}, err
	}
	if !c.hasStream(name) {
		return data(object{{"active", nil}, {"error", "not_found"}, {"workstream", name}}), nil
	}
	if err := c.pointer().Set(c.context, name); err != nil {
		return result{}, err
	}
	return dataRaw(object{{"active", name}, {"set", true}}, name), nil
}

func workstreamGet(c *call) (result, error) {
	active, stale := c.pointer().Get()
	if stale {
		if err := c.pointer().Clear(c.context); err != nil {
			return result{}, err
		}
	}
	var names []string
	err := c.View(func(tx *plan.Tx) (err error) { names, err = workstream.Names(tx); return err })
	return dataRaw(object{{"active", orNull(active)}, {"mode", mode(len(names))}}, cmp.Or(active, "none")), err
}

func workstreamComplete(c *call) (result, error) {
	name, err := c.streamArg("workstream name required. Usage: workstream complete <name>")
	if err != nil {
		return result{}, err
	}
	if !c.hasStream(name) {
		return data(object{{"completed", false}, {"error", "not_found"}, {"workstream", name}}), nil
	}
	active, _ := c.pointer().Get()
	var to string
	var left []string
	_, err = c.Update(c.context, "workstream complete", func(tx *plan.Tx) (err error) {
		if active == name {
			if err := c.pointer().Stage(tx, ""); err != nil {
				return err
			}
		}
		to, left, err = workstream.Archive(tx, name, time.Now().Format(time.DateOnly))
		return err
	})
	if err == nil && active == name {
		err = c.pointer().Clear(c.context)
	}
	return data(object{
		{"completed", true}, {"workstream", name}, {"archived_to", to}, {"remaining_workstreams", len(left)},
		{"reverted_to_flat", len(left) == 0},
	}), err
}

func workstreamProgress(c *call) (result, error) {
	all, err := workstream.List(c.Workspace)
	if err != nil {
		return result{}, err
	}
	if len(all) == 0 {
		return noStreams(), nil
	}
	active, _ := c.pointer().Get()
	streams := []object{}
	for _, s := range all {
		plans, summaries := s.Plans()
		streams = append(streams, object{
			{"name", s.Name}, {"active", s.Name == active}, {"status", cmp.Or(s.Status, "unknown")}, {"current_phase", orNull(s.CurrentPhase)},
			{"phases", fmt.Sprintf("%d/%d", s.Complete(), s.Planned)}, {"plans", fmt.Sprintf("%d/%d", summaries, plans)},
			{"progress_percent", s.Percent()},
		})
	}
	return data(object{{"mode", mode(len(all))}, {"active", orNull(active)}, {"workstreams", streams}, {"count", len(all)}}), nil
}
