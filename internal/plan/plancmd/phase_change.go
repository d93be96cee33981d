package plancmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/settings"
	"cairn/internal/text"
)

func phaseChangeVerbs(phase command.Arg) []*command.Command {
	goal := command.Flag{Name: "goal", Default: "", Help: "what it is for, in one sentence"}
	requirements := command.Flag{Name: "requirement", Default: []string(nil), Help: "a requirement it fulfills; several times"}
	return []*command.Command{
		{
			Path: "plan phase add", Short: "Add a phase at the end of the milestone",
			Long: "Adds a phase to the end of the milestone: its directory, its section in ROADMAP.md\n" +
				"and, if the roadmap has them, its line in the checklist and its row in the progress\n" +
				"table. With --backlog it adds an idea (999.x), which no milestone counts.",
			Args: []command.Arg{{Name: "NAME", Many: true}},
			Flags: []command.Flag{
				goal, requirements, {Name: "id", Default: "", Help: "an id of your own in place of the next number, such as PROJ-42"},
				{Name: "backlog", Default: false, Help: "add it to the backlog, with the next number there"},
			},
			Examples: []string{
				`cairn plan phase add "User dashboard" --goal "Show what a user did" --requirement UI-01`,
				"cairn plan phase add Billing --dry-run",
				`cairn plan phase add "Offline mode" --backlog --goal "Work without a network"`,
			},
			Effect: command.Writes, Run: run(phaseAdd),
		},
		{
			Path: "plan phase insert", Short: "Insert a phase after another one, as its next decimal",
			Args:     []command.Arg{{Name: "AFTER", Help: "the phase it comes after"}, {Name: "NAME", Many: true}},
			Flags:    []command.Flag{goal, requirements},
			Examples: []string{`cairn plan phase insert 2 "Fix the login"`, `cairn plan phase insert 2.1 Hotfix --goal "Stop the leak"`},
			Effect:   command.Writes, Run: run(phaseInsert),
		},
		{
			Path: "plan phase remove", Short: "Remove a phase and close the gap in the numbers",
			Long: "Removes a phase and renumbers the later ones: their directories, files and every\n" +
				"reference in the roadmap, the requirements and the plans. Phases that depended on it\n" +
				"depend on its own dependencies instead.",
			Args:     []command.Arg{phase},
			Flags:    []command.Flag{{Name: "force", Default: false, Help: "also remove a phase with executed plans"}},
			Examples: []string{"cairn plan phase remove 4 --dry-run", "cairn plan phase remove 2.1 --force"},
			Effect:   command.Writes, Run: run(phaseRemove),
		},
		{
			Path: "plan phase move", Short: "Move a phase before or after another one",
			Long: "Moves a phase before or after another one: a whole number among whole numbers, a\n" +
				"decimal among those of the same phase. References to renumbered phases are updated.",
			Args: []command.Arg{phase},
			Flags: []command.Flag{
				{Name: "before", Default: "", Help: "the phase it is to come before"},
				{Name: "after", Default: "", Help: "the phase it is to come after"},
			},
			Examples: []string{"cairn plan phase move 5 --before 2", "cairn plan phase move 2.3 --after 2.1 --dry-run"},
			Effect:   command.Writes, Run: run(phaseMove),
		},
		{
			Path: "plan phase edit", Short: "Change a phase's name, goal and other fields",
			Args: []command.Arg{phase},
			Flags: []command.Flag{
				{Name: "name", Default: "", Help: "its name, wherever that stands; the directory keeps its own"},
				goal,
				{Name: "depends-on", Default: "", Help: "the phases it depends on, such as \"Phase 1, Phase 2\""},
				requirements,
				{Name: "requirements", Default: "", Help: "the same as --requirement, in one text: \"API-01, API-02\"", Hidden: true},
				{Name: "mode", Default: "", Help: "how it is built, such as mvp"},
			},
			Examples: []string{`cairn plan phase edit 2 --name "Public API"`, `cairn plan phase edit 3 --depends-on "Phase 1" --dry-run`},
			Effect:   command.Writes, Run: run(phaseEdit),
		},
		{
			Path: "plan phase complete", Short: "Complete a phase whose plans are all executed",
			Long: "Ticks the phase and its requirements, writes counts and date, and makes the next open\n" +
				"phase the current one. Exits 5 and lists all that is open: CONTEXT.md, plans, summaries,\n" +
				"VERIFICATION.md and UAT.md have to be there and done; what else is there counts too.\n" +
				"--force with --reason completes it anyway, and STATE.md records what was open and why.",
			Args:     []command.Arg{phase},
			Flags:    overrides("complete it although it is not finished"),
			Examples: []string{"cairn plan phase complete 2", `cairn plan phase complete 2 --force --reason "02-03 moved to phase 5"`},
			Effect:   command.Writes, Run: run(phaseComplete),
		},
		{
			Path: "plan phase scaffold", Short: "Create an empty document for a phase",
			Args:     []command.Arg{phase, {Name: "KIND", Help: "directory, " + strings.Join(plan.ScaffoldKinds(), ", ")}},
			Examples: []string{"cairn plan phase scaffold 2 context", "cairn plan phase scaffold 4 directory"},
			Effect:   command.Writes, Run: run(phaseScaffold),
		},
	}
}

