package herald

import (
	"slices"
	"strings"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/quality"
	"cairn/test/dbtest"
)

// A message of an alert says since when and by which cases, as the pages do; of
// a branch, whose runs the pages do not follow, it does not.
func TestSince(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		dbtest.Exec(t, d, `update auth.users set email = 'ada@example.com' where id = ?`, w.as.User)
		hook := receive(t)
		w.channel("webhook", hook.URL+"/hook")
		w.quiet()
		w.push("main", 9)
		w.round()
		w.push("main", 9)
		w.round()
		w.push("feature", 40)
		w.round()
		got := hook.got()
		if len(got) != 2 {
			t.Fatalf("%d messages: %s", len(got), got)
		}
		slices.SortFunc(got, func(a, b string) int {
			return strings.Compare(a[strings.Index(a, `"branch"`):], b[strings.Index(b, `"branch"`):])
		})
		if strings.Contains(got[0], "Since when") || strings.Contains(got[0], `"since"`) {
			t.Errorf("of a branch: %s", got[0])
		}
		var found quality.Found
		err := d.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
			found, err = quality.Of(ctx, tx, w.team, w.at)
			return err
		})
		if err != nil || len(found.Changes) != 1 || found.Changes[0].Cases != cases || len(found.Changes[0].Moved) != 8 || found.Suites[0].Unread {
			t.Fatalf("%+v, %v", found, err)
		}
		for _, want := range []string{"Since when", `"shown":true`, `"by":"ada"`, "98 % → 82 %, p = 0.02, by ada", "case 1, case 2, case 3, case 4, case 5, case 6, case 7, case 8"} {
			if !strings.Contains(got[1], want) {
				t.Errorf("no %s in %s", want, got[1])
			}
		}
		if c := found.Changes[0]; c.Last.Failed != 1 || c.First.Failed != 9 || c.Suite != "posts" || !c.Fell() {
			t.Errorf("%+v", c)
		}
	})
}
