package herald

import (
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/db/quota"
	"cairn/test/dbtest"
)

// A team that has had as many messages sent as it may waits for the next day, says
// so, and loses none; nobody else's messages wait behind its own.
func TestMessagesADay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		r := receive(t)
		put := func(w *world, n int) {
			channel := w.channel("webhook", r.URL+"/a-secret-path")
			for range n {
				w.n++
				dbtest.Exec(t, d, `insert into deliveries (team_id, channel_id, event, message) values (?, ?, ?, '{}')`, w.team, channel, time.Now().String())
			}
		}
		put(w, 30)
		err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error { return quota.Set(ctx, tx, w.team, quota.Limits{quota.Messages: 7}) })
		if err != nil {
			t.Fatal(err)
		}
		other := &world{t: t, d: d, team: dbtest.Team(t, d, "other"), h: w.h}
		put(other, 5)
		if done := w.round(); done.Sent != 12 {
			t.Fatalf("%+v, want 7 of one team and 5 of the other", done)
		}
		if n := dbtest.Count(t, d, `select count(*) from deliveries where team_id = ? and sent_at is null and failed_at is null and error = ?`, w.team, notice.TooMany); n != 23 {
			t.Errorf("%d messages wait and say why, want 23", n)
		}
		if done := w.round(); done != (Done{}) {
			t.Errorf("on the same day: %+v", done)
		}
		w.h.Now = func() time.Time { return time.Now().Add(25 * time.Hour) }
		dbtest.Exec(t, d, `delete from cairn.team_messages`) // the counter's clock is the database's
		if done := w.round(); done.Sent != 7 {
			t.Errorf("on the next day: %+v", done)
		}
	})
}
