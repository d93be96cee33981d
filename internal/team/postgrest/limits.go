package postgrest

// Limits of one request: far over what a client needs, and low enough that no
// request makes a statement that a database chokes on.
const (
	MaxQuery   = 512 << 10 // bytes of the query string
	MaxDepth   = 16        // of and/or in each other
	MaxFilters = 500       // comparisons in all
	MaxList    = 5000      // values of one list
	MaxItems   = 300       // columns that are shown, ordered by, written
	MaxEmbeds  = 12        // tables embedded in all
	MaxNesting = 5         // tables embedded in each other
	MaxRows    = 10000     // of one insert
	MaxKeys    = 32        // steps into a JSON column
	MaxJSON    = 500       // arrays and objects of a body in each other; SQLite reads 1000
)
