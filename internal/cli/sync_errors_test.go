//go:build unix

package cli

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/client"
)

// A queue that cannot be written costs the team the record, not the user the
// run; the status says so.
func TestSyncQueueUnwritable(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	queue := filepath.Join(w.home, "queue")
	if err := os.RemoveAll(queue); err != nil {
		t.Fatal(err)
	}
	w.write(queue, "in the way")
	said := w.says(command.ExitOK, "", line("eval push run.json"), "stored ")
	if !regexp.MustCompile(`warning: [0-9a-f]{12,} is stored here, but not queued for the team: `).MatchString(said) {
		t.Errorf("%s", said)
	}
	w.says(command.ExitOK, "", line("eval list"), "1/2")
	w.says(command.ExitOK, "", line("sync status"), "a record could not be queued just now: ")
	if err := os.Remove(queue); err != nil {
		t.Fatal(err)
	}
	w.says(command.ExitOK, "", line("eval push run.json"), "synced to team ✓")
}

// A cache that cannot be written is said, and stays what it was.
func TestSyncCacheUnwritable(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	w.write(".cairn/team-cache", "in the way")
	w.says(command.ExitFailed, "", line("sync pull"), "team-cache")
	w.says(command.ExitOK, "", line("sync status"), "the team's data cannot be renewed: ")
	if err := os.Remove(w.path(".cairn/team-cache")); err != nil {
		t.Fatal(err)
	}
	w.says(command.ExitOK, "", line("sync pull"), "0 rows of the team, 0 new") // a team without rows has a cache, too
	w.says(command.ExitOK, "", line("sync show"), "acme: 1 member, 0 eval runs this week (as of just now)")
	w.says(command.ExitOK, "", line("sync status --json"), `"eval_runs":{"rows":0`)
}

// Who has never signed in sees one word about it, and loses nothing.
func TestSyncNoSession(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.env["CAIRN_SYNC_ENABLED"] = "true"
	w.says(command.ExitOK, "", line("trust --yes"), "trusted 1 file")
	w.says(command.ExitOK, "", line("eval push run.json"), "  queued (cairn sync setup signs in)")
	w.asBoss()
	w.says(command.ExitOK, "", line("sync drain"), "delivered 1 record")
}

// All three ports are taken: the variable that names another is told.
func TestSyncPortsTaken(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	w.env["CAIRN_SIGNIN_PORT"] = fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
	w.says(command.ExitFailed, "", line("sync setup --no-browser"), w.env["CAIRN_SIGNIN_PORT"], "CAIRN_SIGNIN_PORT names another port")
	if n := len(client.Ports()); n != 3 {
		t.Errorf("%d ports are tried", n)
	}
}

// A sign-in service that is down while a token is over: the record waits, and
// the session stays.
func TestSyncRefreshDown(t *testing.T) {
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	auth := home.Home(w.home).Auth()
	data, err := os.ReadFile(auth)
	if err != nil {
		t.Fatal(err)
	}
	w.write(auth, regexp.MustCompile(`"expires_at": ?\d+`).ReplaceAllString(string(data), `"expires_at": 1`))
	w.fail(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		rw.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(rw, `{"message":"no connection"}`)
	})
	w.says(command.ExitOK, "", line("eval push run.json"), "  queued (offline)")
	w.fail(nil)
	w.says(command.ExitOK, "", line("sync drain"), "delivered 1 record")
}
