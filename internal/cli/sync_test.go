//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"cairn/internal/command"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server"
	"cairn/internal/team/spool"
	"cairn/test/cairntest"
)

const devPassword = "correct horse battery"

// syncWorld is a repository with a team.json, a home, and a server of cairn's
// with the team acme, which boss@example.com owns. In front of it stands what a
// test puts between.
type syncWorld struct {
	t     *testing.T
	env   map[string]string
	home  string
	dir   string // of the repository, where commands run
	store *server.Store
	front *httptest.Server
	mu    sync.Mutex
	fault http.HandlerFunc // answers instead of the server
	bare  bool             // what Supabase has not is not there
}

func newSyncWorld(t *testing.T) *syncWorld {
	t.Helper()
	dir := t.TempDir()
	w := &syncWorld{t: t, home: filepath.Join(dir, "home")}
	w.env = map[string]string{"HOME": dir, "CAIRN_HOME": w.home}
	ctx, cancel := context.WithCancel(t.Context())
	st, err := server.Open(ctx, server.Place{Dir: filepath.Join(dir, "server")}, true)
	if err != nil {
		t.Fatal(err)
	}
	w.store = st
	s, err := server.New(ctx, server.Config{Version: "test", Store: st, Listen: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler), PasswordCost: bcrypt.MinCost})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() { _ = s.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done; st.Close() })
	w.front = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.pass(rw, r, s.URL()) }))
	t.Cleanup(w.front.Close)
	accounts := account.New(st.DB)
	accounts.SetCost(bcrypt.MinCost) // which takes a second less under the race detector
	boss, err := accounts.CreateUser(ctx, account.NewUser{Email: "boss@example.com", Password: devPassword, Confirmed: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.DB.CreateTeam(ctx, "acme", "acme", boss.ID); err != nil {
		t.Fatal(err)
	}
	w.repo(filepath.Join(dir, "repo"), w.front.URL)
	return w
}

const goodRun = `{"schema_version":1,"suite":"s","timestamp":"2026-01-02T00:00:00Z","all_results":[` +
	`{"name":"a","passed":true,"score":0.5,"output":{"body":"x"}},{"name":"b","passed":false,"failures":[{"message":"m"}]}],"costs":[{"model":"m","input_tokens":5}]}`

// repo makes a repository with a team, in which commands run from now on.
func (w *syncWorld) repo(dir, url string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, ".cairn"), 0o755); err != nil {
		w.t.Fatal(err)
	}
	w.dir = dir
	w.write(".cairn/team.json", fmt.Sprintf(`{"url":%q,"anon_key":"","team_slug":"acme"}`, url))
	w.write("run.json", goodRun)
}

func (w *syncWorld) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// path is where a file of the repository is.
func (w *syncWorld) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(w.dir, name)
}

// fail puts an answer in the server's place; nil is the server again.
func (w *syncWorld) fail(f http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = f
}

func (w *syncWorld) pass(rw http.ResponseWriter, r *http.Request, to string) {
	w.mu.Lock()
	fault := w.fault
	if w.bare && !strings.HasPrefix(r.URL.Path, "/rest/") && !strings.HasPrefix(r.URL.Path, "/auth/") {
		fault = http.NotFound
	}
	w.mu.Unlock()
	if fault != nil {
		fault(rw, r)
		return
	}
	req, _ := http.NewRequestWithContext(r.Context(), r.Method, to+r.URL.RequestURI(), r.Body)
	req.Header = r.Header
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer res.Body.Close()
	maps.Copy(rw.Header(), res.Header)
	rw.WriteHeader(res.StatusCode)
	io.Copy(rw, res.Body)
}

// cairn runs the program in this process with something on stdin.
func (w *syncWorld) cairn(stdin string, args ...string) (stdout, stderr string, code int) {
	w.t.Helper()
	var out, talk bytes.Buffer
	e := &Env{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &talk, Getenv: func(k string) string { return w.env[k] }, Dir: w.dir}
	root := newRootFor(e, args)
	root.SetArgs(args)
	code = exitCode(e, root.Execute())
	return out.String(), talk.String(), code
}

// says runs the program and looks for texts in what it says.
func (w *syncWorld) says(code int, stdin string, args []string, want ...string) string {
	w.t.Helper()
	out, talk, got := w.cairn(stdin, args...)
	if got != code {
		w.t.Fatalf("%q: exit %d, want %d\n%s%s", args, got, code, out, talk)
	}
	for _, text := range want {
		if !strings.Contains(out+talk, text) {
			w.t.Fatalf("%q: no %q in\n%s%s", args, text, out, talk)
		}
	}
	return out + talk
}

