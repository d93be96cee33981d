package rest

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
)

// An answer is rows as JSON objects in order, how many there are in all (-1:
// not asked) and how many a write changed.
type answer struct {
	Rows     []jsontext.Value
	Total    int64
	Affected int64
}

// A rowStore reads and writes rows of the registry's tables as somebody; db/rows is one.
type rowStore interface {
	Select(ctx context.Context, tx *db.Tx, as db.Identity, q *postgrest.Query, count bool) (*answer, error)
	Insert(ctx context.Context, tx *db.Tx, as db.Identity, w *postgrest.Write, returning bool) (*answer, error)
	Update(ctx context.Context, tx *db.Tx, as db.Identity, w *postgrest.Write, returning bool) (*answer, error)
	Delete(ctx context.Context, tx *db.Tx, as db.Identity, q *postgrest.Query, returning bool) (*answer, error)
	Call(ctx context.Context, tx *db.Tx, as db.Identity, name string, args map[string]jsontext.Value) (jsontext.Value, error)
	Functions() []postgrest.Function
	Explain(err error, as db.Identity) *postgrest.Error
}
