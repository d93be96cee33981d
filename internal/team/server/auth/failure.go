package auth

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
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
	var f failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, account.ErrPassword):
		return failure{status: 400, code: "invalid_credentials", message: "Invalid login credentials"}
	case errors.Is(err, account.ErrUnconfirmed):
		return failure{status: 400, code: "email_not_confirmed", message: "Email not confirmed"}
	case errors.Is(err, account.ErrBanned):
		return failure{status: 400, code: "user_banned", message: "User is banned"}
	case errors.Is(err, account.ErrWeak):
		return failure{status: 422, code: "weak_password", message: fmt.Sprintf("Password should be at least %d characters.", account.MinPassword), reasons: []string{"length"}}
	case errors.Is(err, account.ErrEasy):
		return failure{status: 422, code: "weak_password", message: "Password is known to be weak and easy to guess, please choose a different one.", reasons: []string{"pwned"}}
	case errors.Is(err, account.ErrTooLong):
		return failure{status: 400, code: "validation_failed", message: fmt.Sprintf("Password cannot be longer than %d bytes", account.MaxPassword)}
	case errors.Is(err, account.ErrMetadata):
		return failure{status: 413, code: "validation_failed", message: fmt.Sprintf("Metadata of a user cannot be longer than %d bytes", account.MaxMetadata)}
	case errors.Is(err, account.ErrEmail):
		return failure{status: 400, code: "validation_failed", message: "Unable to validate email address: invalid format"}
	case errors.Is(err, account.ErrEmailTaken):
		return failure{status: 422, code: "email_exists", message: "A user with this email address has already been registered"}
	case errors.Is(err, account.ErrNotFound):
		return failure{status: 404, code: "user_not_found", message: "User not found"}
	case errors.Is(err, account.ErrRefresh):
		return failure{status: 400, code: "refresh_token_not_found", message: "Invalid Refresh Token: Refresh Token Not Found"}
	case errors.Is(err, account.ErrRefreshReuse):
		return failure{status: 400, code: "refresh_token_already_used", message: "Invalid Refresh Token: Already Used"}
	case errors.Is(err, account.ErrToken):
		return failure{status: 403, code: "otp_expired", message: "Token has expired or is invalid"}
	case errors.Is(err, account.ErrJoined):
		return failure{status: 422, code: "conflict", message: "The invited address is already a member of the team: sign in"}
	case errors.Is(err, account.ErrMember):
		return failure{status: 422, code: "user_already_exists", message: "The invited address has an account: sign in to it to accept"}
	case errors.Is(err, account.ErrInvitee):
		return failure{status: 403, code: "email_address_not_authorized", message: "The invitation is for another address: sign in with the address that was invited"}
	case errors.Is(err, db.ErrFactor):
		return failure{status: 401, code: "insufficient_aal", message: "AAL2 session is required: the code of the second factor is missing"}
	case errors.Is(err, account.ErrNoFactor):
		return failure{status: 404, code: "mfa_factor_not_found", message: "Factor not found"}
	case errors.Is(err, account.ErrFactorName):
		return failure{status: 422, code: "mfa_factor_name_conflict", message: "A factor with this friendly name for this user already exists"}
	case errors.Is(err, account.ErrManyFactors):
		return failure{status: 403, code: "too_many_enrolled_mfa_factors", message: "Maximum number of enrolled factors reached, unenroll to continue"}
	case errors.Is(err, account.ErrChallenge):
		return failure{status: 422, code: "mfa_challenge_expired", message: "MFA challenge has expired, verify against another challenge or create a new challenge."}
	case errors.Is(err, account.ErrCode):
		return failure{status: 422, code: "mfa_verification_failed", message: "Invalid TOTP code entered"}
	case errors.Is(err, account.ErrTries):
		return failure{status: 429, code: "over_request_rate_limit", message: "Too many wrong codes: wait a quarter of an hour", retry: account.FactorPause}
	case errors.Is(err, account.ErrSession):
		return failure{status: 403, code: "session_not_found", message: "Session from session_id claim in JWT does not exist"}
	case errors.Is(err, account.ErrClaimed):
		return failure{status: 422, code: "conflict", message: "The server has an owner already"}
	case errors.Is(err, account.ErrLastOwner):
		return failure{status: 422, code: "conflict", message: "The user is the last owner of a team: name another owner first"}
	}
	if db.Unavailable(err) {
		return failure{status: 503, code: "unexpected_failure", message: "The database cannot be used now: try again later", retry: time.Second}
	}
	return failure{status: 500, code: "unexpected_failure", message: "Unexpected failure, please check server logs for more information"}
}

// seconds rounds up.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
