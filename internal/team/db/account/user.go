package account

import (
	"context"
	"net/mail"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A User who may sign in. Times are zero where something never happened.
type User struct {
	ID           uuid.UUID
	Email        string // in small letters
	PasswordHash string // bcrypt, "" without a password
	Confirmed    time.Time
	Invited      time.Time
	Confirmation time.Time // when a mail to confirm the address was sent
	Recovery     time.Time // when a mail with a link or code was sent
	LastSignIn   time.Time
	BannedUntil  time.Time
	App          map[string]any // app_metadata: the server's; provider, providers, …
	Data         map[string]any // user_metadata: the user's own
	Bot          bool           // stands for tokens of CI
	Created      time.Time
	Updated      time.Time
}

// A NewUser is what CreateUser makes a user of.
type NewUser struct {
	ID        uuid.UUID // the zero one is made
	Email     string
	Password  string // "" is none
	Hash      string // a bcrypt hash instead of Password
	Confirmed bool
	Invited   bool
	App, Data map[string]any
	Bot       bool
	// Provider is the first way to sign in; "" is email.
	Provider, ProviderID string
	ProviderData         map[string]any
}

// Address returns an e-mail address in the form in which it is kept, or ErrEmail.
func Address(s string) (string, error) {
	s = strings.TrimSpace(s)
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Address != s || len(s) > 254 || strings.ContainsAny(s, becomeASCII+turning) {
		return "", ErrEmail
	}
	return strings.ToLower(s), nil
}

// becomeASCII are the letters outside of ASCII that have a small letter of
// ASCII: an address with one of them would become another mailbox's.
const becomeASCII = "\u212a\u0130" // Kelvin's K, I with a dot

// turning are the characters that turn the text behind them around or begin a
// line: an address with one of them does not look like what it is.
const turning = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

// sameAddress says whether two addresses are kept as the same.
func sameAddress(a, b string) bool {
	a, errA := Address(a)
	b, errB := Address(b)
	return errA == nil && errB == nil && a == b
}

// CreateUser makes a user with one identity. ErrEmailTaken, ErrEmail, and those
// of passwords are its own errors.
func (a *Accounts) CreateUser(ctx context.Context, n NewUser) (User, error) {
	u, err := a.prepare(n)
	if err != nil {
		return User{}, err
	}
	err = a.update(ctx, func(tx *db.Tx) error { return a.insertUser(ctx, tx, u, n) })
	return u, err
}

// prepare does what takes long and needs no transaction.
func (a *Accounts) prepare(n NewUser) (User, error) {
	email, err := Address(n.Email)
	if err != nil {
		return User{}, err
	}
	now := a.now()
	u := User{ID: n.ID, Email: email, PasswordHash: n.Hash, Bot: n.Bot, Created: now, Updated: now,
		App: map[string]any{}, Data: map[string]any{}}
	if u.ID == uuid.Nil {
		u.ID = uuid.New()
	}
	if n.Password != "" {
		if u.PasswordHash, err = a.Hash(n.Password); err != nil {
			return User{}, err
		}
	}
	if n.Confirmed {
		u.Confirmed = now
	}
	if n.Invited {
		u.Invited = now
	}
	provider := n.Provider
	if provider == "" {
		provider = "email"
	}
	u.App["provider"], u.App["providers"] = provider, []any{provider}
	for k, v := range n.App {
		u.App[k] = v
	}
	for k, v := range n.Data {
		u.Data[k] = v
	}
	if n.Confirmed {
		u.Data["email_verified"] = true
	}
	return u, u.check(0)
}

// MaxMetadata is how many bytes of JSON a user's metadata may have, of each
// kind: every access token carries them.
const MaxMetadata = 16 << 10

// check is ErrMetadata for a user whose metadata are longer than they may be, and
// longer than they were.
func (u User) check(before int) error {
	if n := u.metadata(); n > max(MaxMetadata, before) {
		return ErrMetadata
	}
	return nil
}

func (u User) metadata() int { return max(len(object(u.App)), len(object(u.Data))) }

func (a *Accounts) insertUser(ctx context.Context, tx *db.Tx, u User, n NewUser) error {
	done, err := tx.Exec(ctx, `insert into auth.users (`+userColumns+`) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`, u.values()...)
	if err != nil {
		return err
	}
	if done == 0 {
		return ErrEmailTaken
	}
	if n.Bot {
		return nil
	}
	i := Identity{User: u.ID, Provider: n.Provider, ProviderID: n.ProviderID, Email: u.Email, Data: n.ProviderData}
	if i.Provider == "" {
		i.Provider, i.ProviderID = "email", u.ID.String()
		i.Data = map[string]any{"sub": u.ID.String(), "email": u.Email, "email_verified": false, "phone_verified": false}
	}
	return a.insertIdentity(ctx, tx, i)
}

const userColumns = `id, email, encrypted_password, email_confirmed_at, invited_at, confirmation_sent_at, recovery_sent_at,
	last_sign_in_at, banned_until, app_metadata, user_metadata, bot, created_at, updated_at`

// values of userColumns.
func (u User) values() []any {
	return []any{u.ID, u.Email, u.PasswordHash, when(u.Confirmed), when(u.Invited), when(u.Confirmation), when(u.Recovery),
		when(u.LastSignIn), when(u.BannedUntil), object(u.App), object(u.Data), u.Bot, u.Created, u.Updated}
}

// fields is where userColumns are scanned to.
func (u *User) fields() []any {
	return []any{&u.ID, &u.Email, &u.PasswordHash, db.Stamp(&u.Confirmed), db.Stamp(&u.Invited), db.Stamp(&u.Confirmation), db.Stamp(&u.Recovery),
		db.Stamp(&u.LastSignIn), db.Stamp(&u.BannedUntil), db.JSON(&u.App), db.JSON(&u.Data), &u.Bot, db.Stamp(&u.Created), db.Stamp(&u.Updated)}
}

// findUser finds one by a condition; ErrNotFound.
func findUser(ctx context.Context, tx *db.Tx, where string, arg any) (User, error) {
	var u User
	err := tx.QueryRow(ctx, `select `+userColumns+` from auth.users where `+where, arg).Scan(u.fields()...)
	return u, db.None(err, ErrNotFound)
}

const (
	byID    = `id = ?`
	byEmail = `lower(email) = lower(?)`
)

// User finds a user by id; ErrNotFound.
func (a *Accounts) User(ctx context.Context, id uuid.UUID) (User, error) {
	return a.find(ctx, byID, id)
}

// UserByEmail finds a user whatever case the address is written in; ErrNotFound.
func (a *Accounts) UserByEmail(ctx context.Context, email string) (User, error) {
	return a.find(ctx, byEmail, strings.TrimSpace(email))
}

func (a *Accounts) find(ctx context.Context, where string, arg any) (User, error) {
	return db.Viewed(ctx, a.db, func(tx *db.Tx) (User, error) { return findUser(ctx, tx, where, arg) })
}

// Banned says whether the user may not sign in at a time.
func (u User) Banned(now time.Time) bool { return now.Before(u.BannedUntil) }

// when is a time, null for the zero one.
func when(t time.Time) db.Time {
	if t.IsZero() {
		return db.Time{}
	}
	return db.At(t)
}

// object writes a JSON object; null is none.
func object(m map[string]any) string {
	if m == nil {
		return "{}"
	}
	data, err := json.Marshal(m, json.Deterministic(true))
	if err != nil {
		panic(err) // it was read from JSON or is a literal of ours
	}
	return string(data)
}

// Change reads a user, lets fn alter it and keeps the result; id, bot and the
// time of creation stay. No other change gets in between. fn may be run twice.
func (a *Accounts) Change(ctx context.Context, id uuid.UUID, fn func(*User) error) (User, error) {
	return db.Updated(ctx, a.db, func(tx *db.Tx) (User, error) { return a.change(ctx, tx, id, fn) })
}

func (a *Accounts) change(ctx context.Context, tx *db.Tx, id uuid.UUID, fn func(*User) error) (User, error) {
	if _, err := tx.Exec(ctx, `update auth.users set updated_at = ? where id = ?`, a.now(), id); err != nil { // locks the row
		return User{}, err
	}
	u, err := findUser(ctx, tx, byID, id)
	if err != nil {
		return User{}, err
	}
	before, long := u, u.metadata() // fn may change the maps themselves
	if err := fn(&u); err != nil {
		return User{}, err
	}
	if err := u.check(long); err != nil {
		return User{}, err
	}
	if u.Email != before.Email {
		if u.Email, err = Address(u.Email); err != nil {
			return User{}, err
		}
		other, err := findUser(ctx, tx, byEmail, u.Email)
		if err == nil && other.ID != u.ID {
			return User{}, ErrEmailTaken
		}
	}
	args := append(u.values()[1:11], u.ID)
	_, err = tx.Exec(ctx, `update auth.users set email = ?, encrypted_password = ?, email_confirmed_at = ?, invited_at = ?, confirmation_sent_at = ?,
		recovery_sent_at = ?, last_sign_in_at = ?, banned_until = ?, app_metadata = ?, user_metadata = ? where id = ?`, args...)
	if err != nil {
		return User{}, err
	}
	if u.Email == before.Email {
		return u, err
	}
	if _, err = tx.Exec(ctx, `update auth.identities set email = ? where user_id = ? and provider = 'email'`, u.Email, u.ID); err != nil {
		return u, err
	}
	_, err = tx.Exec(ctx, `delete from auth.one_time_tokens where user_id = ?`, u.ID) // they are in the mailbox of the old address
	return u, err
}

// Ban keeps a user from signing in until a time and ends every session; the
// zero time lifts the ban.
func (a *Accounts) Ban(ctx context.Context, id uuid.UUID, until time.Time) (User, error) {
	return db.Updated(ctx, a.db, func(tx *db.Tx) (User, error) {
		u, err := a.change(ctx, tx, id, func(u *User) error { u.BannedUntil = until; return nil })
		if err == nil && !until.IsZero() {
			err = tx.Do(ctx, `delete from auth.sessions where user_id = ?`, id)
		}
		return u, err
	})
}

// DeleteUser removes a user and everything that signs in as it; what it sent to
// a team stays there. The last owner of a team cannot go: ErrLastOwner.
func (a *Accounts) DeleteUser(ctx context.Context, id uuid.UUID) error {
	return a.update(ctx, func(tx *db.Tx) error {
		alone, err := db.One[int](ctx, tx, `select count(*) from team_members m where m.user_id = ? and m.role = 'owner' and not exists
			(select 1 from team_members o where o.team_id = m.team_id and o.role = 'owner' and o.user_id <> m.user_id)`, id)
		if err != nil {
			return err
		}
		if alone > 0 {
			return ErrLastOwner
		}
		n, err := tx.Exec(ctx, `delete from auth.users where id = ?`, id)
		if err == nil && n == 0 {
			return ErrNotFound
		}
		return err
	})
}

// Users returns one page of all people, oldest first, and how many there are. page counts from 1.
func (a *Accounts) Users(ctx context.Context, page, perPage int) (users []User, total int, err error) {
	err = a.view(ctx, func(tx *db.Tx) error {
		if err := tx.QueryRow(ctx, `select count(*) from auth.users where not bot`).Scan(&total); err != nil {
			return err
		}
		users, err = db.List(ctx, tx, `select `+userColumns+` from auth.users where not bot order by created_at, id limit ? offset ?`, []any{perPage, (page - 1) * perPage}, (*User).fields)
		return err
	})
	return users, total, err
}
