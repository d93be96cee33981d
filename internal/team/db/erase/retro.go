package erase

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// retroPage is how many retrospectives are read at a time.
const retroPage = 200

// retros renames the person among the authors of retrospectives.
func (p person) retros(ctx context.Context, d *db.DB) error {
	var team, id uuid.UUID
	for {
		n := 0
		err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
			page, err := readRetros(ctx, tx, team, id)
			if err != nil {
				return err
			}
			n = len(page)
			for _, r := range page {
				team, id = r.team, r.id
				changed, ok := p.without(r.authors)
				if !ok {
					continue
				}
				if _, err := tx.Exec(ctx, `update retro_snapshots set authors = ? where team_id = ? and id = ?`, changed, r.team, r.id); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || n < retroPage {
			return err
		}
	}
}

type retro struct {
	team, id uuid.UUID
	authors  string
}

func readRetros(ctx context.Context, tx *db.Tx, team, id uuid.UUID) (out []retro, err error) {
	return db.List(ctx, tx, `select team_id, id, cast(authors as text) from retro_snapshots where (team_id, id) > (?, ?) order by team_id, id limit ?`, []any{team, id, retroPage}, func(r *retro) []any { return []any{&r.team, &r.id, &r.authors} })
}

// without returns the authors of a retrospective, by name, with another name for
// the person; ok is false where the person is none of them.
func (p person) without(text string) (changed string, ok bool) {
	var authors map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &authors) != nil {
		return "", false
	}
	out := map[string]json.RawMessage{}
	for name, v := range authors {
		var of map[string]json.RawMessage
		var email string
		if json.Unmarshal(v, &of) == nil {
			_ = json.Unmarshal(of["email"], &email) // what is no text is no address
		}
		if !strings.EqualFold(email, p.email) && !strings.EqualFold(name, p.email) && !slices.Contains(p.names, name) {
			out[name] = v
			continue
		}
		ok = true
		if of != nil {
			delete(of, "email")
			v, _ = json.Marshal(of) // it was read from JSON
		}
		out[p.as(name)] = v
	}
	data, _ := json.Marshal(out)
	return string(data), ok
}
