package export

import (
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/table"
)

type tableColumn = table.Column

// bulkTime is a time as it is loaded in bulk.
func bulkTime(d *db.DB, at time.Time) any {
	if d.Dialect() == db.SQLite {
		return at.UnixMicro()
	}
	return at
}
