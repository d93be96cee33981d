package herald

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/alert"
	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/message"
	"cairn/internal/team/notify"
)

// tell keeps an alert and writes what is said of it: that it fires to every
// channel for alerts, that it is over to those that heard the first.
func (h *Herald) tell(ctx context.Context, tx *db.Tx, team uuid.UUID, a *alert.Alert, news alert.News, now time.Time, done *Done) {
	event := "alert:" + a.ID.String()
	var to []notice.Channel
	due := now
	switch news {
	case alert.NewFiring:
		done.Fired++
		last := must.Get(notice.LastFired(ctx, tx, team, a.Series))
		if last != nil && last.Add(alert.CoolDown).After(now) {
			due = last.Add(alert.CoolDown) // it is sent if it still fires then
		}
		to = slices.DeleteFunc(must.Get(notice.Channels(ctx, tx, team)), func(c notice.Channel) bool { return !c.Alerts })
		event += ":firing"
	case alert.NewResolved:
		done.Resolved++
		to = must.Get(notice.Told(ctx, tx, team, event+":firing"))
		event += ":resolved"
	}
	must.OK(notice.Save(ctx, tx, team, a))
	if len(to) == 0 {
		return
	}
	slug := must.Get(notice.Slug(ctx, tx, team))
	m := must.Get(a.Message(slug, now))
	if h.URL != "" {
		m.Link = h.URL + "/t/" + slug + "/"
	}
	for _, c := range to {
		put(ctx, tx, c, event, m, due)
	}
}

// put writes a message for a channel, unless it was written before.
func put(ctx context.Context, tx *db.Tx, c notice.Channel, event string, m message.Message, due time.Time) (written bool) {
	return must.Get(notice.Put(ctx, tx, c, event, must.Get(notify.Body(c.Kind, m)), due))
}

// tests writes a message for each channel that somebody wants to try.
func (h *Herald) tests(ctx context.Context) error {
	var asked []notice.Channel
	err := h.view(ctx, func(tx *db.Tx) { asked = must.Get(notice.Tried(ctx, tx)) })
	if err != nil || len(asked) == 0 {
		return err
	}
	return h.update(ctx, func(tx *db.Tx) {
		for _, c := range asked {
			slug := must.Get(notice.Slug(ctx, tx, c.Team))
			m := message.Message{Event: "test", At: h.now(), Team: slug, Title: "A message to try the channel " + c.Name,
				Text: "Alerts and digests of the team " + slug + " come here.", Data: []byte("{}")}
			put(ctx, tx, c, TestEvent(*c.TestAt), m, h.now())
			must.OK(notice.Answered(ctx, tx, c))
		}
	})
}

// TestEvent is the event of a message that was asked for at a time.
func TestEvent(at time.Time) string { return "test:" + at.UTC().Format("2006-01-02T15:04:05.000000Z") }
