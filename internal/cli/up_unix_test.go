//go:build unix

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/local"
	"cairn/internal/team/spool"
	"cairn/internal/team/upcmd"
	"cairn/test/cairntest"
)

// A machine of its own: a home, a repository in it, and what is on it when the
// test ends is ended.
type fresh struct {
	t          *testing.T
	home, repo string
}

func newFresh(t *testing.T) *fresh {
	t.Helper()
	cairntest.Long(t)
	f := &fresh{t: t, home: t.TempDir()}
	f.repo = filepath.Join(f.home, "app")
	if err := os.Mkdir(f.repo, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if out, err := f.cairn("down").CombinedOutput(); err != nil {
			t.Errorf("cairn down: %v: %s", err, out)
		}
		if held, err := local.Held(f.data()); held || err != nil {
			t.Errorf("a server is left, %v", err)
		}
	})
	return f
}

func (f *fresh) data() string { return filepath.Join(f.home, ".cairn", "server") }

func (f *fresh) environ() []string {
	return append(os.Environ(), "HOME="+f.home, "USERPROFILE="+f.home, "CAIRN_HOME=", "CAIRN_DATABASE_URL=", "CLAUDE_CONFIG_DIR=", "CODEX_HOME=",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "TZ=UTC", "CAIRN_SYNC_BACKGROUND=0", "DISPLAY=", "CI=1")
}

func (f *fresh) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = f.repo, f.environ()
	return cmd
}

func (f *fresh) cairn(args ...string) *exec.Cmd { return f.command(built(f.t), args...) }

