package herald

import (
	"context"

	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/digest"
	"cairn/internal/team/message"
)

// Digest writes the digest of every team, or of one, that is due and was not
// written yet, and returns how many messages that were. It is for the channels
// that were there when it was due.
func (h *Herald) Digest(ctx context.Context, only uuid.UUID) (written int, err error) {
	var teams []notice.Settings
	err = h.view(ctx, func(tx *db.Tx) { teams = must.Get(notice.AllSettings(ctx, tx, only)) })
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
	err = h.view(ctx, func(tx *db.Tx) {
		for _, c := range must.Get(notice.Channels(ctx, tx, s.Team)) {
			if has := must.Get(notice.Has(ctx, tx, c, week.Event())); c.Digest && !has && mayHave(c) {
				to = append(to, c)
			}
		}
		if len(to) > 0 {
			m = h.compose(ctx, tx, s, week)
		}
	})
	if err != nil || len(to) == 0 {
		return 0, err
	}
	err = h.update(ctx, func(tx *db.Tx) {
		written = 0
		for _, c := range to {
			if put(ctx, tx, c, week.Event(), m, h.now()) {
				written++
			}
		}
	})
	return written, err
}

func (h *Herald) compose(ctx context.Context, tx *db.Tx, s notice.Settings, week digest.Week) message.Message {
	m := must.Get(must.Get(digest.Gather(ctx, tx, s, week)).Message(h.now()))
	if h.URL != "" {
		m.Link = h.URL + "/t/" + s.Slug + "/"
	}
	return m
}

// Preview is the digest of the seven days before today, as it would be told now.
func (h *Herald) Preview(ctx context.Context, team uuid.UUID) (m message.Message, err error) {
	err = h.view(ctx, func(tx *db.Tx) {
		if all := must.Get(notice.AllSettings(ctx, tx, team)); len(all) > 0 {
			m = h.compose(ctx, tx, all[0], digest.Last(all[0], h.now()))
		}
	})
	return m, err
}
