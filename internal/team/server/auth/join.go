package auth

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
	"cairn/internal/text"
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
	err := s.limits.take(joining, s.network(r))
	var i account.Invitation
	if err == nil {
		i, err = s.accounts.Invitation(r.Context(), token)
	}
	if err != nil {
		v.Problem, v.status = s.problem(r, err)
		if errors.Is(err, account.ErrToken) {
			v.Problem = "The invitation was used before, has expired or was never made. Ask for another one."
		}
		return v
	}
	v.Token, v.Team, v.Email, v.Account = token, i.TeamName, i.Email, i.Account
	v.Link = s.SiteURL + "/join?" + url.Values{"token": {token}}.Encode()
	v.Member = i.Member
	if s.Start != nil {
		v.Enter = "/enter?" + url.Values{"next": {"/join?" + url.Values{"token": {token}}.Encode()}}.Encode()
	}
	if u, ok := s.signedIn(r); ok {
		if email, err := account.Address(i.Email); err == nil && email == u.Email {
			v.Signed = u.ID
		}
	}
	return v
}

// signedIn is who is signed in to the pages in this browser.
func (s *server) signedIn(r *http.Request) (account.User, bool) {
	if s.Signed == nil {
		return account.User{}, false
	}
	id, ok := s.Signed(r)
	if !ok {
		return account.User{}, false
	}
	u, err := s.accounts.User(r.Context(), id)
	return u, err == nil
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
	case v.Team == "" || !sent && r.PostForm.Get("way") != "signed": // the invitation was pasted just now
	default:
		if err = s.join(w, r, v, strings.Join(password, "")); err == nil {
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
	how := "password"
	switch {
	case r.PostForm.Get("way") == "signed":
		if v.Signed == uuid.Nil {
			return errForm
		}
		as = v.Signed
	case v.Account:
		var u account.User
		u, err = s.checkPassword(r, v.Email, password)
		as = u.ID
	default:
		how = "invite"
		if password == "" && v.Ask != nil {
			break
		}
		hash, err = s.newPassword(r, password, v.Email, v.Team)
	}
	if err != nil {
		return err
	}
	j, err := s.accounts.Accept(r.Context(), v.Token, "", hash, as)
	if err != nil {
		return err
	}
	if v.Ask != nil {
		return s.finish(w, r, v.Ask, j.User.ID, how)
	}
	if s.Start != nil && as == uuid.Nil { // a new account is signed in
		if err := s.Start(w, r, account.Flow{Provider: "page", User: j.User.ID, Method: how}); err != nil {
			return err
		}
	}
	s.show(w, r, view{name: "done", Title: "Welcome to " + v.Team, Text: "Now sign in from your repository with your address and password:", Command: "cairn sync setup"})
	return nil
}

// claim is the first start's link for a program: it makes the first user and signs in.
func (s *server) claim(w http.ResponseWriter, r *http.Request) (any, error) {
	var q wire.NewOwner
	err := read(w, r, &q)
	if err == nil {
		err = s.limits.take(joining, s.network(r))
	}
	if err != nil {
		return nil, err
	}
	u, _, err := s.accounts.Claim(r.Context(), q.Token, account.FirstOwner{Email: q.Email})
	if err != nil {
		return nil, err
	}
	return s.begin(r, u.ID, "invite")
}

// claimPage asks who the first user is. Looking at it does not use the link up.
func (s *server) claimPage(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, view{name: "claim", Title: "Make this server yours", Token: r.URL.Query().Get("token")})
}

func (s *server) claimForm(w http.ResponseWriter, r *http.Request) {
	err := s.posted(w, r)
	f := r.PostForm
	v := view{name: "claim", Title: "Make this server yours", Token: f.Get("token"), Email: f.Get("email"), TeamName: strings.TrimSpace(f.Get("team"))}
	o := account.FirstOwner{Email: v.Email, TeamName: v.TeamName, TeamSlug: text.Slug(v.TeamName, wire.MostSlug)}
	if err == nil {
		err = s.limits.take(joining, s.network(r))
	}
	if err == nil && (o.TeamSlug == "" || len([]rune(o.TeamName)) > 100) {
		err = failure{status: 400, code: "validation_failed", message: "The team's name needs a letter or a digit of English, and at most 100 letters"}
	}
	if err == nil {
		o.Hash, err = s.newPassword(r, f.Get("password"), v.Email, v.TeamName)
	}
	if err == nil {
		_, _, err = s.accounts.Claim(r.Context(), f.Get("token"), o)
	}
	if err != nil {
		v.Problem, v.status = s.problem(r, err)
		s.show(w, r, v)
		return
	}
	s.show(w, r, view{name: "done", Title: "The server is yours", Text: "Now link your repository, and sign in with your address and password:",
		Command: "cairn sync init --url " + s.SiteURL + " --team " + o.TeamSlug + "\ncairn sync setup"})
}
