package rows

import (
	"encoding/json"
	"strings"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/test/dbtest"
)

// TestValuesHaveLimits: no text of any table that members may write is longer
// than its column takes, by a request or, on PostgreSQL, past this package.
func TestValuesHaveLimits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "a")
		me := dbtest.Member(t, d, team, "owner")
		for _, tab := range table.All() {
			first := rowOf(tab.Name, "40000000-0000-4000-8000-000000000001")
			if first == "" || tab.Insert == table.Nobody {
				continue
			}
			for i := range tab.Columns {
				c := &tab.Columns[i]
				most := c.Limit()
				if most == 0 || c.Hidden {
					continue
				}
				text := strings.Repeat("x", most+1)
				var row map[string]any
				if err := json.Unmarshal([]byte(strings.Replace(first, "%T", team.String(), 1)), &row); err != nil {
					t.Fatal(err)
				}
				row[c.Name] = map[table.Type]any{table.Text: text, table.JSON: map[string]any{"a": text}, table.TextArray: []string{text}}[c.Type]
				body, err := json.Marshal(row)
				if err != nil {
					t.Fatal(err)
				}
				_, err = insert(t, d, me, parsed(t, tab, string(body)))
				if e := Explain(err, me); e == nil || e.Status != 400 || e.Code != "22001" {
					t.Errorf("%s of %s too long: %v, want 400 22001", c.Name, tab.Name, err)
				}
				if d.Dialect() != db.PostgreSQL || strings.HasPrefix(tab.Name, "team_") || tab.Name == "eval_payloads" || c.Name == "triage_type" || tab.Name == "eval_runs" && (c.Name == "scope" || c.Name == "judge_tier" || c.Name == "ingest_key") {
					continue // those have checks of their own
				}
				if c.Type != table.Text {
					text = strings.Repeat("x", 2*most)
				}
				err = d.Update(ctx, me, func(tx *db.Tx) error {
					_, err := tx.Exec(ctx, `insert into public.`+tab.Name+` (team_id, `+c.Name+`) values (?, `+map[table.Type]string{
						table.Text: "?::text", table.JSON: "to_jsonb(?::text)", table.TextArray: "array[?::text]"}[c.Type]+`)`, team, text)
					return err
				})
				if err == nil || !strings.Contains(err.Error(), "22001") {
					t.Errorf("%s of %s past the limit: %v", c.Name, tab.Name, err)
				}
			}
		}
	})
}

func parsed(t *testing.T, tab *table.Table, body string) *postgrest.Write {
	t.Helper()
	w, e := postgrest.ParseInsert(tab, "", []byte(body), postgrest.Preferences{})
	if e != nil {
		t.Fatalf("%s: %v", tab.Name, e)
	}
	return w
}