// code returns the project's code, which stands before the numbers of its
// phases' directories.
func code(tx *plan.Tx) string { return settings.Load(tx).Text("project_code") }

func (c *Call) newPhase(tx *plan.Tx) plan.NewPhase {
	return plan.NewPhase{
		Name: strings.Join(c.Rest("NAME"), " "), Code: code(tx), Goal: c.String("goal"), Requirements: c.List("requirement"),
	}
}

func phaseAdd(c *Call) *answer.Answer {
	if c.Bool("backlog") && c.Set("id") {
		return fail(command.Usagef("--backlog gives a number, --id takes one: one of them"))
	}
	return c.addedPhase(func(tx *plan.Tx) *plan.Phase {
		n := c.newPhase(tx)
		if n.ID = c.String("id"); c.Bool("backlog") {
			return tx.AddIdea(n)
		}
		if n.ID == "" && settings.Load(tx).Text("phase_naming") == "custom" {
			n.ID = strings.ToUpper(text.LetterSlug(n.Name, doc.SlugLength))
		}
		return tx.AddPhase(n)
	})
}

func phaseInsert(c *Call) *answer.Answer {
	base := c.phaseID("AFTER")
	return c.addedPhase(func(tx *plan.Tx) *plan.Phase { return tx.InsertPhase(base, c.newPhase(tx)) })
}

func (c *Call) addedPhase(add func(*plan.Tx) *plan.Phase) *answer.Answer {
	p := update(c, add)
	return &answer.Answer{Data: phaseRowAs(p, lifecycle.NotStarted), View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "phase %s: %s\n%s\n", p.ID, p.Name, p.Dir)
	})}
}

func phaseRemove(c *Call) *answer.Answer {
	id := c.phaseID("PHASE")
	done := update(c, func(tx *plan.Tx) *plan.Removed { return tx.RemovePhase(id, code(tx), c.Bool("force")) })
	return &answer.Answer{Data: done, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "removed phase %s: %s\n", done.Phase, done.Name)
		printRenamed(w, done.Directories, done.Files)
		if len(done.Requirements) > 0 {
			fmt.Fprintf(w, "no phase any more: %s\n", strings.Join(done.Requirements, ", "))
		}
	})}
}

// mostRenamed is how many renamed directories are listed; of more than that only
// their number is said.
const mostRenamed = 10

