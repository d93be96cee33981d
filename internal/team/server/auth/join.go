package auth

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
)

// joinPage shows an invitation to a team: ?token=, or a field to paste it into.
// Looking at it does not use it up.
func (s *server) joinPage(w http.ResponseWriter, r *http.Request) {
	a, problem := s.asking(r.URL.Query())
	if problem != "" {
		s.show(w, r, view{name: "failed", status: http.StatusBadRequest, Title: "Join a team", Problem: problem})
		return
	}
	s.show(w, r, s.joinView(r, a, invitationToken(r.URL.Query().Get("token"))))
}

func (s *server) joinView(r *http.Request, a *asked, token string) view {
	v := view{name: "join", Title: "Join a team", Ask: a}
	if token == "" {
		return v
	}
	err := s.limits.take(joining, network(s.ip(r)))
	var i account.Invitation
	if err == nil {
		i, err = s.accounts.Invitation(r.Context(), token)
	}
	if err != nil {
		v.Problem, v.status = s.problem(r, err)
		if errors.Is(err, account.ErrToken) {
			v.Problem = "The invitation is used up, too old or was never made. Ask for another one."
		}
		return v
	}
	v.Token, v.Team, v.Email, v.Account = token, i.TeamName, i.Email, i.Account
	v.Link = s.SiteURL + "/join?" + url.Values{"token": {token}}.Encode()
	return v
}

// invitationToken is the token in what a person pasted: itself, or in a link.
func invitationToken(text string) string {
	text = strings.TrimSpace(text)
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" {
		return text
	}
	if t := u.Query().Get("token"); t != "" {
		return t
	}
	return strings.TrimPrefix(u.Fragment, "token=")
}

// joinForm accepts an invitation: as a new user, or as one whose password is right.
func (s *server) joinForm(w http.ResponseWriter, r *http.Request) {
	err := s.posted(w, r)
	a, problem := s.asking(r.PostForm)
	if problem != "" {
		s.show(w, r, view{name: "failed", status: http.StatusBadRequest, Title: "Join a team", Problem: problem})
		return
	}
	v := s.joinView(r, a, invitationToken(r.PostForm.Get("token")))
	password, sent := r.PostForm["password"]
	switch {
	case err != nil:
		v.Problem, v.status = s.problem(r, err)
	case v.Team == "" || !sent: // the invitation was pasted just now
	default:
		if err = s.join(w, r, v, password[0]); err == nil {
			return
		}
		v.Problem, v.status = s.problem(r, err)
	}
	s.show(w, r, v)
}

func (s *server) join(w http.ResponseWriter, r *http.Request, v view, password string) error {
	var as uuid.UUID
	hash := ""
	var err error
	switch {
	case v.Account:
		var u account.User
		u, err = s.checkPassword(r, v.Email, password)
		as = u.ID
	case password != "" || v.Ask == nil:
		hash, err = s.newPassword(r, password)
	}
	if err != nil {
		return err
	}
	j, err := s.accounts.Accept(r.Context(), v.Token, "", hash, as)
	if err != nil {
		return err
	}
	if v.Ask != nil {
		return s.finish(w, r, v.Ask, j.User.ID, "invite")
	}
	s.show(w, r, view{name: "done", Title: "Welcome to " + v.Team, Text: "Now sign in from your repository with your address and password:", Command: "cairn sync setup"})
	return nil
}
