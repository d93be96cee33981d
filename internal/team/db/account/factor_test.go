package account

import (
	"bytes"
	"context"
	"encoding/base32"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp/totp"

	"cairn/internal/team/db"
)

// factored gives a user a verified factor and returns its secret.
func factored(t *testing.T, a *Accounts, user uuid.UUID) (Factor, string) {
	t.Helper()
	f, secret, err := a.EnrollFactor(context.Background(), user, "phone")
	if err != nil {
		t.Fatal(err)
	}
	challenge, _, err := a.Challenge(context.Background(), user, f.ID)
	if err == nil {
		err = a.Answer(context.Background(), user, uuid.Nil, f.ID, challenge, codeAt(t, secret, a.now()))
	}
	if err != nil {
		t.Fatal(err)
	}
	return f, secret
}

func codeAt(t *testing.T, secret string, at time.Time) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, at)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func TestFactorCodes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		ada, eve := person(t, a, "ada@acme.test"), person(t, a, "eve@acme.test")
		if err := a.CheckCode(ctx, ada.ID, "123456"); !errors.Is(err, ErrNoFactor) {
			t.Errorf("without a factor: %v", err)
		}
		f, secret := factored(t, a, ada.ID)
		if err := a.CheckCode(ctx, ada.ID, codeAt(t, secret, a.now())); !errors.Is(err, ErrCode) {
			t.Errorf("the code of the enrolment again: %v", err)
		}
		c.pass(time.Minute)
		for _, off := range []time.Duration{-2 * step, 2 * step} {
			if err := a.CheckCode(ctx, ada.ID, codeAt(t, secret, a.now().Add(off*time.Second))); !errors.Is(err, ErrCode) {
				t.Errorf("%d s off: %v", off, err)
			}
		}
		next := codeAt(t, secret, a.now().Add(step*time.Second))
		if err := a.CheckCode(ctx, ada.ID, next); err != nil {
			t.Errorf("a clock half a minute ahead: %v", err)
		}
		for what, code := range map[string]string{"again": next, "an older one": codeAt(t, secret, a.now()), "none": "", "long": next + "0"} {
			if err := a.CheckCode(ctx, ada.ID, code); !errors.Is(err, ErrCode) {
				t.Errorf("%s: %v", what, err)
			}
		}
		c.pass(5 * time.Minute)
		code := codeAt(t, secret, a.now())
		if err := a.CheckCode(ctx, eve.ID, code); !errors.Is(err, ErrNoFactor) {
			t.Errorf("another's: %v", err)
		}
		challenge, _, err := a.Challenge(ctx, ada.ID, f.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := a.Challenge(ctx, eve.ID, f.ID); !errors.Is(err, ErrNoFactor) {
			t.Errorf("a challenge of another's factor: %v", err)
		}
		if err := a.Answer(ctx, eve.ID, uuid.Nil, f.ID, challenge, code); !errors.Is(err, ErrNoFactor) {
			t.Errorf("another answers: %v", err)
		}
		if err := a.Answer(ctx, ada.ID, uuid.Nil, f.ID, uuid.New(), code); !errors.Is(err, ErrChallenge) {
			t.Errorf("a challenge that is not there: %v", err)
		}
		var right atomic.Int32
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				switch err := a.Answer(ctx, ada.ID, uuid.Nil, f.ID, challenge, code); {
				case err == nil:
					right.Add(1)
				case !errors.Is(err, ErrCode) && !errors.Is(err, ErrChallenge):
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if right.Load() != 1 {
			t.Errorf("one code was right %d times", right.Load())
		}

		for range MostFactorTries + 1 { // one of those at once may count, too
			if err = a.CheckCode(ctx, ada.ID, "000000"); !errors.Is(err, ErrCode) {
				break
			}
		}
		if !errors.Is(err, ErrTries) {
			t.Fatal(err)
		}
		c.pass(time.Minute)
		if err := a.CheckCode(ctx, ada.ID, codeAt(t, secret, a.now())); !errors.Is(err, ErrTries) {
			t.Errorf("the right one after too many: %v", err)
		}
		c.pass(FactorPause)
		if err := a.CheckCode(ctx, ada.ID, codeAt(t, secret, a.now())); err != nil {
			t.Errorf("after the pause: %v", err)
		}

		var kept []byte
		err = a.view(ctx, func(tx *db.Tx) error {
			return tx.QueryRow(ctx, `select secret from auth.factors where id = ?`, f.ID).Scan(&kept)
		})
		raw, _ := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
		if err != nil || bytes.Contains(kept, raw) || bytes.Contains(kept, []byte(secret)) {
			t.Errorf("the secret is kept in clear: %v", err)
		}
	})
}

