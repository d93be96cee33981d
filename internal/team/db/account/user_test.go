package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/test/cairntest"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
)

func TestUser(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		made, err := a.CreateUser(ctx, NewUser{Email: " Ada@Acme.test", Password: "correct-horse", Confirmed: true,
			App: map[string]any{"team": "acme"}, Data: map[string]any{"name": "Ada"}})
		if err != nil {
			t.Fatal(err)
		}
		u, err := a.UserByEmail(ctx, "ADA@acme.TEST")
		if err != nil || u.ID != made.ID || u.Email != "ada@acme.test" || !u.Confirmed.Equal(c.now()) || u.App["team"] != "acme" || u.App["provider"] != "email" || u.Data["name"] != "Ada" {
			t.Fatalf("found %+v, %v", u, err)
		}
		ids, err := a.Identities(ctx, u.ID)
		if err != nil || len(ids) != 1 || ids[0].Provider != "email" || ids[0].ProviderID != u.ID.String() || ids[0].Email != u.Email {
			t.Errorf("identities %+v, %v", ids, err)
		}
		if _, err := a.CreateUser(ctx, NewUser{Email: "ada@ACME.test"}); !errors.Is(err, ErrEmailTaken) {
			t.Errorf("the same address again: %v", err)
		}
		for _, bad := range []string{"", "ada", "Ada <ada@acme.test>", "a@b@c", "a b@c.d", strings.Repeat("a", 250) + "@b.cd"} {
			if _, err := a.CreateUser(ctx, NewUser{Email: bad}); !errors.Is(err, ErrEmail) {
				t.Errorf("%q: %v", bad, err)
			}
		}
		if _, err := a.CreateUser(ctx, NewUser{Email: "long@acme.test", Password: strings.Repeat("x", 73)}); !errors.Is(err, ErrTooLong) {
			t.Errorf("73 bytes: %v", err)
		}
		if _, err := a.User(ctx, uuid.New()); !errors.Is(err, ErrNotFound) {
			t.Errorf("a stranger: %v", err)
		}
	})
}

func TestChange(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u, other := person(t, a, "ada@acme.test"), person(t, a, "bob@acme.test")
		c.pass(time.Minute)
		got, err := a.Change(ctx, u.ID, func(u *User) error {
			u.Email, u.Data["nick"] = "Ada@new.test", "al"
			return nil
		})
		if err != nil || got.Email != "ada@new.test" || !got.Updated.Equal(c.now()) || !got.Created.Equal(u.Created) {
			t.Fatalf("%+v, %v", got, err)
		}
		if again, err := a.User(ctx, u.ID); err != nil || again.Email != got.Email || again.Data["nick"] != "al" {
			t.Errorf("kept: %+v, %v", again, err)
		}
		if _, err := a.Change(ctx, other.ID, func(u *User) error { u.Email = "ADA@new.test"; return nil }); !errors.Is(err, ErrEmailTaken) {
			t.Errorf("another's address: %v", err)
		}
		if _, err := a.Change(ctx, other.ID, func(*User) error { return ErrWeak }); !errors.Is(err, ErrWeak) {
			t.Errorf("fn's error: %v", err)
		}
	})
}

