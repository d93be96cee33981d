package content

import (
	"fmt"
	"slices"
	"strings"
)

// lineTokens is what a line of the older tool's prompts is counted as. Its
// planner, 1,278 lines, had to stay under the 50,000 characters that some
// runtimes take, so a line has at most 39 characters, 9.8 tokens. The lower
// figure is the one that is worse for us.
const lineTokens = 8

// CostPage returns docs/content-budget.md: what every command costs, beside
// what the same path cost in the older tool.
func CostPage() (string, error) {
	budgets, err := Budgets()
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
		row(&b, c, budget.Limit, budget.Original)
	}
	share, err := MainShare()
	fmt.Fprintf(&b, "\nThe five main steps together (%s): **%.1f %%**.\n", strings.Join(MainSteps(), ", "), share)
	return b.String(), err
}

// MainShare returns what the main steps cost, in percent of what they cost in
// the older tool.
func MainShare() (float64, error) {
	budgets, err := Budgets()
	if err != nil {
		return 0, err
	}
	var ours, theirs int
	for _, budget := range budgets {
		if !slices.Contains(MainSteps(), budget.Command) {
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

func costOf(command string) (Cost, error) {
	p, err := Find(string(Command) + "/" + command)
	if err != nil {
		return Cost{}, err
	}
	return CostOf(p)
}

func row(b *strings.Builder, c Cost, limit, original int) {
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |", c.Command, c.Own, c.Loads, c.Agents, c.Total, limit)
	if original == 0 {
		b.WriteString(" | | |\n")
		return
	}
	fmt.Fprintf(b, " %d | %d | %.0f %% |\n", original, original*lineTokens, percent(c.Total, original*lineTokens))
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(whole) }
