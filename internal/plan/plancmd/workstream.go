package plancmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/workstream"
	"cairn/internal/term"
)

func workstreamVerbs() []*command.Command {
	name := []command.Arg{{Name: "NAME"}}
	return []*command.Command{
		{
			Path: "plan workstream list", Short: "List the workstreams and their progress",
			Examples: []string{"cairn plan workstream list", "cairn plan workstream list --get workstreams[0].name"},
			Effect:   command.Reads, Run: run(workstreamList),
		},
		{
			Path: "plan workstream create", Short: "Create a workstream and switch to it",
			Long: "A workstream is a milestone beside others, with its own roadmap, state, requirements\n" +
				"and phases. In a project without workstreams, the existing work becomes the first one.",
			Args: name,
			Flags: []command.Flag{
				{Name: "migrate-name", Default: "", Help: "what to call the work that is there, instead of its milestone's name"},
				{Name: "no-migrate", Default: false, Help: "leave the work that is there where it is"},
			},
			Examples: []string{"cairn plan workstream create \"API rework\"", "cairn plan workstream create api --migrate-name main --dry-run"},
			Effect:   command.Writes, Run: run(workstreamCreate),
		},
		{
			Path: "plan workstream status", Short: "Show a workstream's files and phases",
			Args:     name,
			Examples: []string{"cairn plan workstream status api", "cairn plan workstream status api --get percent"},
			Effect:   command.Reads, Run: run(workstreamStatus),
		},
		{
			Path: "plan workstream set", Short: "Switch to a workstream for this session",
			Long: "Commands without --ws then use this workstream. If the terminal or agent identifies\n" +
				"its session, the choice applies to that session only. GSD_WORKSTREAM overrides it.",
			Args:     []command.Arg{{Name: "NAME", Optional: true}},
			Flags:    []command.Flag{{Name: "clear", Default: false, Help: "switch to no workstream"}},
			Examples: []string{"cairn plan workstream set api", "cairn plan workstream set --clear"},
			Effect:   command.Writes, Run: run(workstreamSet),
		},
		{
			Path: "plan workstream get", Short: "Print the current workstream",
			Examples: []string{"cairn plan workstream get", "cairn plan workstream get --json"},
			Effect:   command.Reads, Run: run(workstreamGet),
		},
		{
			Path: "plan workstream complete", Short: "Archive a workstream whose phases are all complete",
			Args:     name,
			Flags:    []command.Flag{{Name: "force", Default: false, Help: "archive it as it is, unfinished"}},
			Examples: []string{"cairn plan workstream complete api", "cairn plan workstream complete api --force --dry-run"},
			Effect:   command.Writes, Run: run(workstreamComplete),
		},
	}
}

// streamRow is a workstream as the verbs print it.
type streamRow struct {
	Name         string             `json:"name"`
	Active       bool               `json:"active"`
	Path         string             `json:"path"`
	Status       string             `json:"status"`
	CurrentPhase string             `json:"current_phase"`
	LastActivity string             `json:"last_activity"`
	Files        []string           `json:"files"` // those of ROADMAP.md, STATE.md, REQUIREMENTS.md that it has
	Phases       []workstream.Phase `json:"phases"`
	Complete     int                `json:"complete"`
	Planned      int                `json:"planned"`
	Percent      int                `json:"percent"`
}

func newStreamRow(s *workstream.Stream, active string) streamRow {
	row := streamRow{
		Name: s.Name, Active: s.Name == active, Path: s.Path, Status: s.Status, CurrentPhase: s.CurrentPhase, LastActivity: s.LastActivity,
		Files: []string{}, Phases: answer.List(s.Phases), Complete: s.Complete(), Planned: s.Planned, Percent: s.Percent(),
	}
	for _, f := range []struct {
		has  bool
		name string
	}{{s.Roadmap, "ROADMAP.md"}, {s.State, "STATE.md"}, {s.Requirements, "REQUIREMENTS.md"}} {
		if f.has {
			row.Files = append(row.Files, f.name)
		}
	}
	return row
}

func (c *Call) pointer() workstream.Pointer { return workstream.PointerOf(c.Workspace, c.Getenv) }

// stream reads the workstream that the call names.
func (c *Call) stream() *workstream.Stream {
	name := c.Arg("NAME")
	c.look(func(tx *plan.Tx) {
		if !workstream.Has(tx, name) {
			fail(term.Hint(command.Usagef("there is no workstream %q", name), "cairn plan workstream list shows them"))
		}
	})
	return must.Get(workstream.Read(c.Workspace, name))
}

