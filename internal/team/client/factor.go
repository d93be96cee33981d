package client

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/wire"
)

// Factor ends a sign-in that failed with [ErrFactor], with a code of the user's
// authenticator app. After a wrong one it may be called again.
func (c *Client) Factor(ctx context.Context, code string) error {
	c.mu.Lock()
	half := c.half
	c.mu.Unlock()
	i := slices.IndexFunc(half.User.Factors, isVerified)
	if i < 0 {
		return NotSignedIn(c.base)
	}
	path := wire.Auth + "factors/" + half.User.Factors[i].ID
	var challenge struct {
		ID string `json:"id"`
	}
	if err := c.send(ctx, Request{Method: http.MethodPost, Path: path + "/challenge", Body: struct{}{}}, half.AccessToken, &challenge); err != nil {
		return err
	}
	var fresh wire.Session
	body := map[string]string{"challenge_id": challenge.ID, "code": code}
	if err := c.send(ctx, Request{Method: http.MethodPost, Path: path + "/verify", Body: body}, half.AccessToken, &fresh); err != nil {
		return err
	}
	return c.begin(ctx, fresh)
}

func isVerified(f wire.Factor) bool { return f.Type == "totp" && f.Status == "verified" }

// level is the assurance that an access token says: aal1, aal2. The token is
// the server's; nothing is checked here.
func level(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	var claims struct {
		AAL string `json:"aal"`
	}
	data, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(data, &claims) != nil {
		return ""
	}
	return claims.AAL
}
