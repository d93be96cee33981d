package rest

import (
	"net/http"

	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// allowOrigins lets pages of any origin ask, as Supabase does: who asks is
// proved by a token that the page must have, never by a cookie.
func allowOrigins(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Preference-Applied, Range-Unit, Retry-After, Server, WWW-Authenticate")
}

const (
	tableMethods = "OPTIONS,GET,HEAD,POST,PATCH,DELETE"
	callMethods  = "OPTIONS,POST"
)

// options answers what can be done with a table or a function, and the
// question of a browser whether a page may.
func (h *handler) options(w http.ResponseWriter, r *http.Request, name string, isCall bool) {
	methods := tableMethods
	if isCall {
		methods = callMethods
	}
	head := w.Header()
	if r.Header.Get("Access-Control-Request-Method") != "" {
		head.Set("Access-Control-Allow-Methods", methods)
		allowed := r.Header.Get("Access-Control-Request-Headers")
		if allowed == "" || len(allowed) > 2000 {
			allowed = "accept, accept-profile, apikey, authorization, content-profile, content-type, prefer, range, range-unit, x-client-info, x-retry-count"
		}
		head.Set("Access-Control-Allow-Headers", allowed)
		head.Set("Access-Control-Max-Age", "86400")
		head.Add("Vary", "Access-Control-Request-Headers")
	} else if !isCall && table.Find(name) == nil {
		h.refuse(w, r, anyone, postgrest.NoTable(name))
		return
	}
	head.Set("Allow", methods)
	head.Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
}
