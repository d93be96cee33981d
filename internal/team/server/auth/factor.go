package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/boombuler/barcode/qr"
	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
)

// enrolled answers an enrolment: what an app that shows codes needs.
type enrolled struct {
	ID   uuid.UUID `json:"id"`
	Type string    `json:"type"`
	Name string    `json:"friendly_name"`
	TOTP struct {
		QRCode string `json:"qr_code"` // SVG
		Secret string `json:"secret"`
		URI    string `json:"uri"`
	} `json:"totp"`
}

// enroll makes a second factor of the caller that is not verified yet.
func (s *server) enroll(w http.ResponseWriter, r *http.Request) (any, error) {
	var q struct {
		Name   string `json:"friendly_name"`
		Type   string `json:"factor_type"`
		Issuer string `json:"issuer"`
	}
	u, _, err := s.person(r) // whoever has a factor already must have shown it
	if err == nil {
		err = read(w, r, &q)
	}
	if err == nil && q.Type != "totp" {
		err = failure{status: 400, code: "validation_failed", message: "factor_type needs to be totp"}
	}
	if err != nil {
		return nil, err
	}
	f, secret, err := s.accounts.EnrollFactor(r.Context(), u.ID, q.Name)
	if err != nil {
		return nil, err
	}
	out := enrolled{ID: f.ID, Type: "totp", Name: f.Name}
	out.TOTP.Secret, out.TOTP.URI = secret, s.otpURI(q.Issuer, u.Email, secret)
	out.TOTP.QRCode, err = qrSVG(out.TOTP.URI)
	return out, err
}

// otpURI is what the QR code says: the key's format that all apps read.
func (s *server) otpURI(issuer, email, secret string) string {
	if issuer == "" {
		site, _ := url.Parse(s.SiteURL) // New has looked at it
		issuer = "cairn " + site.Host
	}
	issuer = strings.ReplaceAll(issuer[:min(len(issuer), 100)], ":", " ")
	q := url.Values{"secret": {secret}, "issuer": {strings.ToValidUTF8(issuer, "")}, "algorithm": {"SHA1"}, "digits": {"6"}, "period": {"30"}}
	return "otpauth://totp/" + url.PathEscape(issuer) + ":" + url.PathEscape(email) + "?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}

// qrSVG draws a QR code, black on white with the margin that readers want.
func qrSVG(text string) (string, error) {
	code, err := qr.Encode(text, qr.L, qr.Auto)
	if err != nil {
		return "", err
	}
	const margin = 4
	size := code.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := range size {
			if r, _, _, _ := code.At(x, y).RGBA(); r == 0 {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+margin, y+margin)
			}
		}
	}
	all := size + 2*margin
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="%s"/></svg>`, all, all, all, all, path.String()), nil
}

// factorOf is the caller, whether or not the second factor was shown, and the
// factor of the path.
func (s *server) factorOf(r *http.Request) (u account.User, session, factor uuid.UUID, err error) {
	if u, session, err = s.halfway(r); err == nil {
		if factor, err = uuid.Parse(r.PathValue("id")); err != nil {
			err = failure{status: 404, code: "validation_failed", message: "factor_id must be an UUID"}
		}
	}
	return u, session, factor, err
}

// challenge begins the proof of a factor.
func (s *server) challenge(w http.ResponseWriter, r *http.Request) (any, error) {
	u, _, factor, err := s.factorOf(r)
	if err == nil {
		err = s.limits.take(anyRequest, s.network(r))
	}
	if err != nil {
		return nil, err
	}
	id, expires, err := s.accounts.Challenge(r.Context(), u.ID, factor)
	return struct {
		ID      uuid.UUID `json:"id"`
		Type    string    `json:"type"`
		Expires int64     `json:"expires_at"`
	}{id, "totp", expires.Unix()}, err
}

// verifyFactor proves a factor with a code: the session may do everything from
// then on, and is answered anew.
func (s *server) verifyFactor(w http.ResponseWriter, r *http.Request) (any, error) {
	var q struct {
		Challenge uuid.UUID `json:"challenge_id"`
		Code      string    `json:"code"`
	}
	u, session, factor, err := s.factorOf(r)
	if err == nil {
		err = read(w, r, &q)
	}
	if err == nil {
		err = s.guess(r, u.Email, func() error { return s.accounts.Answer(r.Context(), u.ID, session, factor, q.Challenge, q.Code) })
	}
	if err != nil {
		return nil, err
	}
	made, refresh, err := s.accounts.Prove(r.Context(), u.ID, session)
	if err != nil {
		return nil, err
	}
	return s.session(r, u, made, refresh)
}

// unenroll takes a factor from the caller; a verified one only where it, or
// another, was shown.
func (s *server) unenroll(w http.ResponseWriter, r *http.Request) (any, error) {
	u, _, factor, err := s.factorOf(r)
	if err == nil {
		_, _, err = s.person(r)
	}
	if err == nil {
		err = s.accounts.RemoveFactor(r.Context(), u.ID, factor)
	}
	return map[string]uuid.UUID{"id": factor}, err
}

// adminFactors lists a user's factors for the admin, and adminUnenroll removes one.
func (s *server) adminFactors(w http.ResponseWriter, r *http.Request) (any, error) {
	id, err := s.subject(r)
	if err != nil {
		return nil, err
	}
	list, err := s.accounts.Factors(r.Context(), id)
	return factors(list), err
}

func (s *server) adminUnenroll(w http.ResponseWriter, r *http.Request) (any, error) {
	id, err := s.subject(r)
	if err != nil {
		return nil, err
	}
	factor, err := uuid.Parse(r.PathValue("factor"))
	if err != nil {
		return nil, failure{status: 404, code: "validation_failed", message: "factor_id must be an UUID"}
	}
	return map[string]uuid.UUID{"id": factor}, s.accounts.RemoveFactor(r.Context(), id, factor)
}

// factors as the API has them: never with the secret.
func factors(list []account.Factor) []wire.Factor {
	out := []wire.Factor{}
	for _, f := range list {
		status := "unverified"
		if !f.Verified.IsZero() {
			status = "verified"
		}
		out = append(out, wire.Factor{ID: f.ID.String(), CreatedAt: stamp(f.Created), UpdatedAt: stamp(f.Updated), Name: f.Name, Type: "totp", Status: status})
	}
	return out
}
