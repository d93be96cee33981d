package account

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// statement runs a statement as the server.
func statement(t *testing.T, d *db.DB, query string, args ...any) {
	t.Helper()
	ctx := context.Background()
	if err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error { _, err := tx.Exec(ctx, query, args...); return err }); err != nil {
		t.Fatal(err)
	}
}

// newTeam makes a team with one member in each of the roles.
func newTeam(t *testing.T, d *db.DB, slug string) (team uuid.UUID, people map[string]uuid.UUID) {
	t.Helper()
	team, people = uuid.New(), map[string]uuid.UUID{}
	statement(t, d, `insert into teams (id, name, slug) values (?, ?, ?)`, team, slug, slug)
	for _, role := range []string{"owner", "admin", "member", "ci"} {
		id := uuid.New()
		people[role] = id
		statement(t, d, `insert into auth.users (id, email) values (?, ?)`, id, role+"@"+slug+".test")
		statement(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, ?)`, team, id, role)
	}
	return team, people
}

func number(t *testing.T, d *db.DB, query string, args ...any) (n int64) {
	t.Helper()
	ctx := context.Background()
	if err := d.View(ctx, db.ServerItself, func(tx *db.Tx) error { return tx.QueryRow(ctx, query, args...).Scan(&n) }); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTokenLetters(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		token := newCIToken()
		if !wellFormed(token) || seen[token] || len(token) < len(wire.TokenPrefix)+32 {
			t.Fatalf("made %q", token)
		}
		seen[token] = true
		wrong := []byte(token)
		wrong[15] = base62[(strings.IndexByte(base62, wrong[15])+1)%62]
		if wellFormed(string(wrong)) {
			t.Fatalf("one letter changed: %q is taken", wrong)
		}
	}
}

func TestCIToken(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx, d := context.Background(), a.db
		team, people := newTeam(t, d, "one")
		_, others := newTeam(t, d, "two")
		want := wire.NewToken{TeamID: team, Name: "nightly", Scopes: []string{"ingest", "read"}, RepoSlug: "o/r", ExpiresIn: 3600}
		for who, id := range map[string]uuid.UUID{"member": people["member"], "ci": people["ci"], "another team's owner": others["owner"], "nobody": uuid.New()} {
			if _, err := a.MakeToken(ctx, id, want); !errors.Is(err, ErrNotAdmin) {
				t.Errorf("%s makes a token: %v", who, err)
			}
			if _, err := a.Tokens(ctx, id, team); !errors.Is(err, ErrNotAdmin) {
				t.Errorf("%s lists tokens: %v", who, err)
			}
		}
		made, err := a.MakeToken(ctx, people["admin"], want)
		if err != nil {
			t.Fatal(err)
		}
		if n := number(t, d, `select count(*) from cairn.ingest_tokens where token_hash = ? or prefix = ?`, made.Token, made.Token); n != 0 {
			t.Error("the token is kept in clear")
		}
		as, err := a.CIToken(ctx, made.Token)
		if err != nil || as.Role != db.Authenticated || as.User != made.UserID || as.Team != team || as.Repo != "o/r" || len(as.Scopes) != 2 ||
			string(as.Claims) != `{"role":"authenticated","sub":"`+as.User.String()+`"}` {
			t.Fatalf("%+v, %v", as, err)
		}
		if n := number(t, d, `select count(*) from auth.users u join team_members m on m.user_id = u.id where u.id = ? and m.role = 'ci' and u.bot = ? and encrypted_password = '' and u.email like 'ci+%@bots.invalid'`, as.User, true); n != 1 {
			t.Error("no bot is a member of the team")
		}
		list, err := a.Tokens(ctx, people["owner"], team)
		if err != nil || len(list) != 1 || list[0].Token != "" || list[0].LastUsedAt == nil || *list[0].CreatedBy != people["admin"] ||
			!list[0].CreatedAt.Equal(made.CreatedAt) || !list[0].ExpiresAt.Equal(*made.ExpiresAt) || list[0].Prefix != made.Token[:len(list[0].Prefix)] {
			t.Fatalf("%+v, %v", list, err)
		}
		a.CIToken(ctx, made.Token)
		if again, _ := a.Tokens(ctx, people["owner"], team); !again[0].LastUsedAt.Equal(*list[0].LastUsedAt) {
			t.Error("a second use within the minute is written down")
		}
		c.pass(2 * usedEvery)
		a.CIToken(ctx, made.Token)
		if again, _ := a.Tokens(ctx, people["owner"], team); !again[0].LastUsedAt.Equal(c.now()) {
			t.Error("a use after the minute is not written down")
		}

		for name, token := range map[string]string{"unknown": newCIToken(), "cut": made.Token[:30], "longer": made.Token + "0", "its hash": wire.TokenPrefix + db.Hashed(made.Token), "prefix only": wire.TokenPrefix} {
			if _, err := a.CIToken(ctx, token); !errors.Is(err, db.ErrToken) {
				t.Errorf("%s: %v", name, err)
			}
		}
		c.pass(time.Hour)
		if _, err := a.CIToken(ctx, made.Token); !errors.Is(err, db.ErrToken) || !strings.Contains(err.Error(), "expired") {
			t.Errorf("expired: %v", err)
		}
		statement(t, d, `update cairn.ingest_tokens set expires_at = null`)
		for who, id := range map[string]uuid.UUID{"member": people["member"], "another team's owner": others["owner"]} {
			if _, err := a.RevokeToken(ctx, id, made.ID); !errors.Is(err, ErrNoToken) {
				t.Errorf("%s revokes: %v", who, err)
			}
		}
		if _, err := a.CIToken(ctx, made.Token); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if gone, err := a.RevokeToken(ctx, people["owner"], made.ID); err != nil || gone.RevokedAt == nil {
				t.Fatalf("revoke: %+v, %v", gone, err)
			}
		}
		if _, err := a.CIToken(ctx, made.Token); !errors.Is(err, db.ErrToken) {
			t.Errorf("revoked: %v", err)
		}
		if n := number(t, d, `select count(*) from team_members where user_id = ?`, made.UserID); n != 0 {
			t.Error("the bot of a revoked token is still a member")
		}
	})
}

// A bot that an admin took out of the team has no use of its token.
func TestBotRemoved(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx, d := context.Background(), a.db
		team, people := newTeam(t, d, "one")
		made, err := a.MakeToken(ctx, people["owner"], wire.NewToken{TeamID: team, Name: "x", Scopes: []string{"ingest"}})
		if err != nil {
			t.Fatal(err)
		}
		statement(t, d, `delete from team_members where user_id = ?`, made.UserID)
		if _, err := a.CIToken(ctx, made.Token); !errors.Is(err, db.ErrToken) {
			t.Errorf("got %v", err)
		}
	})
}

// A team cannot fill the server with tokens, each of which is a user.
func TestManyTokens(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		team, people := newTeam(t, a.db, "one")
		made := 0
		for range 120 {
			token, err := a.MakeToken(ctx, people["owner"], wire.NewToken{TeamID: team, Name: "n", Scopes: []string{"ingest"}})
			if errors.Is(err, ErrTooMany) {
				break
			}
			if err == nil {
				_, err = a.RevokeToken(ctx, people["owner"], token.ID) // gives no room for another
			}
			if err != nil {
				t.Fatal(err)
			}
			made++
		}
		if made != mostADay {
			t.Errorf("%d tokens were made in a day", made)
		}
	})
}