func printRenamed(w io.Writer, dirs, files []plan.Renamed) {
	if len(dirs) > mostRenamed {
		fmt.Fprintf(w, "renumbered %s, %s\n", text.Count(len(dirs), "phase"), text.Count(len(files), "file"))
		return
	}
	for _, r := range slices.Backward(dirs) {
		fmt.Fprintf(w, "%s is now %s\n", r.From, r.To)
	}
}

func phaseMove(c *Call) *answer.Answer {
	id := c.phaseID("PHASE")
	before, after := c.String("before"), c.String("after")
	if (before == "") == (after == "") {
		return fail(command.Usagef("say where to: --before PHASE or --after PHASE"))
	}
	target, ok := doc.ParsePhaseID(before + after)
	if !ok {
		return fail(command.Usagef("%q is not a phase", before+after))
	}
	done := update(c, func(tx *plan.Tx) *plan.Moved { return tx.MovePhase(id, target, after != "", code(tx)) })
	return &answer.Answer{Data: done, View: answer.Text(func(w io.Writer) {
		fmt.Fprintf(w, "phase %s is now phase %s\n", id, done.Phase)
		printRenamed(w, done.Directories, done.Files)
		for _, warning := range done.Warnings {
			fmt.Fprintf(w, "warning: %s\n", warning)
		}
	})}
}

func phaseEdit(c *Call) *answer.Answer {
	id := c.phaseID("PHASE")
	given := func(flag string) *string {
		if !c.Set(flag) {
			return nil
		}
		return new(c.String(flag))
	}
	e := plan.PhaseEdit{
		Name: given("name"), Goal: given("goal"), DependsOn: given("depends-on"),
		Requirements: given("requirements"), Mode: given("mode"),
	}
	if c.Set("requirement") {
		if c.Set("requirements") {
			return fail(command.Usagef("--requirement and --requirements are the same: give one of them"))
		}
		e.Requirements = new(strings.Join(c.List("requirement"), ", "))
	}
	if e == (plan.PhaseEdit{}) {
		return fail(command.Usagef("say what to change: --name, --goal, --depends-on, --requirement or --mode"))
	}
	var row phaseRow
	c.Update(func(tx *plan.Tx) {
		tx.EditPhase(id, e)
		p := tx.Phase(id)
		row = phaseRowAs(p, lifecycle.New(c.Context, tx).Of(p))
	})
	return &answer.Answer{Data: row, View: answer.Text(func(w io.Writer) { fmt.Fprintf(w, "phase %s: %s\n", row.Number, row.Name) })}
}

func phaseScaffold(c *Call) *answer.Answer {
	id := c.phaseID("PHASE")
	kind := c.Arg("KIND")
	if kind != "directory" && !slices.Contains(plan.ScaffoldKinds(), kind) {
		return fail(command.Usagef("%q is not one of directory, %s", kind, strings.Join(plan.ScaffoldKinds(), ", ")))
	}
	data := struct {
		Path    string `json:"path"`
		Created bool   `json:"created"`
	}{}
	c.Update(func(tx *plan.Tx) {
		p := c.phase(tx)
		if kind == "directory" {
			data.Path, data.Created = tx.ScaffoldDir(id, text.LetterSlug(p.Name, doc.SlugLength), code(tx))
		} else {
			p = settled(tx, p)
			if data.Path, data.Created = tx.ScaffoldFile(p, kind, ""); data.Created {
				drive.Draft(tx, p, kind, data.Path)
			}
		}
	})
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) {
		if data.Created {
			fmt.Fprintln(w, data.Path)
		} else {
			fmt.Fprintf(w, "%s is there already\n", data.Path)
		}
	})}
}

// settled makes the directory of a phase that has none yet.
func settled(tx *plan.Tx, p *plan.Phase) *plan.Phase {
	if p == nil || p.Dir != "" {
		return p
	}
	tx.ScaffoldDir(p.ID, text.LetterSlug(p.Name, doc.SlugLength), code(tx))
	return tx.Phase(p.ID)
}
