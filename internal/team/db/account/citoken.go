package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// Errors of what people do with tokens of CI.
var (
	ErrNotAdmin = errors.New("only an owner or an admin of the team can do this")
	ErrTooMany  = errors.New("the team has made 100 tokens of CI in a day, or has 500 tokens and workflows: revoke some, or try again tomorrow")
	ErrNoToken  = errors.New("the team has no such token")
)

// usedEvery is how often it is written down at most that a token was used.
const usedEvery = time.Minute

const tokenColumns = `id, team_id, user_id, name, scopes, repo_slug, prefix, created_by, created_at, last_used_at, expires_at, revoked_at`

// CIToken returns the identity that a token of CI acts as. It is
// db.ErrToken when the token is unknown, expired or revoked, or when its
// bot is no member of the team any more.
func (a *Accounts) CIToken(ctx context.Context, token string) (db.Identity, error) {
	if !wellFormed(token) {
		return db.Identity{}, fmt.Errorf("%w: not a token for CI", db.ErrToken)
	}
	hash, now := db.Hashed(token), a.now()
	var (
		id, team, bot          uuid.UUID
		repo, found            string
		may                    words
		used, expires, revoked db.Time
	)
	err := a.db.Get(ctx, `select t.id, t.team_id, t.user_id, t.repo_slug, t.scopes, t.token_hash, t.last_used_at, t.expires_at, t.revoked_at
			from cairn.ingest_tokens t join team_members m on m.team_id = t.team_id and m.user_id = t.user_id where t.token_hash = ?`, []any{hash}, &id, &team, &bot, &repo, &may, &found, &used, &expires, &revoked)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return db.Identity{}, fmt.Errorf("%w: the token for CI is not known", db.ErrToken)
	case err != nil:
		return db.Identity{}, err
	case subtle.ConstantTimeCompare([]byte(found), []byte(hash)) != 1:
		return db.Identity{}, fmt.Errorf("%w: the token for CI is not known", db.ErrToken)
	case revoked.Value != nil:
		return db.Identity{}, fmt.Errorf("%w: the token for CI was revoked", db.ErrToken)
	case expires.Value != nil && !now.Before(*expires.Value):
		return db.Identity{}, fmt.Errorf("%w: the token for CI has expired", db.ErrToken)
	}
	if used.Value == nil || now.Sub(*used.Value) >= usedEvery {
		// A token that cannot be marked as used is as good as another.
		_ = a.db.Do(ctx, `update cairn.ingest_tokens set last_used_at = ? where id = ? and (last_used_at is null or last_used_at < ?)`,
			now, id, now.Add(-usedEvery))
	}
	claims, err := json.Marshal(map[string]string{"sub": bot.String(), "role": string(db.Authenticated)})
	return db.Identity{Role: db.Authenticated, User: bot, Claims: claims, Team: team, Repo: repo, Scopes: may, Token: id}, err
}

// MakeToken makes a token for CI in the name of an owner or admin, with a bot
// of its own. What it returns has the token itself, which nothing else ever shows.
// Values must have been checked.
func (a *Accounts) MakeToken(ctx context.Context, by uuid.UUID, n wire.NewToken) (wire.Token, error) {
	now := a.now()
	t := wire.Token{ID: uuid.New(), TeamID: n.TeamID, Name: n.Name, Scopes: n.Scopes, RepoSlug: n.RepoSlug, CreatedBy: &by}
	if n.ExpiresIn > 0 {
		at := now.Add(time.Duration(n.ExpiresIn) * time.Second)
		t.ExpiresAt = &at
	}
	err := a.update(ctx, func(tx *db.Tx) error {
		if err := mustManage(ctx, tx, by, n.TeamID); err != nil {
			return err
		}
		var err error
		if t.UserID, err = addBot(ctx, tx, n.TeamID, t.ID, now); err != nil {
			return err
		}
		return keepToken(ctx, tx, &t, uuid.NullUUID{}, now)
	})
	return t, err
}

// Tokens returns a team's tokens of CI, the newest first, for an owner or admin.
func (a *Accounts) Tokens(ctx context.Context, by, team uuid.UUID) ([]wire.Token, error) {
	return db.Viewed(ctx, a.db, func(tx *db.Tx) ([]wire.Token, error) {
		if err := mustManage(ctx, tx, by, team); err != nil {
			return nil, err
		}
		list, err := db.List(ctx, tx, `select `+tokenColumns+` from cairn.ingest_tokens where team_id = ? order by created_at desc, id`, []any{team}, tokenFields)
		return append([]wire.Token{}, list...), err // an empty list in JSON, not null
	})
}

// RevokeToken ends a token for good; its bot leaves the team unless another
// token acts as it. A second time changes nothing.
func (a *Accounts) RevokeToken(ctx context.Context, by, id uuid.UUID) (wire.Token, error) {
	var t wire.Token
	err := a.update(ctx, func(tx *db.Tx) error {
		var err error
		if err = tx.QueryRow(ctx, `select `+tokenColumns+` from cairn.ingest_tokens where id = ?`, id).Scan(tokenFields(&t)...); err != nil {
			return db.None(err, ErrNoToken)
		}
		if err := hidden(mustManage(ctx, tx, by, t.TeamID), ErrNoToken); err != nil {
			return err
		}
		if t.RevokedAt != nil {
			return nil
		}
		now := a.now()
		t.RevokedAt = &now
		if _, err := tx.Exec(ctx, `update cairn.ingest_tokens set revoked_at = ? where id = ?`, now, id); err != nil {
			return err
		}
		return tx.Do(ctx, `delete from team_members where team_id = ? and user_id = ? and role = 'ci'
			and not exists (select 1 from cairn.ingest_tokens t where t.user_id = team_members.user_id and t.revoked_at is null)
			and not exists (select 1 from cairn.trusted_workflows w where w.user_id = team_members.user_id)`, t.TeamID, t.UserID)
	})
	return t, err
}

