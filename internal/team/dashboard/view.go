package dashboard

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/panel"
)

// A view is a page of panels.
type view struct {
	name    string // in addresses and on the command line; "" is the first page
	title   string
	summary string // one line under the title
	panels  []func(context.Context, *ask) (panel.Panel, error)
	// byPerson and byBranch say which filters have a meaning here besides time
	// and repository.
	byPerson, byBranch bool
	hidden             bool // not in the navigation: reached from another page
}

// views is the one list of them, in the order of the navigation.
func views() []view {
	return []view{
		velocityView(),
	}
}

// First is the name of the first page in addresses of its data.
const First = "velocity"

// Views lists the names of all views that the navigation has.
func Views() []string {
	var names []string
	for _, v := range views() {
		if !v.hidden && v.name != "" {
			names = append(names, v.name)
		}
	}
	return names
}

// An ask is a request for a view: within one transaction, as the viewer.
type ask struct {
	tx     *db.Tx
	viewer Viewer
	team   Team
	filter Filter
	now    time.Time
	names  map[uuid.UUID]string // of the team's people
	// repos and branches are those that the filter bar offers, in order.
	repos, branches []string
	path            map[string]string // what an address named: run, case
}

// name is what a person is called on pages.
func (a *ask) name(user uuid.NullUUID) string {
	if n := a.names[user.UUID]; user.Valid && n != "" {
		return n
	}
	if user.Valid {
		return "somebody who left"
	}
	return "nobody known"
}
