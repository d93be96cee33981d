package export

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

var ctx = context.Background()

// TestEveryColumnIsDecided: whoever adds a table or a column says whether it is
// exported, and if not, why.
func TestEveryColumnIsDecided(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		exported := map[string]source{}
		for _, src := range slices.Concat(registered(), unregistered(), accounts()) {
			exported[src.from] = src
		}
		tables := dbtest.Tables(t, d)
		for _, name := range tables {
			src, is := exported[name]
			switch reason := omitted[name]; {
			case is == (reason != ""):
				t.Errorf("%s: is it exported, or left out for a reason? See source.go", name)
				continue
			case !is:
				continue
			}
			for _, column := range dbtest.Columns(t, d, name) {
				has := slices.ContainsFunc(src.columns, func(c tableColumn) bool { return c.Name == column })
				if has == (omitted[name+"."+column] != "") {
					t.Errorf("%s.%s: is it exported, or left out for a reason?", name, column)
				}
			}
		}
		for key := range omitted {
			name := key
			if i := strings.LastIndexByte(key, '.'); i > 0 && !slices.Contains(tables, key) {
				name = key[:i]
			}
			if ofSQLite := []string{"cairn.origin", "cairn.hidden_runs"}; !strings.HasPrefix(key, "cairn.ledger_") && !slices.Contains(tables, name) && !slices.Contains(ofSQLite, key) {
				t.Errorf("%s is left out, and not there", key)
			}
		}
	})
}

const secretWords = "SECRET"

// fill makes a team with something in most tables, secrets among it.
func fill(t *testing.T, d *db.DB, slug string) (team, owner, member uuid.UUID) {
	t.Helper()
	team = dbtest.Team(t, d, slug)
	owner, member = dbtest.Member(t, d, team, "owner").User, dbtest.Member(t, d, team, "member").User
	do := func(query string, args ...any) { t.Helper(); dbtest.Exec(t, d, query, args...) }
	store := account.New(d)
	do(`update auth.users set encrypted_password = 'SECRET-hash', email = ? where id = ?`, slug+"-member@example.com", member)
	do(`insert into auth.identities (user_id, provider, provider_id) values (?, 'github', ?)`, member, slug)
	if _, _, err := store.Begin(ctx, account.Session{User: member, Method: "password", UserAgent: "agent " + slug}); err != nil {
		t.Fatal(err)
	}
	token, err := store.MakeToken(ctx, owner, wire.NewToken{TeamID: team, Name: "n", Scopes: []string{"ingest", "read"}})
	if err != nil {
		t.Fatal(err)
	}
	do(`update cairn.ingest_tokens set token_hash = ? where id = ?`, "SECRET-token-"+slug, token.ID)
	do(`insert into team_invites (team_id, email, token_hash) values (?, 'guest@example.com', ?)`, team, "SECRET-invite-"+slug)
	do(`insert into team_channels (team_id, user_id, kind, name, target, secret) values (?, ?, 'webhook', 'w', 'https://hooks.example.com/SECRET', 'SECRET-key')`, team, owner)
	do(`insert into team_channels (team_id, user_id, kind, name, target) values (?, ?, 'mail', 'm', 'list@example.com')`, team, owner)
	for i, sender := range []uuid.UUID{owner, member} {
		run, at := uuid.New(), dbtest.Day(20*i)
		do(`insert into eval_runs (team_id, id, run_at, ingest_key, user_id, repo_slug, label, total_tests, passed, failed, total_cost_usd, meta, git_dirty)
			values (?, ?, ?, ?, ?, 'o/r', 'l', 3, 3, 0, 0, '{"a":[1,"ü"]}', ?)`, team, run, at, "run-"+run.String(), sender, true)
		month, err := d.MonthTable(ctx, "eval_results", at)
		if err != nil {
			t.Fatal(err)
		}
		var rows [][]any
		for n := range int64(2*pageRows + 7) { // pages; ids whose order as texts is another
			rows = append(rows, []any{team, run, bulkTime(d, at), (n - 50) * 7, int64(0), n % 4})
		}
		if err := d.Bulk(ctx, month, []string{"team_id", "run_id", "run_at", "case_id", "repeat_no", "status"}, rows); err != nil {
			t.Fatal(err)
		}
		do(`insert into ship_logs (team_id, ingest_key, user_id, repo_slug, author_email, todos_completed) values (?, ?, ?, 'o/r', ?, ?)`, team, fmt.Sprint("ship-0000000000000", i), owner,
			[]string{"", slug + "-MEMBER@example.com"}[i], []string{"a, b", `c"d`})
		do(`insert into session_transcripts (team_id, ingest_key, user_id, repo_slug, session_id) values (?, ?, ?, 'o/r', ?)`, team, fmt.Sprint("talk-0000000000000", i), sender, fmt.Sprint("s", i))
	}
	return team, owner, member
}

