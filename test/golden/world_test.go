package golden

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cairn/test/cairntest"
)

// A world is a directory in which a story is played: repo, where its calls run,
// home, and whatever else the world's script makes.
type world struct {
	name   string
	root   string
	binary string
	days   []int // before today, on which something happened
	uuids  map[string]int
}

// base holds everything that this test writes; it is removed at the end.
var base string

func TestMain(m *testing.M) { os.Exit(runIn(m)) }

func runIn(m *testing.M) int {
	if runtime.GOOS != "linux" {
		return m.Run()
	}
	// Tables are as wide as the paths in them: all runs have paths of one length.
	base = fmt.Sprintf("/tmp/cairn-golden-%08x", rand.Uint32())
	if err := os.Mkdir(base, 0o700); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer removeAll(base)
	return m.Run()
}

// removeAll removes directories that a world made read-only, too.
func removeAll(dir string) {
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}

// build puts the binary where the PATH of all worlds begins.
var build = sync.OnceValues(func() (dir string, err error) {
	dir = filepath.Join(base, "bin")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	return dir, cairntest.Build(filepath.Join(dir, "cairn"))
})

var (
	worlds     = map[string]func() (*world, error){}
	worldsLock sync.Mutex
	worldCount atomic.Int64
)

// newWorld makes an empty one. All roots have names of one length: so a copy can
// have its own name wherever the original wrote down its own.
func newWorld(name string) (*world, error) {
	binary, err := build()
	if err != nil {
		return nil, err
	}
	w := &world{name: name, root: filepath.Join(base, fmt.Sprintf("w%05d", worldCount.Add(1))), binary: binary, uuids: map[string]int{}}
	for _, dir := range []string{"repo", "home", "tmp"} {
		if err := os.MkdirAll(filepath.Join(w.root, dir), 0o755); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// made makes a world by its script.
func made(name string) (*world, error) {
	w, err := newWorld(name)
	if err != nil {
		return nil, err
	}
	script, err := filepath.Abs(filepath.Join("testdata", "worlds", name+".sh"))
	if err != nil {
		return nil, err
	}
	// go test keeps the result with the files that the test itself has opened.
	data, err := os.ReadFile(script)
	if err != nil {
		return nil, err
	}
	w.days = relativeDays(string(data))
	if files := strings.TrimSuffix(script, ".sh"); exists(files) {
		repo := filepath.Join(w.root, "repo")
		if err := copyTree(files, repo); err != nil {
			return nil, err
		}
		if err := date(repo, time.Date(2024, 3, 4, 10, 0, 0, 0, time.UTC)); err != nil {
			return nil, err
		}
	}
	out, errs, code, err := w.run(". " + script)
	if err == nil && code != 0 {
		err = fmt.Errorf("exit %d", code)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("world %s: %w\n%s%s", name, err, out, errs), w.end())
	}
	return w, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// anew are the worlds that cannot be copied, and why.
var anew = map[string]string{
	"agents": "what is installed is kept by a hash of its path, as are the installations of one agent sorted",
	"team":   "a server runs in it",
}

// enter returns a copy of a world.
func enter(t *testing.T, name string) *world {
	t.Helper()
	if anew[name] != "" {
		w, err := made(name)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	worldsLock.Lock()
	make, ok := worlds[name]
	if !ok {
		make = sync.OnceValues(func() (*world, error) { return made(name) })
		worlds[name] = make
	}
	worldsLock.Unlock()
	from, err := make()
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorld(name)
	if err != nil {
		t.Fatal(err)
	}
	w.days = from.days
	if err := copyTree(from.root, w.root); err != nil {
		t.Fatal(err)
	}
	return w
}

// end ends what was left running in a world, and removes it.
func (w *world) end() error {
	if w == nil {
		return nil
	}
	defer removeAll(w.root)
	if pid, err := os.ReadFile(filepath.Join(w.root, "pid")); err == nil {
		_, _, _, _ = w.run("kill " + strings.TrimSpace(string(pid))) // it may have ended
	}
	if !exists(filepath.Join(w.root, "home", ".cairn", "server")) {
		return nil
	}
	out, errs, code, err := w.run("cairn down") // what cairn up started
	if err == nil && code != 0 {
		err = fmt.Errorf("cairn down: exit %d: %s%s", code, out, errs)
	}
	return err
}

// date gives all files one time: a run of an eval that says no time has its file's,
// which would be that of the checkout.
func date(dir string, to time.Time) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(name, to, to)
	})
}

// copyTree copies a directory; its own name in the files becomes that of the copy.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		dest := filepath.Join(to, rel)
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(dest, info.Mode().Perm())
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(name)
			if err != nil {
				return err
			}
			return os.Symlink(strings.ReplaceAll(target, from, to), dest)
		case !d.Type().IsRegular():
			return nil // a socket
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(dest, bytes.ReplaceAll(data, []byte(from), []byte(to)), info.Mode().Perm()); err != nil {
			return err
		}
		return os.Chtimes(dest, info.ModTime(), info.ModTime())
	})
}

// environ is all that a call sees of this machine.
func (w *world) environ() []string {
	env := []string{
		"WORK=" + w.root,
		"HOME=" + filepath.Join(w.root, "home"),
		"TMPDIR=" + filepath.Join(w.root, "tmp"),
		"PATH=" + filepath.Join(w.root, "bin") + string(os.PathListSeparator) + w.binary + string(os.PathListSeparator) + os.Getenv("PATH"),
		"SHELL=/bin/sh", "USER=ada", "LOGNAME=ada",
		"TZ=UTC", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TERM=dumb", "NO_COLOR=1",
		// Whatever asks the network is refused at once.
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost",
		"CAIRN_SYNC_BACKGROUND=0", // nothing may outlive a call
		"GIT_TEMPLATE_DIR=", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=2024-03-04T10:00:00Z",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=2024-03-04T10:00:00Z",
	}
	for n := range 31 { // D3 is the day three days ago
		env = append(env, fmt.Sprintf("D%d=%s", n, day(n)))
	}
	return env
}

// today stays the same for a whole run.
var today = time.Now().UTC()

func day(ago int) string { return today.AddDate(0, 0, -ago).Format(time.DateOnly) }

// sh runs a line in the world.
func (w *world) sh(t *testing.T, command string) (out, errs string, code int) {
	t.Helper()
	if w == nil {
		t.Fatal("a call before the first @ world")
	}
	out, errs, code, err := w.run(command)
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return out, errs, code
}

func (w *world) run(command string) (out, errs string, code int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	endsWithItsChildren(cmd)
	cmd.Dir = filepath.Join(w.root, "repo")
	cmd.Env = append(w.environ(), "PWD="+cmd.Dir)
	cmd.WaitDelay = 5 * time.Second // what it started in the background may hold its streams
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if ctx.Err() != nil {
		return stdout.String(), stderr.String(), 0, fmt.Errorf("does not end: %s%s", &stdout, &stderr)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code, err = exit.ExitCode(), nil
	}
	return stdout.String(), stderr.String(), code, err
}
