package herald

import (
	"context"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/digest"
	"cairn/internal/team/message"
	"cairn/internal/team/notify"
)

// Digest writes the digest of every team, or of one, that is due and was not
// written yet, and returns how many messages that were. It is for the channels
// that were there when it was due.
func (h *Herald) Digest(ctx context.Context, only uuid.UUID) (written int, err error) {
	var teams []notice.Settings
	err = h.DB.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
		teams, err = notice.AllSettings(ctx, tx, only)
		return err
	})
	for _, s := range teams {
		week, due := digest.Due(s, h.now())
		if !due {
			continue
		}
		n, err := h.digest(ctx, s, week, func(c notice.Channel) bool { return !c.Made.After(week.Due) })
		if err != nil {
			return written, err
		}
		written += n
	}
	return written, err
}

// digest writes one team's digest for the channels that lack it.
func (h *Herald) digest(ctx context.Context, s notice.Settings, week digest.Week, mayHave func(notice.Channel) bool) (written int, err error) {
	var to []notice.Channel
	var m message.Message
	err = h.DB.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		all, err := notice.Channels(ctx, tx, s.Team)
		if err != nil {
			return err
		}
		for _, c := range all {
			has, err := notice.Has(ctx, tx, c, week.Event())
			if err != nil {
				return err
			}
			if c.Digest && !has && mayHave(c) {
				to = append(to, c)
			}
		}
		if len(to) == 0 {
			return nil
		}
		m, err = h.compose(ctx, tx, s, week)
		return err
	})
	if err != nil || len(to) == 0 {
		return 0, err
	}
	err = h.DB.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		written = 0
		for _, c := range to {
			body, err := notify.Body(c.Kind, m)
			if err != nil {
				return err
			}
			new, err := notice.Put(ctx, tx, c, week.Event(), body, h.now())
			if err != nil {
				return err
			}
			if new {
				written++
			}
		}
		return nil
	})
	return written, err
}

func (h *Herald) compose(ctx context.Context, tx *db.Tx, s notice.Settings, week digest.Week) (message.Message, error) {
	r, err := digest.Gather(ctx, tx, s, week)
	if err != nil {
		return message.Message{}, err
	}
	m, err := r.Message(h.now())
	if h.URL != "" {
		m.Link = h.URL + "/t/" + s.Slug + "/"
	}
	return m, err
}

// Preview is the digest of the seven days before today, as it would be told now.
func (h *Herald) Preview(ctx context.Context, team uuid.UUID) (m message.Message, err error) {
	err = h.DB.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		all, err := notice.AllSettings(ctx, tx, team)
		if err != nil || len(all) == 0 {
			return err
		}
		m, err = h.compose(ctx, tx, all[0], digest.Last(all[0], h.now()))
		return err
	})
	return m, err
}