// hidden is another error for who may not see a thing: they must not learn that it is there.
func hidden(err, other error) error {
	if errors.Is(err, ErrNotAdmin) {
		return other
	}
	return err
}

// mustManage is ErrNotAdmin unless someone is an owner or admin of a team.
func mustManage(ctx context.Context, tx *db.Tx, who, team uuid.UUID) error {
	role, err := db.One[string](ctx, tx, `select role from team_members where team_id = ? and user_id = ?`, team, who)
	if errors.Is(err, sql.ErrNoRows) || err == nil && role != "owner" && role != "admin" {
		return ErrNotAdmin
	}
	return err
}

// addBot makes the user that tokens act as, a member of the team.
func addBot(ctx context.Context, tx *db.Tx, team, of uuid.UUID, now time.Time) (uuid.UUID, error) {
	bot := uuid.New()
	var bots, today int
	err := tx.QueryRow(ctx, `select (select count(*) from team_members where team_id = ? and role = 'ci'),
		(select count(*) from cairn.ingest_tokens where team_id = ? and workflow_id is null and created_at > ?)`, team, team, now.Add(-24*time.Hour)).Scan(&bots, &today)
	if err == nil && (bots >= mostBots || today >= mostADay) {
		err = ErrTooMany
	}
	if err != nil {
		return bot, err
	}
	_, err = tx.Exec(ctx, `insert into auth.users (id, email, bot) values (?, ?, ?)`, bot, "ci+"+of.String()+"@bots.invalid", true)
	if err != nil {
		return bot, err
	}
	_, err = tx.Exec(ctx, `insert into team_members (team_id, user_id, role) values (?, ?, 'ci')`, team, bot)
	return bot, err
}

// Tokens of CI and workflows that a team has at most, and tokens that it makes in a
// day: each is a user of the server.
const (
	mostBots = 500
	mostADay = 100
)

// keepToken fills in a new token's letters and times and writes its hash down.
func keepToken(ctx context.Context, tx *db.Tx, t *wire.Token, workflow uuid.NullUUID, now time.Time) error {
	t.Token = newCIToken()
	t.Prefix = t.Token[:shownLetters]
	t.CreatedAt = now
	var by uuid.NullUUID
	if t.CreatedBy != nil {
		by = uuid.NullUUID{UUID: *t.CreatedBy, Valid: true}
	}
	return tx.Do(ctx, `insert into cairn.ingest_tokens (id, team_id, user_id, name, scopes, repo_slug, token_hash, prefix, workflow_id, created_by, created_at, expires_at)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		t.ID, t.TeamID, t.UserID, t.Name, t.Scopes, t.RepoSlug, db.Hashed(t.Token), t.Prefix, workflow, by, t.CreatedAt, db.Time{Value: t.ExpiresAt})
}

// tokenFields is where tokenColumns are scanned to.
func tokenFields(t *wire.Token) []any {
	return []any{&t.ID, &t.TeamID, &t.UserID, &t.Name, (*words)(&t.Scopes), &t.RepoSlug, &t.Prefix, &t.CreatedBy,
		db.Stamp(&t.CreatedAt), db.MaybeStamp(&t.LastUsedAt), db.MaybeStamp(&t.ExpiresAt), db.MaybeStamp(&t.RevokedAt)}
}

// words scans a list of plain words: text[] of PostgreSQL, {a,b}, or JSON.
type words []string

func (w *words) Scan(src any) error {
	var text string
	switch v := src.(type) {
	case string:
		text = v
	case []byte:
		text = string(v)
	default:
		return fmt.Errorf("a list is kept as %T", src)
	}
	*w = strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(`{}[]",`, r) })
	return nil
}

// A token of CI is the prefix, randomLetters of base62 and a CRC-32 of those in
// base62, checkLetters long, as GitHub's tokens have it: a scanner of secrets can
// tell one from a similar word, and a mistyped one costs no query.
const (
	base62        = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	randomLetters = 40 // 238 bits
	checkLetters  = 6
	shownLetters  = len(wire.TokenPrefix) + 4 // kept in clear, to tell tokens apart
)

// newCIToken makes one up.
func newCIToken() string {
	letters := make([]byte, 0, randomLetters)
	var b [64]byte
	for len(letters) < randomLetters {
		rand.Read(b[:]) // never fails
		for _, x := range b {
			if x &= 63; x < 62 && len(letters) < randomLetters {
				letters = append(letters, base62[x])
			}
		}
	}
	return wire.TokenPrefix + string(letters) + checksum(string(letters))
}

func checksum(letters string) string {
	n := crc32.ChecksumIEEE([]byte(letters))
	var out [checkLetters]byte
	for i := range out {
		out[len(out)-1-i] = base62[n%62]
		n /= 62
	}
	return string(out[:])
}

// wellFormed says whether a text can be a token of CI.
func wellFormed(token string) bool {
	rest, ok := strings.CutPrefix(token, wire.TokenPrefix)
	return ok && len(rest) == randomLetters+checkLetters && checksum(rest[:randomLetters]) == rest[randomLetters:]
}
