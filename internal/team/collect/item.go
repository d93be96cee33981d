package collect

import (
	"time"

	"cairn/internal/team/record"
)

// Record is an item of a row that is the same thing in the same state whenever
// it is collected, such as a week or a ship of git.
func Record(thing string, row record.Row) Item {
	return Item{Thing: row.Table + " " + thing, Content: row.IngestKey, Row: row}
}

// Plan is the item of a plan. When it was so does not make it another; but a plan
// that is again as it once was has a new row, or the one between would be the
// newest.
func Plan(p record.PlanSnapshot) (Item, error) {
	row, err := p.Row()
	if err != nil {
		return Item{}, err
	}
	p.At = time.Time{}
	bare, err := p.Row()
	return Item{Thing: row.Table + " " + p.Project + "/" + p.Workstream, Content: bare.IngestKey, Row: row}, err
}

// Note is an item that is only noted: it has no row.
func Note(thing, content string) Item { return Item{Thing: thing, Content: content} }

// IsNote reports whether an item has no row.
func (it Item) IsNote() bool { return it.Row.Table == "" }

// Day is the item of a day of usage, with sessions or without. One that is settled
// does not change: agents throw old transcripts away, and it would shrink.
func Day(d record.UsageDay, withSessions, settled bool) (Item, error) {
	row, err := d.Row()
	if err != nil {
		return Item{}, err
	}
	d.At = time.Time{}
	bare, err := d.Row()
	thing := row.Table + " " + d.Hostname + " " + d.Agent + " " + d.Date
	if withSessions {
		thing += " sessions"
	}
	return Item{Thing: thing, Content: bare.IngestKey, Row: row, Settled: settled}, err
}
