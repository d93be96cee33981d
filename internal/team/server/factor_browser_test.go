package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"cairn/internal/team/db/account"
	"cairn/internal/team/server/auth"
	"cairn/test/browsertest"
)

// In a real browser: the operator's link signs in, and the second factor is
// switched on by its secret and code. CAIRN_SHOTS names a directory for pictures.
func TestSecondFactorInBrowser(t *testing.T) {
	s, _ := made(t, Config{})
	running(t, s)
	u, err := s.accounts.CreateUser(t.Context(), account.NewUser{Email: "ada@acme.test", Confirmed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, view := range []browsertest.View{{Width: 360}, {Width: 1280, Dark: true}} {
		if _, err := s.accounts.ResetFactors(t.Context(), u.ID); err != nil {
			t.Fatal(err)
		}
		token, _, err := s.accounts.Issue(t.Context(), account.Ticket{Kind: account.MagicLink, User: u.ID, Email: u.Email, RedirectTo: s.URL()})
		if err != nil {
			t.Fatal(err)
		}
		tab := browsertest.Open(t, auth.Link(s.URL(), account.MagicLink, token, s.URL()), view)
		look := func(name string) {
			t.Helper()
			if px := tab.Overflow(); px > 0 {
				t.Errorf("%s: %d pixels wider than a window of %d", name, px, view.Width)
			}
			for _, finding := range tab.Axe() {
				t.Errorf("%s: %s", name, finding)
			}
			if dir := os.Getenv("CAIRN_SHOTS"); dir != "" {
				tab.Shot(filepath.Join(dir, name+map[bool]string{true: "-dark", false: "-light"}[view.Dark]+".png"))
			}
		}
		tab.Wait(`location.pathname === "/" && document.body.textContent.includes("no team yet")`)
		tab.Eval(`location.href = "/signin/factor"`, nil)
		tab.Wait(`document.querySelector("button[value=begin]") !== null`)
		look("factor-off")
		tab.Click("button[value=begin]")
		tab.Wait(`document.querySelector("#secret") !== null`)
		look("enroll")
		var secret string
		tab.Eval(`document.querySelector("#secret").textContent`, &secret)
		code, err := totp.GenerateCode(strings.ReplaceAll(secret, " ", ""), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		tab.Click("#code")
		tab.Keys(strings.Split(code+"\r", "")...)
		tab.Wait(`document.querySelector("button[value=remove]") !== null`)
		look("factor-on")
		tab.Click("#code")
		tab.Keys(strings.Split(code+"\r", "")...)
		tab.Wait(`document.querySelector("[role=alert]")?.textContent.includes("was used before")`)
	}
}
