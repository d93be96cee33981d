package collect

import (
	"time"

	"cairn/internal/team/record"
)

// An Item is a row to be sent, the name of the thing that it is about, and what
// tells its content from another. One without a row is only noted.
type Item struct {
	Thing   string
	Content string
	Row     record.Row
	Settled bool // once it was queued it stays, whatever its content
}

func (it Item) isNote() bool { return it.Row.Table == "" }

// rowItem is an item of a row that is the same thing in the same state whenever
// it is collected, such as a week or a ship of git.
func rowItem(thing string, row record.Row) Item {
	return Item{Thing: row.Table + " " + thing, Content: row.IngestKey, Row: row}
}

// planItem is the item of a plan. When it was so does not make it another; but a
// plan that is again as it once was has a new row, or the one between would be the
// newest.
func planItem(p record.PlanSnapshot) (Item, error) {
	row, err := p.Row()
	if err != nil {
		return Item{}, err
	}
	p.At = time.Time{}
	bare, err := p.Row()
	return Item{Thing: row.Table + " " + p.Project + "/" + p.Workstream, Content: bare.IngestKey, Row: row}, err
}

// dayItem is the item of a day of usage, with sessions or without. One that is
// settled does not change: agents throw old transcripts away, and it would shrink.
func dayItem(d record.UsageDay, withSessions, settled bool) (Item, error) {
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