func workstreamList(c *Call) *answer.Answer {
	all := must.Get(workstream.List(c.Workspace))
	active := workstream.Current(c.Workspace, c.Getenv)
	rows := []streamRow{}
	for _, s := range all {
		rows = append(rows, newStreamRow(s, active))
	}
	return &answer.Answer{Data: map[string]any{"active": active, "workstreams": rows}, View: answer.Text(func(w io.Writer) {
		if len(rows) == 0 {
			fmt.Fprintln(w, "there are no workstreams: the project is one line of work")
			return
		}
		t := term.NewColumns(w)
		fmt.Fprintln(t, "\tWORKSTREAM\tPHASES\tDONE\tSTATUS")
		for _, r := range rows {
			mark := ""
			if r.Active {
				mark = "*"
			}
			fmt.Fprintf(t, "%s\t%s\t%d/%d\t%d%%\t%s\n", mark, r.Name, r.Complete, r.Planned, r.Percent, r.Status)
		}
		_ = t.Flush()
	})}
}

func workstreamStatus(c *Call) *answer.Answer {
	row := newStreamRow(c.stream(), workstream.Current(c.Workspace, c.Getenv))
	return &answer.Answer{Data: row, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s, %d of %d phases complete\n", row.Path, row.Status, row.Complete, row.Planned)
		for _, p := range row.Phases {
			fmt.Fprintf(w, "  %s  %d/%d plans\n", p.Directory, p.Summaries, p.Plans)
		}
	})}
}

func workstreamCreate(c *Call) *answer.Answer {
	var made *workstream.Created
	c.Update(func(tx *plan.Tx) {
		var err error
		made, err = workstream.Create(tx, workstream.Options{
			Name: c.Arg("NAME"), Migrate: c.String("migrate-name"), Flat: c.Bool("no-migrate"), Today: time.Now().Format(time.DateOnly),
		})
		if errors.Is(err, workstream.ErrExists) {
			err = term.Hint(fmt.Errorf("there is a workstream %s already", made.Name), "cairn plan workstream set %s works on it", made.Name)
		}
		must.OK(err)
		c.pointer().Stage(tx, made.Name)
	})
	must.OK(c.pointer().Set(c.Context, made.Name))
	data := map[string]any{"name": made.Name, "path": made.Path, "migrated": made.Migrated, "moved": answer.List(made.Moved)}
	return &answer.Answer{Data: data, Hint: "cairn plan next shows how its roadmap begins", View: answer.Text(func(w io.Writer) {
		if made.Migrated != "" {
			fmt.Fprintf(w, "the work that was there is the workstream %s now (%s)\n", made.Migrated, strings.Join(made.Moved, ", "))
		}
		fmt.Fprintf(w, "began %s, and it is the one worked on\n", made.Path)
	})}
}

func workstreamSet(c *Call) *answer.Answer {
	name := c.Arg("NAME")
	if (name == "") != c.Bool("clear") {
		return fail(command.Usagef("give a workstream's name, or --clear"))
	}
	if name == "" {
		must.OK(c.pointer().Clear(c.Context))
	} else {
		c.stream()
		must.OK(c.pointer().Set(c.Context, name))
	}
	return activeStream(name)
}

func workstreamGet(c *Call) *answer.Answer {
	return activeStream(workstream.Current(c.Workspace, c.Getenv))
}

func activeStream(name string) *answer.Answer {
	return &answer.Answer{Data: map[string]any{"active": name}, View: answer.Text(func(w io.Writer) {
		if name != "" {
			fmt.Fprintln(w, name)
		}
	})}
}

func workstreamComplete(c *Call) *answer.Answer {
	s := c.stream()
	if err := s.MayComplete(); err != nil && !c.Bool("force") {
		return fail(err)
	}
	active, _ := c.pointer().Get()
	var to string
	var left []string
	c.Update(func(tx *plan.Tx) {
		if active == s.Name {
			c.pointer().Stage(tx, "")
		}
		to, left = workstream.Archive(tx, s.Name, time.Now().Format(time.DateOnly))
	})
	if active == s.Name {
		must.OK(c.pointer().Clear(c.Context))
	}
	slices.Sort(left)
	return &answer.Answer{Data: map[string]any{"name": s.Name, "archived": to, "left": answer.List(left)}, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "archived %s in %s\n", s.Name, to)
	})}
}
