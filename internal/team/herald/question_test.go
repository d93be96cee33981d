package herald

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/notify"
	"cairn/test/dbtest"
)

// A postbox takes every mail.
type postbox struct {
	mu    sync.Mutex
	mails []mail
}

type mail struct{ to, subject, text string }

func (p *postbox) Deliver(_ context.Context, to, subject, text, _ string) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mails = append(p.mails, mail{to, subject, text})
	return false, nil
}

func (p *postbox) took() []mail {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.mails
	p.mails = nil
	return out
}

// token is the one in the link of a question.
func (m mail) token(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(`https://cairn\.test/mail/confirm\?token=(\S+)`).FindStringSubmatch(m.text)
	if found == nil {
		t.Fatalf("no link in %q", m.text)
	}
	token, err := url.QueryUnescape(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func withMail(t *testing.T, d *db.DB) (*world, *postbox, *time.Time) {
	w, box, now := build(t, d), &postbox{}, time.Now().Add(time.Minute).Truncate(time.Second)
	w.h.Sender = notify.New(notify.Config{Mailer: box})
	w.h.Now = func() time.Time { return now }
	return w, box, &now
}

// try asks for a message to try a channel, as anybody in the team can often.
func (w *world) try(channel uuid.UUID, at time.Time) {
	dbtest.Exec(w.t, w.d, `update team_channels set test_at = ? where id = ?`, at, channel)
}

// Nothing but the question goes to an address that has not confirmed it.
func TestReceiverConfirms(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, box, now := withMail(t, d)
		channel := w.channel("mail", "Ops@Example.com")
		dbtest.Exec(t, d, `update team_channels set name = 'BUY NOW https://spam.example' where id = ?`, channel)
		w.quiet()
		w.push("main", 40)
		w.try(channel, *now)
		w.round()
		got := box.took()
		if len(got) != 1 || got[0].to != "Ops@Example.com" || strings.Contains(got[0].subject+got[0].text, "BUY") {
			t.Fatalf("%+v", got)
		}
		if n := w.count(`select count(*) from deliveries where sent_at is null and failed_at is null and error = '` + notice.Unconfirmed + `'`); n != 2 {
			t.Errorf("%d messages say that they wait; want the alert and the test", n)
		}
		if n := w.count(`select count(*) from deliveries where cast(message as text) like '%token%'`); n != 0 {
			t.Error("an admin can read the link")
		}
		for range 5 { // again and again, also as a channel of its own
			w.try(channel, *now)
			w.round()
		}
		dbtest.Exec(t, d, `delete from team_channels where id = ?`, channel)
		channel = w.channel("mail", "ops@example.com")
		w.try(channel, *now)
		w.round()
		if more := box.took(); len(more) != 0 {
			t.Fatalf("asked again: %+v", more)
		}
		r, err := notice.Answer(ctx, d, got[0].token(t), true, *now)
		if err != nil || r.Address != "ops@example.com" || r.Team != "acme" {
			t.Fatalf("%+v, %v", r, err)
		}
		w.round()
		if sent := box.took(); len(sent) != 1 || !strings.Contains(sent[0].subject, "A message to try") {
			t.Errorf("after it was confirmed: %+v", sent)
		}
	})
}

// A no is for every team of the server, and the same link can take it back.
func TestReceiverRefuses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, box, now := withMail(t, d)
		channel := w.channel("mail", "ops@example.com")
		w.round()
		token := box.took()[0].token(t)
		if _, err := notice.Answer(ctx, d, token, false, *now); err != nil {
			t.Fatal(err)
		}
		w.try(channel, *now)
		w.round()
		if n := w.count(`select count(*) from deliveries where failed_at is not null and error = '` + notice.Refused + `'`); n != 1 || len(box.took()) != 0 {
			t.Errorf("%d given up", n)
		}
		other := dbtest.Team(t, d, "other")
		dbtest.Exec(t, d, `insert into team_channels (team_id, id, kind, name, target) values (?, ?, 'mail', 'x', 'OPS@example.com')`, other, uuid.New())
		*now = now.Add(48 * time.Hour)
		w.round()
		if got := box.took(); len(got) != 0 {
			t.Errorf("another team asks: %+v", got)
		}
		if _, err := notice.Answer(ctx, d, token, true, *now); err != nil {
			t.Fatal(err)
		}
		w.try(channel, *now)
		w.round()
		if got := box.took(); len(got) != 2 { // the test, and the other team's question
			t.Errorf("after a yes: %+v", got)
		}
		if _, err := notice.Answer(ctx, d, "", true, *now); err == nil {
			t.Error("no token is one")
		}
	})
}

