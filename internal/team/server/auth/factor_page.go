package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
)

const (
	// secondPath asks for the code of the second factor in a sign-in, factorPath
	// is where somebody who is signed in switches it on or off.
	secondPath = "/signin/second"
	factorPath = "/signin/factor"

	// halfLife is how long a sign-in waits for the code.
	halfLife = 10 * time.Minute
)

// half is the signed word that a user has signed in, but for the second factor,
// in this browser: it is tied to the cookie of the pages' forms.
func (s *server) half(r *http.Request, user uuid.UUID, how string, until time.Time) (string, error) {
	c, err := r.Cookie(s.formCookie())
	if err != nil {
		return "", errForm
	}
	word := user.String() + "." + how + "." + strconv.FormatInt(until.Unix(), 10)
	sum, err := s.signature(r, "half\x00"+word+"\x00"+c.Value)
	return base64.RawURLEncoding.EncodeToString([]byte(word)) + "." + sum, err
}

// halfOf reads such a word; errForm.
func (s *server) halfOf(r *http.Request, text string) (user uuid.UUID, how string, err error) {
	encoded, _, _ := strings.Cut(text, ".")
	word, _ := base64.RawURLEncoding.DecodeString(encoded)
	parts := strings.Split(string(word), ".")
	if len(parts) != 3 {
		return uuid.Nil, "", errForm
	}
	user, err = uuid.Parse(parts[0])
	seconds, err2 := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || err2 != nil || !s.Now().Before(time.Unix(seconds, 0)) {
		return uuid.Nil, "", errForm
	}
	want, err := s.half(r, user, parts[1], time.Unix(seconds, 0))
	if err != nil {
		return uuid.Nil, "", err
	}
	a, b := sha256.Sum256([]byte(want)), sha256.Sum256([]byte(text))
	if !hmac.Equal(a[:], b[:]) {
		return uuid.Nil, "", errForm
	}
	return user, parts[1], nil
}

// askSecond asks who has signed in for the code of the second factor. False is
// that the user has none.
func (s *server) askSecond(w http.ResponseWriter, r *http.Request, a *asked, user uuid.UUID, how string) (bool, error) {
	has, err := s.accounts.HasFactor(r.Context(), user)
	if err != nil || !has {
		return false, err
	}
	if _, err := s.form(w, r); err != nil { // sets the cookie: of a link no page was shown before
		return true, err
	}
	half, err := s.half(r, user, how, s.Now().Add(halfLife))
	if err != nil {
		return true, err
	}
	s.show(w, r, view{name: "second", Title: "Sign in", Ask: a, Half: half})
	return true, nil
}

// secondForm takes the code and ends the sign-in.
func (s *server) secondForm(w http.ResponseWriter, r *http.Request) {
	err := s.posted(w, r)
	a, problem := s.asking(r.PostForm)
	if problem != "" {
		s.show(w, r, view{name: "failed", status: http.StatusBadRequest, Title: "Sign in", Problem: problem})
		return
	}
	var user uuid.UUID
	var how string
	if err == nil {
		user, how, err = s.halfOf(r, r.PostForm.Get("half"))
	}
	if err != nil || a == nil && s.Start == nil {
		s.showFailed(w, r, errForm)
		return
	}
	err = s.checkCode(r, user, r.PostForm.Get("code"))
	if err == nil {
		f := account.Flow{Provider: "page", User: user, Method: how, SecondFactor: s.Now().UTC()}
		if a == nil {
			if err = s.Start(w, r, f); err == nil {
				http.Redirect(w, r, "/", http.StatusSeeOther)
				return
			}
		} else if to, ok := s.mayRedirect(a.RedirectTo); ok {
			f.Challenge = a.Challenge
			if err = s.sendCode(w, r, to, f); err == nil {
				return
			}
		}
	}
	v := view{name: "second", Title: "Sign in", Ask: a, Half: r.PostForm.Get("half")}
	v.Problem, v.status = s.problem(r, err)
	s.show(w, r, v)
}

// checkCode counts a wrong code as it counts a wrong password, too.
func (s *server) checkCode(r *http.Request, user uuid.UUID, code string) error {
	u, err := s.accounts.User(r.Context(), user)
	if err != nil {
		return err
	}
	return s.guess(r, u.Email, func() error { return s.accounts.CheckCode(r.Context(), user, digits(code)) })
}

