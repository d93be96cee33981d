package dashboard

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/test/browsertest"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
	"cairn/test/seed"
)

// world serves the pages of the seeded teams to their owner.
func world(t testing.TB) (site string, w *seed.World) {
	d := dbtest.Open(t, dbtest.SQLite(t))
	w, err := seed.Fill(t.Context(), d, clock)
	if err != nil {
		t.Fatal(err)
	}
	as := db.Identity{Role: db.Authenticated, User: w.Owner}
	pages := New(Config{DB: d, Now: func() time.Time { return clock }, SignIn: "/signin", Viewer: func(r *http.Request) (Viewer, error) {
		v := Viewer{As: as, Email: seed.Owner}
		err := d.View(r.Context(), as, func(tx *db.Tx) error {
			teams, err := figures.TeamsOf(r.Context(), tx, as.User)
			for _, m := range teams {
				v.Teams = append(v.Teams, TeamOf(m))
			}
			return err
		})
		return v, err
	}})
	s := httptest.NewServer(gzhttp.GzipHandler(pages))
	t.Cleanup(s.Close)
	return s.URL, w
}

var links = regexp.MustCompile(`href="(/t/[^"]*)"`)

// crawl follows links from the first page of a team and returns one address of
// each page that it has. Every link has to lead somewhere.
func crawl(t testing.TB, site, team string) (found []string) {
	seen, queue := map[string]bool{}, []string{"/t/" + team + "/"}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		u, err := url.Parse(path)
		if err != nil || seen[u.Path] || !strings.HasPrefix(path, "/t/"+team+"/") {
			continue
		}
		seen[u.Path] = true
		r, err := http.Get(site + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != 200 {
			t.Errorf("%s: %d, %v", path, r.StatusCode, err)
			continue
		}
		if strings.Contains(string(body), seed.Secret) {
			t.Errorf("%s tells what was said to an agent", path)
		}
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
			continue
		}
		found = append(found, path)
		for _, m := range links.FindAllStringSubmatch(string(body), -1) {
			queue = append(queue, strings.ReplaceAll(m[1], "&amp;", "&"))
		}
	}
	slices.Sort(found)
	return found
}

// Every page of the largest team, of one with long names and of one without rows: no link leads nowhere,
// nothing is too wide, keeps people out, weighs too much or makes the browser complain.
func TestWorld(t *testing.T) {
	cairntest.NoRace(t)
	site, w := world(t)
	for n, team := range w.Teams {
		if n == 1 || n == 3 { // in a browser they are like the others; TestShots looks at all
			continue
		}
		for i, path := range crawl(t, site, team.Slug) {
			v := []browsertest.View{{Width: 1280}, {Width: 360, Dark: true}, {Width: 768}, {Width: 1280, Dark: true}}[i%4]
			tab := see(t, site+path, v)
			if n == 0 {
				for _, finding := range tab.Axe() {
					t.Errorf("%s at %+v: %s", path, v, finding)
				}
			}
			for _, width := range []int{360, 768, 1280}[:3-min(n, 2)] {
				tab.Look(browsertest.View{Width: width})
				if px := tab.Overflow(); px > 0 {
					t.Errorf("%s is %d pixels too wide for %d", path, px, width)
				}
			}
			complaints(t, tab, path)
			tab.Close()
		}
	}
}

// TestShots makes a picture of each page, at each size, in light and dark, and
// has axe-core look at each. CAIRN_SHOTS names the directory.
func TestShots(t *testing.T) {
	dir := os.Getenv("CAIRN_SHOTS")
	if dir == "" {
		t.Skip("CAIRN_SHOTS names no directory")
	}
	shoot := func(site, path, name string) {
		tab := see(t, site+path, browsertest.View{Still: true})
		for _, width := range []int{360, 768, 1280} {
			for _, dark := range []bool{false, true} {
				tab.Look(browsertest.View{Width: width, Dark: dark, Still: true})
				tab.Wait("!window.plots || new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
				tab.Shot(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, width, map[bool]string{false: "light", true: "dark"}[dark])))
				for _, finding := range tab.Axe() {
					t.Errorf("%s at %d: %s", path, width, finding)
				}
			}
		}
		tab.Close()
	}
	gallery := gallery(t)
	for i, path := range galleryPaths {
		shoot(gallery, path, []string{"gallery-pulse", "gallery-many", "gallery-empty", "error-404", "error-401", "error-503"}[i])
	}
	site, w := world(t)
	for _, team := range w.Teams {
		for _, path := range crawl(t, site, team.Slug) {
			u, _ := url.Parse(path) // crawl has
			name := strings.Trim(strings.ReplaceAll(strings.TrimPrefix(u.Path, "/t/"), "/", "-"), "-")
			shoot(site, path, name)
		}
	}
}

// TestPictures makes those of the documentation. CAIRN_PICTURES names the directory.
func TestPictures(t *testing.T) {
	dir := os.Getenv("CAIRN_PICTURES")
	if dir == "" {
		t.Skip("CAIRN_PICTURES names no directory")
	}
	site, w := world(t)
	for name, path := range map[string]string{"pulse": "", "quality": "quality"} {
		for _, dark := range []bool{false, true} {
			tab := see(t, site+"/t/"+w.Teams[0].Slug+"/"+path, browsertest.View{Height: 900, Dark: dark, Still: true})
			file := filepath.Join(dir, fmt.Sprintf("%s-%s.png", name, map[bool]string{false: "light", true: "dark"}[dark]))
			tab.ShotWindow(file)
			if info, err := os.Stat(file); err != nil || info.Size() > 150_000 {
				t.Errorf("%s: %v, %d bytes", file, err, info.Size())
			}
		}
	}
}

// Two years of twelve people, from panels to bytes.
func BenchmarkFrame(b *testing.B) {
	site := gallery(b)
	for b.Loop() {
		r, err := http.Get(site + galleryPaths[1])
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if err != nil || n < 100_000 {
			b.Fatal(err, n)
		}
	}
}
