package query

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/workstream"
)

func (c *call) pointer() workstream.Pointer { return workstream.PointerOf(c.Workspace, c.Getenv) }

// mode tells whether the project has workstreams.
func mode(count int) string {
	if count == 0 {
		return "flat"
	}
	return "workstream"
}

func workstreamCreate(c *call) result {
	require(c.is(func(tx *plan.Tx) bool { return tx.Has(tx.Shared()) }), "unknown", ".planning/ directory not found")
	var made *workstream.Created
	err := must.Catch(func() {
		c.change(func(tx *plan.Tx) {
			var err error
			made, err = workstream.Create(tx, workstream.Options{
				Name: c.arg(0), Migrate: c.opt("migrate-name"), Flat: c.given("no-migrate"), Today: time.Now().Format(time.DateOnly),
			})
			must.OK(err)
			c.pointer().Stage(tx, made.Name)
		})
	})
	if errors.Is(err, workstream.ErrExists) {
		return data(object{{"created", false}, {"error", "already_exists"}, {"workstream", made.Name}, {"path", made.Path}})
	}
	must.OK(err)
	must.OK(c.pointer().Set(c.context, made.Name))
	var migration any
	if made.Migrated != "" {
		migration = object{{"migrated", true}, {"workstream", made.Migrated}, {"files_moved", made.Moved}}
	}
	return data(object{
		{"created", true}, {"workstream", made.Name}, {"path", made.Path}, {"state_path", made.Path + "/STATE.md"},
		{"phases_path", made.Path + "/phases"}, {"migration", migration}, {"active", true},
	})
}

func noStreams() result {
	return data(object{
		{"mode", mode(0)}, {"workstreams", []any{}}, {"message", "No workstreams — operating in flat mode"},
	})
}

func workstreamList(c *call) result {
	all := must.Get(workstream.List(c.Workspace))
	if len(all) == 0 {
		return noStreams()
	}
	streams := each(all, func(s *workstream.Stream) object {
		return object{
			{"name", s.Name}, {"path", s.Path}, {"has_roadmap", s.Roadmap}, {"has_state", s.State}, {"status", cmp.Or(s.Status, "unknown")},
			{"current_phase", orNull(s.CurrentPhase)}, {"phase_count", len(s.Phases)}, {"completed_phases", s.Complete()},
		}
	})
	return data(object{{"mode", mode(len(all))}, {"workstreams", streams}, {"count", len(all)}})
}

func workstreamStatus(c *call) result {
	name := c.stream()
	if !c.hasStream(name) {
		return data(object{{"found", false}, {"workstream", name}})
	}
	s := must.Get(workstream.Read(c.Workspace, name))
	phases := each(s.Phases, func(p workstream.Phase) object {
		status := "pending"
		switch {
		case p.Complete:
			status = "complete"
		case p.Plans > 0:
			status = "in_progress"
		}
		return object{{"directory", p.Directory}, {"status", status}, {"plan_count", p.Plans}, {"summary_count", p.Summaries}}
	})
	return data(object{
		{"found", true}, {"workstream", name}, {"path", s.Path},
		{"files", object{{"roadmap", s.Roadmap}, {"state", s.State}, {"requirements", s.Requirements}}},
		{"phases", phases}, {"phase_count", len(s.Phases)}, {"completed_phases", s.Complete()},
		{"status", cmp.Or(s.Status, "unknown")}, {"current_phase", orNull(s.CurrentPhase)}, {"last_activity", orNull(s.LastActivity)},
	})
}

// stream is the workstream that the first argument names.
func (c *call) stream() string {
	require(plan.ValidStream(c.arg(0)), "usage", "%s", invalidStream)
	return c.arg(0)
}

func (c *call) hasStream(name string) bool {
	return c.is(func(tx *plan.Tx) bool { return workstream.Has(tx, name) })
}

// is looks whether something is so; what cannot be seen is not.
func (c *call) is(so func(*plan.Tx) bool) (is bool) {
	_ = must.Catch(func() { c.look(func(tx *plan.Tx) { is = so(tx) }) })
	return is
}

func workstreamSet(c *call) result {
	if c.given("clear") {
		previous, _ := c.pointer().Get()
		must.OK(c.pointer().Clear(c.context))
		return dataRaw(object{{"active", nil}, {"cleared", true}, {"previous", orNull(previous)}}, "")
	}
	require(c.arg(0) != "", missing, "Workstream name required. Usage: workstream set <name> (or workstream set --clear to unset)")
	name := c.stream()
	if !c.hasStream(name) {
		return data(object{{"active", nil}, {"error", "not_found"}, {"workstream", name}})
	}
	must.OK(c.pointer().Set(c.context, name))
	return dataRaw(object{{"active", name}, {"set", true}}, name)
}

func workstreamGet(c *call) result {
	active, stale := c.pointer().Get()
	if stale {
		must.OK(c.pointer().Clear(c.context))
	}
	var names []string
	c.look(func(tx *plan.Tx) { names = workstream.Names(tx) })
	return dataRaw(object{{"active", orNull(active)}, {"mode", mode(len(names))}}, cmp.Or(active, "none"))
}

func workstreamComplete(c *call) result {
	name := c.stream()
	if !c.hasStream(name) {
		return data(object{{"completed", false}, {"error", "not_found"}, {"workstream", name}})
	}
	active, _ := c.pointer().Get()
	var to string
	var left []string
	c.change(func(tx *plan.Tx) {
		if active == name {
			c.pointer().Stage(tx, "")
		}
		to, left = workstream.Archive(tx, name, time.Now().Format(time.DateOnly))
	})
	if active == name {
		must.OK(c.pointer().Clear(c.context))
	}
	return data(object{
		{"completed", true}, {"workstream", name}, {"archived_to", to}, {"remaining_workstreams", len(left)},
		{"reverted_to_flat", len(left) == 0},
	})
}

func workstreamProgress(c *call) result {
	all := must.Get(workstream.List(c.Workspace))
	if len(all) == 0 {
		return noStreams()
	}
	active, _ := c.pointer().Get()
	streams := each(all, func(s *workstream.Stream) object {
		plans, summaries := s.Plans()
		return object{
			{"name", s.Name}, {"active", s.Name == active}, {"status", cmp.Or(s.Status, "unknown")}, {"current_phase", orNull(s.CurrentPhase)},
			{"phases", fmt.Sprintf("%d/%d", s.Complete(), s.Planned)}, {"plans", fmt.Sprintf("%d/%d", summaries, plans)},
			{"progress_percent", s.Percent()},
		}
	})
	return data(object{{"mode", mode(len(all))}, {"active", orNull(active)}, {"workstreams", streams}, {"count", len(all)}})
}
