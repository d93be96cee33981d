package rows

import (
	"bytes"
	"context"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
)

// Labels are what members say of answers, read and written as their own requests
// to the table would do it.
type Labels struct{ DB *db.DB }

// Of returns the labels that of's query selects, the oldest of each case first.
func (l Labels) Of(ctx context.Context, as db.Identity, of wire.EvalLabel) (list []wire.EvalLabel, err error) {
	params := of.Query()
	params.Set("order", "case_id,criterion,created_at,user_id")
	q, bad := postgrest.ParseQuery(table.Find(wire.EvalLabels), params.Encode())
	if bad != nil {
		return nil, bad
	}
	a := NewAnswer(Most)
	defer a.Free()
	err = l.DB.View(ctx, as, func(tx *db.Tx) error { return Select(ctx, tx, as, q, false, a) })
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.WriteByte('[')
	if _, err = a.WriteTo(&text); err == nil {
		text.WriteByte(']')
		err = json.Unmarshal(text.Bytes(), &list)
	}
	return list, err
}

// Set gives or changes the label of whoever asks; gone takes it back. What the
// database refuses is a *postgrest.Error.
func (l Labels) Set(ctx context.Context, as db.Identity, label wire.EvalLabel, gone bool) error {
	label.User = as.User
	err := l.DB.Update(ctx, as, func(tx *db.Tx) error {
		if gone {
			q, bad := postgrest.ParseDelete(table.Find(wire.EvalLabels), label.Query().Encode())
			if bad != nil {
				return bad
			}
			return Delete(ctx, tx, as, q, false, NewAnswer(0))
		}
		body, err := json.Marshal(label)
		if err != nil {
			return err
		}
		w, bad := postgrest.ParseInsert(table.Find(wire.EvalLabels), wire.UpsertLabel, body, postgrest.Preferences{Resolution: merge})
		if bad != nil {
			return bad
		}
		return Insert(ctx, tx, as, w, false, NewAnswer(0))
	})
	if bad := Explain(err, as); bad != nil {
		return bad
	}
	return nil
}
