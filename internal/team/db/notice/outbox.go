package notice

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/quota"
)

// A Channel is where a team is told.
type Channel struct {
	Team   uuid.UUID
	ID     uuid.UUID
	Kind   string // slack, webhook, mail
	Name   string
	Target string // a secret
	Secret string // signs what is sent, "" is no signature
	Made   time.Time
	Alerts bool
	Digest bool
	TestAt *time.Time // when somebody asked for a message to try it
}

const channelColumns = `team_id, id, kind, name, target, secret, created_at, alerts, digest, test_at`

func (c *Channel) fields() []any {
	return []any{&c.Team, &c.ID, &c.Kind, &c.Name, &c.Target, &c.Secret, db.Stamp(&c.Made), &c.Alerts, &c.Digest, db.MaybeStamp(&c.TestAt)}
}

// Channels returns those of a team, by name.
func Channels(ctx context.Context, tx *db.Tx, team uuid.UUID) ([]Channel, error) {
	return db.List(ctx, tx, `select `+channelColumns+` from team_channels where team_id = ? order by name`, []any{team}, (*Channel).fields)
}

// Tried returns the channels that somebody wants to try.
func Tried(ctx context.Context, tx *db.Tx) ([]Channel, error) {
	return db.List(ctx, tx, `select `+channelColumns+` from team_channels where test_at is not null`, nil, (*Channel).fields)
}

// Answered takes the wish of a channel back.
func Answered(ctx context.Context, tx *db.Tx, c Channel) error {
	return tx.Do(ctx, `update team_channels set test_at = null where team_id = ? and id = ?`, c.Team, c.ID)
}

// Put writes a message for a channel, once for each event: what is there stays.
func Put(ctx context.Context, tx *db.Tx, c Channel, event string, body jsontext.Value, due time.Time) (new bool, err error) {
	n, err := tx.Exec(ctx, `insert into deliveries (team_id, id, channel_id, event, message, due_at) values (?, ?, ?, ?, ?, ?)
		on conflict (team_id, channel_id, event) do nothing`, c.Team, uuid.New(), c.ID, event, string(body), due)
	return n == 1, err
}

// Has says whether an event was written for a channel.
func Has(ctx context.Context, tx *db.Tx, c Channel, event string) (bool, error) {
	return db.One[bool](ctx, tx, `select exists (select 1 from deliveries where team_id = ? and channel_id = ? and event = ?)`, c.Team, c.ID, event)
}

// Told returns the channels that an event was written for and that may have it
// by now. What nobody began to send is taken back.
func Told(ctx context.Context, tx *db.Tx, team uuid.UUID, event string) ([]Channel, error) {
	if _, err := tx.Exec(ctx, `delete from deliveries where team_id = ? and event = ? and attempts = 0 and sent_at is null`, team, event); err != nil {
		return nil, err
	}
	return db.List(ctx, tx, `select `+channelColumns+` from team_channels where team_id = ? and id in
		(select channel_id from deliveries where team_id = ? and event = ? and failed_at is null)`, []any{team, team, event}, (*Channel).fields)
}

// A Delivery is a message that is to be sent now.
type Delivery struct {
	ID       uuid.UUID
	Event    string
	Message  jsontext.Value
	Attempts int // this one too
	Channel
}

// Due says whether any message is to be sent.
func Due(ctx context.Context, tx *db.Tx, now time.Time) (bool, error) {
	return db.One[bool](ctx, tx, `select exists (select 1 from deliveries d join team_channels c on c.team_id = d.team_id and c.id = d.channel_id
		where d.sent_at is null and d.failed_at is null and d.due_at <= ? and not (`+held+`))`, now)
}

// TooMany is why a message waits for the next day, in UTC.
const TooMany = "the team has had as many messages sent today as its limit allows"

// Claim returns messages that are due and keeps them from others until a time:
// whoever claimed them and ended since then leaves them to the next. A message
// that an alert is over waits for the one that it fires; one to a mail address
// waits until the receiver has confirmed it; of a team that has had as many sent
// in a day as it may, all wait for the next day. Teams take turns: nobody's first
// message waits behind another's second.
func Claim(ctx context.Context, d *db.DB, now, until time.Time, most int) (out []Delivery, err error) {
	for {
		out, waits, err := claim(ctx, d, now, until, most)
		if err != nil || len(out) > 0 || !waits {
			return out, err
		}
	}
}

