package auth

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server/api"
)

// A failure is an error as GoTrue answers it.
type failure struct {
	status  int
	code    string
	message string
	reasons []string      // of weak_password
	retry   time.Duration // Retry-After, 0 without one
}

func (f failure) Error() string { return f.code + ": " + f.message }

// version is from when on errors have their newer shape (header X-Supabase-Api-Version).
const (
	versionHeader = "X-Supabase-Api-Version"
	version       = "2024-01-01"
)

// fail answers with an error: a failure as it is, one of db/account as GoTrue
// calls it, and any other as 500, which only the log explains.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	f := asFailure(err)
	if f.status >= http.StatusInternalServerError {
		s.Log.Error("sign-in failed", "path", r.URL.Path, "error", err)
	}
	if f.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds(f.retry)))
	}
	if f.reasons == nil {
		w.Header().Set("X-Sb-Error-Code", f.code)
	}
	var weak *weakness
	if f.reasons != nil {
		weak = &weakness{f.reasons}
	}
	if r.Header.Get(versionHeader) >= version {
		w.Header().Set(versionHeader, version)
		answer(w, f.status, struct {
			Code    string    `json:"code"`
			Message string    `json:"message"`
			Weak    *weakness `json:"weak_password,omitzero"`
		}{f.code, f.message, weak})
		return
	}
	answer(w, f.status, struct {
		Code    int       `json:"code"`
		Error   string    `json:"error_code"`
		Message string    `json:"msg"`
		Weak    *weakness `json:"weak_password,omitzero"`
	}{f.status, f.code, f.message, weak})
}

type weakness struct {
	Reasons []string `json:"reasons"`
}

// asFailure turns errors of db/account into GoTrue's words.
func asFailure(err error) failure {
	if f, ok := errors.AsType[failure](err); ok {
		return f
	}
	for _, known := range []struct {
		err error
		failure
	}{
		{account.ErrPassword, failure{status: 400, code: "invalid_credentials", message: "Invalid login credentials"}},
		{account.ErrUnconfirmed, failure{status: 400, code: "email_not_confirmed", message: "Email not confirmed"}},
		{account.ErrBanned, failure{status: 400, code: "user_banned", message: "User is banned"}},
		{account.ErrWeak, failure{status: 422, code: "weak_password", message: fmt.Sprintf("Password should be at least %d characters.", account.MinPassword), reasons: []string{"length"}}},
		{account.ErrEasy, failure{status: 422, code: "weak_password", message: "Password is known to be weak and easy to guess, please choose a different one.", reasons: []string{"pwned"}}},
		{account.ErrTooLong, failure{status: 400, code: "validation_failed", message: fmt.Sprintf("Password cannot be longer than %d bytes", account.MaxPassword)}},
		{account.ErrMetadata, failure{status: 413, code: "validation_failed", message: fmt.Sprintf("Metadata of a user cannot be longer than %d bytes", account.MaxMetadata)}},
		{account.ErrEmail, failure{status: 400, code: "validation_failed", message: "Unable to validate email address: invalid format"}},
		{account.ErrEmailTaken, failure{status: 422, code: "email_exists", message: "A user with this email address has already been registered"}},
		{account.ErrNotFound, failure{status: 404, code: "user_not_found", message: "User not found"}},
		{account.ErrRefresh, failure{status: 400, code: "refresh_token_not_found", message: "Invalid Refresh Token: Refresh Token Not Found"}},
		{account.ErrRefreshReuse, failure{status: 400, code: "refresh_token_already_used", message: "Invalid Refresh Token: Already Used"}},
		{account.ErrToken, failure{status: 403, code: "otp_expired", message: "Token has expired or is invalid"}},
		{account.ErrJoined, failure{status: 422, code: "conflict", message: "The invited address is already a member of the team: sign in"}},
		{account.ErrMember, failure{status: 422, code: "user_already_exists", message: "The invited address has an account: sign in to it to accept"}},
		{account.ErrInvitee, failure{status: 403, code: "email_address_not_authorized", message: "The invitation is for another address: sign in with the address that was invited"}},
		{db.ErrFactor, failure{status: 401, code: "insufficient_aal", message: "AAL2 session is required: the code of the second factor is missing"}},
		{account.ErrNoFactor, failure{status: 404, code: "mfa_factor_not_found", message: "Factor not found"}},
		{account.ErrFactorName, failure{status: 422, code: "mfa_factor_name_conflict", message: "A factor with this friendly name for this user already exists"}},
		{account.ErrManyFactors, failure{status: 403, code: "too_many_enrolled_mfa_factors", message: "Maximum number of enrolled factors reached, unenroll to continue"}},
		{account.ErrChallenge, failure{status: 422, code: "mfa_challenge_expired", message: "MFA challenge has expired, verify against another challenge or create a new challenge."}},
		{account.ErrCode, failure{status: 422, code: "mfa_verification_failed", message: "Invalid TOTP code entered"}},
		{account.ErrTries, failure{status: 429, code: "over_request_rate_limit", message: "Too many wrong codes: wait a quarter of an hour", retry: account.FactorPause}},
		{account.ErrSession, failure{status: 403, code: "session_not_found", message: "Session from session_id claim in JWT does not exist"}},
		{account.ErrClaimed, failure{status: 422, code: "conflict", message: "The server has an owner already"}},
		{account.ErrLastOwner, failure{status: 422, code: "conflict", message: "The user is the last owner of a team: name another owner first"}},
	} {
		if errors.Is(err, known.err) {
			return known.failure
		}
	}
	if db.Unavailable(err) {
		return failure{status: 503, code: "unexpected_failure", message: "The database cannot be used now: try again later", retry: time.Second}
	}
	return failure{status: 500, code: "unexpected_failure", message: "Unexpected failure, please check server logs for more information"}
}

// seconds rounds up.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// mostBody is the most bytes of a request.
const mostBody = 128 << 10

// read fills v from the request's JSON.
func read(w http.ResponseWriter, r *http.Request, v any) error {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		return failure{status: 413, code: "request_entity_too_large", message: fmt.Sprintf("Request body too large (max %d bytes)", mostBody)}
	case err != nil:
		return failure{status: 400, code: "bad_json", message: "Could not parse request body as JSON"}
	case hasNUL(data):
		return failure{status: 400, code: "bad_json", message: "Request body has a text with U+0000, which cannot be kept"}
	}
	return nil
}

// hasNUL says whether a text of a JSON value has U+0000, which PostgreSQL cannot keep.
func hasNUL(data []byte) bool {
	if !bytes.Contains(data, []byte(`\u0000`)) {
		return false
	}
	for d := jsontext.NewDecoder(bytes.NewReader(data)); ; {
		t, err := d.ReadToken()
		switch {
		case err != nil:
			return false
		case t.Kind() == '"' && strings.ContainsRune(t.String(), 0):
			return true
		}
	}
}

// answer sends JSON with the type that GoTrue gives it.
func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	api.Send(w, status, v)
}