// Without the second factor a session does nothing; with it, all others end.
func TestFactorSessions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		ada := person(t, a, "ada@acme.test")
		begin := func() (Session, string) {
			s, token, err := a.Begin(ctx, Session{User: ada.ID, Method: "password"})
			if err != nil {
				t.Fatal(err)
			}
			return s, token
		}
		other, _ := begin()
		mine, before := begin()
		if _, err := a.SessionAlive(ctx, mine.ID); err != nil {
			t.Errorf("without a factor: %v", err)
		}
		if _, _, err := a.EnrollFactor(ctx, ada.ID, "not verified"); err != nil {
			t.Fatal(err)
		}
		if _, err := a.SessionAlive(ctx, mine.ID); err != nil {
			t.Errorf("with a factor that is not verified: %v", err)
		}
		f, _ := factored(t, a, ada.ID)
		if _, err := a.SessionAlive(ctx, mine.ID); !errors.Is(err, db.ErrFactor) || !errors.Is(err, db.ErrSession) {
			t.Errorf("before the factor is shown: %v", err)
		}
		if r, err := a.Refresh(ctx, before); err != nil || !r.Session.SecondFactor.IsZero() {
			t.Errorf("a refresh shows no factor: %+v, %v", r, err)
		} else {
			before = r.Token
		}
		proven, token, err := a.Prove(ctx, ada.ID, mine.ID)
		if err != nil || proven.SecondFactor.IsZero() {
			t.Fatal(proven, err)
		}
		if ok, err := a.SessionAlive(ctx, mine.ID); !ok || err != nil {
			t.Errorf("after: %v %v", ok, err)
		}
		if ok, _ := a.SessionAlive(ctx, other.ID); ok {
			t.Error("another session goes on without the factor")
		}
		if _, err := a.Refresh(ctx, before); !errors.Is(err, ErrRefresh) {
			t.Errorf("a refresh token from before: %v", err)
		}
		r, err := a.Refresh(ctx, token)
		if err != nil || r.Session.SecondFactor.IsZero() {
			t.Errorf("%+v, %v", r, err)
		}
		if _, _, err := a.Prove(ctx, uuid.New(), mine.ID); !errors.Is(err, ErrSession) {
			t.Errorf("of another: %v", err)
		}
		if err := a.RemoveFactor(ctx, uuid.New(), f.ID); !errors.Is(err, ErrNoFactor) {
			t.Errorf("another removes it: %v", err)
		}
		again, _ := begin()
		if _, err := a.SessionAlive(ctx, again.ID); !errors.Is(err, db.ErrFactor) {
			t.Errorf("a new session: %v", err)
		}
		if n, err := a.ResetFactors(ctx, ada.ID); err != nil || n != 2 {
			t.Errorf("%d, %v", n, err)
		}
		if ok, _ := a.SessionAlive(ctx, mine.ID); ok {
			t.Error("a reset leaves a session")
		}
		if again, _ := begin(); again.ID == uuid.Nil {
			t.Error("no session")
		} else if ok, err := a.SessionAlive(ctx, again.ID); !ok || err != nil {
			t.Errorf("after the reset: %v %v", ok, err)
		}
		for i := range mostFactors + 1 {
			_, _, err := a.EnrollFactor(ctx, ada.ID, "")
			if want := i >= mostFactors; errors.Is(err, ErrManyFactors) != want {
				t.Errorf("factor %d: %v", i, err)
			}
		}
	})
}
