package mail

import (
	"context"
	"strings"
	"testing"
)

// Deliver waits for the mail server's word.
func TestDeliver(t *testing.T) {
	s := newServer(t)
	m, _ := mailer(t, s.config())
	ctx := context.Background()
	if final, err := m.Deliver(ctx, "leads@example.com", "The week", "text", "<p>html</p>"); final || err != nil {
		t.Fatalf("%v, %v", final, err)
	}
	if got := <-s.mails; !strings.Contains(got.to, "leads@example.com") || !strings.Contains(got.data, "Subject: The week") {
		t.Errorf("%+v", got)
	}
	for answer, want := range map[string]bool{"451 later": false, "550 no such user": true} {
		s.set(func() {
			s.say = func(command string) string {
				if strings.HasPrefix(command, "RCPT") {
					return answer
				}
				return ""
			}
		})
		if final, err := m.Deliver(ctx, "leads@example.com", "The week", "text", ""); err == nil || final != want {
			t.Errorf("%s: final %v, %v", answer, final, err)
		}
	}
	if final, err := m.Deliver(ctx, "no address", "The week", "text", ""); err == nil || !final {
		t.Errorf("no address: %v, %v", final, err)
	}
}
