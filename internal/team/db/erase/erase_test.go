package erase

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

var ctx = context.Background()

// yes lets everybody.
func yes(*db.Tx) error { return nil }

// TestEveryTableHasAFate: whoever adds a table says what becomes of it when a
// team is deleted.
func TestEveryTableHasAFate(t *testing.T) {
	known := slices.Collect(maps.Keys(fates))
	for _, name := range known {
		if (fates[name] == sliced) != slices.Contains(order[:], name) {
			t.Errorf("%s: sliced is what has a place in the order", name)
		}
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, name := range dbtest.Tables(t, d) {
			if fates[name] == 0 {
				t.Errorf("%s: what becomes of its rows when their team is deleted? See fates", name)
			}
		}
		for _, name := range known {
			if ofSQLite := []string{"cairn.origin", "cairn.hidden_runs"}; !strings.HasPrefix(name, "cairn.ledger_") && !slices.Contains(dbtest.Tables(t, d), name) && !slices.Contains(ofSQLite, name) {
				t.Errorf("%s is not there any more", name)
			}
		}
	})
}

// A crew is a team with something in every table.
type crew struct {
	id, owner, member uuid.UUID
}

// filled makes two teams that have rows in every table; the owner of the first
// is in the second, too.
func filled(t *testing.T, d *db.DB) (one, two crew) {
	t.Helper()
	one, two = fill(t, d, "atlas"), fill(t, d, "birch")
	dbtest.Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, two.id, one.owner)
	for _, name := range dbtest.Tables(t, d) {
		if fates[name] == kept || name == "teams" {
			continue
		}
		for _, c := range []crew{one, two} {
			if dbtest.Count(t, d, `select count(*) from `+name+` where team_id = ?`, c.id) == 0 {
				t.Fatalf("the test has no row in %s", name)
			}
		}
	}
	return one, two
}

