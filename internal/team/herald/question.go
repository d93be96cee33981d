package herald

import (
	"context"
	"crypto/rand"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/message"
	"cairn/internal/team/notify"
	"cairn/internal/team/wire"
)

// question is the mail that asks an address whether it wants a team's mails. It
// has no text that a member chose but the team's slug.
func (h *Herald) question(ctx context.Context, one notice.Delivery) (jsontext.Value, error) {
	token := rand.Text()
	if err := notice.KeepQuestion(ctx, h.DB, one, token); err != nil {
		return nil, err
	}
	var team string
	if err := h.view(ctx, func(tx *db.Tx) { team = must.Get(notice.Slug(ctx, tx, one.Team)) }); err != nil {
		return nil, err
	}
	m := message.Message{Event: "confirm", At: h.now(), Team: team, Title: "Confirm mails of the team " + team,
		Text: "Somebody in the team " + team + " wants to send its alerts and weekly digest to this address. Nothing is sent until you confirm. If you do not know the team, ignore this mail."}
	if h.URL != "" {
		m.Link = h.URL + wire.ConfirmMail + "?token=" + url.QueryEscape(token)
	} else { // of a Supabase project: nobody answers to a link
		m.Sections = []message.Section{{Head: "To confirm, give this line to whoever runs the team's alerts", Lines: []string{"cairn team alerts confirm " + token}}}
	}
	return notify.Body(notify.Mail, m)
}
