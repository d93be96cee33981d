package query

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
)

// The widths of the old tool's bars.
const (
	barWidth      = 20 // of `progress bar`
	tableBarWidth = 10
)

// milestone returns the current milestone, by the old tool's names where none
// is named.
func milestone(tx *plan.Tx) brief.Milestone {
	m := brief.CurrentMilestone(tx)
	m.Version, m.Name = cmp.Or(m.Version, "v1.0"), cmp.Or(m.Name, "milestone")
	return m
}

// tally is the phases as progress and stats print them. Every summary counts,
// those of no plan too.
type tally struct {
	brief.Milestone
	phases            []object
	table             string // the phases as Markdown
	plans, summaries  int
	complete, percent int
}

// count tallies phases; name is how one is called, notStarted what the status
// of one without plans is.
func count(c *call, tx *plan.Tx, phases []*plan.Phase, name func(*plan.Phase) string, notStarted string) *tally {
	t := &tally{Milestone: milestone(tx), phases: []object{}, table: "| Phase | Name | Plans | Status |\n|-------|------|-------|--------|\n"}
	look := lifecycle.New(c.context, tx)
	for _, p := range phases {
		status := look.Stage(p)
		switch status {
		case lifecycle.StageNotStarted:
			status = notStarted
		case lifecycle.StageComplete:
			t.complete++
		}
		number, plans, summaries := p.ID.Padded(), len(p.Plans), len(p.Summaries())
		t.plans, t.summaries = t.plans+plans, t.summaries+summaries
		t.phases = append(t.phases, object{{"number", number}, {"name", name(p)}, {"plans", plans}, {"summaries", summaries}, {"status", status}})
		t.table += fmt.Sprintf("| %s | %s | %d/%d | %s |\n", number, name(p), summaries, plans, status)
	}
	return t
}

func slugWords(p *plan.Phase) string { return strings.ReplaceAll(p.Slug, "-", " ") }

// progress counts every directory in phases/, of whichever milestone.
func progress(c *call, tx *plan.Tx) result {
	dirs := slices.DeleteFunc(tx.Phases(plan.Everything), func(p *plan.Phase) bool { return p.Archived != "" || p.Dir == "" })
	t := count(c, tx, dirs, slugWords, "Pending")
	t.percent = plan.Percent(t.summaries, t.plans)
	counts := fmt.Sprintf("%d/%d plans (%d%%)", t.summaries, t.plans, t.percent)
	switch c.opt("form") {
	case "bar":
		bar := oldBar(t.percent, barWidth) + " " + counts
		return dataRaw(object{{"bar", bar}, {"percent", t.percent}, {"completed", t.summaries}, {"total", t.plans}}, bar)
	case "table":
		return rendered(t.title() + "\n\n**Progress:** " + oldBar(t.percent, tableBarWidth) + " " + counts + "\n\n" + t.table)
	}
	return data(object{
		{"milestone_version", t.Version}, {"milestone_name", t.Name}, {"phases", t.phases},
		{"total_plans", t.plans}, {"total_summaries", t.summaries}, {"percent", t.percent},
	})
}

// stats counts the phases of the milestone, those without a directory too.
func stats(c *call, tx *plan.Tx) result {
	history := make(chan commits, 1)
	go func() { history <- c.commits() }()
	t := count(c, tx, tx.Phases(plan.Current), func(p *plan.Phase) string {
		if p.Section == nil && p.Box == nil {
			return slugWords(p)
		}
		return p.Name
	}, lifecycle.StageNotStarted)
	done, requirements := tx.RequirementCounts()
	activity := tx.LastActivity()
	t.percent = plan.Percent(t.complete, len(t.phases))
	planPercent := plan.Percent(t.summaries, t.plans)
	log := <-history
	if c.opt("form") == "table" {
		s := fmt.Sprintf("%s - Statistics\n\n**Progress:** %s %d/%d phases (%d%%)\n**Plans:** %d/%d complete (%d%%)\n",
			t.title(), oldBar(t.percent, tableBarWidth), t.complete, len(t.phases), t.percent, t.summaries, t.plans, planPercent)
		if requirements > 0 {
			s += fmt.Sprintf("**Requirements:** %d/%d complete\n", done, requirements)
		}
		s += "\n" + t.table + "\n"
		if log.count > 0 {
			s += fmt.Sprintf("**Git:** %d commits since %s\n", log.count, log.first)
		}
		if activity != "" {
			s += fmt.Sprintf("**Last activity:** %s\n", activity)
		}
		return rendered(s)
	}
	return data(object{
		{"milestone_version", t.Version}, {"milestone_name", t.Name}, {"phases", t.phases},
		{"phases_completed", t.complete}, {"phases_total", len(t.phases)},
		{"total_plans", t.plans}, {"total_summaries", t.summaries}, {"percent", t.percent}, {"plan_percent", planPercent},
		{"requirements_total", requirements}, {"requirements_complete", done},
		{"git_commits", log.count}, {"git_first_commit_date", orNull(log.first)}, {"last_activity", orNull(activity)},
	})
}

func rendered(text string) result { return dataRaw(object{{"rendered", text}}, text) }

func (t *tally) title() string { return fmt.Sprintf("# %s %s", t.Version, t.Name) }

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

func historyDigest(c *call, tx *plan.Tx) result {
	d := tx.Digest()
	phases := object{}
	for _, p := range d.Phases {
		phases = phases.with(p.ID, object{{"name", p.Name}, {"provides", p.Provides}, {"affects", p.Affects}, {"patterns", p.Patterns}})
	}
	return data(object{{"phases", phases}, {"decisions", d.Decisions}, {"tech_stack", d.Tech}})
}

// milestoneComplete completes whatever state the milestone is in, as the old
// tool did: there a workflow asked first. Called again it enters the milestone
// no second time.
func milestoneComplete(c *call) result {
	version := c.opt("version")
	require(version != "", missing, "version required for milestone complete (e.g., v1.0)")
	date := time.Now().UTC().Format(time.DateOnly)
	var done *plan.MilestoneCompleted
	err := must.Catch(func() {
		c.change(func(tx *plan.Tx) {
			done = tx.CompleteMilestone(plan.MilestoneCompletion{
				Version: version, Name: c.opt("name"), Date: date, ArchivePhases: c.given("archive-phases"),
				NextStep: "Start the next milestone with /gsd-new-milestone",
			})
		})
	})
	require(!errors.Is(err, plan.ErrNoMilestone), "phase_not_found", "no phases found for milestone %s in ROADMAP.md", version)
	must.OK(err)
	a := done.Archived
	return data(object{
		{"version", version}, {"name", done.Name}, {"date", date},
		{"phases", done.Directories()}, {"plans", done.Plans}, {"tasks", done.Tasks}, {"accomplishments", list(done.Accomplishments)},
		{"archived", object{{"roadmap", a.Roadmap}, {"requirements", a.Requirements}, {"audit", a.Audit}, {"phases", a.Phases}}},
		{"milestones_updated", !done.Already}, {"state_updated", done.StateUpdated},
	})
}
