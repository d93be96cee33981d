package rest

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// A store reads and writes rows of the registry's tables as somebody; db/rows is one.
type store interface {
	Select(ctx context.Context, tx *db.Tx, as db.Identity, q *postgrest.Query, count bool) (*rows.Answer, error)
	Insert(ctx context.Context, tx *db.Tx, as db.Identity, w *postgrest.Write, returning bool) (*rows.Answer, error)
	Update(ctx context.Context, tx *db.Tx, as db.Identity, w *postgrest.Write, returning bool) (*rows.Answer, error)
	Delete(ctx context.Context, tx *db.Tx, as db.Identity, q *postgrest.Query, returning bool) (*rows.Answer, error)
	Call(ctx context.Context, tx *db.Tx, as db.Identity, name string, args map[string]jsontext.Value) (jsontext.Value, error)
	Push(ctx context.Context, d *db.DB, as db.Identity, name string, args map[string]jsontext.Value) (jsontext.Value, error)
}

// database is db/rows.
type database struct{}

func (database) Select(ctx context.Context, tx *db.Tx, as db.Identity, q *postgrest.Query, count bool) (*rows.Answer, error) {
	return rows.Select(ctx, tx, as, q, count)
}

func (database) Insert(ctx context.Context, tx *db.Tx, as db.Identity, w *postgrest.Write, returning bool) (*rows.Answer, error) {
	return rows.Insert(ctx, tx, as, w, returning)
}

func (database) Update(ctx context.Context, tx *db.Tx, as db.Identity, w *postgrest.Write, returning bool) (*rows.Answer, error) {
	return rows.Update(ctx, tx, as, w, returning)
}

func (database) Delete(ctx context.Context, tx *db.Tx, as db.Identity, q *postgrest.Query, returning bool) (*rows.Answer, error) {
	return rows.Delete(ctx, tx, as, q, returning)
}

func (database) Call(ctx context.Context, tx *db.Tx, as db.Identity, name string, args map[string]jsontext.Value) (jsontext.Value, error) {
	return rows.Call(ctx, tx, as, name, args)
}

func (database) Push(ctx context.Context, d *db.DB, as db.Identity, name string, args map[string]jsontext.Value) (jsontext.Value, error) {
	return rows.Push(ctx, d, as, name, args)
}

// Pushes have transactions of their own.
const pushRun, pushPart = rows.PushRun, rows.PushPart

// functions are what db/rows can call, in the words of requests.
func functions() []postgrest.Function {
	var list []postgrest.Function
	for _, f := range rows.Functions {
		to := postgrest.Function{Name: f.Name, Reads: !f.Volatile}
		for _, a := range f.Arguments {
			to.Arguments = append(to.Arguments, postgrest.Argument{Name: a.Name, Type: a.Type, Optional: !a.Required})
		}
		if f.Name == people.Name {
			to.Rows = &people
		}
		list = append(list, to)
	}
	return list
}

// people are the rows that team_people returns.
var people = table.Table{
	Name: "team_people",
	Columns: []table.Column{
		{Name: "user_id", Type: table.UUID}, {Name: "email", Type: table.Text}, {Name: "role", Type: table.Text}, {Name: "joined_at", Type: table.Timestamp},
	},
}
