package auth

import (
	"net/http"
	"strings"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
	"cairn/internal/text"
)

// claim is the first start's link for a program: it makes the first user and signs in.
func (s *server) claim(w http.ResponseWriter, r *http.Request) {
	var q wire.NewOwner
	err := read(w, r, &q)
	if err == nil {
		err = s.limits.take(joining, s.network(r))
	}
	var u account.User
	if err == nil {
		u, _, err = s.accounts.Claim(r.Context(), q.Token, account.FirstOwner{Email: q.Email})
	}
	var made wire.Session
	if err == nil {
		made, err = s.begin(r, u.ID, "invite")
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, made)
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
