// Package postgrest is the part of PostgREST's protocol that a team server
// speaks and supabase-js sends: requests read into typed trees, answers'
// headers, errors with PostgREST's codes. It knows tables only by package
// table, and neither HTTP handlers nor SQL: team/server calls it, team/db makes
// statements of its trees.
//
// Source: https://docs.postgrest.org/en/v13/references/api.html, and requests
// recorded from supabase-js.
package postgrest

import (
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/table"
)

// A Query says which rows of a table are meant, and what is shown of them.
type Query struct {
	Table  *table.Table
	Select []Item // what is shown; every column that is not hidden where it is nil
	Where  []Filter
	Order  []Order
	Limit  int // -1 is no limit
	Offset int
}

// An Item is one thing that is shown of a row: a column or an embedded table.
type Item struct {
	Alias  string // the member's name in the answer, where it is not the column's
	Column Path
	// Cast is a type to show it as, "" for its own: text, int2, int4, int8, float4,
	// float8, numeric, bool, uuid, date, timestamptz, json or jsonb.
	Cast  string
	Embed *Embed // instead of a column
}

// An Embed shows rows of a related table.
type Embed struct {
	Relation *table.Relation
	// Query: its filters, order and limit count for each row that they are embedded
	// in. Select is empty and not nil where the rows are only filtered by.
	Query  Query
	Inner  bool // a row that has none is left out
	Spread bool // its columns as the row's own
}

// A Path is a column, or what is inside of a JSON column.
type Path struct {
	Column *table.Column
	Keys   []string // names and indexes below it
	Text   bool     // the last step was ->>: text, not JSON
}

// A Filter is a tree: a comparison, or And / Or of filters.
type Filter struct {
	Not  bool
	All  []Filter // and
	Any  []Filter // or
	Path Path
	Op   Op
	// Values: one, several of in, or of an any/all comparison. They are as they were
	// sent, but for the * of like and ilike, which is % here; team/db reads them as
	// the column's type. Of cs, cd and ov it is one literal: {a,b} or JSON.
	Values []string
	Every  bool   // of several values of a comparison all must hold, not any
	Config string // text search configuration
	Many   bool   // op(any) or op(all)
}

// An Op compares a column with a value.
type Op uint8

const (
	Eq Op = iota + 1
	Neq
	Gt
	Gte
	Lt
	Lte
	Like
	ILike
	Match  // ~, a regular expression
	IMatch // ~*
	In
	Is // null, not_null, true, false, unknown: in small letters
	IsDistinct
	Contains  // cs: @>
	Contained // cd: <@
	Overlaps  // ov: &&
	Search    // fts: to_tsquery
	Plain     // plfts: plainto_tsquery
	Phrase    // phfts: phraseto_tsquery
	Web       // wfts: websearch_to_tsquery
)

// An Order is one key that rows are sorted by.
type Order struct {
	Path       Path
	Desc       bool
	NullsFirst bool // PostgreSQL's default is: last ascending, first descending
}

// Preferences are what a Prefer header asks for.
type Preferences struct {
	Return      string // "" (minimal), "minimal", "headers-only", "representation"
	Count       string // "", "exact", "planned", "estimated"
	Resolution  string // "", "merge-duplicates", "ignore-duplicates"
	Missing     string // "", "default", "null"
	Tx          string // "", "commit", "rollback"
	Handling    string // "", "lenient", "strict"
	MaxAffected int    // -1 is no limit; it counts under handling=strict only
}

// Rollback says that nothing that is written may stay.
func (p Preferences) Rollback() bool { return p.Tx == "rollback" }

// Strict says that a preference that is not known is an error.
func (p Preferences) Strict() bool { return p.Handling == "strict" }

// A Write is an insert, upsert or update.
type Write struct {
	Query
	Columns []*table.Column // that the rows have, in this order
	// Rows have a value per column; nil is the column's default. Where a request
	// gives none and does not ask for defaults, it is null here.
	Rows       [][]jsontext.Value
	OnConflict []string // the key of an upsert; the primary key where it is nil
	Resolution string
}
