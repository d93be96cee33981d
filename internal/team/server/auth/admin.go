package auth

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
)

// An adminUser is what the admin sends to make or change a user. nil leaves as it is.
type adminUser struct {
	ID           string         `json:"id"`
	Email        string         `json:"email"`
	Password     *string        `json:"password"`
	PasswordHash string         `json:"password_hash"` // bcrypt
	EmailConfirm bool           `json:"email_confirm"`
	BanDuration  string         `json:"ban_duration"` // Go's form of a duration, or none
	AppMetadata  map[string]any `json:"app_metadata"`
	UserMetadata map[string]any `json:"user_metadata"`
}

// adminRead checks the service key and reads a body.
func (s *server) adminRead(w http.ResponseWriter, r *http.Request, body any) error {
	if err := s.admin(r); err != nil {
		return err
	}
	return read(w, r, body)
}

func (s *server) adminList(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.admin(r); err != nil {
		return nil, err
	}
	page, err := count(r.URL.Query().Get("page"), 1, 1_000_000)
	perPage, err2 := count(r.URL.Query().Get("per_page"), 50, 1000)
	if err != nil || err2 != nil {
		return nil, failure{status: 400, code: "validation_failed", message: "Bad Pagination Parameters: page and per_page are numbers from 1 on"}
	}
	users, total, err := s.accounts.Users(r.Context(), page, perPage)
	if err != nil {
		return nil, err
	}
	last := max(1, (total+perPage-1)/perPage)
	link := fmt.Sprintf(`</admin/users?page=%d&per_page=%d>; rel="last"`, last, perPage)
	if page < last {
		link = fmt.Sprintf(`</admin/users?page=%d&per_page=%d>; rel="next", `, page+1, perPage) + link
	}
	w.Header().Set("Link", link)
	w.Header().Set("X-Total-Count", strconv.Itoa(total))
	out := []wire.User{}
	for _, u := range users {
		out = append(out, bare(u))
	}
	return map[string]any{"users": out, "aud": "authenticated"}, nil
}

// count reads a number from 1 to most; "" is what is usual.
func count(text string, usual, most int) (int, error) {
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no number from 1 on", text)
	}
	return min(n, most), nil
}

func (s *server) adminCreate(w http.ResponseWriter, r *http.Request) (any, error) {
	var q adminUser
	err := s.adminRead(w, r, &q)
	if err != nil {
		return nil, err
	}
	n := account.NewUser{Email: q.Email, Hash: q.PasswordHash, Confirmed: q.EmailConfirm, App: q.AppMetadata, Data: q.UserMetadata}
	if q.ID != "" {
		n.ID, err = uuid.Parse(q.ID)
	}
	switch {
	case err != nil:
		err = failure{status: 400, code: "validation_failed", message: "ID must conform to the uuid v4 format"}
	case q.Email == "":
		err = failure{status: 400, code: "validation_failed", message: "Cannot create a user without either an email or phone"}
	case q.Password != nil && q.PasswordHash != "":
		err = failure{status: 400, code: "validation_failed", message: "Only a password or a password hash should be provided"}
	case q.Password != nil:
		n.Hash, err = s.newPassword(r, *q.Password, q.Email)
	case q.PasswordHash != "" && !account.IsHash(q.PasswordHash):
		err = failure{status: 400, code: "validation_failed", message: "The password hash is not one of bcrypt"}
	}
	if err != nil {
		return nil, err
	}
	u, err := s.accounts.CreateUser(r.Context(), n)
	if err == nil && q.BanDuration != "" {
		u, err = s.ban(r, u.ID, q.BanDuration)
	}
	return s.answerUser(r, u, err)
}

// subject is the user that the path names, for the admin.
func (s *server) subject(r *http.Request) (uuid.UUID, error) {
	if err := s.admin(r); err != nil {
		return uuid.Nil, err
	}
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		err = failure{status: 404, code: "validation_failed", message: "user_id must be an UUID"}
	}
	return id, err
}

func (s *server) adminGet(w http.ResponseWriter, r *http.Request) (any, error) {
	id, err := s.subject(r)
	if err != nil {
		return nil, err
	}
	u, err := s.accounts.User(r.Context(), id)
	return s.answerUser(r, u, err)
}

func (s *server) adminDelete(w http.ResponseWriter, r *http.Request) (any, error) {
	id, err := s.subject(r)
	if err == nil {
		err = s.accounts.DeleteUser(r.Context(), id)
	}
	return struct{}{}, err
}

