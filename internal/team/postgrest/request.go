// Package postgrest is the part of PostgREST's protocol that a team server
// speaks: requests read into typed trees, the headers of answers, and errors with
// PostgREST's codes. What cairn's client and its documented reads do not need is
// refused with a sentence that names what there is; docs/server.md lists it. The
// package knows tables only by package table, and neither HTTP handlers nor SQL:
// team/server calls it, team/db makes statements of its trees.
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
	Select []Item // every column that is not hidden where it is nil
	Where  []Filter
	Order  []Order
	Limit  int // -1 is no limit
	Offset int
}

// An Item is one thing that is shown of a row: a column or an embedded table.
type Item struct {
	Column *table.Column
	Embed  *Embed // instead of a column
}

// An Embed shows columns of the related rows of another table.
type Embed struct {
	Relation *table.Relation
	Query    Query // a table and columns of it; it embeds nothing
}

// A Filter is a tree: a comparison, or And / Or of filters.
type Filter struct {
	Not    bool
	All    []Filter // and
	Any    []Filter // or
	Column *table.Column
	Op     Op
	Values []string // one, or those of in, as they were sent; team/db reads them as the column's type
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
	In
	Is // null, true, false
)

// An Order is one key that rows are sorted by.
type Order struct {
	Column     *table.Column
	Desc       bool
	NullsFirst bool // PostgreSQL's default is: last ascending, first descending
}

// Preferences are what a Prefer header asks for.
type Preferences struct {
	Return     string // "" (minimal), "minimal", "representation"
	Count      string // "", "exact", "planned", "estimated"
	Resolution string // "", "merge-duplicates", "ignore-duplicates"
	Missing    string // "", "default", "null"
	Handling   string // "", "lenient", "strict"
}

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