func (f *fresh) git(args ...string) string {
	f.t.Helper()
	cmd := f.command("git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		f.t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// up runs cairn up, which must succeed, and returns what it did.
func (f *fresh) up(args ...string) upcmd.Report {
	f.t.Helper()
	cmd := f.cairn(append([]string{"up", "--json"}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var told upcmd.Report
	if err == nil {
		err = json.Unmarshal(out, &told)
	}
	if err != nil {
		f.t.Fatalf("cairn up %v: %v: %s%s", args, err, out, &errs)
	}
	return told
}

func (f *fresh) state() local.State {
	f.t.Helper()
	s, err := local.Read(f.data())
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

// rows are what the team's server has of a table.
func (f *fresh) rows(table string, out any) {
	f.t.Helper()
	if b, err := f.cairn("sync", "pull").CombinedOutput(); err != nil {
		f.t.Fatalf("%v: %s", err, b)
	}
	data, err := os.ReadFile(filepath.Join(f.repo, ".cairn", "team-cache", table+".json"))
	if err != nil {
		f.t.Fatal(err)
	}
	if err := json.Unmarshal(data, out); err != nil {
		f.t.Fatal(err)
	}
}

const anyPort = "--listen=127.0.0.1:0"

// The numbers on the server are those that git prints.
func TestUpNumbersAreGits(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	f.git("init", "-q", "-b", "main")
	var stream strings.Builder
	begin := time.Now().UTC().AddDate(0, 0, -7*30)
	for i := range 200 {
		at := begin.Add(time.Duration(i) * 25 * time.Hour).Unix()
		who := []string{"Ada <ada@example.com>", "Grace <grace@example.com>"}[i%2]
		text := fmt.Sprintf("feat: change %d (#%d)", i, 1000+i)
		if i%3 != 0 {
			text = fmt.Sprintf("fix: change %d", i)
		}
		file, content := fmt.Sprintf("f%d.go", i%7*i%5), fmt.Sprintf("line %d\n", i)
		fmt.Fprintf(&stream, "commit refs/heads/main\nauthor %s %d +0100\ncommitter %s %d +0100\ndata %d\n%s\nM 100644 inline %s\ndata %d\n%s\n",
			who, at, who, at, len(text), text, file, len(content), content)
	}
	in := f.command("git", "fast-import", "--quiet")
	in.Stdin = strings.NewReader(stream.String())
	if out, err := in.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f.git("tag", "v1.0.0", "main~100")
	f.git("tag", "-a", "-m", "second", "v1.1.0", "main~10")
	told := f.up(anyPort)
	if told.Delivered == 0 || told.Failed+told.Refused != 0 {
		t.Errorf("%+v", told)
	}

	var ships []struct {
		Version string `json:"version"`
		SHA     string `json:"git_sha"`
	}
	f.rows("ship_logs", &ships)
	versions := 0
	for _, s := range ships {
		if s.Version != "" && !strings.HasPrefix(s.Version, "#") {
			versions++
			if got := f.git("rev-parse", s.Version+"^{commit}"); got != s.SHA {
				t.Errorf("%s is %s; git says %s", s.Version, s.SHA, got)
			}
		}
	}
	merged := strings.Count(f.git("log", "--format=%s", "main"), "(#")
	if len(ships) != merged+2 || versions != 2 {
		t.Errorf("%d ships, %d versions; git knows %d pull requests", len(ships), versions, merged)
	}

	var weeks []struct {
		Date    string `json:"date"`
		Metrics struct {
			Commits      int `json:"commits"`
			Insertions   int `json:"insertions"`
			Contributors int `json:"contributors"`
			Hotspots     []struct {
				Path    string `json:"path"`
				Changes int    `json:"changes"`
			} `json:"hotspots"`
		} `json:"metrics"`
	}
	f.rows("retro_snapshots", &weeks)
	sum := 0
	for _, w := range weeks {
		sunday, err := time.Parse(time.DateOnly, w.Date)
		if err != nil || sunday.Weekday() != time.Sunday {
			t.Fatalf("%s, %v", w.Date, err)
		}
		since, until := sunday.AddDate(0, 0, -6).Unix(), sunday.AddDate(0, 0, 1).Unix()-1
		commits, people, changes := 0, map[string]bool{}, map[string]int{}
		for block := range strings.SplitSeq(f.git("log", "--format=%x01%ct %ae", "--name-only", "main"), "\x01") {
			lines := strings.Fields(block)
			var at int64
			if len(lines) < 2 {
				continue
			}
			fmt.Sscan(lines[0], &at)
			if at < since || at > until {
				continue
			}
			commits++
			people[lines[1]] = true
			for _, file := range lines[2:] {
				changes[file]++
			}
		}
		sum += commits
		if w.Metrics.Commits != commits || w.Metrics.Contributors != len(people) {
			t.Errorf("week until %s: %d commits of %d; git says %d of %d", w.Date, w.Metrics.Commits, w.Metrics.Contributors, commits, len(people))
		}
		for _, h := range w.Metrics.Hotspots {
			if changes[h.Path] != h.Changes {
				t.Errorf("week until %s: %s changed %d times; git says %d", w.Date, h.Path, h.Changes, changes[h.Path])
			}
		}
	}
	if sum != 200 {
		t.Errorf("%d commits in %d weeks", sum, len(weeks))
	}

	f.git("tag", "v1.2.0", "main")
	// A ship, and the week it is in once that is over.
	if told := f.up(); told.Collected[0].Table != "ship_logs" || told.Collected[0].New != 1 || told.Collected[1].New > 1 || told.Delivered != 1+told.Collected[1].New {
		t.Errorf("of one more tag came %+v", told)
	}
	if told := f.up(); told.Delivered != 0 {
		t.Errorf("of nothing came %+v", told)
	}
}

// Many at once make one server, one owner and each record once.
func TestUpAtOnce(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	f.git("init", "-q", "-b", "main")
	f.git("commit", "-q", "--allow-empty", "-m", "feat: begin (#1)")
	var wg sync.WaitGroup
	pids := make([]int, 4)
	for i := range pids {
		wg.Go(func() {
			out, err := f.cairn("up", "--json", anyPort).CombinedOutput()
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
			pids[i] = f.state().PID
		})
	}
	wg.Wait()
	for _, pid := range pids {
		if pid == 0 || pid != pids[0] {
			t.Errorf("servers %v", pids)
		}
	}
	if out, err := f.cairn("serve", "user", "list", "--json").Output(); err != nil || strings.Count(string(out), "@") != 1 {
		t.Errorf("%v, users %s", err, out)
	}
	var ships []any
	if f.rows("ship_logs", &ships); len(ships) != 1 {
		t.Errorf("ships %v", ships)
	}
}

// What a process that was killed left half delivered is not called delivered.
func TestUpSaysWhatIsHeld(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	f.git("init", "-q", "-b", "main")
	f.git("commit", "-q", "--allow-empty", "-m", "feat: change (#1)")
	f.up(anyPort)
	queue := spool.Open(home.Home(filepath.Join(f.home, ".cairn")).Queue())
	if _, err := queue.Put("ship_logs", "key", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if held, err := queue.Claim(1, time.Now()); err != nil || len(held) != 1 {
		t.Fatal(held, err)
	}
	if told := f.up(anyPort); told.Failed != 1 {
		t.Errorf("up said %+v", told)
	}
}

// One that was killed anywhere is mended by the next.
func TestUpKilledHalfway(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	f.git("init", "-q", "-b", "main")
	for i := range 5 {
		f.git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("feat: change (#%d)", i+1))
	}
	for round := range 10 {
		cmd := f.cairn("up", "--json", anyPort)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(round*35) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
	}
	told := f.up(anyPort)
	var ships, weeks []any
	f.rows("ship_logs", &ships)
	f.rows("retro_snapshots", &weeks)
	for end := time.Now().Add(90 * time.Second); told.Failed > 0 && len(ships)+len(weeks) < 6 && time.Now().Before(end); { // on a busy machine some wait, and up says so
		_ = f.cairn("sync", "drain").Run()
		f.rows("ship_logs", &ships)
		f.rows("retro_snapshots", &weeks)
	}
	if len(ships) != 5 || len(weeks) != 1 {
		t.Errorf("%d ships, %d weeks; up said %+v", len(ships), len(weeks), told)
	}
	if out, err := f.cairn("sync", "test").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// A server that was killed is started again, and a stranger that got its number
// or its address is not taken for it.
func TestDownKnowsStrangers(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	f.up(anyPort)
	before := f.state()
	if err := syscall.Kill(before.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for held := true; held; held, _ = local.Held(f.data()) {
		time.Sleep(5 * time.Millisecond)
	}

	// Its address answers everything, its number is of a process that sleeps.
	listener, err := net.Listen("tcp", before.Listen)
	if err != nil {
		t.Skip("the port was taken meanwhile")
	}
	stranger := exec.Command("sleep", "600")
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { stranger.Process.Kill(); stranger.Wait() }()
	asked := make(chan *http.Request, 100)
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r
		fmt.Fprintf(w, `{"pid":%d,"anon_key":"k"}`, stranger.Process.Pid)
	}))
	web.Listener.Close()
	web.Listener = listener
	web.Start()
	defer web.Close()
	before.PID = stranger.Process.Pid
	data, _ := json.Marshal(before)
	if err := os.WriteFile(local.File(f.data()), data, 0o600); err != nil {
		t.Fatal(err)
	}

	out, err := f.cairn("down").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "no server of cairn up runs") {
		t.Errorf("%v: %s", err, out)
	}
	told := f.up()
	if told.Server == before.URL || f.state().PID == before.PID {
		t.Errorf("the stranger at %s is taken for the server: %+v", before.URL, told)
	}
	if !strings.Contains(fmt.Sprint(told.Steps), "another program has "+before.Listen) {
		t.Errorf("steps %+v", told.Steps)
	}
	if len(asked) > 0 {
		t.Errorf("the stranger was asked for %s", (<-asked).URL)
	}
	if err := stranger.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the stranger is gone: %v", err)
	}
	if team, err := os.ReadFile(filepath.Join(f.repo, ".cairn", "team.json")); err != nil || !strings.Contains(string(team), told.Server) {
		t.Errorf("%v: %s", err, team)
	}
	auth, err := os.ReadFile(filepath.Join(f.home, ".cairn", "auth.json"))
	if err != nil || strings.Contains(string(auth), before.URL) {
		t.Errorf("%v: a session for the stranger's address is left", err)
	}
}

// What waits for the server by the address that it had is delivered.
func TestUpDeliversWhatWaited(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	before := f.up(anyPort)
	if out, err := f.cairn("down").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	push := f.cairn("sync", "push-ship", "-")
	push.Stdin = strings.NewReader(`{"version":"1.0"}`)
	if out, err := push.CombinedOutput(); err != nil || !strings.Contains(string(out), "queued") {
		t.Fatalf("%v: %s", err, out)
	}
	listener, err := net.Listen("tcp", strings.TrimPrefix(before.Server, "http://"))
	if err != nil {
		t.Skip("the port was taken meanwhile")
	}
	defer listener.Close()
	if told := f.up(); told.Delivered != 1 || told.Server == before.Server {
		t.Errorf("%+v", told)
	}
}

// A repository that has a team elsewhere keeps it, and no server is started.
func TestUpElsewhere(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	if err := os.Mkdir(filepath.Join(f.repo, ".cairn"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(f.repo, ".cairn", "team.json")
	for _, c := range []struct {
		text, want string
		code       int
	}{
		{`{"url":"https://team.example","anon_key":"k","team_slug":"acme"}`, "cairn: hint: cairn sync setup", command.ExitAuth},
		{`{"url":`, "team.json:", command.ExitData},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := f.cairn("up", anyPort)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != c.code || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v: %s", c.text, cmd.ProcessState, out)
		}
		if now, _ := os.ReadFile(file); string(now) != c.text {
			t.Errorf("%s became %s", c.text, now)
		}
		if _, err := os.Stat(f.data()); err == nil {
			t.Error("a server was started")
		}
	}

	// Committed by somebody whose server only their machine has.
	f.git("init", "-q")
	if err := os.WriteFile(file, []byte(`{"url":"http://127.0.0.1:1","anon_key":"k","team_slug":"acme"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	f.git("add", "-A")
	out, err := f.cairn("up", anyPort).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "git rm --cached .cairn/team.json") {
		t.Errorf("%v: %s", err, out)
	}
	f.git("rm", "-q", "--cached", ".cairn/team.json")
	if told := f.up(anyPort); told.Team != "acme" || !told.Linked {
		t.Errorf("%+v", told)
	}
	if got := f.git("status", "--short"); got != "" {
		t.Errorf("git sees %s", got)
	}
}

// Somebody who asks without the token learns and ends nothing.
func TestOwnNeedsTheToken(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	f.up(anyPort)
	s := f.state()
	s.Token = strings.Repeat("0", len(s.Token))
	if _, err := local.Ask(context.Background(), s); err == nil {
		t.Error("who has no token is answered")
	}
	if err := local.Stop(context.Background(), f.data(), s); err == nil {
		t.Error("who has no token ends it")
	}
	res, err := http.Get(s.URL + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, res.Body)
	res.Body.Close()
	if fi, err := os.Stat(local.File(f.data())); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
}
