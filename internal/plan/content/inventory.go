package content

import (
	_ "embed" // the table
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan/template"
)

// inventory.tsv has one line per job of the older planning tool, as it was
// inventoried: kind, name, lines (of workflows and agents), home.
//
//go:embed inventory.tsv
var inventory string

// A Job is something that the older planning tool had.
type Job struct {
	Kind  string // command, workflow, agent, reference, template
	Name  string
	Lines int // 0: not known
	// Home is where it is done now: a piece's path, perhaps with the flag that
	// asks for it (commands/capture --note); "template NAME"; or a verb
	// (cairn plan gate drift).
	Home string
}

// Jobs returns all of them, by kind, in the order of the inventory.
func Jobs() ([]Job, error) {
	var all []Job
	for i, line := range strings.Split(strings.TrimSuffix(inventory, "\n"), "\n") {
		cells := strings.Split(line, "\t")
		if len(cells) != 4 {
			return nil, fmt.Errorf("inventory.tsv:%d: %d columns, not 4", i+1, len(cells))
		}
		lines, err := strconv.Atoi(cells[2])
		if err != nil && cells[2] != "" {
			return nil, fmt.Errorf("inventory.tsv:%d: %w", i+1, err)
		}
		all = append(all, Job{cells[0], cells[1], lines, cells[3]})
	}
	return all, nil
}

// CheckHome returns why a job's home is none, or nil. A flag has to be one
// that the command says it takes.
func (j Job) CheckHome(calls []Call) error {
	words := strings.Fields(j.Home)
	switch {
	case len(words) == 0:
		return fmt.Errorf("%s %s has no home", j.Kind, j.Name)
	case words[0] == "cairn":
		calls = slices.Clone(calls)
		for i := range calls { // a home names the verb, not what it is to work on
			calls[i].Min = 0
		}
		if problem := wrong(calls, words[1:]); problem != "" {
			return fmt.Errorf("%s %s: %s: %s", j.Kind, j.Name, j.Home, problem)
		}
		return nil
	case words[0] == "template":
		if len(words) == 2 {
			_, err := template.Fields(words[1])
			return err
		}
		return nil
	}
	p, err := Find(words[0])
	if err != nil {
		return fmt.Errorf("%s %s: %w", j.Kind, j.Name, err)
	}
	for _, flag := range words[1:] {
		if !p.takes(flag) {
			return fmt.Errorf("%s %s: %s takes no %s", j.Kind, j.Name, p.Path(), flag)
		}
	}
	return nil
}

// InventoryPage returns docs/inventory.md.
func InventoryPage() (string, error) {
	jobs, err := Jobs()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# Where each job went\n\nEverything that the older planning tool had, as it was inventoried, and what does that job in\ncairn. A flag is one of the command before it. Made from `internal/plan/content/inventory.tsv`;\na test checks that every home exists.\n")
	kind := ""
	for _, j := range jobs {
		if j.Kind != kind {
			kind = j.Kind
			n := 0
			for _, k := range jobs {
				if k.Kind == kind {
					n++
				}
			}
			fmt.Fprintf(&b, "\n## %ss (%d)\n\n| job | home |\n|---|---|\n", strings.ToUpper(kind[:1])+kind[1:], n)
		}
		fmt.Fprintf(&b, "| %s | %s |\n", j.Name, homeLink(j.Home))
	}
	return b.String(), nil
}

// homeLink is a home as the page shows it.
func homeLink(home string) string {
	words := strings.Fields(home)
	if p, err := Find(words[0]); err == nil {
		text := "[" + p.Path() + "](../internal/plan/content/" + p.Path() + ".md)"
		if len(words) > 1 {
			text += " `" + strings.Join(words[1:], " ") + "`"
		}
		return text
	}
	return "`" + home + "`"
}
