package dashboard_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
)

// ask gets an address as a browser that has a page with a tag.
func ask(t *testing.T, url, tag string) (status int, newTag, body string) {
	t.Helper()
	r, _ := http.NewRequest(http.MethodGet, url, nil)
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if tag := resp.Header.Get("ETag"); resp.StatusCode < 400 && tag != "" && resp.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("%s: %s with a tag", url, resp.Header.Get("Cache-Control"))
	}
	if resp.StatusCode >= 400 && (resp.Header.Get("ETag") != "" || resp.Header.Get("Cache-Control") != "no-store") {
		t.Errorf("%s: %d may be kept", url, resp.StatusCode)
	}
	return resp.StatusCode, resp.Header.Get("ETag"), string(text)
}

// What has not changed is neither made nor sent again; what has changed is, at once.
func TestAnswersAreKept(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me, you := dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, team, "member")
		as := me
		s := open(t, d, func() db.Identity { return as })
		tags := map[string]string{}
		for _, path := range []string{"/t/acme/", "/t/acme/velocity.json", "/t/acme/velocity/ships-by-week.csv", "/t/acme/people", "/t/acme/velocity?weeks=4"} {
			status, tag, first := ask(t, s.URL+path, "")
			if status != 200 || tag == "" {
				t.Fatalf("%s: %d, tag %q", path, status, tag)
			}
			for other, was := range tags {
				if was == tag {
					t.Errorf("%s has the tag of %s", path, other)
				}
			}
			tags[path] = tag
			asked := d.Asked()
			if status, again, body := ask(t, s.URL+path, ""); status != 200 || again != tag || body != first || d.Asked()-asked != 1 {
				t.Errorf("%s again: %d, %d questions, the same: %v", path, status, d.Asked()-asked, body == first)
			}
			if status, _, body := ask(t, s.URL+path, `"x", `+tag); status != 304 || body != "" {
				t.Errorf("%s with its tag: %d %s", path, status, body)
			}
		}
		as = you
		asked := d.Asked()
		if status, _, _ := ask(t, s.URL+"/t/acme/velocity?weeks=4", ""); status != 200 || d.Asked()-asked != 1 {
			t.Errorf("for another member: %d, made anew", status)
		}
		if status, tag, _ := ask(t, s.URL+"/t/acme/people", tags["/t/acme/people"]); status != 200 || tag == tags["/t/acme/people"] {
			t.Errorf("a page of what one may see oneself is another member's: %d", status)
		}
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, user_id, occurred_at, repo_slug, title) values (?, ?, ?, ?, ?, 'acme/app', 'Brand new')`, team, uuid.New(), uuid.NewString(), me.User, now)
		as = me
		for path, tag := range tags {
			if status, again, _ := ask(t, s.URL+path, tag); status != 200 || again == tag {
				t.Errorf("%s after a ship: %d", path, status)
			}
		}
		if _, _, body := ask(t, s.URL+"/t/acme/", ""); !strings.Contains(body, "Brand new") {
			t.Error("the newest ship is not shown")
		}
		if status, tag, _ := ask(t, s.URL+"/t/acme/run?id="+uuid.NewString(), ""); status != 404 || tag != "" {
			t.Errorf("what is not there: %d %q", status, tag)
		}
		dbtest.Exec(t, d, `delete from team_members where user_id = ?`, me.User)
		for path, tag := range tags {
			if status, _, body := ask(t, s.URL+path, tag); status != 404 || strings.Contains(body, "Brand new") {
				t.Errorf("%s for somebody who left: %d", path, status)
			}
		}
	})
}

// What admins see is not kept for members, what people see not for tokens of CI,
// and nothing for another team, whoever asks first.
func TestKeptForTheSameRights(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, beta := dbtest.Team(t, d, "acme"), dbtest.Team(t, d, "beta")
		owner, member, bot := dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, team, "ci")
		bot.Team, bot.Scopes = team, []string{"read"}
		stranger := dbtest.Member(t, d, beta, "owner")
		dbtest.Exec(t, d, `insert into team_channels (team_id, id, kind, name, target) values (?, ?, 'slack', 'secret-channel', 'https://hooks.example/x')`, team, uuid.New())
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, user_id, occurred_at, repo_slug, author_email) values (?, ?, ?, ?, ?, 'acme/app', 'ada@nobody.test')`, team, uuid.New(), uuid.NewString(), owner.User, now)
		var mu sync.Mutex
		as := owner
		s := open(t, d, func() db.Identity { mu.Lock(); defer mu.Unlock(); return as })
		see := func(who db.Identity, path string) string {
			t.Helper()
			mu.Lock()
			as = who
			mu.Unlock()
			_, _, body := ask(t, s.URL+path, "")
			return body
		}
		if !strings.Contains(see(owner, "/t/acme/alerts"), "secret-channel") || !strings.Contains(see(owner, "/t/acme/velocity"), "ada@nobody.test") {
			t.Fatal("the owner does not see what the others must not")
		}
		for _, who := range []db.Identity{member, bot, stranger} {
			if strings.Contains(see(who, "/t/acme/alerts"), "secret-channel") {
				t.Error("somebody who is no admin got an admin's page")
			}
		}
		if strings.Contains(see(bot, "/t/acme/velocity"), "ada@nobody.test") {
			t.Error("a token of CI got a person's page")
		}
		// Who comes after a loss of rights gets what they may see now.
		dbtest.Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, team, stranger.User)
		if !strings.Contains(see(stranger, "/t/acme/alerts"), "secret-channel") {
			t.Error("a new owner does not see what owners see")
		}
		dbtest.Exec(t, d, `update team_members set role = 'member' where team_id = ? and user_id = ?`, team, owner.User)
		if strings.Contains(see(owner, "/t/acme/alerts"), "secret-channel") {
			t.Error("somebody who was an owner got an owner's page")
		}
	})
}

// Many who ask for the same at once let it be made once, and no address is
// another's: names that look like each other's parts do not meet.
func TestKeptOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "member")
		s := open(t, d, func() db.Identity { return me })
		_, _, _ = ask(t, s.URL+"/t/acme/plans", "") // templates are read
		before := d.Asked()
		var work sync.WaitGroup
		const at = 20
		for range at {
			work.Go(func() { _, _, _ = ask(t, s.URL+"/t/acme/quality?weeks=26", "") })
		}
		work.Wait()
		one := d.Asked()
		_, _, _ = ask(t, s.URL+"/t/acme/quality?weeks=52", "")
		if all, single := one-before, d.Asked()-one; all >= at+2*single {
			t.Errorf("%d requests asked %d questions, one asks %d", at, all, single)
		}
		seen := map[string]string{}
		for _, q := range []url.Values{{"repo": {"a"}, "person": {"b"}}, {"repo": {`a" "b`}}, {"person": {`a" "b`}}, {"repo": {"a b"}}, {"branch": {"a b"}}, {"from": {"2026-01-01"}, "to": {"2026-02-01"}}, {"from": {"2026-01-01"}, "to": {"2026-02-02"}}} {
			_, tag, _ := ask(t, s.URL+"/t/acme/velocity?"+q.Encode(), "")
			if was, ok := seen[tag]; ok {
				t.Errorf("%s and %s have one tag", q.Encode(), was)
			}
			seen[tag] = q.Encode()
		}
	})
}
