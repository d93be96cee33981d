package rows

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// TestSpend: what comes for the same place takes the place of what was there and is
// pulled again; nobody changes another's; no text has room for a sentence; a token
// of CI that is for a repository stays there.
func TestSpend(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		ada, bob := dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, team, "member")
		n := 0
		put := func(as db.Identity, more string) error {
			t.Helper()
			n++
			of := map[string]any{"team_id": "%T", "ingest_key": fmt.Sprint("key-", n), "repo_slug": "acme/app", "day": "2026-11-20", "source": "ledger",
				"hostname": "", "agent": "claude", "session": "s-1", "branch": "main", "commit_sha": "", "pull_request": 0, "model": "m", "requests": 2}
			if err := json.Unmarshal([]byte("{"+more+"}"), &of); err != nil {
				t.Fatal(err)
			}
			row, _ := json.Marshal(of)
			w := write(t, "spend_days", team, string(row))
			w.Resolution, w.OnConflict = merge, table.SpendPlace
			_, err := insert(t, d, as, w)
			return err
		}
		sum := func(what string) int {
			return dbtest.Count(t, d, `select coalesce(sum(`+what+`), 0) from spend_days where team_id = ?`, team)
		}
		came := func() int {
			q := `select created_at from spend_days where team_id = ? and user_id = ?`
			if d.Dialect() == db.PostgreSQL {
				q = `select cast(extract(epoch from created_at) * 1000000 as bigint) from spend_days where team_id = ? and user_id = ?`
			}
			return dbtest.Count(t, d, q, team, ada.User)
		}
		if err := put(ada, `"usd_micros":700`); err != nil {
			t.Fatal(err)
		}
		first := came()
		if err := put(ada, `"usd_micros":900`); err != nil {
			t.Fatal(err)
		}
		if got := sum("usd_micros"); got != 900 {
			t.Errorf("%d after the same place came again, want 900", got)
		}
		if came() <= first {
			t.Error("a changed row is not pulled again")
		}
		if err := put(bob, `"usd_micros":50`); err != nil || sum("usd_micros") != 950 {
			t.Errorf("another person's: %d, %v", sum("usd_micros"), err)
		}
		for _, bad := range []string{`"model":"fix the bug"`, `"agent":"a\nb"`, `"session":"a b"`, `"branch":"a b"`, `"hostname":"a b"`, `"phase":"é"`, `"repo_slug":"a\nb"`,
			`"source":"guess"`, `"output_tokens":-1`, `"unpriced":3`, `"model":"` + strings.Repeat("m", 201) + `"`} {
			if err := put(ada, bad); err == nil {
				t.Errorf("%s is taken", bad)
			}
		}
		bot := dbtest.Member(t, d, team, "ci")
		bot.Team, bot.Scopes, bot.Repo = team, []string{wire.ScopeIngest, wire.ScopeRead}, "acme/app"
		in := func(repo string) error {
			n++
			_, err := insert(t, d, bot, write(t, "spend_days", team, fmt.Sprintf(`{"team_id":"%%T","ingest_key":"key-%d","repo_slug":%q,"day":"2026-11-20","source":"ledger"}`, n, repo)))
			return err
		}
		if err := in("acme/app"); err != nil {
			t.Errorf("a token of CI: %v", err)
		}
		if in("acme/other") == nil {
			t.Error("a token of CI of one repository writes for another")
		}
	})
}