// At most five questions a team and hour, three an address and day.
func TestFewQuestions(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, box, now := withMail(t, d)
		for i := range 12 {
			w.try(w.channel("mail", fmt.Sprintf("stranger%d@example.com", i)), *now)
		}
		for _, hour := range []int{5, 5, 2, 0} {
			w.round()
			w.round()
			if got := box.took(); len(got) != hour {
				t.Errorf("%d mails in an hour, want %d", len(got), hour)
			}
			*now = now.Add(61 * time.Minute)
		}
		for i := range 5 {
			team := dbtest.Team(t, d, fmt.Sprint("team", i))
			dbtest.Exec(t, d, `insert into team_channels (team_id, id, kind, name, target) values (?, ?, 'mail', 'x', 'victim@example.com')`, team, uuid.New())
		}
		w.round()
		if got := box.took(); len(got) != 3 {
			t.Errorf("%d questions of five teams to one address", len(got))
		}
		*now = now.Add(8 * 24 * time.Hour)
		w.round()
		if n := w.count(`select count(*) from deliveries where event like 'test:%' and failed_at is null`); n != 0 {
			t.Errorf("%d messages wait for an answer after a week", n)
		}
	})
}

// Deleting a team and making another does not let anybody ask an address again
// that has refused, or more often than thrice a day.
func TestAskedByTeamsThatAreGone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, box, now := withMail(t, d)
		ask := func(slug, address string) (asked []mail) {
			team := dbtest.Team(t, d, slug)
			dbtest.Exec(t, d, `insert into team_channels (team_id, id, kind, name, target) values (?, ?, 'mail', 'x', ?)`, team, uuid.New(), address)
			w.round()
			asked = box.took()
			if len(asked) == 1 && address == "Ops@example.com" {
				if _, err := notice.Answer(ctx, d, asked[0].token(t), false, *now); err != nil {
					t.Fatal(err)
				}
			}
			dbtest.Exec(t, d, `delete from teams where id = ?`, team)
			return asked
		}
		for i, want := range [...]int{1, 1, 1, 0, 0} {
			if got := ask(fmt.Sprint("few", i), "victim@example.com"); len(got) != want {
				t.Errorf("question %d to one address: %d were sent, want %d", i, len(got), want)
			}
		}
		if got := ask("first", "Ops@example.com"); len(got) != 1 {
			t.Fatalf("%d questions", len(got))
		}
		*now = now.Add(48 * time.Hour)
		if _, err := notice.Sweep(ctx, d, *now, time.Hour); err != nil {
			t.Fatal(err)
		}
		if got := ask("second", "ops@example.com"); len(got) != 0 {
			t.Errorf("who refused is asked by another team: %+v", got)
		}
		if got := ask("few9", "victim@example.com"); len(got) != 1 {
			t.Errorf("two days later: %d", len(got))
		}
	})
}

// Nobody answers to a link of a Supabase project: the question has a line to
// hand on, and its token confirms.
func TestQuestionWithoutPages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, box, now := withMail(t, d)
		w.h.URL = ""
		channel := w.channel("mail", "ops@example.com")
		w.try(channel, *now)
		w.round()
		got := box.took()
		if len(got) != 1 || strings.Contains(got[0].text, "http") {
			t.Fatalf("%+v", got)
		}
		found := regexp.MustCompile(`cairn team alerts confirm (\S+)`).FindStringSubmatch(got[0].text)
		if found == nil {
			t.Fatalf("no line to hand on in %q", got[0].text)
		}
		if r, err := notice.Answer(ctx, d, found[1], true, *now); err != nil || r.Address != "ops@example.com" || r.Team != "acme" {
			t.Errorf("%+v, %v", r, err)
		}
	})
}
