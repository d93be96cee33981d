package admin

import (
	"context"
	"encoding/json"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// A team's limits and use are for its owners and admins, by the endpoint and, on
// PostgreSQL, by the tables.
func TestQuotaIsForAdmins(t *testing.T) {
	each(t, func(w *world) {
		dbtest.Exec(w.t, w.db, `insert into cairn.team_quotas (team_id, max_rows) values (?, 7)`, w.team)
		for who, want := range map[string]int{"owner": 200, "admin": 200, "member": 403, "other": 404, "ci": 403, "anon": 401, "service_role": 403, "nobody": 401} {
			got := w.ask(who, "GET", wire.Teams+"one/quota", "")
			if got.Code != want {
				w.t.Errorf("%s: %d %s, want %d", who, got.Code, got.Body, want)
			}
			var list []wire.Quota
			if want == 200 && (json.Unmarshal(got.Body.Bytes(), &list) != nil || len(list) != 5 || list[0] != wire.Quota{Kind: "rows", Limit: 7, Own: true}) {
				w.t.Errorf("%s: %s", who, got.Body)
			}
		}
		if w.db.Dialect() == db.SQLite { // no request can name the tables
			return
		}
		for who, want := range map[string]int{"owner": 1, "admin": 1, "member": 0, "other": 0} {
			var n int
			err := w.db.View(context.Background(), dbtest.Person(w.people[who]), func(tx *db.Tx) error {
				return tx.QueryRow(context.Background(), `select count(*) from cairn.team_quotas`).Scan(&n)
			})
			if err != nil || n != want {
				w.t.Errorf("%s sees %d rows: %v", who, n, err)
			}
		}
		for _, q := range []string{`update cairn.team_quotas set max_rows = 0`, `insert into cairn.quota_defaults default values`, `delete from cairn.team_usage`, `select cairn.count_team(null)`, `select cairn.add_usage(null, '', -1, 0)`} {
			err := w.db.Update(context.Background(), dbtest.Person(w.people["owner"]), func(tx *db.Tx) error {
				_, err := tx.Exec(context.Background(), q)
				return err
			})
			if err == nil {
				w.t.Errorf("an owner may %s", q)
			}
		}
	})
}