// digits is a code as it is compared: people put a space in the middle.
func digits(code string) string { return strings.ReplaceAll(strings.TrimSpace(code), " ", "") }

// factorPage shows whoever is signed in whether a second factor is asked for.
func (s *server) factorPage(w http.ResponseWriter, r *http.Request) {
	u, ok := s.signedIn(r)
	if !ok {
		http.Redirect(w, r, "/enter?next="+factorPath, http.StatusSeeOther)
		return
	}
	s.showFactor(w, r, u, nil)
}

func (s *server) showFactor(w http.ResponseWriter, r *http.Request, u account.User, problem error) {
	has, err := s.accounts.HasFactor(r.Context(), u.ID)
	if err != nil {
		s.showFailed(w, r, err)
		return
	}
	v := view{name: "factor", Title: "Two-factor sign-in", Email: u.Email, Factor: has}
	if problem != nil {
		v.Problem, v.status = s.problem(r, problem)
	}
	s.show(w, r, v)
}

// factorForm switches the second factor on, in two steps, or off.
func (s *server) factorForm(w http.ResponseWriter, r *http.Request) {
	u, ok := s.signedIn(r)
	if !ok {
		http.Redirect(w, r, "/enter?next="+factorPath, http.StatusSeeOther)
		return
	}
	err := s.posted(w, r)
	switch way := r.PostForm.Get("way"); {
	case err != nil:
	case way == "begin":
		err = s.beginFactor(w, r, u)
		if err == nil {
			return
		}
	case way == "verify":
		err = s.finishFactor(w, r, u)
		if err == nil {
			return
		}
	case way == "remove":
		if err = s.checkCode(r, u.ID, r.PostForm.Get("code")); err == nil {
			err = s.removeFactors(r, u.ID)
		}
	default:
		err = errForm
	}
	s.showFactor(w, r, u, err)
}

// beginFactor shows what the app needs. Until a code of it is right nothing changes.
func (s *server) beginFactor(w http.ResponseWriter, r *http.Request, u account.User) error {
	if has, err := s.accounts.HasFactor(r.Context(), u.ID); err != nil || has {
		return err
	}
	f, secret, err := s.accounts.EnrollFactor(r.Context(), u.ID, "")
	if err != nil {
		return err
	}
	uri := s.otpURI("", u.Email, secret)
	svg, err := qrSVG(uri)
	if err != nil {
		return err
	}
	s.show(w, r, view{name: "enroll", Title: "Two-factor sign-in", Email: u.Email, Token: f.ID.String(), Code: spaced(secret), Link: uri, QR: template.HTML(svg)}) // of our own making
	return nil
}

// finishFactor verifies the factor with its first code; this browser stays
// signed in, all else is signed out.
func (s *server) finishFactor(w http.ResponseWriter, r *http.Request, u account.User) error {
	factor, err := uuid.Parse(r.PostForm.Get("token"))
	if err != nil {
		return errForm
	}
	challenge, _, err := s.accounts.Challenge(r.Context(), u.ID, factor)
	if err == nil {
		err = s.guess(r, u.Email, func() error {
			return s.accounts.Answer(r.Context(), u.ID, uuid.Nil, factor, challenge, digits(r.PostForm.Get("code")))
		})
	}
	if err != nil {
		return err
	}
	if err := s.Start(w, r, account.Flow{Provider: "page", User: u.ID, Method: "totp", SecondFactor: s.Now().UTC()}); err != nil {
		return err
	}
	if err := s.accounts.EndUnproven(r.Context(), u.ID); err != nil {
		return err
	}
	http.Redirect(w, r, factorPath, http.StatusSeeOther)
	return nil
}

func (s *server) removeFactors(r *http.Request, user uuid.UUID) error {
	list, err := s.accounts.Factors(r.Context(), user)
	for _, f := range list {
		if err == nil {
			err = s.accounts.RemoveFactor(r.Context(), user, f.ID)
		}
	}
	return err
}

// spaced is a secret as one types it: in groups of four.
func spaced(secret string) string {
	var b strings.Builder
	for i, c := range secret {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}
