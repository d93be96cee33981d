// Package pgtest starts a PostgreSQL for tests: a cluster of its own in a
// temporary directory, on a random loopback port, as an unprivileged user where
// the test runs as root. Only tests import it.
package pgtest

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// A Cluster is a running PostgreSQL.
type Cluster struct {
	port int
	dir  string
	bin  string
	mu   sync.Mutex
	next int
}

// ErrMissing says that no PostgreSQL is installed.
var ErrMissing = errors.New("no PostgreSQL is installed: make test installs it")

// Start starts a cluster; Stop must be called. It fits TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }
func Start() (*Cluster, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "cairn-pg")
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, bin: bin}
	if err := c.start(); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

func (c *Cluster) start() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.port = listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root
		if err := give(c.dir, "postgres"); err != nil {
			return err
		}
	}
	data := filepath.Join(c.dir, "data")
	if err := c.run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"); err != nil {
		return err
	}
	// Nothing is to survive a crash of the machine, so nothing waits for the disk.
	options := fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1 -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200", c.port, c.dir)
	return c.run("pg_ctl", "-D", data, "-l", filepath.Join(c.dir, "log"), "-w", "-o", options, "start")
}

// Stop ends it and removes its files.
func (c *Cluster) Stop() {
	_ = c.run("pg_ctl", "-D", filepath.Join(c.dir, "data"), "-m", "immediate", "stop")
	_ = os.RemoveAll(c.dir)
}

// Database makes a new, empty database and returns its URL, as its owner and superuser.
func (c *Cluster) Database() (string, error) {
	c.mu.Lock()
	c.next++
	name := "t" + strconv.Itoa(c.next)
	c.mu.Unlock()
	if err := c.run("createdb", "-h", "127.0.0.1", "-p", strconv.Itoa(c.port), "-U", "postgres", name); err != nil {
		return "", err
	}
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", c.port, name), nil
}

func (c *Cluster) run(tool string, args ...string) error {
	cmd := exec.Command(filepath.Join(c.bin, tool), args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	asUser(cmd)
	var out bytes.Buffer
	// A file, not a pipe: the server that pg_ctl starts keeps it open.
	log, err := os.CreateTemp("", "cairn-pg-out")
	if err != nil {
		return err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(log.Name())
		out.Write(text)
		return fmt.Errorf("%s: %w: %s", tool, err, strings.TrimSpace(out.String()))
	}
	return nil
}

// binaries returns the directory of the newest PostgreSQL's programs.
func binaries() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	return "", ErrMissing
}

// give makes a directory a user's.
func give(dir, name string) error {
	u, err := user.Lookup(name)
	if err != nil {
		return err
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	return os.Chown(dir, uid, gid)
}