func (s *server) adminUpdate(w http.ResponseWriter, r *http.Request) (any, error) {
	var q adminUser
	var hash string
	id, err := s.subject(r)
	if err == nil {
		err = read(w, r, &q)
	}
	if err == nil && q.Password != nil {
		hash, err = s.newPassword(r, *q.Password, q.Email)
	}
	if err != nil {
		return nil, err
	}
	u, err := s.accounts.Change(r.Context(), id, func(u *account.User) error {
		if q.Email != "" {
			u.Email = q.Email
		}
		if q.EmailConfirm && u.Confirmed.IsZero() {
			u.Confirmed, u.Data["email_verified"] = s.Now().UTC(), true
		}
		if q.Password != nil {
			u.PasswordHash = hash
		}
		merge(&u.App, q.AppMetadata)
		merge(&u.Data, q.UserMetadata)
		return nil
	})
	if err == nil && q.Password != nil {
		err = s.accounts.End(r.Context(), id, uuid.Nil, account.Global)
	}
	if err == nil && q.BanDuration != "" {
		u, err = s.ban(r, id, q.BanDuration)
	}
	return s.answerUser(r, u, err)
}

// ban bans for a duration; "none" lifts the ban.
func (s *server) ban(r *http.Request, id uuid.UUID, duration string) (account.User, error) {
	if duration == "none" {
		return s.accounts.Ban(r.Context(), id, time.Time{})
	}
	d, err := time.ParseDuration(duration)
	if err != nil {
		return account.User{}, failure{status: 400, code: "validation_failed", message: "invalid format for ban duration: " + strconv.Quote(duration)}
	}
	return s.accounts.Ban(r.Context(), id, s.Now().Add(d))
}

// A generated link: the user, and what a mail would have said.
type generated struct {
	wire.User
	ActionLink string       `json:"action_link"`
	Code       string       `json:"email_otp"`
	Token      string       `json:"hashed_token"`
	Kind       account.Kind `json:"verification_type"`
	RedirectTo string       `json:"redirect_to"`
}

// generateLink gives the admin what would be mailed.
func (s *server) generateLink(w http.ResponseWriter, r *http.Request) (any, error) {
	var q struct {
		Type       account.Kind   `json:"type"`
		Email      string         `json:"email"`
		Password   string         `json:"password"`
		Data       map[string]any `json:"data"`
		RedirectTo string         `json:"redirect_to"`
	}
	if err := s.adminRead(w, r, &q); err != nil {
		return nil, err
	}
	asked := cmp.Or(r.URL.Query().Get("redirect_to"), q.RedirectTo)
	a := ask{kind: q.Type, redirect: s.redirect(asked).String(), often: true}
	u, err := s.linkUser(r, &a, q.Email, q.Password, q.Data)
	if err != nil {
		return nil, err
	}
	u, l, err := s.issue(r.Context(), u, a)
	if err != nil {
		return nil, err
	}
	shown, err := s.shown(r, u)
	return generated{User: shown, ActionLink: l.url, Code: l.code, Token: l.token, Kind: a.kind, RedirectTo: a.redirect}, err
}

// linkUser finds or makes the user of a link that the admin wants.
func (s *server) linkUser(r *http.Request, a *ask, email, password string, data map[string]any) (account.User, error) {
	u, err := s.accounts.UserByEmail(r.Context(), email)
	known := err == nil
	if err != nil && !errors.Is(err, account.ErrNotFound) {
		return u, err
	}
	switch a.kind {
	case account.Invite, account.Signup:
		if known && !u.Confirmed.IsZero() {
			return u, account.ErrEmailTaken
		}
		if a.kind == account.Signup && password == "" && !known {
			return u, failure{status: 400, code: "validation_failed", message: "Signup requires a valid password"}
		}
	case account.MagicLink:
	case account.Recovery:
		if !known {
			return u, account.ErrNotFound
		}
	default:
		return u, failure{status: 400, code: "validation_failed", message: "Invalid email action link type requested: " + string(a.kind)}
	}
	if known {
		return u, nil
	}
	if a.kind == account.MagicLink {
		a.kind = account.Signup
	}
	n := account.NewUser{ID: uuid.New(), Email: email, Data: data, Invited: a.kind == account.Invite}
	if password != "" {
		if n.Hash, err = s.newPassword(r, password, email); err != nil {
			return u, err
		}
	}
	return s.accounts.CreateUser(r.Context(), n)
}

// invite makes an account for an address and mails it the link, for the admin.
func (s *server) invite(w http.ResponseWriter, r *http.Request) (any, error) {
	var q struct {
		Email string         `json:"email"`
		Data  map[string]any `json:"data"`
	}
	if err := s.adminRead(w, r, &q); err != nil {
		return nil, err
	}
	if s.Mailer == nil {
		return nil, failure{status: 422, code: "email_provider_disabled", message: "This server sends no mail: make the link with admin/generate_link"}
	}
	a := ask{kind: account.Invite, redirect: s.redirect(r.URL.Query().Get("redirect_to")).String(), often: true}
	u, err := s.linkUser(r, &a, q.Email, "", q.Data)
	if err == nil {
		u, err = s.mailLink(r.Context(), u, a)
	}
	return s.answerUser(r, u, err)
}
