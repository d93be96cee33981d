//go:build unix

package cli

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// More of the R series: harm that a compactor did to somebody's files or time.

// R7: the call was ended while the verifier was asked, and with it went the
// output that was complete by then. The protection: verified takes the signal
// as the end of asking.
func TestR7EndedWhileAsking(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		u := newUser(t)
		asked := make(chan bool, 1)
		serveAPI(u, func(_ http.ResponseWriter, r *http.Request) {
			asked <- true
			<-r.Context().Done()
		})
		u.file(filepath.Join(u.dir, "check"), "#!/bin/sh\n"+ledger+"\n")
		cmd := exec.Command(u.cairn, "run", "--", "./check")
		var out bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = u.dir, u.env, &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-asked
		cmd.Process.Signal(sig)
		cmd.Wait()
		if cmd.ProcessState.ExitCode() != 2 || !strings.HasPrefix(out.String(), "[cairn: ") {
			t.Errorf("%v: %v, read %q", sig, cmd.ProcessState, out.String())
		}
	}
}

// R8: without HOME the agent's settings were taken to be in the directory of
// the moment, and a repository got hooks. The protection: Machine.Target
// and transcript.Roots want a home or the agent's own variable.
func TestR8NoHome(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.env = append(u.env, "HOME=", "USERPROFILE=", "CAIRN_HOME="+u.home)
	for _, dir := range []string{".claude/projects", ".codex/sessions"} {
		if err := os.MkdirAll(filepath.Join(u.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	u.file(filepath.Join(u.dir, ".claude", "projects", "s.jsonl"), "{}\n")
	for verb, says := range map[string]string{
		"install claude": "HOME is not set", "install": "no agent was found", "uninstall claude": "HOME is not set", "doctor claude": "HOME is not set",
	} {
		if _, stderr, code := u.run(`"$cairn" ` + verb); code != 1 || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit code %d, said %q", verb, code, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(u.dir, ".claude", "settings.json")); err == nil {
		t.Error("the repository has hooks now")
	}
	if _, stderr, _ := u.run(`"$cairn" compact benchmark`); strings.Contains(stderr, "at .claude") {
		t.Errorf("the repository's files were taken for the agent's: %q", stderr)
	}
	if _, stderr, code := u.run(`CLAUDE_CONFIG_DIR=$PWD/../c "$cairn" install claude`); code != 0 {
		t.Errorf("with the agent's own variable: %d, %q", code, stderr)
	}
}

// R9: what install had noted was damaged, and nobody could get rid of the
// hooks. The protection: the error names the file and says what to do, and
// doing that helps.
func TestR9DamagedManifest(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.run(`"$cairn" install claude`)
	manifests, _ := filepath.Glob(filepath.Join(u.home, "install", "claude-*.json"))
	if len(manifests) != 1 {
		t.Fatal(manifests)
	}
	u.file(manifests[0], `{"version": 1, "hos`)
	if _, stderr, code := u.run(`"$cairn" uninstall claude`); code != 3 || !strings.Contains(stderr, "hint: take that file away") || !strings.Contains(stderr, manifests[0]) {
		t.Errorf("exit code %d, said %q", code, stderr)
	}
	os.Remove(manifests[0])
	if _, stderr, code := u.run(`"$cairn" uninstall claude`); code != 0 {
		t.Errorf("exit code %d, said %q", code, stderr)
	}
	if data, err := os.ReadFile(filepath.Join(u.home, "..", ".claude", "settings.json")); err == nil && strings.Contains(string(data), "cairn") {
		t.Errorf("left: %s", data)
	}
}

// A directory that is gone under the shell costs no verb its answer.
func TestDirectoryGone(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, verb := range []string{"doctor", "compact gain", "run -- seq 3"} {
		if _, stderr, code := u.run(`mkdir ../gone; cd ../gone; rmdir ../gone; "$cairn" ` + verb); code != 0 {
			t.Errorf("%s: exit code %d, said %q", verb, code, stderr)
		}
	}
}

// What a stranger's server or rule says cannot write on the terminal of whoever
// reads the log.
func TestLogIsPlain(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	serveAPI(u, func(w http.ResponseWriter, _ *http.Request) {
		hijacked, _, _ := w.(http.Hijacker).Hijack()
		hijacked.Write([]byte("HTTP/1.1 500 \x1b[2J" + strings.Repeat("no ", 9000) + "\r\n\r\n"))
		hijacked.Close()
	})
	u.result()
	if log := u.log(); !strings.Contains(log, "answered 500") || strings.Contains(log, "\x1b") || len(log) > 1000 {
		t.Errorf("%d bytes: %q", len(log), log)
	}
}