func (w *syncWorld) asBoss() {
	w.says(command.ExitOK, devPassword+"\n", []string{"sync", "setup", "--password", "--email", "boss@example.com"}, "signed in to "+w.front.URL+" as boss@example.com", "acme: 1 member, ")
}

func line(text string) []string { return strings.Fields(text) }

// From nothing to a result that the team has, and out again.
func TestSyncStory(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.says(command.ExitUsage, "", line("sync pull"), "sync is switched off", "cairn sync setup")
	w.asBoss()
	if fi, err := os.Stat(filepath.Join(w.home, "auth.json")); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("auth.json: %v, %v", fi, err)
	}
	w.says(command.ExitOK, "", line("config get sync_enabled"), "true")
	w.says(command.ExitOK, "", line("sync setup"), "acme: 1 member, 0 eval runs this week") // kept
	w.says(command.ExitOK, "", line("eval push run.json"), "  synced to team ✓")
	w.says(command.ExitOK, "", line("eval push run.json --json"), `"queued":true,"synced":true`)
	w.says(command.ExitOK, "", line("sync test"), "config", "clean up  ok")
	w.says(command.ExitFailed, "", line("sync show"), "nothing of acme was pulled yet", "cairn sync pull")
	w.says(command.ExitOK, "", line("sync pull"), "1 row of the team, 1 new") // the run; sums are counted with it
	w.says(command.ExitOK, "", line("sync show"), "acme: 1 member, 0 eval runs this week (as of just now)", "1/2", "boss")
	w.says(command.ExitOK, "", line("sync status"), "Connected:", "yes (boss@example.com)", "just now (eval_runs)", "0 records", "eval_runs 1")
	if data, err := os.ReadFile(w.path(".cairn/.gitignore")); err != nil || string(data) != "team-cache/\n" {
		t.Errorf("%q, %v", data, err)
	}
	w.says(command.ExitOK, "", line("sync setup --sign-out"), "signed out of")
	w.says(command.ExitOK, "", line("eval push run.json"), "  queued (cairn sync setup signs in)")
	w.says(command.ExitAuth, "", line("sync drain"), "not signed in", "run cairn sync setup")
	w.says(command.ExitAuth, "", line("sync pull"), "not signed in")
	w.says(command.ExitOK, "", line("sync status"), "no: not signed in", "1 record, ")
	w.asBoss()
	w.says(command.ExitOK, "", line("sync drain"), "delivered 1 record")
	w.says(command.ExitOK, "", line("sync drain --json"), `{"delivered":0,"refused":0,"waiting":0}`)
	data, err := os.ReadFile(filepath.Join(w.home, "sync.log"))
	if err != nil || !regexp.MustCompile(`(?m)^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] PUSH eval_runs OK 2 tests, \d+\.\ds$`).Match(data) || strings.Contains(string(data), "eyJ") {
		t.Errorf("%s %v", data, err)
	}
}

