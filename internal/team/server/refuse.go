package server

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

// A refusal is an answer that the server gives before or instead of an interface.
type refusal struct {
	status     int
	code       string
	message    string
	retryAfter time.Duration
}

// restError, authError and newAuthError are the shapes of PostgREST, of GoTrue
// and of GoTrue for clients that name a version of it.
type restError struct {
	Code    string  `json:"code"`
	Details *string `json:"details"`
	Hint    *string `json:"hint"`
	Message string  `json:"message"`
}

type authError struct {
	Code      int    `json:"code"`
	ErrorCode string `json:"error_code"`
	Message   string `json:"msg"`
}

type newAuthError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// refuse answers in the shape of the interface that was asked.
func refuse(w http.ResponseWriter, r *http.Request, x refusal) {
	var body any = restError{Code: x.code, Message: x.message}
	if strings.HasPrefix(r.URL.Path, wire.Auth) {
		body = authError{Code: x.status, ErrorCode: x.code, Message: x.message}
		if r.Header.Get("X-Supabase-Api-Version") != "" {
			body = newAuthError{Code: x.code, Message: x.message}
		}
		w.Header().Set("X-Sb-Error-Code", x.code)
	}
	if x.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((x.retryAfter+time.Second-1)/time.Second)))
	}
	w.Header().Set("Access-Control-Allow-Origin", "*") // or a browser hides the answer from its page
	api.Send(w, x.status, body)
}
