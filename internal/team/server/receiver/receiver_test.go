package receiver

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// A look at the page changes nothing; only its form does.
func TestConfirm(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		dbtest.Exec(t, d, `insert into cairn.mail_receivers (team_id, address, token_hash) values (?, '<b>ops@example.com', ?)`, team, db.Hashed("right"))
		h := New(d, slog.New(slog.DiscardHandler))
		ask := func(method, token, answer string) (int, string) {
			form := url.Values{"token": {token}, "answer": {answer}}
			r := httptest.NewRequestWithContext(context.Background(), method, wire.ConfirmMail+"?token="+token, strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code, w.Body.String()
		}
		confirmed := func() int {
			return dbtest.Count(t, d, `select count(*) from cairn.mail_receivers where confirmed_at is not null`)
		}
		status, text := ask(http.MethodGet, "right", "")
		if status != 200 || !strings.Contains(text, "&lt;b&gt;ops@example.com") || strings.Contains(text, "<b>ops") || confirmed() != 0 {
			t.Errorf("GET: %d, %d confirmed\n%s", status, confirmed(), text)
		}
		for _, token := range []string{"", "wrong"} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				if status, _ := ask(method, token, "yes"); status != 404 {
					t.Errorf("%s with %q: %d", method, token, status)
				}
			}
		}
		if status, text := ask(http.MethodPost, "right", "yes"); status != 200 || !strings.Contains(text, "Confirmed") || confirmed() != 1 {
			t.Errorf("yes: %d %s", status, text)
		}
		if status, text := ask(http.MethodPost, "right", "no"); status != 200 || !strings.Contains(text, "no mails") || confirmed() != 0 {
			t.Errorf("no: %d %s", status, text)
		}
		if status, _ := ask(http.MethodDelete, "right", ""); status != 405 {
			t.Errorf("DELETE: %d", status)
		}
	})
}
