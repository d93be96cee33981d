// Package table is the registry of the tables that a team server shows: their
// columns, keys, relations and who may do what with a row. It is data, without
// SQL and without HTTP: team/db makes statements of it, team/server answers
// requests by it, team/client knows from it what to pull. A table or a column
// that is not here cannot be asked for.
//
// The registry and the migrations of team/db say the same; a test compares them
// with both databases.
package table

import "sync"

// A Type is what a column holds, in PostgreSQL's words.
type Type uint8

const (
	UUID Type = iota + 1
	Text
	Bool
	SmallInt
	Int
	BigInt
	Real
	Numeric   // a decimal with Column.Scale digits after the point
	Timestamp // timestamptz, microseconds, UTC
	Date      // YYYY-MM-DD
	JSON      // jsonb
	TextArray // text[]
)

// A Column of a table.
type Column struct {
	Name  string
	Type  Type
	Scale int // of a Numeric: digits after the point
	// Precision of a Numeric: digits in all.
	Precision int
	Null      bool // may be null
	Default   bool // the database fills it in when it is not given
	Hidden    bool // not even a reader of the row sees it
	Most      int  // bytes of a value, where that is not what its type has: see Limit
	// Address: it may hold somebody's mail address. No token of CI reads it.
	Address bool
}

// Most bytes of a value, where its column says nothing else. A text that is part
// of an index must fit into PostgreSQL's pages: 2,700 bytes for the whole key.
const (
	mostText = 1_000
	mostJSON = 1_000_000
)

// Limit is how many bytes a value of the column may have, 0 where its type bounds it.
func (c *Column) Limit() int {
	switch {
	case c.Most > 0:
		return c.Most
	case c.Type == Text:
		return mostText
	case c.Type == JSON, c.Type == TextArray:
		return mostJSON
	}
	return 0
}

// Who says whom of a team a row lets do something. A service key may do everything.
type Who uint8

const (
	Nobody         Who = iota // through a function only
	Members                   // everyone in the team
	Admins                    // its owners and admins
	Author                    // the member named by user_id
	AuthorOrAdmins            //
	Roles                     // team_members: admins; rows of owners only owners; oneself may leave
)

// A Scope says which rows a token of CI that is for one repository can reach.
type Scope uint8

const (
	Undecided Scope = iota // none; a test refuses a table that leaves it so
	Whole                  // none: the rows are of the whole team
	ByRepo                 // those with its repository in repo_slug
	ByRun                  // those of a run of its repository, which run_id names
	Own                    // those with the token's own user_id
	Shared                 // all that the token's team has
)

// A Table of the registry.
type Table struct {
	Name    string
	Columns []Column
	Key     []string   // the primary key
	Unique  [][]string // further keys that an upsert may name
	Team    string     // the column that names the row's team
	// Month is the column by whose month rows are kept apart so that a month can be
	// dropped at once, "" where they are not.
	Month string
	// Authored: an insert by a user must carry that user in user_id.
	Authored                     bool
	Read, Insert, Update, Delete Who
	Repo                         Scope
	// Updatable are the columns that an update may name, all where it is nil.
	Updatable []string
	Relations []Relation
}

// A Relation is another table whose rows can be embedded in those of a table.
type Relation struct {
	Name        string // of the other table
	Constraint  string // name of the foreign key, as a hint in a request names it
	Here, There []string
	Many        bool // an array of rows, not one row or null
}

// Find returns the table of a name, nil if there is none.
func Find(name string) *Table {
	for _, t := range All() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// All returns the registry in the order in which rows can be inserted: parents first.
func All() []*Table {
	whole.Do(complete)
	return tables[:]
}

// Column returns the column of a name, nil if there is none or it is hidden.
func (t *Table) Column(name string) *Column {
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Name == name && !c.Hidden {
			return c
		}
	}
	return nil
}

var whole sync.Once

// tables are pointers to literals: nothing is built before main.
var tables = [...]*Table{
	&teams, &teamMembers, &teamInvites,
	&evalRuns, &evalCases, &evalResults, &evalPayloads, &evalCosts, &evalLabels, &dailyEvals, &dailyCosts,
	&retroSnapshots, &qaReports, &shipLogs, &greptileTriage, &sessionTranscripts, &planSnapshots, &usageDays, &spendDays, &syncHeartbeats,
	&teamSettings, &teamChannels, &alerts, &deliveries, &auditLog,
}
