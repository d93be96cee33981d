package client

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cairn/internal/home"
	"cairn/internal/team/spool"
)

// onTmpfs gives a member a home of its own small file system. It takes root.
func onTmpfs(t *testing.T, d *double) (m *member, dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	h := home.Home(filepath.Join(dir, "home"))
	m = &member{h, spool.Open(h.Queue()), t}
	m.queue.URL, m.queue.Team = d.URL, "acme"
	m.signIn(d.URL)
	return m, dir
}

// A disk that is full keeps nothing from being delivered, and what is queued is
// there when there is room again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	m, dir := onTmpfs(t, d)
	m.put(20)
	d.token.Store("another") // the new session cannot be written
	fill, err := os.Create(filepath.Join(dir, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 4096)
	for err == nil {
		_, err = fill.Write(block)
	}
	fill.Close()
	if _, err := m.queue.Put("ship_logs", "k", []byte("{}")); err == nil {
		t.Error("a record was put on a full disk")
	}
	d.fail(func(w http.ResponseWriter, _ *http.Request) { answer(w, 500, `{"message":"oops"}`) })
	if _, err := m.drain().Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("%v", err)
	}
	d.fail(nil)
	if err := os.Remove(filepath.Join(dir, "fill")); err != nil {
		t.Fatal(err)
	}
	m.later(t)
	if d.count("ship_logs") != 20 {
		t.Errorf("%d rows", d.count("ship_logs"))
	}
	m.left(0, 0)
}

// A home that cannot be written: what is asked for is answered, and a session
// that is over is renewed for the process.
func TestHomeIsReadOnly(t *testing.T) {
	t.Parallel()
	d := newAuthDouble(t)
	front := newDouble(t)
	m, dir := onTmpfs(t, front)
	c := signedIn(t, d, m.home)
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip(err)
	}
	for range 3 {
		if err := ask(c); err != nil {
			t.Error(err)
		}
	}
	if n := d.refreshes.Load(); n != 1 {
		t.Errorf("%d refreshes", n)
	}
	if _, err := m.queue.Put("ship_logs", "k", []byte("{}")); err == nil {
		t.Error("a record was put")
	}
}
