package notice

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A mail channel's address is asked first whether it wants a team's mails. Who
// may name addresses must not be able to send mail to strangers by that, so
// questions are few: of a team, and of all teams to one address.
const (
	mostQuestions = 5 // a team and hour
	mostToOne     = 3 // an address and day, by all teams
	askAgain      = 24 * time.Hour
	waitsFor      = 7 * 24 * time.Hour // how long a message waits for the answer
)

// Unconfirmed is why a message waits.
const (
	Unconfirmed = "the receiver has not confirmed the address yet: a link to do so was mailed to it"
	Refused     = "the receiver does not want these mails"
	unanswered  = "the receiver did not confirm the address"
)

// ErrNoQuestion says that a link is not one of a question that is open.
var ErrNoQuestion = errors.New("the link is no longer valid, or never was")

// question is how the event of a question begins.
const question = "confirm:"

// held is the condition that a message must wait: its channel (c) is mail, its
// receiver has not confirmed, and it (d) is not the question itself.
const held = `c.kind = 'mail' and d.event not like '` + question + `%' and not exists
	(select 1 from cairn.mail_receivers m where m.team_id = c.team_id and m.address = lower(c.target) and m.confirmed_at is not null and m.refused_at is null)`

// everAsked are the questions of all teams, also of those that are gone.
const everAsked = `(select address, asked_at from cairn.mail_receivers union all select address, asked_at from cairn.past_receivers)`

// IsQuestion says whether a message asks its receiver for confirmation. Its
// text is made when it is sent: an admin who reads what waits must not see the link.
func (one Delivery) IsQuestion() bool { return strings.HasPrefix(one.Event, question) }

// AskReceivers writes a question for each mail channel whose receiver is to be
// asked: never asked before, or long ago and somebody tries the channel. Those of
// whom enough was asked are left out before the first are taken, or they would
// keep everybody else's waiting.
func AskReceivers(ctx context.Context, d *db.DB, now time.Time) error {
	var some []Channel
	err := d.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
		some, err = db.List(ctx, tx, `select `+channelColumns+` from team_channels c where kind = 'mail' and not exists
			(select 1 from cairn.mail_receivers m where m.address = lower(c.target) and
				(m.refused_at is not null or m.team_id = c.team_id and (m.confirmed_at is not null or m.asked_at > ? or c.test_at is null)))
			and (select count(*) from cairn.mail_receivers m where m.team_id = c.team_id and m.asked_at > ?) < ?
			and not exists (select 1 from cairn.past_receivers p where p.address = lower(c.target) and p.refused_at is not null)
			and (select count(*) from `+everAsked+` m where m.address = lower(c.target) and m.asked_at > ?) < ?
			order by created_at limit 50`, []any{now.Add(-askAgain), now.Add(-time.Hour), mostQuestions, now.Add(-24 * time.Hour), mostToOne}, (*Channel).fields)
		return err
	})
	if err != nil || len(some) == 0 {
		return err
	}
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		for _, c := range some {
			var ofTeam, toOne int
			err := tx.QueryRow(ctx, `select (select count(*) from cairn.mail_receivers where team_id = ? and asked_at > ?),
				(select count(*) from `+everAsked+` m where address = lower(?) and asked_at > ?)`,
				c.Team, now.Add(-time.Hour), c.Target, now.Add(-24*time.Hour)).Scan(&ofTeam, &toOne)
			if err != nil {
				return err
			}
			if ofTeam >= mostQuestions || toOne >= mostToOne {
				continue // a later round asks
			}
			added, err := tx.Exec(ctx, `insert into cairn.mail_receivers as m (team_id, address, asked_at) values (?, lower(?), ?)
				on conflict (team_id, address) do update set asked_at = excluded.asked_at where m.asked_at < ?`,
				c.Team, c.Target, now, now.Add(-askAgain))
			if err != nil {
				return err
			}
			if added == 0 {
				continue // another channel of the team has the same address
			}
			if _, err := Put(ctx, tx, c, question+now.UTC().Format(time.RFC3339), jsontext.Value(`{}`), now); err != nil {
				return err
			}
		}
		return nil
	})
}

// NoteHeld says of messages that wait for their receiver's answer why they do,
// and gives up those for which it is no, or has not come for a week.
func NoteHeld(ctx context.Context, d *db.DB, now time.Time) error {
	const waiting = ` from deliveries d join team_channels c on c.team_id = d.team_id and c.id = d.channel_id
		where d.sent_at is null and d.failed_at is null and ` + held
	var waits bool
	err := d.Get(ctx, `select exists (select 1`+waiting+` and (d.error <> ? or d.created_at < ? or exists
			(select 1 from cairn.mail_receivers r where r.address = lower(c.target) and r.refused_at is not null)))`, []any{Unconfirmed, now.Add(-waitsFor)}, &waits)
	if err != nil || !waits {
		return err
	}
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `update deliveries set error = ? where (team_id, id) in (select d.team_id, d.id`+waiting+`)`, Unconfirmed)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `update deliveries set error = ?, failed_at = ? where (team_id, id) in (select d.team_id, d.id`+waiting+` and exists
			(select 1 from cairn.mail_receivers r where r.address = lower(c.target) and r.refused_at is not null))`, Refused, now)
		if err != nil {
			return err
		}
		return tx.Do(ctx, `update deliveries set error = ?, failed_at = ? where (team_id, id) in (select d.team_id, d.id`+waiting+` and d.created_at < ?)`,
			unanswered, now, now.Add(-waitsFor))
	})
}

// KeepQuestion remembers what the link of a question that is about to be sent has.
func KeepQuestion(ctx context.Context, d *db.DB, one Delivery, token string) error {
	return d.Do(ctx, `update cairn.mail_receivers set token_hash = ? where team_id = ? and address = lower(?)`, db.Hashed(token), one.Team, one.Target)
}

// A Receiver is who a question went to.
type Receiver struct {
	Team    string // slug
	Address string
	Refused bool
}

// Asked returns who a question's link was sent to; [ErrNoQuestion].
func Asked(ctx context.Context, d *db.DB, token string) (r Receiver, err error) {
	err = d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		r, _, err = asked(ctx, tx, token)
		return err
	})
	return r, err
}

func asked(ctx context.Context, tx *db.Tx, token string) (r Receiver, team uuid.UUID, err error) {
	var refused *time.Time
	err = tx.QueryRow(ctx, `select m.team_id, t.slug, m.address, m.refused_at from cairn.mail_receivers m join teams t on t.id = m.team_id
		where m.token_hash = ? and m.token_hash <> ''`, db.Hashed(token)).Scan(&team, &r.Team, &r.Address, db.MaybeStamp(&refused))
	r.Refused = refused != nil
	return r, team, db.None(err, ErrNoQuestion)
}

// Answer notes what the receiver of a question says. No is for all teams, and
// can be turned into yes by the same link.
func Answer(ctx context.Context, d *db.DB, token string, yes bool, now time.Time) (r Receiver, err error) {
	err = d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		var team uuid.UUID
		if r, team, err = asked(ctx, tx, token); err != nil {
			return err
		}
		r.Refused = !yes
		confirmed, refused := &now, (*time.Time)(nil)
		if !yes {
			confirmed, refused = nil, &now
		}
		return tx.Do(ctx, `update cairn.mail_receivers set confirmed_at = ?, refused_at = ? where team_id = ? and address = ?`,
			db.Time{Value: confirmed}, db.Time{Value: refused}, team, r.Address)
	})
	return r, err
}
