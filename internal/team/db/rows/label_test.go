package rows

import (
	"fmt"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// A label is its author's: others read it, admins may delete it, and no token of CI
// gives one. Given again it is changed, and then as old as the change.
func TestLabels(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		admin, ada, bob, bot := dbtest.Member(t, d, team, "admin"), dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, team, "ci")
		bot.Team, bot.Scopes = team, []string{wire.ScopeRead, wire.ScopeIngest}
		const run = "20000000-0000-4000-8000-000000000001"
		mustInsert(t, d, ada, write(t, "eval_runs", team, rowOf("eval_runs", run)))
		label := func(pass bool) *postgrest.Write {
			w := write(t, "eval_labels", team, fmt.Sprintf(`{"team_id":"%%T","run_id":%q,"case_id":7,"criterion":"*","pass":%t}`, run, pass))
			w.Resolution = merge
			return w
		}
		mustInsert(t, d, ada, label(true))
		mustInsert(t, d, bob, label(true))
		of := func(who db.Identity) postgrest.Filter {
			return on("eval_labels", "user_id", postgrest.Eq, who.User.String())
		}
		at := func() (out []string) {
			q := query("eval_labels", of(ada))
			q.Select = show("eval_labels", "pass", "created_at")
			for _, r := range mustSelect(t, d, bob, q).Rows {
				out = append(out, string(r))
			}
			return out
		}
		first := at()
		time.Sleep(2 * time.Millisecond)
		mustInsert(t, d, ada, label(false))
		if again := at(); len(first) != 1 || len(again) != 1 || again[0] == first[0] || again[0][:13] != `{"pass":false` || again[0][13:] == first[0][12:] {
			t.Errorf("first %v, changed %v", first, again)
		}
		same(t, mustSelect(t, d, bot, func() *postgrest.Query {
			q := query("eval_labels", of(bob))
			q.Select = show("eval_labels", "pass")
			return q
		}()).Rows, `[{"pass":true}]`)

		for _, resolution := range []string{merge, ""} {
			w := label(false)
			w.Resolution = resolution
			_, err := insert(t, d, bot, w)
			wants(t, err, bot, "403 42501 permission denied for table eval_labels")
		}
		forged := write(t, "eval_labels", team, fmt.Sprintf(`{"team_id":"%%T","run_id":%q,"case_id":7,"criterion":"*","pass":false,"user_id":%q}`, run, ada.User))
		forged.Resolution = merge
		_, err := insert(t, d, bob, forged)
		wants(t, err, bob, `403 42501 new row violates row-level security policy for table "eval_labels"`)
		set := write(t, "eval_labels", team, `{"pass":false}`)
		if a, err := update(d, ada, set, of(bob)); err != nil || a.Affected != 0 {
			t.Errorf("ada changed %d of bob's labels, %v", a.Affected, err)
		}
		if a, err := remove(d, ada, query("eval_labels", of(bob))); err != nil || a.Affected != 0 {
			t.Errorf("ada deleted %d of bob's labels, %v", a.Affected, err)
		}
		if a, err := remove(d, ada, query("eval_labels", of(ada))); err != nil || a.Affected != 1 {
			t.Errorf("ada took back %d of her labels, %v", a.Affected, err)
		}
		if a, err := remove(d, admin, query("eval_labels", of(bob))); err != nil || a.Affected != 1 {
			t.Errorf("an admin deleted %d of bob's labels, %v", a.Affected, err)
		}
		mustInsert(t, d, ada, label(true))
		dbtest.Exec(t, d, `delete from eval_runs where team_id = ?`, team)
		if n := dbtest.Count(t, d, `select count(*) from eval_labels where team_id = ?`, team); n != 0 {
			t.Errorf("%d labels are left of a run that was deleted", n)
		}
	})
}
