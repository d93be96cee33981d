package dashboard

import (
	"cmp"
	"context"

	"cairn/internal/answer"
)

// A panel fills in one of a page; what goes wrong ends it.
type panel = func(context.Context, *ask, *answer.Panel)

// A view is a page of panels.
type view struct {
	name    string // in addresses and on the command line; "" is the first page
	title   string
	summary string // one line under the title
	panels  []panel
	// own makes a page of its own, in place of the panels. JSON, CSV and the command
	// line still have those.
	own func(context.Context, *ask) own
	// byPerson and byBranch say which filters have a meaning here besides time
	// and repository.
	byPerson, byBranch bool
	hidden             bool // not in the navigation: reached from another page
	// args are what an address must name besides a filter; a page with still has
	// no filter.
	args  []string
	still bool
	// live: not all that it shows counts in the team's version, so no answer is kept.
	live bool
	// labelled: it has people's labels, which no version counts, so nobody who has the
	// page is told that it is unchanged.
	labelled bool
	// personal: some figures are of what only the reader may see.
	personal bool
}

// own is the data of a page that a script of package evalpage draws.
type own struct {
	script string // one of evalpage.Assets, without .js
	data   any
}

// views is the one list of them, in the order of the navigation.
func views() []view {
	return append([]view{
		{name: "", title: "Overview", summary: "How the team is doing, compared with the previous period.", byPerson: true, byBranch: true,
			panels: []panel{pulseFigures, nextSteps, ownPulls, agentSessions, changesInShort, attention, commitsByWeek, firstHotspots, shipsByWeek, passRates, newestShips, newestRuns}},
		{name: "velocity", title: "Velocity", summary: "Releases, commits and lines, by week and person.", byPerson: true, byBranch: true,
			panels: []panel{shipsByWeek, commitsByWeek, linesByWeek, committers, streaks}},
		{name: "quality", title: "Quality", summary: "Eval results, and which changes are more than noise.", byPerson: true, byBranch: true,
			panels: []panel{passRates, realChanges, changedCases, suites, weakest, criteriaOverTime, detection}},
		{name: "flaky", title: "Flaky cases", summary: "Cases of all suites that pass and fail by turns.", byPerson: true, byBranch: true,
			panels: []panel{flakyCases}},
		{name: "cost", title: "Cost", summary: "What evals cost, by model, suite and passed test.", byPerson: true, byBranch: true,
			panels: []panel{costFigures, costByModel, models, costBySuite, costPerPass}},
		{name: "spend", personal: true, title: "Spend", summary: "What coding agents cost, by repository, branch, pull request and model.",
			panels: []panel{spendFigures, ownPulls, spendByWeek, spendByRepo, spendByBranch, spendByPull, spendByModel, spendByPhase, spendByPerson, ownSessions, spendSaved, ownSaved}},
		{name: "code", title: "Code", summary: "Where code changes, the test ratio, and what QA and reviews found.",
			panels: []panel{hotspots, commitTypes, testRatio, qaHealth, triageSignal}},
		{name: "people", personal: true, title: "People", summary: "Releases, evals and work with agents. What was said to agents is never shown.", byPerson: true,
			panels: []panel{leaderboard, usageByPerson, usageByWeek, members}},
		{name: "plans", title: "Plans", summary: "How far each project is, and how it got there.",
			panels: []panel{planProgress, burnUp, planBlockers, planPhases, planDecisions, planRequirements}},
		{name: "alerts", title: "Alerts", summary: "Suites that got worse, and where alerts are sent.", byBranch: true,
			panels: []panel{openAlerts, pastAlerts, digestSchedule, channels}},
		{name: "freshness", personal: true, title: "Data sources", summary: "When each repository, member and machine last sent something.",
			panels: []panel{freshRepos, lastPushes, heartbeats}},
		{name: "audit", title: "Audit log", summary: "Who did what to the team, when and from where.", live: true,
			panels: []panel{auditEntries, quotas}},
		{name: "suite", title: "Suite", summary: "One suite of evals: its runs and its cases.", byBranch: true, byPerson: true, hidden: true, args: []string{"suite"},
			panels: []panel{suiteRate, suiteCases, suiteRuns}},
		{name: "run", title: "Run", summary: "One run of a suite: how it ended, case by case.", hidden: true, still: true, args: []string{"id"},
			panels: []panel{runHead, runAbout, runCases, runCosts}, own: ownRun},
		{name: "case", title: "Case", summary: "One case through all its runs.", hidden: true, still: true, args: []string{"id"},
			panels: []panel{caseHead, caseHistory}, own: ownCase, labelled: true},
		{name: "compare", title: "Compare", summary: "Two runs, or two variants of a run, case by case.", hidden: true, still: true, args: []string{"a", "b"},
			panels: []panel{comparedSuites, comparedCases}, own: ownComparison},
	}, rowsViews()...)
}

// First is the name of the first page in addresses of its data.
const First = "pulse"

// Views lists the names of all views.
func Views() []string {
	var names []string
	for _, v := range views() {
		names = append(names, cmp.Or(v.name, First))
	}
	return names
}
