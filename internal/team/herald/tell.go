package herald

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/alert"
	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/message"
	"cairn/internal/team/notify"
)

// tell keeps an alert and writes what is said of it: that it fires to every
// channel for alerts, that it is over to those that heard the first.
func (h *Herald) tell(ctx context.Context, tx *db.Tx, team uuid.UUID, a *alert.Alert, news alert.News, now time.Time, done *Done) error {
	event := "alert:" + a.ID.String()
	var to []notice.Channel
	due := now
	switch news {
	case alert.NewFiring:
		done.Fired++
		last, err := notice.LastFired(ctx, tx, team, a.Series)
		if err != nil {
			return err
		}
		if last != nil && last.Add(alert.CoolDown).After(now) {
			due = last.Add(alert.CoolDown) // it is sent if it still fires then
		}
		if to, err = alertChannels(ctx, tx, team); err != nil {
			return err
		}
		event += ":firing"
	case alert.NewResolved:
		done.Resolved++
		var err error
		if to, err = notice.Told(ctx, tx, team, event+":firing"); err != nil {
			return err
		}
		event += ":resolved"
	}
	if err := notice.Save(ctx, tx, team, a); err != nil || len(to) == 0 {
		return err
	}
	slug, err := notice.Slug(ctx, tx, team)
	if err != nil {
		return err
	}
	m, err := a.Message(slug, now)
	if err != nil {
		return err
	}
	if h.URL != "" {
		m.Link = h.URL + "/t/" + slug + "/"
	}
	for _, c := range to {
		if err := put(ctx, tx, c, event, m, due); err != nil {
			return err
		}
	}
	return nil
}

func alertChannels(ctx context.Context, tx *db.Tx, team uuid.UUID) (some []notice.Channel, err error) {
	all, err := notice.Channels(ctx, tx, team)
	for _, c := range all {
		if c.Alerts {
			some = append(some, c)
		}
	}
	return some, err
}

func put(ctx context.Context, tx *db.Tx, c notice.Channel, event string, m message.Message, due time.Time) error {
	body, err := notify.Body(c.Kind, m)
	if err != nil {
		return err
	}
	_, err = notice.Put(ctx, tx, c, event, body, due)
	return err
}

// tests writes a message for each channel that somebody wants to try.
func (h *Herald) tests(ctx context.Context) error {
	var asked []notice.Channel
	err := h.DB.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
		asked, err = notice.Tried(ctx, tx)
		return err
	})
	if err != nil || len(asked) == 0 {
		return err
	}
	return h.DB.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		for _, c := range asked {
			slug, err := notice.Slug(ctx, tx, c.Team)
			if err != nil {
				return err
			}
			m := message.Message{Event: "test", At: h.now(), Team: slug, Title: "A message to try the channel " + c.Name,
				Text: "Alerts and digests of the team " + slug + " come here.", Data: []byte("{}")}
			if err := put(ctx, tx, c, TestEvent(*c.TestAt), m, h.now()); err != nil {
				return err
			}
			if err := notice.Answered(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestEvent is the event of a message that was asked for at a time.
func TestEvent(at time.Time) string { return "test:" + at.UTC().Format("2006-01-02T15:04:05.000000Z") }