// lines are the rows of an archive by file.
func lines(t *testing.T, name string) map[string][]map[string]any {
	t.Helper()
	archive, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	out := map[string][]map[string]any{}
	for _, f := range archive.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), secretWords) {
			t.Errorf("%s has a secret", f.Name)
		}
		for line := range strings.Lines(string(data)) {
			if f.Name == manifestName {
				break
			}
			var row map[string]any
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatalf("%s: %s: %v", f.Name, line, err)
			}
			out[strings.TrimSuffix(f.Name, ".ndjson")] = append(out[strings.TrimSuffix(f.Name, ".ndjson")], row)
		}
	}
	return out
}

func export(t *testing.T, d *db.DB, what What) (string, *Manifest) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.zip")
	var b bytes.Buffer
	m, err := Write(ctx, d, what, &b)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := Verify(name)
	if err != nil {
		t.Fatal(err)
	}
	if a, _ := json.Marshal(m); true {
		if b, _ := json.Marshal(read); !bytes.Equal(a, b) {
			t.Errorf("written %s, read %s", a, b)
		}
	}
	return name, m
}

// TestTeam: an export has every row of a team, each once, none of another's, and no secret.
func TestTeam(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, _, member := fill(t, d, "one")
		other, _, _ := fill(t, d, "two")
		name, m := export(t, d, What{Team: team, Version: "1.2.3"})
		if m.Team.Slug != "one" || m.Person != nil || m.Cairn != "1.2.3" {
			t.Errorf("%+v", m)
		}
		got := lines(t, name)
		for _, src := range registered() {
			want := dbtest.Count(t, d, `select count(*) from `+src.from+` where `+src.team+` = ?`, team)
			keys := map[string]bool{}
			for _, row := range got[src.name] {
				var key []string
				for _, k := range src.key {
					key = append(key, fmt.Sprint(row[k]))
				}
				keys[strings.Join(key, " ")] = true
				if row[src.team] != team.String() {
					t.Fatalf("%s has a row of %v", src.name, row[src.team])
				}
			}
			if len(got[src.name]) != want || len(keys) != want {
				t.Errorf("%s: %d rows, %d different, want %d", src.name, len(got[src.name]), len(keys), want)
			}
			if i := slices.IndexFunc(m.Files, func(f File) bool { return f.Name == src.name+".ndjson" }); i < 0 || m.Files[i].Rows != int64(want) {
				t.Errorf("%s: the manifest is wrong", src.name)
			}
		}
		if n := len(got["eval_results"]); n != 2*(2*pageRows+7) {
			t.Errorf("%d results", n)
		}
		if n := len(got["ingest_tokens"]); n != 1 || fmt.Sprint(got["ingest_tokens"][0]["scopes"]) != "[ingest read]" {
			t.Errorf("tokens: %v", got["ingest_tokens"])
		}
		if len(got["people"]) != 3 || !slices.ContainsFunc(got["people"], func(r map[string]any) bool {
			return r["id"] == member.String() && r["email"] == "one-member@example.com" && r["bot"] == false
		}) {
			t.Errorf("people: %v", got["people"])
		}
		if targets := fmt.Sprint(got["team_channels"][0]["target"], got["team_channels"][1]["target"]); strings.TrimSpace(targets) != "list@example.com" {
			t.Errorf("targets: %q", targets)
		}
		run, ship := got["eval_runs"][0], got["ship_logs"][0]
		if run["git_dirty"] != true || fmt.Sprint(run["meta"]) != "map[a:[1 ü]]" || run["total_cost_usd"] != 0.0 || !strings.HasSuffix(fmt.Sprint(run["run_at"]), ":00:00+00:00") ||
			len(ship["todos_completed"].([]any)) != 2 {
			t.Errorf("values: %v, %v", run, ship)
		}
		raw, _ := os.ReadFile(name)
		if bytes.Contains(raw, []byte(other.String())) {
			t.Error("the other team is in it")
		}
		for _, account := range []string{"account", "sessions", "identities"} {
			if got[account] != nil {
				t.Errorf("%s is no team's", account)
			}
		}
	})
}

