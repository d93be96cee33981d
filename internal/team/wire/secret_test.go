package wire

import (
	"fmt"
	"strings"
	"testing"
)

func TestTokensAreNotPrinted(t *testing.T) {
	const secret = "secret-of-somebody"
	for _, v := range []any{
		Session{AccessToken: secret, RefreshToken: secret}, &Session{AccessToken: secret, RefreshToken: secret},
		Token{Token: secret}, NewOwner{Token: secret}, GitHubToken{Token: secret}, []Token{{Token: secret}},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, secret) {
				t.Errorf("%s of %T: %s", verb, v, text)
			}
		}
	}
}
