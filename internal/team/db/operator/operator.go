// Package operator is what PostgreSQL's operators do, for SQLite, which lacks
// them: patterns, regular expressions, what is inside of JSON, lists and text
// search. Package db registers it with the driver; db/rows checks patterns with
// it before a statement runs, so that no function here has to fail.
//
// JSON is kept in one form (see [Canonical]), lists of texts are JSON arrays of
// strings and nulls. No SQL statement and no knowledge of tables belongs here.
package operator

import (
	"database/sql/driver"
	"errors"
	"sync"

	"modernc.org/sqlite"
)

// Register makes the functions and collations known to connections that are
// opened after it. Only the first call does something.

var (
	once       sync.Once
	registered error
)

func Register() error {
	once.Do(func() {
		registered = errors.Join(
			function("cairn_like", 3, func(a []string) any { return like(a[0], a[1], a[2] == "i") }),
			function("cairn_match", 3, func(a []string) any { return match(a[0], a[1], a[2] == "i") }),
			function("cairn_get", 3, func(a []string) any { return get(a[0], a[1], a[2] == "text") }),
			function("cairn_json_contains", 2, func(a []string) any { return contains(a[0], a[1]) }),
			function("cairn_list_contains", 2, func(a []string) any { return listContains(a[0], a[1]) }),
			function("cairn_list_overlaps", 2, func(a []string) any { return listOverlaps(a[0], a[1]) }),
			function("cairn_search", 4, func(a []string) any { return search(a[0], a[1], a[2], a[3]) }),
			sqlite.RegisterCollationUtf8("cairn_json", compareText),
			sqlite.RegisterCollationUtf8("cairn_list", compareLists),
		)
	})
	return registered
}

// function registers one that is null when an argument is.
func function(name string, n int32, fn func([]string) any) error {
	return sqlite.RegisterDeterministicScalarFunction(name, n, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		texts := make([]string, len(args))
		for i, a := range args {
			switch v := a.(type) {
			case string:
				texts[i] = v
			case []byte:
				texts[i] = string(v)
			default:
				return nil, nil // null, and nothing else is given to them
			}
		}
		switch v := fn(texts).(type) {
		case bool:
			if v {
				return int64(1), nil
			}
			return int64(0), nil
		case string:
			return v, nil
		}
		return nil, nil
	})
}
