package pgtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// A Cluster is a running PostgreSQL.
type Cluster struct {
	dir, bin string // "" where another process started it
	watcher  *exec.Cmd
	alive    io.Closer // as long as it is open, the cluster runs
	url      string    // of the database "postgres", as the superuser
	admin    *sql.DB
	mu       sync.Mutex
	made     []string // databases, by name
}

// Start starts a cluster of its own; Stop must be called.
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

// connect opens the database from which others are made.
func (c *Cluster) connect(url string) (err error) {
	c.url = url
	if c.admin, err = sql.Open("pgx", url); err == nil {
		err = c.admin.Ping()
	}
	return err
}

// URL is the address of the cluster's database "postgres", as the superuser.
func (c *Cluster) URL() string { return c.url }

// Stop ends the cluster and removes its files. One that another process started
// goes on without the databases that were made here.
func (c *Cluster) Stop() {
	if c.dir == "" {
		for _, name := range c.made {
			_, _ = c.admin.Exec(`drop database if exists ` + name + ` with (force)`)
		}
	}
	if c.admin != nil {
		c.admin.Close()
	}
	if c.watcher != nil {
		c.alive.Close()
		_ = c.watcher.Wait()
	}
	if c.dir != "" {
		_ = os.RemoveAll(c.dir) // where it was never started
	}
}

// Database makes a new, empty database and returns its URL, as its owner and superuser.
func (c *Cluster) Database() (string, error) { return c.create("template1") }

// Copy makes a database as fill left another: what fill does is done once in a
// cluster for each key, whichever process comes first. The key must name all that
// the result depends on.
func (c *Cluster) Copy(ctx context.Context, key string, fill func(url string) error) (string, error) {
	template := "template_" + key
	if err := c.alone(ctx, func() error { return c.template(ctx, template, fill) }); err != nil {
		return "", err
	}
	return c.create(template)
}

// template makes a template unless it is there. It has its name only once it is whole.
func (c *Cluster) template(ctx context.Context, name string, fill func(url string) error) error {
	var there bool
	if err := c.admin.QueryRowContext(ctx, `select exists (select from pg_database where datname = $1)`, name).Scan(&there); err != nil || there {
		return err
	}
	filled, err := c.Database()
	if err != nil {
		return err
	}
	if err := fill(filled); err != nil {
		return err
	}
	u, err := url.Parse(filled)
	if err == nil {
		_, err = c.admin.ExecContext(ctx, fmt.Sprintf(`alter database %s rename to %s`, strings.TrimPrefix(u.Path, "/"), name))
	}
	return err
}

// alone runs fn while no other process does. Roles belong to the whole cluster,
// so two who make the same ones at once would collide.
func (c *Cluster) alone(ctx context.Context, fn func() error) error {
	conn, err := c.admin.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() // of the pool: so the lock is given back before
	if _, err := conn.ExecContext(ctx, `select pg_advisory_lock(hashtext('cairn.template'))`); err != nil {
		return err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), `select pg_advisory_unlock(hashtext('cairn.template'))`)
	return fn()
}

// create makes a database from a template, under a name that no process has used.
func (c *Cluster) create(template string) (string, error) {
	name := "t_" + strings.ToLower(rand.Text())
	// To copy its files is faster than to write them to the log, which is what 15 and later do unasked.
	var strategy string
	if err := c.admin.QueryRow(`select case when current_setting('server_version_num')::int >= 150000 then 'strategy file_copy' else '' end`).Scan(&strategy); err != nil {
		return "", err
	}
	if _, err := c.admin.Exec(fmt.Sprintf(`create database %s template %s %s`, name, template, strategy)); err != nil {
		return "", err
	}
	c.mu.Lock()
	c.made = append(c.made, name)
	c.mu.Unlock()
	u, err := url.Parse(c.url)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}

// errOthers says that a cluster is not this process's alone.
var errOthers = errors.New("only a cluster that Start made can be stopped or restarted")

// Down stops the cluster as a crash does; its files stay, and Restart starts it again.
func (c *Cluster) Down() error {
	if c.dir == "" {
		return errOthers
	}
	c.flush()
	return c.run("pg_ctl", "-D", filepath.Join(c.dir, "data"), "-w", "-m", "immediate", "stop")
}

// flush puts the log on the disk: a cluster of tests answers before that, and
// what it answered must outlive its crash. One that is down has nothing to put.
func (c *Cluster) flush() {
	_, _ = c.admin.Exec("checkpoint")
}

// Restart ends every connection and starts the cluster again.
func (c *Cluster) Restart() error {
	if c.dir == "" {
		return errOthers
	}
	c.flush()
	return c.run("pg_ctl", "-D", filepath.Join(c.dir, "data"), "-l", filepath.Join(c.dir, "log"), "-w", "-m", "immediate", "restart")
}
