package auth

import (
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
func (s *server) adminRead(w http.ResponseWriter, r *http.Request, body any) bool {
	err := s.admin(r)
	if err == nil && body != nil {
		err = read(w, r, body)
	}
	if err != nil {
		s.fail(w, r, err)
	}
	return err == nil
}

func (s *server) adminList(w http.ResponseWriter, r *http.Request) {
	if !s.adminRead(w, r, nil) {
		return
	}
	page, err := count(r.URL.Query().Get("page"), 1, 1_000_000)
	perPage, err2 := count(r.URL.Query().Get("per_page"), 50, 1000)
	if err != nil || err2 != nil {
		s.fail(w, r, failure{status: 400, code: "validation_failed", message: "Bad Pagination Parameters: page and per_page are numbers from 1 on"})
		return
	}
	users, total, err := s.accounts.Users(r.Context(), page, perPage)
	if err != nil {
		s.fail(w, r, err)
		return
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
	answer(w, http.StatusOK, map[string]any{"users": out, "aud": "authenticated"})
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

func (s *server) adminCreate(w http.ResponseWriter, r *http.Request) {
	var q adminUser
	if !s.adminRead(w, r, &q) {
		return
	}
	n := account.NewUser{Email: q.Email, Hash: q.PasswordHash, Confirmed: q.EmailConfirm, App: q.AppMetadata, Data: q.UserMetadata}
	var err error
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
		s.fail(w, r, err)
		return
	}
	u, err := s.accounts.CreateUser(r.Context(), n)
	if err == nil && q.BanDuration != "" {
		u, err = s.ban(r, u.ID, q.BanDuration)
	}
	s.answerUser(w, r, u, err)
}

// subject is the user that the path names, for the admin.
func (s *server) subject(w http.ResponseWriter, r *http.Request) (uuid.UUID, bool) {
	if !s.adminRead(w, r, nil) {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		s.fail(w, r, failure{status: 404, code: "validation_failed", message: "user_id must be an UUID"})
	}
	return id, err == nil
}

func (s *server) adminGet(w http.ResponseWriter, r *http.Request) {
	if id, ok := s.subject(w, r); ok {
		u, err := s.accounts.User(r.Context(), id)
		s.answerUser(w, r, u, err)
	}
}

func (s *server) adminDelete(w http.ResponseWriter, r *http.Request) {
	id, ok := s.subject(w, r)
	if !ok {
		return
	}
	if err := s.accounts.DeleteUser(r.Context(), id); err != nil {
		s.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, struct{}{})
}

func (s *server) adminUpdate(w http.ResponseWriter, r *http.Request) {
	id, ok := s.subject(w, r)
	if !ok {
		return
	}
	var q adminUser
	if err := read(w, r, &q); err != nil {
		s.fail(w, r, err)
		return
	}
	var hash string
	var err error
	if q.Password != nil {
		if hash, err = s.newPassword(r, *q.Password, q.Email); err != nil {
			s.fail(w, r, err)
			return
		}
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
	s.answerUser(w, r, u, err)
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
