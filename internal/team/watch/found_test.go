package watch

import (
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A second watch of the same source finds the first; one that was killed
// leaves its address to the next.
func TestSecondWatch(t *testing.T) {
	r := newRunner(t)
	opts := fast(File(r.file))
	opts.Dir, opts.Key = filepath.Join(t.TempDir(), "watch"), "posts"
	s := serve(t, opts)
	w, other, err := Start(opts)
	if err != nil || w != nil || other != s.URL() {
		t.Fatalf("%v, a second one: %v, %s; want %s", err, w != nil, other, s.URL())
	}
	if url, ok := OpenOther(opts); !ok || strings.Contains(url, s.Token()) || !strings.Contains(url, "/open/") {
		t.Errorf("for the browser: %s %v", url, ok)
	}
	file := stateFile(opts.Dir, "posts", ".json")
	if fi, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", fi.Mode(), err)
	}
	other2 := opts
	other2.Key = "another"
	if w, url, err := Start(other2); err != nil || w == nil {
		t.Errorf("another source: %v, %s", err, url)
	} else {
		w.Close()
	}
	s.stop()
	again := serve(t, opts)
	if again.URL() != s.URL() {
		t.Errorf("%s, want %s: an open page would not find it", again.URL(), s.URL())
	}
	again.stop()

	// what listens on the port now is somebody else
	foreign, err := stranger(t, again.Port())
	if err != nil {
		t.Skip(err)
	}
	defer foreign()
	last := serve(t, opts)
	if last.Port() == again.Port() {
		t.Error("two on one port")
	}
}

// stranger lets a stranger listen on a port.
func stranger(t *testing.T, port int) (stop func(), err error) {
	w := &Watch{}
	if err := w.listen(port, "someone else's, not ours at all"); err != nil {
		return nil, err
	}
	end := w.Serve(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { answer(rw, w.about()) }))
	return func() { _ = end() }, nil
}
