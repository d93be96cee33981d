package cli

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan/content"
	"cairn/internal/plan/template"
)

// budget.tsv has one line per command: its name, the tokens it may cost, and
// which jobs of the older tool its path loads.
const budgetTable = "../plan/content/budget.tsv"

// A promptBudget is what a command may cost, and what the same path cost in the
// older tool.
type promptBudget struct {
	Command  string
	Limit    int // tokens, of Cost.Total
	Original int // lines of the prompts that the older tool loads; 0: not known
}

// mainSteps are the commands that take every phase from an idea to what a user
// accepted.
func mainSteps() []string {
	return []string{"new-project", "discuss-phase", "plan-phase", "execute-phase", "verify-work"}
}

// readBudgets returns every command's budget, in the order of the table.
func readBudgets() ([]promptBudget, error) {
	jobs, err := readJobs()
	if err != nil {
		return nil, err
	}
	var all []promptBudget
	rows, err := readTable(budgetTable, 3)
	if err != nil {
		return nil, err
	}
	for i, cells := range rows {
		b := promptBudget{Command: cells[0]}
		if b.Limit, err = strconv.Atoi(cells[1]); err != nil {
			return nil, fmt.Errorf("budget.tsv:%d: %w", i+1, err)
		}
		for _, name := range strings.Split(cells[2], ", ") {
			at := slices.IndexFunc(jobs, func(j oldJob) bool { return j.Kind+" "+j.Name == name })
			if at < 0 && name != "" {
				return nil, fmt.Errorf("budget.tsv:%d: the inventory has no %q", i+1, name)
			}
			if at >= 0 {
				b.Original += jobs[at].Lines
			}
		}
		all = append(all, b)
	}
	return all, nil
}

// inventory.tsv has one line per job of the older planning tool, as it was
// inventoried: kind, name, lines (of workflows and agents), home.
const inventoryTable = "../plan/content/inventory.tsv"

// An oldJob is something that the older planning tool had.
type oldJob struct {
	Kind  string // command, workflow, agent, reference, template
	Name  string
	Lines int // 0: not known
	// Home is where it is done now: a piece's path, perhaps with the flag that
	// asks for it (commands/capture --note); "template NAME"; or a verb
	// (cairn plan gate drift).
	Home string
}

// readJobs returns all of them, by kind, in the order of the inventory.
func readJobs() ([]oldJob, error) {
	var all []oldJob
	rows, err := readTable(inventoryTable, 4)
	if err != nil {
		return nil, err
	}
	for i, cells := range rows {
		lines, err := strconv.Atoi(cells[2])
		if err != nil && cells[2] != "" {
			return nil, fmt.Errorf("inventory.tsv:%d: %w", i+1, err)
		}
		all = append(all, oldJob{cells[0], cells[1], lines, cells[3]})
	}
	return all, nil
}

// checkHome returns why a job's home is none, or nil. A flag has to be one
// that the command says it takes.
func (j oldJob) checkHome(calls []content.Call) error {
	words := strings.Fields(j.Home)
	switch {
	case len(words) == 0:
		return fmt.Errorf("%s %s has no home", j.Kind, j.Name)
	case words[0] == "cairn":
		calls = slices.Clone(calls)
		for i := range calls { // a home names the verb, not what it is to work on
			calls[i].Min = 0
		}
		if problem := content.Wrong(calls, words[1:]); problem != "" {
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
	p, err := content.Find(words[0])
	if err != nil {
		return fmt.Errorf("%s %s: %w", j.Kind, j.Name, err)
	}
	for _, flag := range words[1:] {
		if !p.Takes(flag) {
			return fmt.Errorf("%s %s: %s takes no %s", j.Kind, j.Name, p.Path(), flag)
		}
	}
	return nil
}

// inventoryPage returns docs/inventory.md.
func inventoryPage() (string, error) {
	jobs, err := readJobs()
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
	if p, err := content.Find(words[0]); err == nil {
		text := "[" + p.Path() + "](../internal/plan/content/" + p.Path() + ".md)"
		if len(words) > 1 {
			text += " `" + strings.Join(words[1:], " ") + "`"
		}
		return text
	}
	return "`" + home + "`"
}

// readTable reads a file of rows whose cells are parted by tabs.
func readTable(name string, columns int) (rows [][]string, err error) {
	b, err := os.ReadFile(name)
	for i, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		cells := strings.Split(line, "\t")
		if len(cells) != columns {
			return nil, fmt.Errorf("%s:%d: %d columns, not %d", name, i+1, len(cells), columns)
		}
		rows = append(rows, cells)
	}
	return rows, err
}

// lineTokens is what a line of the older tool's prompts is counted as. Its
// planner, 1,278 lines, had to stay under the 50,000 characters that some
// runtimes take, so a line has at most 39 characters, 9.8 tokens. The lower
// figure is the one that is worse for us.
const lineTokens = 8

// costPage returns docs/content-budget.md: what every command costs, beside
// what the same path cost in the older tool.
func costPage() (string, error) {
	budgets, err := readBudgets()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`# What the prompts cost

Tokens of a command's path: its own text, the parts it reads in an ordinary run, and the prompts
of the roles it spawns, each once (a role that is spawned four times is read in four windows, there
as here). Four characters are one token. ` + "`cairn plan content budget`" + ` prints it; a test fails
when a command costs more than its budget (` + "`internal/plan/content/budget.tsv`" + `).

The original is the older planning tool. Of it only lengths in lines are known, from its inventory:
the workflow, its steps that every run reads, and the agents it spawns. A line is counted as 8
tokens: its planner, 1,278 lines, had to stay under 50,000 characters, which is at most 9.8 tokens a
line. Its command files and the references they pull in are not counted, since their length is not
known; so the shares here are upper bounds.

| command | own | parts | roles | in all | budget | original, lines | as tokens | share |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
`)
	for _, budget := range budgets {
		c, err := costOf(budget.Command)
		if err != nil {
			return "", err
		}
		costRow(&b, c, budget.Limit, budget.Original)
	}
	share, err := mainShare()
	fmt.Fprintf(&b, "\nThe five main steps together (%s): **%.1f %%**.\n", strings.Join(mainSteps(), ", "), share)
	return b.String(), err
}

// mainShare returns what the main steps cost, in percent of what they cost in
// the older tool.
func mainShare() (float64, error) {
	budgets, err := readBudgets()
	if err != nil {
		return 0, err
	}
	var ours, theirs int
	for _, budget := range budgets {
		if !slices.Contains(mainSteps(), budget.Command) {
			continue
		}
		c, err := costOf(budget.Command)
		if err != nil {
			return 0, err
		}
		ours, theirs = ours+c.Total, theirs+budget.Original*lineTokens
	}
	return percent(ours, theirs), nil
}

func costOf(command string) (content.Cost, error) {
	p, err := content.Find(string(content.Command) + "/" + command)
	if err != nil {
		return content.Cost{}, err
	}
	return content.CostOf(p)
}

func costRow(b *strings.Builder, c content.Cost, limit, original int) {
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |", c.Command, c.Own, c.Loads, c.Agents, c.Total, limit)
	if original == 0 {
		b.WriteString(" | | |\n")
		return
	}
	fmt.Fprintf(b, " %d | %d | %.0f %% |\n", original, original*lineTokens, percent(c.Total, original*lineTokens))
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(whole) }
