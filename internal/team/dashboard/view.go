package dashboard

import (
	"cmp"
	"context"

	"cairn/internal/answer"
)

// A view is a page of panels.
type view struct {
	name    string // in addresses and on the command line; "" is the first page
	title   string
	summary string // one line under the title
	panels  []func(context.Context, *ask) (answer.Panel, error)
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
	// personal: some figures are of what only the reader may see.
	personal bool
}

// views is the one list of them, in the order of the navigation.
func views() []view {
	return append([]view{
		pulseView(), velocityView(), qualityView(), costView(), codeView(), peopleView(), plansView(), alertsView(), freshnessView(), auditView(),
		suiteView(), runView(), caseView(),
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