// TestPerson: a person's export has what is theirs, of a team or of all, with or without the account.
func TestPerson(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, _, member := fill(t, d, "one")
		second, _, _ := fill(t, d, "two")
		dbtest.Exec(t, d, `insert into team_members (team_id, user_id) values (?, ?)`, second, member)
		dbtest.Exec(t, d, `insert into team_invites (team_id, email, token_hash) values (?, 'One-Member@example.com', 'h')`, second)
		for name, c := range map[string]struct {
			what                              What
			teams, invites, account, sessions int
		}{
			"of a team":             {What{Team: team, Person: member}, 1, 0, 0, 0},
			"of all, with account":  {What{Person: member, Account: true}, 2, 1, 1, 1},
			"of one, with account":  {What{Team: second, Person: member, Account: true}, 1, 1, 1, 1},
			"of all, never secrets": {What{Person: member}, 2, 1, 0, 0},
		} {
			file, m := export(t, d, c.what)
			got := lines(t, file)
			if len(got["teams"]) != c.teams || len(got["team_invites"]) != c.invites || len(got["account"]) != c.account || len(got["sessions"]) != c.sessions || len(got["identities"]) != c.account {
				t.Errorf("%s: %d teams, %d invitations, %d accounts, %d sessions", name, len(got["teams"]), len(got["team_invites"]), len(got["account"]), len(got["sessions"]))
			}
			if m.Person.ID != member || m.Person.Email != "one-member@example.com" {
				t.Errorf("%s: %+v", name, m.Person)
			}
			if c.what.Team == second {
				continue
			}
			if len(got["eval_runs"]) != 1 || len(got["eval_results"]) != 2*pageRows+7 || len(got["ship_logs"]) != 1 || len(got["session_transcripts"]) != 1 || len(got["audit_log"]) == 0 {
				t.Errorf("%s: %d runs, %d results, %d ships, %d transcripts", name, len(got["eval_runs"]), len(got["eval_results"]), len(got["ship_logs"]), len(got["session_transcripts"]))
			}
			for _, row := range got["eval_runs"] {
				if row["user_id"] != member.String() {
					t.Errorf("%s: a run of another", name)
				}
			}
		}
	})
}

// A meddler changes the database while an archive is written.
type meddler struct {
	io.Writer
	once func()
}

func (m *meddler) Write(p []byte) (int, error) {
	if m.once != nil {
		m.once()
		m.once = nil
	}
	return m.Writer.Write(p)
}

// TestSnapshot: what comes while an export is written is in no file of it.
func TestSnapshot(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, owner, _ := fill(t, d, "one")
		before := dbtest.Count(t, d, `select count(*) from usage_days where team_id = ?`, team)
		var out bytes.Buffer
		m, err := Write(ctx, d, What{Team: team}, &meddler{&out, func() {
			dbtest.Exec(t, d, `insert into usage_days (team_id, ingest_key, user_id, repo_slug, date) values (?, 'day-0000000000000000', ?, 'o/r', '2026-03-02')`, team, owner)
		}})
		if err != nil {
			t.Fatal(err)
		}
		if after := dbtest.Count(t, d, `select count(*) from usage_days where team_id = ?`, team); after != before+1 {
			t.Fatal("nothing came meanwhile")
		}
		i := slices.IndexFunc(m.Files, func(f File) bool { return f.Name == "usage_days.ndjson" })
		if m.Files[i].Rows != int64(before) {
			t.Errorf("%d rows, before there were %d", m.Files[i].Rows, before)
		}
	})
}

// TestBroken: half an archive, or a changed one, is none.
func TestBroken(t *testing.T) {
	d, err := db.Open(ctx, filepath.Join(t.TempDir(), "cairn.db"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Migrate(ctx, false); err != nil {
		t.Fatal(err)
	}
	team := dbtest.Team(t, d, "one")
	name, _ := export(t, d, What{Team: team})
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 10, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(name, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(name); !errors.Is(err, ErrBroken) {
			t.Errorf("%d bytes of %d: %v", n, len(whole), err)
		}
	}
	var forged bytes.Buffer
	from, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	to := zip.NewWriter(&forged)
	for _, f := range from.File {
		in, _ := f.Open()
		data, _ := io.ReadAll(in)
		out, _ := to.Create(f.Name)
		if f.Name == "teams.ndjson" {
			data = bytes.Replace(data, []byte("one"), []byte("two"), 1)
		}
		_, _ = out.Write(data)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, forged.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(name); !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), "teams.ndjson") {
		t.Errorf("forged: %v", err)
	}
}
