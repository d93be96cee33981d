package dashboard_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
	"cairn/test/seed"
)

// Every page of the seeded world is there for each team, whole, by every
// filter, with no word of a transcript and no secret of a channel; every link
// to a page of the team leads somewhere.
func TestSeededPages(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		at := time.Now().UTC()
		w, err := seed.Fill(t.Context(), d, at)
		if err != nil {
			t.Fatal(err)
		}
		old := now
		now = at
		defer func() { now = old }()
		s := open(t, d, func() db.Identity { return dbtest.Person(w.Owner) })
		links := map[string]bool{}
		for _, team := range w.Teams {
			for _, name := range dashboard.Views() {
				if name == "run" || name == "case" || name == "suite" || name == "compare" {
					continue
				}
				for _, q := range []string{"", "?weeks=104", "?repo=acme%2Fapp&branch=main&person=" + url.QueryEscape("Grace Hopper"), "?person=" + w.Owner.String(), "?repo=other%2Fclient"} {
					if q != "" && (team.Slug != "atlas" || d.Dialect() == db.PostgreSQL) {
						continue
					}
					check(t, s, "/t/"+team.Slug+"/"+name, q, links)
				}
			}
		}
		kinds := map[string]int{}
		for _, link := range sorted(links) {
			kind, _, _ := strings.Cut(strings.Split(link, "/")[3], "?")
			if kinds[kind]++; kinds[kind] > 4 { // some of each
				continue
			}
			path, q, _ := strings.Cut(link, "?")
			check(t, s, path, "?"+q, nil)
		}
		for _, kind := range []string{"run", "case", "suite", "rows"} {
			if kind != "case" && kinds[kind] == 0 {
				t.Errorf("no link leads to %s", kind)
			}
		}
	})
}

var hrefs = regexp.MustCompile(`href="(/t/[^"]+)"`)

func check(t *testing.T, s *httptest.Server, path, q string, links map[string]bool) {
	t.Helper()
	status, body := fetch(t, s.URL+path+q)
	if status != 200 {
		t.Errorf("%s%s: %d", path, q, status)
		return
	}
	for _, bad := range []string{seed.Secret, "secret-of-a-channel", "it could not be made", "<script>alert", "NaN", "Inf", `href="javascript:`} {
		if strings.Contains(body, bad) {
			t.Errorf("%s%s shows %s", path, q, bad)
		}
	}
	if links == nil {
		return
	}
	for _, m := range hrefs.FindAllStringSubmatch(body, -1) {
		links[strings.ReplaceAll(m[1], "&amp;", "&")] = true
	}
	_, text := fetch(t, s.URL+path+".json"+q)
	var shown dashboard.Shown
	if err := json.Unmarshal([]byte(text), &shown); err != nil {
		t.Errorf("%s.json%s: %v", path, q, err)
	}
	for _, p := range shown.Panels {
		if !strings.HasPrefix(p.Command, "cairn dashboard show ") {
			t.Errorf("%s %s: no command", path, p.ID)
		}
		if p.Nothing() && p.Empty.Text == "" {
			t.Errorf("%s %s is empty and does not say so", path, p.ID)
		}
		for _, row := range p.Table.Rows {
			if len(row) != len(p.Table.Columns) {
				t.Fatalf("%s %s: %d cells in %d columns", path, p.ID, len(row), len(p.Table.Columns))
			}
		}
	}
}

func sorted(m map[string]bool) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}
