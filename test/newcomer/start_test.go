package newcomer

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"cairn/test/pgtest"
)

const page = "docs/start.md"

func TestMain(m *testing.M) {
	code := pgtest.Main(m.Run)
	os.RemoveAll(build.dir)
	os.Exit(code)
}

// path is one way in: the page's one block below a heading.
func path(t *testing.T, heading string) []string {
	t.Helper()
	list := blocks(t, page, heading)
	if len(list) != 1 || len(list[0]) > 8 {
		t.Fatalf("%s: %d blocks, and at most 8 lines in it are wanted: %q", heading, len(list), list)
	}
	return list[0]
}

// web is Ada's repository, with a file of results of this week.
func web(t *testing.T, bin string, env ...string) place {
	t.Helper()
	p := newPlace(t, bin, t.TempDir(), append([]string{"CAIRN_SERVE_LISTEN=127.0.0.1:0", "CAIRN_SYNC_BACKGROUND=0"}, env...)...)
	repository(t, p)
	results, err := os.ReadFile("testdata/results.json")
	if err != nil {
		t.Fatal(err)
	}
	results = bytes.ReplaceAll(results, []byte("2026-11-20T10:30:00Z"), []byte(time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)))
	if err := os.WriteFile(filepath.Join(p.dir, "results.json"), results, 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAlone(t *testing.T) {
	bin := built(t)
	lines := path(t, "## A developer alone")
	p := newPlace(t, bin, t.TempDir(), "GOCACHE="+goCache(t), "BROWSER=true", "CAIRN_SYNC_BACKGROUND=0")
	if err := os.CopyFS(p.dir, os.DirFS("../../examples/failing")); err != nil {
		t.Fatal(err)
	}
	repository(t, p)
	t.Cleanup(func() { _ = p.command("cairn down --forget --yes").Run() })
	for i, want := range []string{"want 290\n", "500 g to local cost 250, want 290", "round trip", "ROADMAP.md", "new-project", "tests/go", "✓ dashboard", "has stopped"} {
		out := p.run(strings.Replace(lines[i], "cairn up", "cairn up --listen 127.0.0.1:0", 1))
		if !strings.Contains(out, want) {
			t.Errorf("%s: no %q in\n%s", lines[i], want, out)
		}
		if lines[i] == "cairn up" {
			p.run("cairn serve doctor")
			if m := regexp.MustCompile(`✓ dashboard +(http://[^/\s]+)`).FindStringSubmatch(out); m == nil || get(t, m[1]+"/readyz") != http.StatusOK {
				t.Errorf("the pages are not there: %s", out)
			}
		}
		if i == 0 && (!strings.Contains(out, "exit 1") || strings.Count(out, "\n") > 30) {
			t.Errorf("%s:\n%s", lines[i], out)
		}
	}
}

func TestTeamOfTwo(t *testing.T) {
	ada := web(t, built(t))
	lines := path(t, "## A team of two")
	ada.like(ada.start(lines[0]), lines[1])
	ada.run(ada.next)
	ada.run(lines[2])
	if out := ada.run(lines[3]); !strings.Contains(out, "synced to team ✓") {
		t.Errorf("%s: %s", lines[3], out)
	}
	ada.like(ada.run(lines[4]), lines[5])
	bob := newPlace(t, ada.bin, filepath.Join(t.TempDir(), "web"), "CAIRN_SYNC_BACKGROUND=0")
	ada.run("git clone -q . " + bob.dir)
	if out := bob.run(ada.next); !strings.Contains(out, "2 members, 1 eval run this week") {
		t.Errorf("%s: %s", ada.next, out)
	}
	if out := bob.run(lines[6]); !strings.Contains(out, "search-quality") || !strings.Contains(out, "team") {
		t.Errorf("%s: %s", lines[6], out)
	}
}

func TestCI(t *testing.T) {
	ada := web(t, built(t))
	team := path(t, "## A team of two")
	ada.like(ada.start(team[0]), team[1])
	for _, line := range []string{ada.next, team[2], team[3]} {
		ada.run(line)
	}
	lines := path(t, "## CI")
	token := ""
	for _, word := range strings.Fields(ada.run(lines[0])) {
		if strings.HasPrefix(word, "cairn_ci_") {
			token = word
		}
	}
	job := newPlace(t, ada.bin, filepath.Join(t.TempDir(), "web"), "CI=true", "CAIRN_SYNC_BACKGROUND=0")
	ada.run("git clone -q . " + job.dir)
	job.run("git remote set-url origin https://git.example.test/acme/web.git && git checkout -q -b topic")
	ada.run("cp results.json " + job.dir)
	job.run(`sed -i.bak 's/"label": "main"/"label": "topic"/' results.json`)
	job.export(strings.NewReplacer("TOKEN=TOKEN", "TOKEN="+token, "http://127.0.0.1:7373", ada.url).Replace(lines[1]))
	if out := job.run(lines[2]); !strings.Contains(out, "synced to team ✓") || !strings.Contains(out, "search-quality") || strings.Contains(out, "no baseline") {
		t.Errorf("%s: %s", lines[2], out)
	}
	if data, err := os.ReadFile(filepath.Join(job.dir, "gate.xml")); err != nil || !strings.Contains(string(data), "<testsuite") {
		t.Errorf("gate.xml: %v %s", err, data)
	}
}

func TestSupabase(t *testing.T) {
	if pgtest.Shared() == nil {
		t.Skip("no PostgreSQL here")
	}
	_, owner, _, err := pgtest.Shared().Project()
	if err != nil {
		t.Fatal(err)
	}
	ada := web(t, built(t))
	lines := path(t, "## A Supabase project")
	cmd := ada.command(lines[0])
	cmd.Stdin = strings.NewReader(owner + "\n")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "the team's tables are made") {
		t.Fatalf("%s: %v\n%s", lines[0], err, out)
	}
	// The stand-in, on which Ada has signed in before.
	ada.like(ada.start("cairn serve &"), path(t, "## A team of two")[1])
	ada.run(ada.next + " --team elsewhere")
	if err := os.RemoveAll(filepath.Join(ada.dir, ".cairn")); err != nil {
		t.Fatal(err)
	}
	key := strings.TrimSpace(ada.run("cairn serve keys"))
	ada.run(strings.NewReplacer("https://PROJECT.supabase.co", ada.url, "KEY", key).Replace(lines[1]))
	ada.run(lines[2])
	if out := ada.run(lines[3]); !strings.Contains(out, "synced to team ✓") {
		t.Errorf("%s: %s", lines[3], out)
	}
	if out := ada.run(lines[4]); !strings.Contains(out, "search-quality") {
		t.Errorf("%s: %s", lines[4], out)
	}
}

func TestPostgreSQL(t *testing.T) {
	if pgtest.Shared() == nil {
		t.Skip("no PostgreSQL here")
	}
	database, err := pgtest.Shared().Database()
	if err != nil {
		t.Fatal(err)
	}
	ada := web(t, built(t))
	lines := path(t, "## PostgreSQL")
	ada.export(strings.Replace(lines[0], "postgres://cairn@db.example.com/cairn", database, 1))
	ada.like(ada.start(lines[1]), lines[2])
	ada.run(ada.next)
	if out := ada.run(lines[3]); !strings.Contains(out, "synced to team ✓") {
		t.Errorf("%s: %s", lines[3], out)
	}
	if out := ada.run(lines[4]); !strings.Contains(out, "migrations") {
		t.Errorf("%s: %s", lines[4], out)
	}
}

func get(t *testing.T, url string) int {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// goCache is Go's own: an empty home has none, and to compile all of Go's
// library takes a minute.
func goCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
