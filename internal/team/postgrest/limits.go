package postgrest

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
