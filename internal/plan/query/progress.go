package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
)

func progressCommands() []command {
	return []command{
		{name: "progress", run: reads(progress)},
		{name: "stats", run: reads(stats)},
	}
}

// The words and widths of the old tool's bars.
const (
	barWidth      = 20 // of `progress bar`
	tableBarWidth = 10
)

// milestone returns the current milestone, by the old tool's names where none
// is named.
func milestone(tx *plan.Tx) (brief.Milestone, error) {
	m, err := brief.CurrentMilestone(tx)
	m.Version, m.Name = cmp.Or(m.Version, "v1.0"), cmp.Or(m.Name, "milestone")
	return m, err
}

// tally is the phases as progress and stats print them. Every summary counts,
// those of no plan too.
type tally struct {
	phases             []object
	plans, summaries   int
	complete, percent  int
	notStarted         string // how a phase without plans is called
	version, milestone string
}

func (t *tally) add(tx *plan.Tx, p *plan.Phase, name string) error {
	stage, err := tx.Stage(p)
	if err != nil {
		return err
	}
	status := string(stage)
	switch stage {
	case plan.NotStarted:
		status = t.notStarted
	case plan.Verified:
		t.complete++
	}
	summaries := len(p.Summaries())
	t.plans += len(p.Plans)
	t.summaries += summaries
	t.phases = append(t.phases, object{
		{"number", p.ID.Padded()}, {"name", name}, {"plans", len(p.Plans)}, {"summaries", summaries}, {"status", status},
	})
	return nil
}

// progress counts every directory in phases/, of whichever milestone.
func progress(c *call, tx *plan.Tx) (result, error) {
	t := tally{notStarted: "Pending", phases: []object{}}
	m, err := milestone(tx)
	if err != nil {
		return result{}, err
	}
	t.version, t.milestone = m.Version, m.Name
	dirs, err := tx.PhaseDirs()
	if err != nil {
		return result{}, err
	}
	dirs = slices.DeleteFunc(dirs, func(p *plan.Phase) bool { return p.Archived != "" })
	slices.SortStableFunc(dirs, func(a, b *plan.Phase) int { return a.ID.Compare(b.ID) })
	for _, p := range dirs {
		if err := t.add(tx, p, strings.ReplaceAll(p.Slug, "-", " ")); err != nil {
			return result{}, err
		}
	}
	t.percent = plan.Percent(t.summaries, t.plans)
	counts := fmt.Sprintf("%d/%d plans (%d%%)", t.summaries, t.plans, t.percent)
	switch c.positional(0) {
	case "bar":
		bar := oldBar(t.percent, barWidth) + " " + counts
		return dataRaw(object{{"bar", bar}, {"percent", t.percent}, {"completed", t.summaries}, {"total", t.plans}}, bar), nil
	case "table":
		rendered := t.title() + "\n\n**Progress:** " + oldBar(t.percent, tableBarWidth) + " " + counts + "\n\n" + t.table()
		return dataRaw(object{{"rendered", rendered}}, rendered), nil
	}
	return data(object{
		{"milestone_version", t.version}, {"milestone_name", t.milestone}, {"phases", t.phases},
		{"total_plans", t.plans}, {"total_summaries", t.summaries}, {"percent", t.percent},
	}), nil
}

// stats counts the phases of the milestone, those without a directory too.
func stats(c *call, tx *plan.Tx) (result, error) {
	history := make(chan commits, 1)
	go func() { history <- c.commits() }()
	t := tally{notStarted: string(plan.NotStarted), phases: []object{}}
	m, err := milestone(tx)
	if err != nil {
		return result{}, err
	}
	t.version, t.milestone = m.Version, m.Name
	phases, err := tx.Phases(plan.Current)
	if err != nil {
		return result{}, err
	}
	for _, p := range phases {
		name := p.Name
		if p.Section == nil && p.Box == nil {
			name = strings.ReplaceAll(p.Slug, "-", " ")
		}
		if err := t.add(tx, p, name); err != nil {
			return result{}, err
		}
	}
	done, requirements, err := tx.RequirementCounts()
	if err != nil {
		return result{}, err
	}
	activity, err := tx.LastActivity()
	if err != nil {
		return result{}, err
	}
	t.percent = plan.Percent(t.complete, len(t.phases))
	planPercent := plan.Percent(t.summaries, t.plans)
	log := <-history
	if c.positional(0) == "table" {
		rendered := t.statsTable(planPercent, done, requirements, log, activity)
		return dataRaw(object{{"rendered", rendered}}, rendered), nil
	}
	return data(object{
		{"milestone_version", t.version}, {"milestone_name", t.milestone}, {"phases", t.phases},
		{"phases_completed", t.complete}, {"phases_total", len(t.phases)},
		{"total_plans", t.plans}, {"total_summaries", t.summaries}, {"percent", t.percent}, {"plan_percent", planPercent},
		{"requirements_total", requirements}, {"requirements_complete", done},
		{"git_commits", log.count}, {"git_first_commit_date", orNull(log.first)}, {"last_activity", orNull(activity)},
	}), nil
}

func (t *tally) title() string { return fmt.Sprintf("# %s %s", t.version, t.milestone) }

func (t *tally) table() string {
	var b strings.Builder
	b.WriteString("| Phase | Name | Plans | Status |\n|-------|------|-------|--------|\n")
	for _, p := range t.phases {
		fmt.Fprintf(&b, "| %v | %v | %v/%v | %v |\n", p[0].value, p[1].value, p[3].value, p[2].value, p[4].value)
	}
	return b.String()
}

func (t *tally) statsTable(planPercent, done, requirements int, log commits, activity string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - Statistics\n\n", t.title())
	fmt.Fprintf(&b, "**Progress:** %s %d/%d phases (%d%%)\n", oldBar(t.percent, tableBarWidth), t.complete, len(t.phases), t.percent)
	fmt.Fprintf(&b, "**Plans:** %d/%d complete (%d%%)\n", t.summaries, t.plans, planPercent)
	if requirements > 0 {
		fmt.Fprintf(&b, "**Requirements:** %d/%d complete\n", done, requirements)
	}
	b.WriteString("\n" + t.table())
	b.WriteByte('\n')
	if log.count > 0 {
		fmt.Fprintf(&b, "**Git:** %d commits since %s\n", log.count, log.first)
	}
	if activity != "" {
		fmt.Fprintf(&b, "**Last activity:** %s\n", activity)
	}
	return b.String()
}

// oldBar draws a bar without its number.
func oldBar(percent, width int) string { return "[" + doc.Meter(percent, width) + "]" }

// commits is what git knows of the project.
type commits struct {
	count int
	first string // the date of the oldest
}

// commits asks git, in a repository; what git cannot tell is nothing.
func (c *call) commits() commits {
	if !git.Repo(c.Root) {
		return commits{}
	}
	out, err := git.Run(c.context, c.Root, "log", "--format=%as")
	if err != nil || out == "" {
		return commits{}
	}
	return commits{strings.Count(out, "\n") + 1, out[strings.LastIndexByte(out, '\n')+1:]}
}
