package dashboard_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
)

// The filter offers each person once: the bots of CI are one, a member and an author
// of one name are told apart, and a person's runs are those of all that are shown so.
func TestPersonsAreToldApart(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := smallTeam(t, d)
		second := dbtest.Member(t, d, w.team, "ci")
		dbtest.Member(t, d, w.team, "ci")
		w.run(t, d, second, "03-12", "topic", "ddd", 9, 1)
		for name, email := range map[string]string{"ada": "ada@home.example", "carol": "carol@home.example"} {
			dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, user_id, occurred_at, repo_slug, author, author_email) values (?, ?, ?, ?, ?, 'acme/app', ?, ?)`,
				w.team, uuid.New(), uuid.NewString(), w.ada.User, on("03-11"), name, email)
		}
		s := open(t, d, func() db.Identity { return w.ada })
		for _, chosen := range []uuid.UUID{w.ci.User, second.User} {
			_, body := get(t, s.URL+"/t/acme/velocity?person="+chosen.String())
			for text, want := range map[string]int{">CI</option>": 1, `value="` + chosen.String() + `" selected>CI</option>`: 1, ">ada</option>": 1, ">ada (in git)</option>": 1, ">carol</option>": 1} {
				if n := strings.Count(body, text); n != want {
					t.Errorf("%d times %s:\n%s", n, text, between(body, `name="person"`, "</select>"))
				}
			}
			_, list := get(t, s.URL+"/t/acme/rows/runs.json?person="+chosen.String())
			if !strings.Contains(list, "\"ccc\"") || !strings.Contains(list, "\"ddd\"") || strings.Contains(list, "\"bbb\"") {
				t.Errorf("runs of CI:\n%s", list)
			}
		}
		if _, list := get(t, s.URL+"/t/acme/rows/runs.json?person="+w.ada.User.String()); !strings.Contains(list, "\"bbb\"") || strings.Contains(list, "\"ddd\"") {
			t.Errorf("runs of ada:\n%s", list)
		}
	})
}

func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}
