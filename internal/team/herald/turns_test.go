package herald

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/test/dbtest"
)

// put writes messages to a channel of a team's own.
func (w *world) put(target string, n int, due time.Time) {
	channel := w.channel("webhook", target)
	for i := range n {
		dbtest.Exec(w.t, w.d, `insert into deliveries (team_id, channel_id, event, message, due_at) values (?, ?, ?, '{}', ?)`,
			w.team, channel, fmt.Sprint("test:", i), due.Add(time.Duration(i)*time.Millisecond))
	}
}

// A team with many messages, to receivers that do not answer, does not keep
// others' waiting: teams take turns.
func TestTeamsTakeTurns(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		now := time.Now()
		w.put("https://hole.example/", 60, now.Add(-time.Hour))
		other := &world{t: t, d: d, team: dbtest.Team(t, d, "other"), h: w.h}
		other.put("https://other.example/", 1, now.Add(-time.Second))
		some, err := notice.Claim(ctx, d, now, now.Add(lease), 2)
		if err != nil || len(some) != 2 || some[0].Team == some[1].Team {
			t.Errorf("%d messages are sent first, of %v: %v", len(some), some, err)
		}
		more, err := notice.Claim(ctx, d, now, now.Add(lease), 100)
		if err != nil || len(more) != 59 {
			t.Errorf("%d messages are left, want 59: %v", len(more), err)
		}
	})
}

// However much is due, a round ends: runs are judged meanwhile.
func TestRoundEnds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		r := receive(t)
		now := time.Now()
		w.put(r.URL+"/slow", 3*sideBySide, now.Add(-time.Hour))
		r.mu.Lock()
		slow := false
		r.answer = func(int, http.ResponseWriter) { slow = true }
		r.mu.Unlock()
		w.h.Now = func() time.Time { // a receiver lets half a minute go by
			r.mu.Lock()
			defer r.mu.Unlock()
			if slow {
				return now.Add(30 * time.Second)
			}
			return now
		}
		if done := w.round(); done.Sent != sideBySide {
			t.Errorf("the first round sent %d of %d messages", done.Sent, 48)
		}
	})
}

// Channels whose receivers may not be asked yet do not keep others' from being asked.
func TestQuestionsTakeTurns(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, box, now := withMail(t, d)
		for i := range 60 {
			w.channel("mail", fmt.Sprintf("p%d@example.com", i))
		}
		w.round()
		if asked := len(box.took()); asked != 5 {
			t.Fatalf("%d were asked, want 5 in an hour", asked)
		}
		*now = now.Add(time.Minute)
		other := &world{t: t, d: d, team: dbtest.Team(t, d, "other"), h: w.h}
		other.channel("mail", "ops@example.org")
		w.round()
		if asked := box.took(); len(asked) != 1 || asked[0].to != "ops@example.org" {
			t.Errorf("asked: %v", asked)
		}
	})
}
