package plancmd

import (
	"fmt"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/migrate"
	"cairn/internal/plan/settings"
	"cairn/internal/term"
)

// Migrate is migrate gsd. It is of the plan as a whole, whatever workstream is
// current.
func Migrate() *command.Command {
	return &command.Command{
		Path: "migrate gsd", Short: "Take over a .planning directory that get-shit-done made",
		Long: `Cairn reads such a directory as it is. This gives settings and files the names
that cairn writes, and removes locks and temporary files of processes that
ended. It prints each change, says what it left alone, and is one change that
"cairn plan undo" takes back.`,
		Examples: []string{"cairn migrate gsd --dry-run", "cairn migrate gsd -C ../other-project"},
		Effect:   command.Writes, Run: anywhere(migrateGSD),
		Flags: []command.Flag{
			{Name: "dir", Short: "C", Default: ".", Help: "the project, or a directory in it"},
			{Name: "json", Default: false, Help: "print an object {changed, kept}, each a list of {path, what}"},
			dryRun,
		},
	}
}

func migrateGSD(c *Call) *answer.Answer {
	if !c.Exists() {
		return fail(command.Data(term.Hint(fmt.Errorf("%w in %s", plan.ErrNoProject, c.Root), "there is nothing to take over; cairn plan init makes a new one")))
	}
	steps := update(c, migrate.GSD)
	settings.MaskChange(c.change)
	changed, kept := []migrate.Step{}, []migrate.Step{}
	for _, s := range steps {
		if s.Kept {
			kept = append(kept, s)
		} else {
			changed = append(changed, s)
		}
	}
	view := answer.Painted(func(p *answer.Page) error {
		for _, s := range changed {
			fmt.Fprintf(p, "%s: %s\n", s.Path, s.What)
		}
		if len(steps) == 0 {
			fmt.Fprintln(p, "nothing to change")
		}
		return nil
	})
	if c.AsText() {
		for _, s := range kept {
			term.Warn(c.Stderr, "%s: %s", s.Path, s.What)
		}
	}
	return &answer.Answer{Data: map[string]any{"changed": changed, "kept": kept}, View: view}
}
