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
	"bytes"
	"net/http"

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

// ParseCall reads a request for a function: its arguments by name, from one JSON
// object, or from nothing. Which function there is, and with which arguments, is
// not known here.
func ParseCall(method, rawQuery string, body []byte) (map[string]jsontext.Value, *Error) {
	if method != http.MethodPost {
		e := Unsupported("calling a function with %s is not supported; send its arguments as JSON with POST", short(method))
		e.Status, e.Code = http.StatusMethodNotAllowed, "PGRST101"
		return nil, e
	}
	if params, err := split(rawQuery); err != nil {
		return nil, err
	} else if len(params) > 0 {
		return nil, Unsupported("the parameter %s of a function is not supported; it answers with all that it has, and its arguments are in the body", short(params[0].key))
	}
	args := map[string]jsontext.Value{}
	if len(bytes.TrimSpace(body)) == 0 {
		return args, nil
	}
	if err := checkDepth(body); err != nil {
		return nil, err
	}
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if d.PeekKind() != '{' {
		return nil, badBody("Empty or invalid json")
	}
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() != '}' {
		var name jsontext.Token
		if name, err = d.ReadToken(); err != nil {
			break
		}
		if len(args) == MaxNames {
			return nil, tooMuch("a function has more than %d arguments", MaxNames)
		}
		key := name.String()
		var v jsontext.Value
		if v, err = d.ReadValue(); err == nil {
			end := d.InputOffset()
			args[key] = jsontext.Value(body[end-int64(len(v)) : end])
		}
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	if err != nil || len(bytes.TrimSpace(body[d.InputOffset():])) > 0 {
		return nil, badBody("Empty or invalid json")
	}
	return args, nil
}

// Limits of one request: far over what a client needs, and low enough that no
// request makes a statement that a database chokes on.
const (
	MaxQuery   = 512 << 10 // bytes of the query string
	MaxDepth   = 16        // of and/or in each other
	MaxFilters = 500       // comparisons in all
	MaxValues  = 10_000    // values of all comparisons; SQLite takes 32,766 parameters
	MaxOrder   = 20        // columns to order by
	MaxNames   = 300       // columns that a write names
	MaxRows    = 10_000    // of one insert
	MaxJSON    = 500       // arrays and objects of a body in each other; SQLite reads 1000
	MaxOffset  = 1_000_000 // rows that are passed over; a filter by the key leads further
)
