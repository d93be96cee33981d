package server

import (
	"context"
	"database/sql"
	"net/url"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/db/account"
	"cairn/test/pgtest"
)

// A server whose role owns nothing runs on tables that another role made, as
// docs/server.md tells.
func TestServerRole(t *testing.T) {
	if pgtest.Shared() == nil {
		t.Skip(pgtest.ErrMissing)
	}
	owner, err := pgtest.Shared().Database()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	first, err := Open(ctx, Place{Database: owner}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	pool, err := sql.Open("pgx", owner)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(`do $$ begin if not exists (select from pg_roles where rolname = 'cairn_app') then create role cairn_app login noinherit; end if; end $$;
		grant anon, authenticated, service_role, cairn_server to cairn_app`); err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(owner)
	u.User = url.User("cairn_app")
	st, err := Open(ctx, Place{Database: u.String()}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, log := made(t, Config{Store: st})
	if strings.Contains(log.String(), "above row-level security") {
		t.Errorf("%s", log)
	}
	ada, err := s.accounts.CreateUser(ctx, account.NewUser{Email: "ada@acme.test", Confirmed: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.DB.CreateTeam(ctx, "acme", "acme", ada.ID); err != nil {
		t.Error(err)
	}
	if n, err := st.DB.DropMonthsBefore(ctx, time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)); n != 0 || err != nil {
		t.Errorf("retention: %d, %v", n, err)
	}
	for _, c := range Examine(ctx, Place{Database: u.String()}, TLS{}) {
		if c.Status != Good && c.Name != "disk" {
			t.Errorf("%+v", c)
		}
	}
}
