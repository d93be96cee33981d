// Package figures asks a team's rows what its dashboard, its digest and its
// leaderboard show: one typed function for each figure, the same answer from
// both databases, each from an index or from daily sums.
//
// Days and weeks are those of UTC; a week begins on Monday and is named by that
// day. Who calls has made sure that the team is one that the reader is in:
// nothing here asks who reads, though PostgreSQL's policies still do. HTML,
// intervals and tests of significance never belong here.
package figures

import (
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A Range is what rows a figure is of.
type Range struct {
	Team     uuid.UUID
	From, To time.Time // From is in it, To is not. Daily sums count whole days.
	Repo     string    // "" is every repository
	// Who and Branch count where a figure says so.
	Who    *Who   // nil is everybody
	Branch string // "" is every branch
}

// Week is the range of the seven days that begin with a Monday, or with any day.
func Week(team uuid.UUID, monday time.Time) Range {
	from := monday.UTC().Truncate(24 * time.Hour)
	return Range{Team: team, From: from, To: from.AddDate(0, 0, 7)}
}

// Ever is the range of all that a team has.
func Ever(team uuid.UUID) Range { return Range{Team: team, From: time.Unix(0, 0), To: db.Never} }

// A where is a condition that grows, with its parameters.
type where struct {
	text string
	args []any
}

func (w *where) and(condition string, args ...any) {
	if w.text != "" {
		w.text += " and "
	}
	w.text += condition
	w.args = append(w.args, args...)
}

// times is the condition of rows that have the time of an event in a column.
func (r Range) times(column string) where {
	var w where
	w.and("team_id = ? and "+column+" >= ? and "+column+" < ?", r.Team, r.From, r.To)
	if r.Repo != "" {
		w.and("repo_slug = ?", r.Repo)
	}
	return w
}

// days is the condition of daily sums.
func (r Range) days() where {
	var w where
	w.and("team_id = ? and day >= ? and day <= ?", r.Team, r.From.UTC().Format(time.DateOnly),
		r.To.UTC().Add(-time.Microsecond).Format(time.DateOnly))
	return w
}

// dayOf, weekOf, dollars, text: what the two databases write differently.
func dayOf(tx *db.Tx, column string) string {
	if tx.Dialect() == db.SQLite {
		return "date(" + column + " / 1000000, 'unixepoch')"
	}
	return "(" + column + " at time zone 'UTC')::date"
}

func weekOf(tx *db.Tx, day string) string {
	if tx.Dialect() == db.SQLite {
		return "date(" + day + ", '-6 days', 'weekday 1')"
	}
	return "date_trunc('week', " + day + ")::date::text"
}

func text(tx *db.Tx, day string) string {
	if tx.Dialect() == db.SQLite {
		return day
	}
	return day + "::text"
}

func dollars(tx *db.Tx, sum string) string { return decimal(tx, sum, "1e6") }

func decimal(tx *db.Tx, figure, unit string) string {
	if tx.Dialect() == db.SQLite {
		return "coalesce(" + figure + ", 0) / " + unit
	}
	return "coalesce(" + figure + ", 0)::float8"
}

// count is a sum as a whole number.
func count(sum string) string { return "cast(coalesce(" + sum + ", 0) as bigint)" }
