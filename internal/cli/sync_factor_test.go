//go:build unix

package cli

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp/totp"

	"cairn/internal/command"
	"cairn/internal/team/db/account"
)

// The terminal asks for the code of a second factor, whatever way the sign-in
// began; without it nothing is kept.
func TestSyncSecondFactor(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	ctx := context.Background()
	accounts := account.New(w.store.DB)
	boss, err := accounts.UserByEmail(ctx, "boss@example.com")
	if err != nil {
		t.Fatal(err)
	}
	f, secret, err := accounts.EnrollFactor(ctx, boss.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	code := func(steps int) string {
		code, err := totp.GenerateCode(secret, time.Now().Add(time.Duration(steps)*30*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	challenge, _, err := accounts.Challenge(ctx, boss.ID, f.ID)
	if err == nil {
		err = accounts.Answer(ctx, boss.ID, uuid.Nil, f.ID, challenge, code(-1))
	}
	if err != nil {
		t.Fatal(err)
	}
	byPassword := line("sync setup --email boss@example.com --password")
	w.says(command.ExitAuth, devPassword+"\n", byPassword, "Code of your authenticator app", "the account has a second factor")
	w.says(command.ExitAuth, "", line("team members"), "not trusted") // only who signs in by team.json trusts it
	w.says(command.ExitOK, "", line("trust --yes"), "trusted 1 file")
	w.says(command.ExitAuth, "", line("team members"), "not signed in")
	w.says(command.ExitOK, "", line("sync setup --sign-out"), "not signed in to")
	w.says(command.ExitAuth, devPassword+"\n000000\n000000\n000000\n"+code(0)+"\n", byPassword, "That code is wrong")
	now := code(0)
	w.says(command.ExitOK, devPassword+"\n000000\n"+now[:3]+" "+now[3:]+"\n", byPassword, "as boss@example.com")
	w.says(command.ExitOK, "", line("team members"), "boss@example.com")

	token, _, err := accounts.Issue(ctx, account.Ticket{Kind: account.MagicLink, User: boss.ID, Email: boss.Email})
	if err != nil {
		t.Fatal(err)
	}
	link := w.front.URL + "/auth/v1/verify?type=magiclink&token=" + token
	w.says(command.ExitOK, "", line("sync setup --sign-out"), "signed out")
	w.says(command.ExitAuth, link+"\n"+now+"\n", line("sync setup --no-browser"), "That code is wrong or was used before")
	if token, _, err = accounts.Issue(ctx, account.Ticket{Kind: account.MagicLink, User: boss.ID, Email: boss.Email}); err != nil {
		t.Fatal(err)
	}
	link = w.front.URL + "/auth/v1/verify?type=magiclink&token=" + token
	w.says(command.ExitOK, link+"\n"+code(1)+"\n", line("sync setup --no-browser"), "as boss@example.com")
	if _, err := accounts.ResetFactors(ctx, boss.ID); err != nil {
		t.Fatal(err)
	}
	w.says(command.ExitAuth, "", line("team members"), "cairn sync setup")
	w.says(command.ExitOK, devPassword+"\n", byPassword, "as boss@example.com")
}