// claim is Claim once; waits says that messages of some teams wait for the next day.
func claim(ctx context.Context, d *db.DB, now, until time.Time, most int) (out []Delivery, waits bool, err error) {
	full := map[uuid.UUID]bool{} // teams
	tomorrow := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	err = d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		lock := ""
		if tx.Dialect() == db.PostgreSQL {
			lock = " for update of d skip locked"
		}
		type id struct{ team, id uuid.UUID }
		ids, err := db.List(ctx, tx, `select d.team_id, d.id from deliveries d join (
				select d.team_id, d.id, row_number() over (partition by d.team_id order by d.due_at) as turn from deliveries d
				where d.sent_at is null and d.failed_at is null and d.due_at <= ?
				and not exists (select 1 from deliveries e where e.team_id = d.team_id and e.channel_id = d.channel_id and e.sent_at is null and e.failed_at is null
					and e.event = replace(d.event, ?, ?) and e.id <> d.id)
				and not exists (select 1 from team_channels c where c.team_id = d.team_id and c.id = d.channel_id and `+held+`)) t
			on t.team_id = d.team_id and t.id = d.id
			where d.sent_at is null and d.failed_at is null and d.due_at <= ? -- again, of a row that another server had until now
			order by t.turn, d.due_at limit ?`+lock, []any{now, ":resolved", ":firing", now, most}, func(i *id) []any { return []any{&i.team, &i.id} })
		if err != nil {
			return err
		}
		out = nil
		clear(full)
		for _, i := range ids {
			if full[i.team] {
				continue
			}
			more, err := quota.OneMore(ctx, tx, i.team)
			if err != nil {
				return err
			}
			if !more { // all at once: nobody else's messages wait behind them
				full[i.team] = true
				if _, err := tx.Exec(ctx, `update deliveries set due_at = ?, error = ? where team_id = ? and sent_at is null and failed_at is null and due_at < ?`,
					tomorrow, TooMany, i.team, tomorrow); err != nil {
					return err
				}
				continue
			}
			if _, err := tx.Exec(ctx, `update deliveries set due_at = ?, attempts = attempts + 1 where team_id = ? and id = ?`, until, i.team, i.id); err != nil {
				return err
			}
			one := Delivery{ID: i.id}
			var message []byte
			err = tx.QueryRow(ctx, `select d.event, d.message, d.attempts, c.team_id, c.id, c.kind, c.name, c.target, c.secret, c.created_at, c.alerts, c.digest, c.test_at
				from deliveries d join team_channels c on c.team_id = d.team_id and c.id = d.channel_id where d.team_id = ? and d.id = ?`, i.team, i.id).
				Scan(append([]any{&one.Event, &message, &one.Attempts}, one.Channel.fields()...)...)
			if err != nil {
				return err
			}
			one.Message = message
			out = append(out, one)
		}
		return nil
	})
	return out, len(full) > 0, err
}

// Sent notes that a message arrived.
func Sent(ctx context.Context, d *db.DB, one Delivery, now time.Time) error {
	return note(ctx, d, one, `sent_at = ?, error = ''`, now)
}

// Retry notes why a message did not arrive, and when it is tried again.
func Retry(ctx context.Context, d *db.DB, one Delivery, why string, due time.Time) error {
	return note(ctx, d, one, `error = ?, due_at = ?`, why, due)
}

// GiveUp notes why a message never arrives.
func GiveUp(ctx context.Context, d *db.DB, one Delivery, why string, now time.Time) error {
	return note(ctx, d, one, `error = ?, failed_at = ?`, why, now)
}

func note(ctx context.Context, d *db.DB, one Delivery, what string, args ...any) error {
	return d.Do(ctx, `update deliveries set `+what+` where team_id = ? and id = ?`, append(args, one.Team, one.ID)...)
}
