package client

import (
	"fmt"
	"strings"
	"testing"
)

func TestTokensAreNotPrinted(t *testing.T) {
	t.Parallel()
	const secret = "secret-of-somebody"
	s, ci := Session{AccessToken: secret, RefreshToken: secret}, CI{Token: secret, Password: secret}
	for _, v := range []any{
		s, &s, map[string]Session{"url": s}, ci, Options{CI: ci}, &Client{opts: Options{CI: ci}, session: s}, Challenge{secret},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, secret) {
				t.Errorf("%s of %T: %s", verb, v, text)
			}
		}
	}
}
