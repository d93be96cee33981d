// Package forgetest answers as the REST calls of GitHub and GitLab do with which
// comments, notes and check runs are read and written.
package forgetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Token is what the server wants to see.
const Token = "ghs_forgetest-0123456789"

// A Server holds the comments of pull request 7 of acme/web, or of merge request
// 7 of project 42, and the check runs of all commits.
type Server struct {
	URL      string
	ReadOnly bool   // every write is refused, as to the token of a fork
	Fails    int    // so many answers of 502 come first
	LoseOne  bool   // the next comment is made, and its answer lost
	NoViewer bool   // GraphQL does not say whose the token is
	Login    string // of the token's bot; "" is that of jobs

	mu       sync.Mutex
	Comments []*Comment
	Checks   []map[string]any
	Asked    []string // method and path
}

// A Comment is one, or a note.
type Comment struct {
	ID   int64
	Body string
	Bot  bool
	By   string // the bot, if it is not the token's
}

// New starts a server that ends with the test.
func New(t interface{ Cleanup(func()) }) *Server {
	s := &Server{}
	mux := http.NewServeMux()
	whoami := func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, map[string]int{"id": 1}) }
	mux.HandleFunc("GET /user", s.user)
	mux.HandleFunc("POST /graphql", s.viewer)
	mux.HandleFunc("POST /api/graphql", s.viewer)
	mux.HandleFunc("GET /api/v4/user", whoami)
	for _, at := range []string{"", "/api/v3"} { // GitHub Enterprise Server
		mux.HandleFunc("GET "+at+"/repos/acme/web/issues/7/comments", s.list)
		mux.HandleFunc("POST "+at+"/repos/acme/web/issues/7/comments", s.create)
		mux.HandleFunc("PATCH "+at+"/repos/acme/web/issues/comments/{id}", s.edit)
	}
	mux.HandleFunc("GET /repos/acme/web/commits/{sha}/check-runs", s.checks)
	mux.HandleFunc("POST /repos/acme/web/check-runs", s.check)
	mux.HandleFunc("PATCH /repos/acme/web/check-runs/{id}", s.recheck)
	mux.HandleFunc("GET /api/v4/projects/42/merge_requests/7/notes", s.list)
	mux.HandleFunc("POST /api/v4/projects/42/merge_requests/7/notes", s.create)
	mux.HandleFunc("PUT /api/v4/projects/42/merge_requests/7/notes/{id}", s.edit)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.Asked = append(s.Asked, r.Method+" "+r.URL.Path)
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if strings.HasPrefix(r.URL.Path, "/api/v4/") {
			token = r.Header.Get("PRIVATE-TOKEN")
		}
		switch {
		case s.Fails > 0:
			s.Fails--
			say(w, http.StatusBadGateway, map[string]string{"message": "Server Error"})
		case token != Token:
			say(w, http.StatusUnauthorized, map[string]string{"message": "Bad credentials " + token})
		case s.ReadOnly && r.Method != http.MethodGet && !strings.HasSuffix(r.URL.Path, "/graphql"):
			say(w, http.StatusForbidden, map[string]string{"message": "Resource not accessible by integration"})
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Count says how many requests began so.
func (s *Server) Count(prefix string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.Asked {
		if strings.HasPrefix(a, prefix) {
			n++
		}
	}
	return n
}

func say(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

// user refuses the token of a job or an app, as GitHub does.
func (s *Server) user(w http.ResponseWriter, _ *http.Request) {
	say(w, http.StatusForbidden, map[string]string{"message": "Resource not accessible by integration"})
}

// viewer tells such a token who it is.
func (s *Server) viewer(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Query string }
	data, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(data, &asked); err != nil || !strings.Contains(asked.Query, "viewer") || s.NoViewer {
		say(w, http.StatusOK, map[string]any{"errors": []map[string]string{{"message": "Something went wrong"}}})
		return
	}
	say(w, http.StatusOK, map[string]any{"data": map[string]any{"viewer": map[string]string{"login": s.login()}}})
}

func (s *Server) login() string { return cmp.Or(s.Login, "github-actions[bot]") }

func (s *Server) shown(c *Comment) map[string]any {
	kind, author, login := "User", 5, "mallory"
	switch {
	case c.By != "":
		kind, author, login = "Bot", 6, c.By
	case c.Bot:
		kind, author, login = "Bot", 1, s.login() // whose token it is
	}
	return map[string]any{"id": c.ID, "body": c.Body, "html_url": fmt.Sprintf("https://github.test/acme/web/pull/7#issuecomment-%d", c.ID), "user": map[string]any{"type": kind, "id": author, "login": login}, "author": map[string]any{"id": author}, "system": false}
}

// page is the part of n things that a request wants.
func page(w http.ResponseWriter, r *http.Request, n int) (from, to int) {
	per, at := 30, 1
	if v, err := strconv.Atoi(r.FormValue("per_page")); err == nil {
		per = min(v, 100)
	}
	if v, err := strconv.Atoi(r.FormValue("page")); err == nil {
		at = v
	}
	from, to = min(n, (at-1)*per), min(n, at*per)
	if to < n {
		w.Header().Set("X-Next-Page", strconv.Itoa(at+1))
		w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?page=%d>; rel="next"`, r.Host, r.URL.Path, at+1))
	}
	return from, to
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	from, to := page(w, r, len(s.Comments))
	list := []map[string]any{}
	for _, c := range s.Comments[from:to] {
		list = append(list, s.shown(c))
	}
	say(w, http.StatusOK, list)
}

// text is the body of a comment that a request has, of at most 65,536 characters.
func text(w http.ResponseWriter, r *http.Request) (string, bool) {
	var body struct{ Body string }
	data, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(data, &body); err != nil || body.Body == "" || utf8.RuneCountInString(body.Body) > 65_536 {
		say(w, http.StatusUnprocessableEntity, map[string]string{"message": "Body is too long (maximum is 65536 characters)"})
		return "", false
	}
	return body.Body, true
}

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	body, ok := text(w, r)
	if !ok {
		return
	}
	c := &Comment{ID: int64(1000 + len(s.Comments)), Body: body, Bot: true}
	s.Comments = append(s.Comments, c)
	if s.LoseOne {
		s.LoseOne = false
		panic(http.ErrAbortHandler)
	}
	say(w, http.StatusCreated, s.shown(c))
}

func (s *Server) edit(w http.ResponseWriter, r *http.Request) {
	for _, c := range s.Comments {
		if strconv.FormatInt(c.ID, 10) != r.PathValue("id") {
			continue
		}
		if !c.Bot {
			say(w, http.StatusForbidden, map[string]string{"message": "403 Forbidden"})
			return
		}
		if body, ok := text(w, r); ok {
			c.Body = body
			say(w, http.StatusOK, s.shown(c))
		}
		return
	}
	say(w, http.StatusNotFound, map[string]string{"message": "Not Found"})
}

func (s *Server) checks(w http.ResponseWriter, r *http.Request) {
	var of []map[string]any
	for _, c := range s.Checks {
		if c["head_sha"] == r.PathValue("sha") {
			of = append(of, c)
		}
	}
	from, to := page(w, r, len(of))
	say(w, http.StatusOK, map[string]any{"total_count": len(of), "check_runs": append([]map[string]any{}, of[from:to]...)})
}

func (s *Server) check(w http.ResponseWriter, r *http.Request) {
	var c map[string]any
	data, _ := io.ReadAll(r.Body)
	sha, _ := c["head_sha"].(string)
	if err := json.Unmarshal(data, &c); err == nil {
		sha, _ = c["head_sha"].(string)
	}
	if len(sha) != 40 || c["name"] == nil {
		say(w, http.StatusUnprocessableEntity, map[string]string{"message": "No commit found for SHA"})
		return
	}
	c["id"] = 5000 + len(s.Checks)
	s.Checks = append(s.Checks, c)
	say(w, http.StatusCreated, c)
}

func (s *Server) recheck(w http.ResponseWriter, r *http.Request) {
	var change map[string]any
	data, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(data, &change)
	for _, c := range s.Checks {
		if fmt.Sprint(c["id"]) == r.PathValue("id") {
			for name, v := range change {
				c[name] = v
			}
			say(w, http.StatusOK, c)
			return
		}
	}
	say(w, http.StatusNotFound, map[string]string{"message": "Not Found"})
}