func fill(t *testing.T, d *db.DB, slug string) crew {
	t.Helper()
	c := crew{id: dbtest.Team(t, d, slug)}
	c.owner, c.member = dbtest.Member(t, d, c.id, "owner").User, dbtest.Member(t, d, c.id, "member").User
	do := func(query string, args ...any) { t.Helper(); dbtest.Exec(t, d, query, args...) }
	accounts := account.New(d)
	var bot uuid.UUID
	for i := range 2 {
		token, err := accounts.MakeToken(ctx, c.owner, wire.NewToken{TeamID: c.id, Name: fmt.Sprint("n", i), Scopes: []string{"ingest"}})
		if err != nil {
			t.Fatal(err)
		}
		bot = token.UserID
		if i == 1 { // its bot is in no team any more
			if _, err := accounts.RevokeToken(ctx, c.owner, token.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := accounts.AddWorkflow(ctx, c.owner, wire.NewWorkflow{TeamID: c.id, Issuer: "https://i", Repository: "o/" + slug, Scopes: []string{"ingest"}}); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		sender := []uuid.UUID{c.owner, c.member, bot}[i%3]
		at, run := dbtest.Day(2*i), uuid.New()
		do(`insert into eval_runs (team_id, id, run_at, ingest_key, user_id, repo_slug, label, hostname, total_tests, passed, failed) values (?, ?, ?, ?, ?, 'o/r', 'l', ?, 3, 3, 0)`,
			c.id, run, at, "run-"+run.String(), sender, "host-of-"+sender.String()[:6])
		do(`insert into eval_costs (team_id, run_id, run_at, model) values (?, ?, ?, 'm')`, c.id, run, at)
		do(`insert into eval_labels (team_id, run_id, case_id, user_id, pass) values (?, ?, 1, ?, true)`, c.id, run, sender)
		err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
			for _, name := range []string{"eval_results", "eval_payloads"} {
				month, err := tx.Month(ctx, name, at)
				if err != nil {
					return err
				}
				for n := range 3 {
					column, value := "status", any(0)
					if name == "eval_payloads" {
						column, value = "payload", "{}"
					}
					if _, err := tx.Exec(ctx, `insert into `+month+` (team_id, run_id, run_at, case_id, `+column+`) values (?, ?, ?, ?, ?)`, c.id, run, at, n, value); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		key := "key-" + run.String()
		do(`insert into retro_snapshots (team_id, ingest_key, user_id, repo_slug, date) values (?, ?, ?, 'o/r', ?)`, c.id, key, sender, at.Format(time.DateOnly))
		do(`insert into qa_reports (team_id, ingest_key, user_id, repo_slug, url) values (?, ?, ?, 'o/r', 'u')`, c.id, key, sender)
		do(`insert into ship_logs (team_id, ingest_key, user_id, repo_slug) values (?, ?, ?, 'o/r')`, c.id, key, sender)
		do(`insert into greptile_triage (team_id, ingest_key, user_id, repo_slug, date, triage_type, file_pattern) values (?, ?, ?, 'o/r', ?, 'fp', '*')`, c.id, key, sender, at.Format(time.DateOnly))
		do(`insert into session_transcripts (team_id, ingest_key, user_id, repo_slug, session_id) values (?, ?, ?, 'o/r', ?)`, c.id, key, sender, key)
		do(`insert into plan_snapshots (team_id, ingest_key, user_id, repo_slug) values (?, ?, ?, 'o/r')`, c.id, key, sender)
		do(`insert into usage_days (team_id, ingest_key, user_id, repo_slug, date, hostname) values (?, ?, ?, 'o/r', ?, ?)`, c.id, key, sender, at.Format(time.DateOnly), fmt.Sprint("host-", i%5, "-of-", sender.String()[:6]))
		do(`insert into spend_days (team_id, ingest_key, user_id, repo_slug, day, hostname, source, session) values (?, ?, ?, 'o/r', ?, ?, 'ledger', ?)`, c.id, key, sender, at.Format(time.DateOnly), fmt.Sprint("host-", i%5, "-of-", sender.String()[:6]), key)
	}
	do(`insert into eval_cases (team_id, id, repo_slug, name) values (?, 1, 'o/r', 'c')`, c.id)
	do(`insert into sync_heartbeats (team_id, user_id, hostname) values (?, ?, 'h')`, c.id, c.member)
	do(`insert into team_settings (team_id) values (?)`, c.id)
	do(`insert into team_invites (team_id, email, token_hash) values (?, 'guest@example.com', ?)`, c.id, slug)
	do(`insert into team_channels (team_id, kind, name, target) values (?, 'slack', 's', 'https://hooks.example.com/x')`, c.id)
	do(`insert into deliveries (team_id, channel_id, event, message) select team_id, id, 'test:1', '{}' from team_channels where team_id = ?`, c.id)
	do(`insert into alerts (team_id, repo_slug, suite, branch, kind, state, p, expected, observed, cases) values (?, 'o/r', 's', 'main', 'eval', 'firing', 0, 1, 0, 3)`, c.id)
	do(`insert into cairn.team_quotas (team_id) values (?)`, c.id)
	do(`insert into cairn.counted_teams (team_id) values (?)`, c.id)
	do(`insert into cairn.team_messages (team_id, day) values (?, '2026-03-02')`, c.id)
	do(`insert into cairn.mail_receivers (team_id, address) values (?, 'list@example.com')`, c.id)
	for i, sender := range []uuid.UUID{c.owner, c.member} {
		do(`insert into cairn.telemetry_seen (team_id, user_id, digest, seen_at) values (?, ?, ?, ?)`, c.id, sender, []byte("d"), time.Now())
		do(`insert into cairn.telemetry_sums (team_id, user_id, series, start_ns, at_ns, value, n, seen_at) values (?, ?, ?, 1, 2, 0.5, 0, ?)`, c.id, sender, []byte("s"), time.Now())
		query := `insert into cairn.eval_parts (team_id, user_id, ingest_key, part, body) values (?, ?, 'an-ingest-key-000', ?, '{}')`
		if d.Dialect() == db.SQLite {
			do(query, c.id, sender, i)
			continue
		}
		err := d.Update(ctx, dbtest.Person(sender), func(tx *db.Tx) error { // no role may insert there
			_, err := tx.Exec(ctx, `select push_eval_part(?, 'an-ingest-key-000', ?, '{}')`, c.id, i)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	do(`insert into cairn.team_slugs (slug, team_id) values (?, ?)`, "former-"+slug, c.id)
	return c
}

// others is what everybody but a team has: rows by table.
func others(t *testing.T, d *db.DB, team uuid.UUID) map[string]int {
	out := map[string]int{}
	for _, tab := range table.All() {
		if tab.Name != "audit_log" {
			out[tab.Name] = dbtest.Count(t, d, `select count(*) from `+tab.Name+` where `+tab.Team+` <> ?`, team)
		}
	}
	out["people"] = dbtest.Count(t, d, `select count(*) from auth.users where not bot`)
	return out
}

// TestTeamIsGone: nothing of a deleted team is in any table, and of others
// nothing is missing.
func TestTeamIsGone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		one, _ := filled(t, d)
		team := one.id
		before, bots := others(t, d, team), dbtest.Count(t, d, `select count(*) from auth.users where bot`)
		mine := dbtest.Count(t, d, `select count(*) from auth.users where bot and id in (select user_id from cairn.ingest_tokens where team_id = ?
			union select user_id from cairn.trusted_workflows where team_id = ? union select user_id from eval_runs where team_id = ?)`, team, team, team)
		asker := db.WithOrigin(ctx, &db.Origin{Actor: db.ActorUser, User: one.owner, Address: "192.0.2.7"})
		receipt, err := BeginTeam(asker, d, team, yes)
		if err != nil {
			t.Fatal(err)
		}
		// At once: nobody is in it, nothing lets anybody in, its name is free.
		for _, q := range []string{`select count(*) from team_members where team_id = ?`, `select count(*) from cairn.ingest_tokens where team_id = ?`,
			`select count(*) from team_invites where team_id = ?`, `select count(*) from teams where slug = 'atlas' and id = ?`} {
			if n := dbtest.Count(t, d, q, team); n != 0 {
				t.Errorf("%s: %d", q, n)
			}
		}
		if _, err := d.CreateTeam(ctx, "atlas", "Another", one.owner); err != nil {
			t.Errorf("its slug: %v", err)
		}
		if _, done, err := TeamDeleted(ctx, d, receipt); done || err != nil {
			t.Errorf("begun: %v, %v", done, err)
		}
		if err := FinishTeam(asker, d, team); err != nil {
			t.Fatal(err)
		}
		if got, done, err := TeamDeleted(ctx, d, receipt); !done || got != team || err != nil {
			t.Errorf("finished: %v, %v", done, err)
		}
		if got := dbtest.Mentions(t, d, team.String()); len(got) != 2 || got["cairn.team_deletions"] != 1 || got["audit_log"] == 0 {
			t.Errorf("the team is still in %v", got)
		}
		if n := dbtest.Count(t, d, `select count(*) from audit_log where team_id = ? and address <> ''`, team); n != 0 {
			t.Errorf("%d audit entries have an address", n)
		}
		if n := dbtest.Count(t, d, `select count(*) from audit_log where team_id = ? and action = 'team.deleted' and user_id = ?`, team, one.owner); n != 1 {
			t.Errorf("%d entries of the deletion", n)
		}
		if n := dbtest.Count(t, d, `select count(*) from auth.users where bot`); mine == 0 || n != bots-mine {
			t.Errorf("%d bots of %d are left, %d were the team's", n, bots, mine)
		}
		before["teams"]++ // the other Atlas
		before["team_members"]++
		for name, n := range others(t, d, team) {
			if n != before[name] {
				t.Errorf("%s: others have %d rows, had %d", name, n, before[name])
			}
		}
		if wrong, err := d.CheckRollups(ctx); err != nil || len(wrong) > 0 {
			t.Errorf("sums: %v, %v", wrong, err)
		}
		if _, _, err := TeamDeleted(ctx, d, uuid.New()); !errors.Is(err, ErrNoDeletion) {
			t.Errorf("another receipt: %v", err)
		}
		if n, err := Resume(ctx, d); n != 0 || err != nil {
			t.Errorf("nothing is left to do: %d, %v", n, err)
		}
	})
}

// TestDeletionGoesOn: a server stops in the middle; the next one finishes.
func TestDeletionGoesOn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		one, _ := filled(t, d)
		team := one.id
		receipt, err := BeginTeam(ctx, d, team, yes)
		if err != nil {
			t.Fatal(err)
		}
		list, err := parts(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range list { // some of each, then it is killed
			if i%2 == 0 {
				if _, err := slice(ctx, d, team, p); err != nil {
					t.Fatal(err)
				}
			}
		}
		stopped, stop := context.WithCancel(ctx)
		stop()
		if err := FinishTeam(stopped, d, team); err == nil {
			t.Error("it went on after its context was over")
		}
		if n, err := Resume(ctx, d); n != 1 || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
		if _, done, err := TeamDeleted(ctx, d, receipt); !done || err != nil {
			t.Errorf("%v, %v", done, err)
		}
		if got := dbtest.Mentions(t, d, team.String()); len(got) != 2 {
			t.Errorf("the team is still in %v", got)
		}
	})
}

// TestDeletionWaits: a run that is being written in parts is waited for.
func TestDeletionWaits(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() == db.PostgreSQL {
			return // there a run is one transaction
		}
		team, run := dbtest.Team(t, d, "one"), uuid.New()
		do := func(fn func(*db.Tx) error) {
			t.Helper()
			if err := d.Update(ctx, db.ServerItself, fn); err != nil {
				t.Fatal(err)
			}
		}
		do(func(tx *db.Tx) error { return tx.Hide(ctx, team, run, dbtest.Day(1)) })
		if _, err := BeginTeam(ctx, d, team, yes); err != nil {
			t.Fatal(err)
		}
		short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
		defer stop()
		if err := FinishTeam(short, d, team); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while it is written: %v", err)
		}
		do(func(tx *db.Tx) error { return tx.Reveal(ctx, team, run) })
		if err := FinishTeam(ctx, d, team); err != nil {
			t.Error(err)
		}
	})
}