// What the seed's map of errors says that a user sees of a push that fails, and
// that nothing is lost by it.
func TestSyncFaultsSeen(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	say := func(status int, body string) http.HandlerFunc {
		return func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			rw.WriteHeader(status)
			io.WriteString(rw, body)
		}
	}
	w := newSyncWorld(t)
	w.asBoss()
	w.says(command.ExitOK, "", line("eval push run.json"), "synced to team ✓")
	for _, tt := range []struct {
		name    string
		fault   http.HandlerFunc
		sees    string
		drain   string // what cairn sync drain says then
		code    int
		refused bool
	}{
		{"503", say(503, `{"message":"no connection"}`), "queued (offline)", "no connection", command.ExitNet, false},
		{"429", say(429, `{"message":"slow down"}`), "queued (offline)", "slow down", command.ExitNet, false},
		{"507", say(507, `{"message":"the team may store 5 rows and would have 6"}`), "queued (the team has reached a limit: cairn team quota)", "may store 5 rows", command.ExitNet, false},
		{"timeout", func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-time.After(10 * time.Second):
			}
		}, "queued (offline)", "it took too long to answer", command.ExitNet, false},
		{"cut", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "queued (offline)", "the connection was cut", command.ExitNet, false},
		{"portal", func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, "<html>pay here") }, "queued (offline)", "a web page", command.ExitNet, false},
		{"403", say(403, `{"code":"42501","message":"violates row-level security"}`), "refused by the team's server", "", command.ExitOK, true},
	} {
		w.fail(tt.fault)
		w.says(command.ExitOK, "", line("eval push run.json"), "  "+tt.sees)
		if tt.refused {
			w.says(command.ExitOK, "", line("sync status"), "refused by the server", "403 42501: violates row-level security")
			w.fail(nil)
			continue
		}
		w.says(tt.code, "", line("sync drain"), tt.drain)
		w.says(command.ExitNet, "", line("sync pull"))
		w.fail(nil)
		w.says(command.ExitOK, "", line("sync drain"), "delivered 1 record")
	}
	// A cache that is there stays, and its age is said.
	w.says(command.ExitOK, "", line("sync pull"))
	w.fail(say(503, `{"message":"no connection"}`))
	w.says(command.ExitNet, "", line("sync pull"), "the team's data stays as it was just now", "no connection")
	w.says(command.ExitOK, "", line("sync show"), "acme: 1 member")
	w.fail(nil)
	// A damaged copy is made anew.
	copies, _ := filepath.Glob(filepath.Join(w.home, "store/teams/*/*/team.db"))
	if len(copies) != 1 {
		t.Fatalf("copies: %q", copies)
	}
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.WriteFile(copies[0]+suffix, []byte(strings.Repeat("no database", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.says(command.ExitData, "", line("sync show"), "damaged", "cairn sync pull")
	w.says(command.ExitOK, "", line("sync pull"), "1 new")
	w.says(command.ExitOK, "", line("sync show"), "acme: 1 member")
	// A team.json that cannot be read keeps nobody from storing.
	w.write(".cairn/team.json", "{")
	w.says(command.ExitOK, "", line("eval push run.json"), "already stored", "nothing goes to the team: ")
}

// A session that an admin ended is gone here, too, and says what to do.
func TestSyncSessionEnded(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	boss, err := account.New(w.store.DB).UserByEmail(t.Context(), "boss@example.com")
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := account.New(w.store.DB).Sessions(t.Context(), boss.ID)
	if err != nil || len(sessions) != 1 {
		t.Fatal(sessions, err)
	}
	if err := account.New(w.store.DB).End(t.Context(), boss.ID, sessions[0].ID, account.Global); err != nil {
		t.Fatal(err)
	}
	w.says(command.ExitOK, "", line("eval push run.json"), "queued (cairn sync setup signs in)")
	if data, _ := os.ReadFile(filepath.Join(w.home, "auth.json")); strings.Contains(string(data), "refresh_token") {
		t.Errorf("%s", data)
	}
	w.asBoss()
	w.says(command.ExitOK, "", line("sync drain"), "delivered 1 record")
}

// An invitation is all that a newcomer needs; it goes to its own server only.
func TestSyncInvite(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	out, _, code := w.cairn("", "team", "invite", "new@example.com", "--json")
	var invite struct {
		Link string `json:"link"`
	}
	if err := json.Unmarshal([]byte(out), &invite); err != nil || code != command.ExitOK {
		t.Fatal(out, err, code)
	}
	w.env["CAIRN_HOME"] = filepath.Join(t.TempDir(), "newcomer")
	w.says(command.ExitUsage, "", []string{"sync", "setup", "--invite", "https://other.example/join?token=x"}, "the invitation is of https://other.example")
	w.says(command.ExitOK, "", []string{"sync", "setup", "--invite", invite.Link}, "as new@example.com", "acme: 2 members")
	w.says(command.ExitOK, "", line("eval push run.json"), "synced to team ✓")
	w.env["CAIRN_HOME"] = filepath.Join(t.TempDir(), "another")
	w.says(command.ExitAuth, "", []string{"sync", "setup", "--invite", invite.Link}, "does not sign you in", "an invitation works once")
}

// A token of CI goes only where something outside the repository says so.
func TestSyncPinned(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	out, _, code := w.cairn("", "team", "token", "create", "--name", "ci", "--scope", "ingest", "--json")
	var token struct {
		Token string `json:"token"`
	}
	if err := json.Unmarshal([]byte(out), &token); err != nil || code != command.ExitOK {
		t.Fatal(out, err, code)
	}
	w.env["CAIRN_HOME"] = filepath.Join(t.TempDir(), "job")
	w.env["CAIRN_ACCESS_TOKEN"] = token.Token
	asked := false
	w.fail(func(http.ResponseWriter, *http.Request) { asked = true })
	for _, url := range []string{"", "https://elsewhere.example"} {
		w.env["CAIRN_URL"] = url
		w.says(command.ExitAuth, "", line("sync pull"), "only the repository names that server", "set CAIRN_URL=")
	}
	if asked {
		t.Error("the server was asked")
	}
	w.fail(nil)
	w.env["CAIRN_URL"] = w.front.URL + "/"
	w.says(command.ExitOK, "", line("eval push run.json"), "synced to team ✓")
	w.says(command.ExitOK, "", line("sync test"), "no scope read", "clean up")
	w.says(command.ExitOK, "", line("sync status"), "sync_enabled=true")
	w.env["CAIRN_ACCESS_TOKEN"] = "cairn_ci_wrong"
	w.says(command.ExitOK, "", line("eval push run.json"), "queued")
	w.says(command.ExitAuth, "", line("sync drain"), "does not know the token for CI")
}

// Without a team, or switched off, there is no sync: the same output, the same
// files, no request.
func TestSyncNever(t *testing.T) {
	t.Parallel()
	verbs := [][]string{line("eval push run.json"), line("eval import run.json"), line("eval list --json"), line("sync push-ship ship.json"), line("eval show latest")}
	play := func(t *testing.T, prepare func(w *syncWorld)) (said []string, files []string) {
		w := newSyncWorld(t)
		w.write("ship.json", `{"version":"1.0","branch":"main"}`)
		w.fail(func(http.ResponseWriter, *http.Request) { t.Error("a request") })
		prepare(w)
		for _, v := range verbs {
			out, talk, code := w.cairn("", v...)
			said = append(said, fmt.Sprint(v, code, out, talk))
		}
		for name := range filesBelow(t, w.home) {
			rel, _ := filepath.Rel(w.home, name)
			files = append(files, rel)
		}
		return said, files
	}
	none, files := play(t, func(w *syncWorld) { os.RemoveAll(w.path(".cairn/team.json")) })
	off, offFiles := play(t, func(*syncWorld) {})
	no, noFiles := play(t, func(w *syncWorld) {
		os.RemoveAll(w.path(".cairn/team.json"))
		w.env["CAIRN_SYNC_ENABLED"] = "true"
	})
	for i := range verbs {
		if none[i] != off[i] || none[i] != no[i] {
			t.Errorf("not the same:\n%s\n%s\n%s", none[i], off[i], no[i])
		}
	}
	for _, other := range [][]string{offFiles, noFiles} {
		if len(other) != len(files) {
			t.Errorf("%v, %v", files, other)
		}
	}
}

// What another process holds is said to be held, and not to be another server's.
func TestSyncDrainHeld(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	w.fail(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	w.says(command.ExitOK, "", line("eval push run.json"), "queued (offline)")
	w.fail(nil)
	if held, err := spool.Open(filepath.Join(w.home, "queue")).Pick(spool.Pick{Limit: 1, Now: time.Now(), Early: true}); len(held) != 1 {
		t.Fatal(err)
	}
	out, talk, code := w.cairn("", line("sync drain")...)
	if code != command.ExitOK || out != "delivered 0 records, 1 waiting\n" || !strings.Contains(talk, "1 record is held by a process") || strings.Contains(talk, "not signed in") {
		t.Errorf("%d %s%s", code, out, talk)
	}
}

// Status tells a file that is wrong from one that is not there, and says when
// others may read the sessions.
func TestSyncStatusSees(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	if err := os.Chmod(filepath.Join(w.home, "auth.json"), 0o644); err != nil || runtime.GOOS == "windows" {
		t.Skip(err)
	}
	if _, talk, _ := w.cairn("", line("sync status")...); !strings.Contains(talk, "may read your sessions: chmod 600 ") {
		t.Error(talk)
	}
	w.write(".cairn/team.json", "{")
	if out, _, _ := w.cairn("", line("sync status")...); !strings.Contains(out, "no team: .cairn/team.json cannot be read") {
		t.Error(out)
	}
}

// What waited is delivered by a process that the next push leaves behind.
func TestSyncBehind(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	w.fail(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	w.says(command.ExitOK, "", line("eval push run.json"), "queued (offline)")
	w.write("other.json", strings.Replace(goodRun, `"a"`, `"c"`, 1))
	w.fail(nil)
	cmd := exec.Command(built(t), "eval", "push", "other.json")
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "HOME="+w.env["HOME"], "CAIRN_HOME="+w.home, "CAIRN_SYNC_BACKGROUND=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "synced to team ✓") {
		t.Fatalf("%s %v", out, err)
	}
	queue := spool.Open(filepath.Join(w.home, "queue"))
	st, err := queue.Status()
	for until := time.Now().Add(20 * time.Second); st.Waiting+st.Claimed > 0 && time.Now().Before(until); st, err = queue.Status() {
		time.Sleep(20 * time.Millisecond)
	}
	if st.Waiting+st.Claimed > 0 || err != nil {
		t.Errorf("%+v, %v", st, err)
	}
	for until := time.Now().Add(5 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) { // its last word
		if data, _ := os.ReadFile(filepath.Join(w.home, "sync.log")); strings.Contains(string(data), "] DRAIN 1/1 OK ") {
			return
		}
	}
	t.Error("the background did not say what it did")
}

// filesBelow is what is on the disk: a name, and what it holds.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			b, err := os.ReadFile(name)
			out[name] = string(b)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
