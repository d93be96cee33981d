package server

import "net/http"

// crossOrigin lets pages of any origin sign in, as Supabase does: no cookie
// proves who asks. The pages for people are not among it.
func crossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", "Retry-After, X-Sb-Error-Code, X-Total-Count, Link")
		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", "OPTIONS,GET,POST,PUT,DELETE")
		allowed := r.Header.Get("Access-Control-Request-Headers")
		if allowed == "" || len(allowed) > 2000 {
			allowed = "apikey, authorization, content-type, x-client-info, x-supabase-api-version"
		}
		h.Set("Access-Control-Allow-Headers", allowed)
		h.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
	})
}