// TestDeletionRefused: what check refuses changes nothing.
func TestDeletionRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "one")
		dbtest.Member(t, d, team, "owner")
		no := errors.New("no")
		if _, err := BeginTeam(ctx, d, team, func(*db.Tx) error { return no }); !errors.Is(err, no) {
			t.Fatal(err)
		}
		if n := dbtest.Count(t, d, `select count(*) from team_members`) + dbtest.Count(t, d, `select count(*) from cairn.team_deletions`); n != 1 {
			t.Error("something changed")
		}
	})
}

// TestPersonIsGone: neither id nor address nor machine of an erased person is
// left, and a team's figures are what they were.
func TestPersonIsGone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		one, two := filled(t, d)
		team, user := one.id, one.member
		const host, email = "graces-own-laptop", "grace.only@example.com"
		dbtest.Exec(t, d, `update auth.users set email = ? where id = ?`, "Grace.Only@example.com", user)
		dbtest.Exec(t, d, `update eval_runs set hostname = ? where user_id = ?`, host, user)
		dbtest.Exec(t, d, `update usage_days set hostname = ? where user_id = ?`, host, user)
		dbtest.Exec(t, d, `update spend_days set hostname = ? where user_id = ?`, host, user)
		dbtest.Exec(t, d, `insert into sync_heartbeats (team_id, user_id, hostname) values (?, ?, ?)`, team, user, host)
		dbtest.Exec(t, d, `insert into ship_logs (team_id, ingest_key, user_id, repo_slug, author, author_email) values (?, 'k0000000000000001', ?, 'o/r', 'Grace H.', ?)`, team, user, "GRACE.only@example.com")
		dbtest.Exec(t, d, `insert into ship_logs (team_id, ingest_key, user_id, repo_slug, author) values (?, 'k0000000000000002', ?, 'o/r', 'gh')`, team, one.owner)
		dbtest.Exec(t, d, `insert into retro_snapshots (team_id, ingest_key, user_id, repo_slug, date, authors) values (?, 'k0000000000000003', ?, 'o/r', '2026-03-02', ?)`,
			team, one.owner, `{"Grace H.": {"email": "grace.only@example.com", "commits": 3}, "Ada": {"email": "ada@example.com", "commits": 2}}`)
		dbtest.Exec(t, d, `insert into plan_snapshots (team_id, ingest_key, user_id, repo_slug, detail) values (?, 'k0000000000000005', ?, 'o/r', ?)`,
			team, one.owner, `{"phases": [], "decisions": [{"ref": "D-01", "by": "gh"}, {"ref": "D-02", "by": "Ada"}, {"ref": "D-03"}], "blockers": [{"text": "x"}]}`)
		dbtest.Exec(t, d, `insert into team_invites (team_id, email, token_hash) values (?, ?, 'h')`, two.id, email)
		dbtest.Exec(t, d, `insert into session_transcripts (team_id, ingest_key, user_id, repo_slug, session_id) values (?, 'k0000000000000004', ?, 'o/r', 's-grace')`, team, user)
		dbtest.Exec(t, d, `insert into team_channels (team_id, kind, name, target) values (?, 'mail', 'grace', ?)`, team, email)
		dbtest.Exec(t, d, `insert into cairn.mail_receivers (team_id, address) values (?, ?)`, team, email)
		accounts := account.New(d)
		if _, _, err := accounts.Begin(db.WithOrigin(ctx, &db.Origin{Address: "192.0.2.99"}), account.Session{User: user, Method: "password", UserAgent: "agent", IP: "192.0.2.99"}); err != nil {
			t.Fatal(err)
		}
		count := func() map[string]int {
			out := map[string]int{}
			for _, name := range sent {
				out[name] = dbtest.Count(t, d, `select count(*) from `+name)
			}
			out["hosts"] = dbtest.Count(t, d, `select count(*) from (select distinct repo_slug, date, hostname, agent from usage_days) x`)
			return out
		}
		before := count()
		if err := BeginPerson(ctx, d, user, []string{"gh"}); err != nil {
			t.Fatal(err)
		}
		if _, err := accounts.UserByEmail(ctx, email); !errors.Is(err, account.ErrNotFound) {
			t.Errorf("at once: %v", err)
		}
		if _, _, err := accounts.Begin(ctx, account.Session{User: user, Method: "password"}); err == nil {
			t.Error("an erased person signs in")
		}
		if n, err := Resume(ctx, d); n != 1 || err != nil { // as the next server does
			t.Fatalf("%d, %v", n, err)
		}
		if got := dbtest.Mentions(t, d, user.String()); len(got) != 1 || got["audit_log"] == 0 {
			t.Errorf("the id is in %v", got)
		}
		for _, text := range []string{email, host, "Grace H.", "192.0.2.99", "s-grace", `"gh"`} {
			if got := dbtest.Mentions(t, d, text); len(got) > 0 {
				t.Errorf("%s is in %v", text, got)
			}
		}
		if n := dbtest.Count(t, d, `select count(*) from ship_logs where author = 'gh'`); n != 0 {
			t.Error("a name that was given is still there")
		}
		if after := count(); !maps.Equal(before, after) {
			t.Errorf("figures were %v, are %v", before, after)
		}
		if n := dbtest.Count(t, d, `select count(*) from retro_snapshots where ingest_key = 'k0000000000000003' and cast(authors as text) like '%erased-%' and cast(authors as text) like '%ada@example.com%'`); n != 1 {
			t.Error("of the retrospective's authors one was to be renamed, and one not")
		}
		if n := dbtest.Count(t, d, `select count(*) from plan_snapshots where ingest_key = 'k0000000000000005' and cast(detail as text) like '%erased-%' and cast(detail as text) like '%Ada%'
			and cast(detail as text) like '%D-03%' and cast(detail as text) like '%blockers%'`); n != 1 {
			t.Error("of those who decided one was to be renamed, and one not")
		}
		if wrong, err := d.CheckRollups(ctx); err != nil || len(wrong) > 0 {
			t.Errorf("sums: %v, %v", wrong, err)
		}
	})
}

// TestLastOwnerIsNotErased: a team is not left without an owner.
func TestLastOwnerIsNotErased(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "one")
		owner := dbtest.Member(t, d, team, "owner")
		if err := BeginPerson(ctx, d, owner.User, nil); !errors.Is(err, db.ErrLastOwner) {
			t.Fatal(err)
		}
		if n := dbtest.Count(t, d, `select count(*) from cairn.erasures`); n != 0 {
			t.Error("it was begun all the same")
		}
		dbtest.Member(t, d, team, "owner")
		if err := BeginPerson(ctx, d, owner.User, nil); err != nil {
			t.Error(err)
		}
	})
}

// TestLikely: what is a pattern in an address is none.
func TestLikely(t *testing.T) {
	if got := likely("100%@example.com"); strings.Contains(got, "%") {
		t.Error(got)
	}
}
