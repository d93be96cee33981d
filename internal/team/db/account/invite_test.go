package account

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// team makes a team with members.
func team(t *testing.T, a *Accounts, slug string, members map[uuid.UUID]string) uuid.UUID {
	t.Helper()
	id := uuid.New()
	err := a.update(context.Background(), func(tx *db.Tx) error {
		ctx := context.Background()
		_, err := tx.Exec(ctx, `insert into teams (id, name, slug) values (?, ?, ?)`, id, "Team "+slug, slug)
		for user, role := range members {
			if err == nil {
				_, err = tx.Exec(ctx, `insert into team_members (team_id, user_id, role) values (?, ?, ?)`, id, user, role)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// invite invites an address and returns the token, as rpc invite_member does.
func invite(t *testing.T, a *Accounts, team uuid.UUID, email, role string) string {
	t.Helper()
	token := letters(random(20))
	err := a.update(context.Background(), func(tx *db.Tx) error {
		id := uuid.New()
		_, err := tx.Exec(context.Background(), `insert into team_invites (team_id, id, email, role, token_hash, expires_at) values (?, ?, ?, ?, ?, ?)`,
			team, id, id.String()+"@acme.test", role, db.Hashed(token), a.now().Add(InviteLife))
		if err == nil { // rows from before addresses were looked at have any
			_, err = tx.Exec(context.Background(), `update team_invites set email = ? where team_id = ? and id = ?`, email, team, id)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func role(t *testing.T, a *Accounts, team, user uuid.UUID) (role string) {
	t.Helper()
	err := a.view(context.Background(), func(tx *db.Tx) error {
		return db.None(tx.QueryRow(context.Background(), `select role from team_members where team_id = ? and user_id = ?`, team, user).Scan(&role), nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	return role
}

func TestAccept(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		owner := person(t, a, "owner@acme.test")
		acme := team(t, a, "acme", map[uuid.UUID]string{owner.ID: "owner"})
		token := invite(t, a, acme, "New@acme.test", "admin")
		if i, err := a.Invitation(ctx, token); err != nil || i.Email != "New@acme.test" || i.TeamName != "Team acme" || i.Account {
			t.Errorf("before: %+v, %v", i, err)
		}
		if _, err := a.Accept(ctx, token, "other@acme.test", "", uuid.Nil); !errors.Is(err, ErrToken) {
			t.Errorf("with another address: %v", err)
		}
		j, err := a.Accept(ctx, token, "new@ACME.test", "", uuid.Nil)
		if err != nil || !j.New || j.Team != acme || j.User.Email != "new@acme.test" || role(t, a, acme, j.User.ID) != "admin" {
			t.Fatalf("%+v, %v", j, err)
		}
		if _, err := a.Accept(ctx, token, "", "", uuid.Nil); !errors.Is(err, ErrToken) {
			t.Errorf("twice: %v", err)
		}
		late := invite(t, a, acme, "late@acme.test", "member")
		c.pass(InviteLife)
		if _, err := a.Accept(ctx, late, "", "", uuid.Nil); !errors.Is(err, ErrToken) {
			t.Errorf("expired: %v", err)
		}
		mine := invite(t, a, acme, " Bob@ACME.test", "member")
		bob := person(t, a, "bob@acme.test")
		if j, err := a.Accept(ctx, mine, "", "", bob.ID); err != nil || j.User.ID != bob.ID || role(t, a, acme, bob.ID) != "member" {
			t.Errorf("signed in: %+v, %v", j, err)
		}
	})
}

// Whoever has a team can invite any address; the token must not sign in as
// somebody who is there already.
func TestAcceptIsNoSignIn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		eve, ada := person(t, a, "eve@evil.test"), person(t, a, "ada@acme.test")
		acme, evil := team(t, a, "acme", map[uuid.UUID]string{ada.ID: "owner"}), team(t, a, "evil", map[uuid.UUID]string{eve.ID: "owner"})
		if _, err := a.Accept(ctx, invite(t, a, evil, ada.Email, "member"), "", "", uuid.Nil); !errors.Is(err, ErrMember) || role(t, a, evil, ada.ID) != "" {
			t.Errorf("a user with a password: %v", err)
		}
		kim, err := a.Accept(ctx, invite(t, a, acme, "kim@acme.test", "member"), "", "", uuid.Nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Accept(ctx, invite(t, a, evil, "kim@acme.test", "member"), "", "", uuid.Nil); !errors.Is(err, ErrMember) {
			t.Errorf("a member of another team, without a password: %v", err)
		}
		again := invite(t, a, acme, "kim@acme.test", "member")
		if i, err := a.Invitation(ctx, again); err != nil || i.Account {
			t.Errorf("again by the same team: %+v, %v", i, err)
		}
		if j, err := a.Accept(ctx, again, "", "", uuid.Nil); err != nil || j.User.ID != kim.User.ID || j.New {
			t.Errorf("again by the same team: %+v, %v", j, err)
		}
		if _, err := a.Proven(ctx, Ticket{User: kim.User.ID}); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Accept(ctx, invite(t, a, acme, "kim@acme.test", "member"), "", "", uuid.Nil); !errors.Is(err, ErrMember) {
			t.Errorf("who has proven the address: %v", err)
		}
	})
}

// An invitation works for its own address, confirmed, and for no other.
func TestAcceptForItsAddress(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		owner, eve := person(t, a, "owner@acme.test"), person(t, a, "eve@acme.test")
		acme := team(t, a, "acme", map[uuid.UUID]string{owner.ID: "owner"})
		for _, invited := range []string{"carol@acme.test", "eve@acme.test.evil", "eve+x@acme.test", "eve@acme.test,bob@acme.test", "ev\u0435@acme.test", "no address", ""} {
			token := invite(t, a, acme, invited, "admin")
			if j, err := a.Accept(ctx, token, "", "", eve.ID); !errors.Is(err, ErrInvitee) {
				t.Errorf("for %q: %+v, %v", invited, j, err)
			}
			if _, err := a.Accept(ctx, token, eve.Email, "", eve.ID); !errors.Is(err, ErrInvitee) {
				t.Errorf("for %q, said to be one's own: %v", invited, err)
			}
		}
		if got := role(t, a, acme, eve.ID); got != "" {
			t.Errorf("eve is %s", got)
		}

		token := invite(t, a, acme, "bob@acme.test", "member")
		if _, err := a.Accept(ctx, token, "", "", eve.ID); !errors.Is(err, ErrInvitee) {
			t.Error(err)
		}
		bob, err := a.CreateUser(ctx, NewUser{Email: "bob@acme.test", Password: "correct-horse"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Accept(ctx, token, "", "", bob.ID); !errors.Is(err, ErrUnconfirmed) {
			t.Errorf("an address that nobody confirmed: %v", err)
		}
		if _, err := a.Proven(ctx, Ticket{User: bob.ID, Email: bob.Email}); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Accept(ctx, token, "", "", bob.ID); err != nil || role(t, a, acme, bob.ID) != "member" {
			t.Errorf("after a refusal the invitation is not used up: %v", err)
		}
		if _, err := a.Accept(ctx, invite(t, a, acme, "BOB@acme.test", "member"), "", "", uuid.Nil); !errors.Is(err, ErrJoined) {
			t.Errorf("a member: %v", err)
		}
	})
}

// Letters that look like others, or become others, are not them.
func TestAddressLookAlikes(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"\u212aim@acme.test", "bob@acme.\u212aom", "b\u0130ll@acme.test", "bob@acme.test\n", "a@b.cd, e@f.gh", "Bob <bob@acme.test>"} {
		if got, err := Address(s); err == nil && got != "bob@acme.test" {
			t.Errorf("%q is taken for %q", s, got)
		}
	}
	if sameAddress("\u017fam@acme.test", "sam@acme.test") || sameAddress("b\u00fccher@acme.test", "xn--bcher-kva@acme.test") || !sameAddress("Sam@Acme.test ", "sam@acme.test") {
		t.Error("other addresses are the same")
	}
}

// A link that was sent to one address proves no other that the user has since.
func TestProvenOldAddress(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u, err := a.CreateUser(ctx, NewUser{Email: "old@acme.test"})
		if err != nil {
			t.Fatal(err)
		}
		ticket := Ticket{Kind: MagicLink, User: u.ID, Email: u.Email}
		token, code, err := a.Issue(ctx, ticket)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Change(ctx, u.ID, func(u *User) error { u.Email = "new@acme.test"; return nil }); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Use(ctx, token, MagicLink); !errors.Is(err, ErrToken) {
			t.Errorf("the link: %v", err)
		}
		if _, err := a.UseCode(ctx, "old@acme.test", code, MagicLink); !errors.Is(err, ErrToken) {
			t.Errorf("the code: %v", err)
		}
		if _, err := a.Proven(ctx, ticket); !errors.Is(err, ErrToken) {
			t.Errorf("a link that was taken before the change: %v", err)
		}
	})
}

func TestAcceptOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		owner := person(t, a, "owner@acme.test")
		token := invite(t, a, team(t, a, "acme", map[uuid.UUID]string{owner.ID: "owner"}), "new@acme.test", "member")
		var joined atomic.Int32
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				_, err := a.Accept(context.Background(), token, "", "", uuid.Nil)
				if err == nil {
					joined.Add(1)
				} else if !errors.Is(err, ErrToken) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if joined.Load() != 1 {
			t.Errorf("joined %d times", joined.Load())
		}
	})
}

func TestClaim(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		old, err := a.NewClaim(ctx)
		if err != nil {
			t.Fatal(err)
		}
		c.pass(ClaimLife)
		if _, _, err := a.Claim(ctx, old, FirstOwner{Email: "a@b.cd"}); !errors.Is(err, ErrToken) {
			t.Errorf("too late: %v", err)
		}
		if _, err := a.CreateUser(ctx, NewUser{Email: "bot@b.cd", Bot: true}); err != nil {
			t.Fatal(err)
		}
		tokens := make([]string, 5) // as many servers start
		for i := range tokens {
			if tokens[i], err = a.NewClaim(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := a.Claim(ctx, "guessed", FirstOwner{Email: "a@b.cd"}); !errors.Is(err, ErrToken) {
			t.Errorf("guessed: %v", err)
		}
		var won atomic.Int32
		var wg sync.WaitGroup
		for _, token := range tokens {
			wg.Go(func() {
				u, id, err := a.Claim(ctx, token, FirstOwner{Email: token[:8] + "@acme.test", TeamSlug: "acme", TeamName: "Acme"})
				if err == nil {
					won.Add(1)
					if role(t, a, id, u.ID) != "owner" {
						t.Error("the first user owns no team")
					}
				} else if !errors.Is(err, ErrToken) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Errorf("%d first owners", won.Load())
		}
		if _, err := a.NewClaim(ctx); !errors.Is(err, ErrClaimed) {
			t.Errorf("a link for a server with users: %v", err)
		}
	})
}

func TestDeleteLastOwner(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		ada, bob := person(t, a, "ada@acme.test"), person(t, a, "bob@acme.test")
		team(t, a, "acme", map[uuid.UUID]string{ada.ID: "owner", bob.ID: "member"})
		if err := a.DeleteUser(ctx, ada.ID); !errors.Is(err, ErrLastOwner) {
			t.Errorf("the last owner: %v", err)
		}
		if err := a.DeleteUser(ctx, bob.ID); err != nil {
			t.Error(err)
		}
	})
}

func TestFlow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u := person(t, a, "ada@acme.test")
		verifier := "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // with its challenge, RFC 7636, appendix B
		f := Flow{Provider: "page", Challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", User: u.ID, Method: "password", RedirectTo: "http://127.0.0.1:1/"}
		give := func() string {
			code, err := a.GiveCode(ctx, f)
			if err != nil {
				t.Fatal(err)
			}
			return code
		}
		code := give()
		if got, err := a.TakeCode(ctx, code, verifier); err != nil || got != f {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := a.TakeCode(ctx, code, verifier); !errors.Is(err, ErrToken) {
			t.Errorf("twice: %v", err)
		}
		code = give()
		if _, err := a.TakeCode(ctx, code, verifier+"x"); !errors.Is(err, ErrVerifier) {
			t.Errorf("a wrong verifier: %v", err)
		}
		if _, err := a.TakeCode(ctx, code, verifier); !errors.Is(err, ErrToken) {
			t.Errorf("after a wrong verifier: %v", err)
		}
		code = give()
		c.pass(CodeLife)
		if _, err := a.TakeCode(ctx, code, verifier); !errors.Is(err, ErrToken) {
			t.Errorf("expired: %v", err)
		}
		state, err := a.BeginFlow(ctx, Flow{Provider: "github", Verifier: "v", Nonce: "n"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.TakeCode(ctx, "", verifier); !errors.Is(err, ErrToken) {
			t.Errorf("no code at all: %v", err)
		}
		if got, err := a.TakeFlow(ctx, state); err != nil || got.Verifier != "v" || got.Nonce != "n" || got.Provider != "github" {
			t.Errorf("state: %+v, %v", got, err)
		}
		if _, err := a.TakeFlow(ctx, state); !errors.Is(err, ErrToken) {
			t.Errorf("a state twice: %v", err)
		}
		c.pass(time.Second)
	})
}