func TestUsersByPage(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		for i := range 5 {
			if _, err := a.CreateUser(ctx, NewUser{Email: fmt.Sprintf("u%d@acme.test", i)}); err != nil {
				t.Fatal(err)
			}
			c.pass(time.Second)
		}
		if _, err := a.CreateUser(ctx, NewUser{Email: "bot@acme.test", Bot: true}); err != nil {
			t.Fatal(err)
		}
		page, total, err := a.Users(ctx, 2, 2)
		if err != nil || total != 5 || len(page) != 2 || page[0].Email != "u2@acme.test" {
			t.Errorf("page 2: %+v of %d, %v", page, total, err)
		}
	})
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u := person(t, a, "ada@acme.test")
		long := strings.Repeat("x", 72)
		for _, n := range []NewUser{{Email: "new@acme.test", Password: "correct-horse"}, {Email: "none@acme.test", Confirmed: true},
			{Email: "long@acme.test", Password: long, Confirmed: true}, {Email: "bot@acme.test", Password: "correct-horse", Confirmed: true, Bot: true}} {
			if _, err := a.CreateUser(ctx, n); err != nil {
				t.Fatal(err)
			}
		}
		for _, try := range []struct {
			email, password string
			want            error
		}{
			{"ada@acme.test", "correct-horse", nil}, {"ADA@acme.test", "correct-horse", nil}, {"ada@acme.test", "wrong", ErrPassword},
			{"ada@acme.test", "", ErrPassword}, {"nobody@acme.test", "correct-horse", ErrPassword}, {"none@acme.test", "", ErrPassword},
			{"long@acme.test", long, nil}, {"long@acme.test", long + "y", ErrPassword}, {"bot@acme.test", "correct-horse", ErrPassword},
			{"new@acme.test", "correct-horse", ErrUnconfirmed}, {"new@acme.test", "wrong", ErrPassword},
		} {
			if _, err := a.SignIn(ctx, try.email, try.password); !errors.Is(err, try.want) {
				t.Errorf("%s %q: %v, want %v", try.email, try.password, err, try.want)
			}
		}
		if _, err := a.Ban(ctx, u.ID, c.now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if _, err := a.SignIn(ctx, u.Email, "correct-horse"); !errors.Is(err, ErrBanned) {
			t.Errorf("banned: %v", err)
		}
		c.pass(2 * time.Hour)
		if _, err := a.SignIn(ctx, u.Email, "correct-horse"); err != nil {
			t.Errorf("after the ban: %v", err)
		}
	})
}

// Whoever there is or is not, one password is hashed, at the same cost and length.
func TestSignInSameWork(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		a.SetCost(bcrypt.DefaultCost)
		person(t, a, "ada@acme.test")
		for _, n := range []NewUser{{Email: "none@acme.test", Confirmed: true}, {Email: "bot@acme.test", Password: "correct-horse", Bot: true}} {
			if _, err := a.CreateUser(ctx, n); err != nil {
				t.Fatal(err)
			}
		}
		for _, try := range [][2]string{{"ada@acme.test", "wrong"}, {"nobody@acme.test", "wrong"}, {"none@acme.test", "wrong"}, {"bot@acme.test", "correct-horse"},
			{"ada@acme.test", strings.Repeat("x", 100)}, {"nobody@acme.test", ""}, {"not an address", "x"}} {
			var costs []int
			a.compare = func(hash, password []byte) error {
				cost, err := bcrypt.Cost(hash)
				if err != nil || len(password) > MaxPassword {
					t.Errorf("%q: a hash of cost %d with %d bytes, %v", try, cost, len(password), err)
				}
				costs = append(costs, cost)
				return bcrypt.CompareHashAndPassword(hash, password)
			}
			if _, err := a.SignIn(ctx, try[0], try[1]); !errors.Is(err, ErrPassword) {
				t.Errorf("%q: %v", try, err)
			}
			if !slices.Equal(costs, []int{bcrypt.DefaultCost}) {
				t.Errorf("%q: compared at costs %v", try, costs)
			}
		}
	})
}

// TestMetadataHaveALimit: they are in every access token, and read with the user.
func TestMetadataHaveALimit(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		long := map[string]any{"x": strings.Repeat("x", MaxMetadata)}
		if _, err := a.CreateUser(ctx, NewUser{Email: "ada@acme.test", Data: long}); !errors.Is(err, ErrMetadata) {
			t.Errorf("a new user: %v", err)
		}
		u, err := a.CreateUser(ctx, NewUser{Email: "ada@acme.test"})
		if err != nil {
			t.Fatal(err)
		}
		add := func(text string) error {
			_, err := a.Change(ctx, u.ID, func(u *User) error { u.Data[text[:2]] = text; return nil })
			return err
		}
		for i := range 3 {
			if err := add(fmt.Sprint(10+i) + strings.Repeat("x", MaxMetadata/4)); err != nil {
				t.Errorf("part %d: %v", i, err)
			}
		}
		if err := add("20" + strings.Repeat("x", MaxMetadata/4)); !errors.Is(err, ErrMetadata) {
			t.Errorf("one part too many: %v", err)
		}
		if u, err = a.User(ctx, u.ID); err != nil || len(u.Data) != 3 {
			t.Errorf("%d parts, %v", len(u.Data), err)
		}
		// What is longer, from before there was a limit, may stay and become shorter.
		err = a.update(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `update auth.users set user_metadata = ? where id = ?`, object(map[string]any{"x": long["x"], "y": 1}), u.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Change(ctx, u.ID, func(u *User) error { delete(u.Data, "y"); return nil }); err != nil {
			t.Error(err)
		}
	})
}
