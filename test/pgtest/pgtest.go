// Package pgtest gives tests a PostgreSQL: the one that [Address] names, or a
// cluster of the package's own in a temporary directory, on a random loopback
// port, as an unprivileged user where the test runs as root. Only tests import it.
package pgtest

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// ErrMissing says that there is no PostgreSQL for the tests.
var ErrMissing = errors.New("no PostgreSQL: it is not installed (make test installs it), or -short leaves it out")

// start makes a cluster in c.dir and starts it.
func (c *Cluster) start() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	port := listener.Addr().(*net.TCPAddr).Port
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
	options := fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1 -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=400 -c jit=off", port, c.dir)
	if err := c.watch(); err != nil {
		return err
	}
	if err := c.run("pg_ctl", "-D", data, "-l", filepath.Join(c.dir, "log"), "-w", "-o", options, "start"); err != nil {
		return err
	}
	return c.connect(fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port))
}

// watch starts a process that stops the cluster and removes its files as soon as
// this one is gone, however it ends: a test that runs out of time, or a kill,
// leaves no PostgreSQL behind. The pipe of its standard input tells it.
func (c *Cluster) watch() (err error) {
	c.watcher = exec.Command("sh", "-c", `read nothing; "$1/pg_ctl" -D "$2/data" -m immediate stop; rm -rf "$2"`, "pgtest", c.bin, c.dir)
	asUser(c.watcher)
	if c.alive, err = c.watcher.StdinPipe(); err != nil {
		return err
	}
	return c.watcher.Start()
}

func (c *Cluster) run(tool string, args ...string) error {
	cmd := exec.Command(filepath.Join(c.bin, tool), args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	asUser(cmd)
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
		return fmt.Errorf("%s: %w: %s", tool, err, strings.TrimSpace(string(text)))
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

// Address is the environment variable with the URL of a cluster for all packages.
const Address = "CAIRN_TEST_POSTGRES"

// once is what a package's tests share: a cluster, and one for the databases
// that are like a Supabase project's, whose roles have other rights.
type once struct {
	start    sync.Once
	cluster  *Cluster
	projects bool
}

var shared, projects = once{}, once{projects: true}

// Main runs a package's tests and stops what they started; it returns the exit
// code. Without PostgreSQL the tests run and Shared is nil: a test then says that
// it is skipped, unless CI is set, where the package fails. It fits TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }
func Main(run func() int) int {
	if _, err := binaries(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		if os.Getenv("CI") != "" {
			return 1
		}
	}
	defer shared.stop()
	defer projects.stop()
	return run()
}

// Shared is the cluster of a package's tests, which is started when the first of
// them asks; nil where no PostgreSQL is installed and under -short.
func Shared() *Cluster { return shared.get() }

func (o *once) get() *Cluster {
	o.start.Do(func() {
		if short := flag.Lookup("test.short"); short != nil && short.Value.String() == "true" {
			return
		}
		// Not os.Getenv: a result that go test keeps holds at any address.
		if url, ok := syscall.Getenv(Address); ok && url != "" && !o.projects {
			o.cluster = &Cluster{}
			if err := o.cluster.connect(url); err != nil {
				panic(fmt.Errorf("%s: %w", Address, err))
			}
			return
		}
		var err error
		if o.cluster, err = Start(); err != nil && !errors.Is(err, ErrMissing) {
			panic(err)
		}
	})
	return o.cluster
}

func (o *once) stop() {
	o.start.Do(func() {}) // nobody asked
	if o.cluster != nil {
		o.cluster.Stop()
	}
}

// likeSupabase is what a project has before anything of ours: roles, an owner
// that is no superuser, the schema auth, and default privileges that give
// everybody everything in public.
const likeSupabase = `
do $$ declare r text; begin
  foreach r in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = r) then execute format('create role %I nologin noinherit', r); end if;
  end loop;
  if not exists (select from pg_roles where rolname = 'project') then create role project login createrole noinherit; end if;
  if not exists (select from pg_roles where rolname = 'authenticator') then create role authenticator login noinherit; end if;
  if not exists (select from pg_roles where rolname = 'auth_admin') then create role auth_admin nologin; end if;
end $$;
alter role service_role bypassrls;
grant anon, authenticated, service_role to project, authenticator;
do $$ begin
  execute format('alter database %I owner to project', current_database());
  execute format('grant create on database %I to auth_admin', current_database()); end $$;
alter schema public owner to project;
grant usage on schema public to anon, authenticated, service_role;
set role auth_admin;
create schema auth;
create table auth.users (instance_id uuid, id uuid primary key, aud varchar(255), role varchar(255), email varchar(255), encrypted_password varchar(255), created_at timestamptz);
create function auth.uid() returns uuid language sql stable as
  $$ select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'))::uuid $$;
grant usage on schema auth to anon, authenticated, service_role, project;
grant all on auth.users to project;
set role project;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;`

// Project makes a database that is like a new Supabase project's, and returns the
// URLs of its superuser, of its owner and of the role by which requests come. It is
// in a cluster of its own: roles belong to a whole cluster, and a project's
// service_role has more rights than a server's.
func (c *Cluster) Project() (super, owner, requests string, err error) {
	c = projects.get()
	if super, err = c.Database(); err != nil {
		return "", "", "", err
	}
	pool, err := sql.Open("pgx", super)
	if err != nil {
		return "", "", "", err
	}
	defer pool.Close()
	as := func(user string) string {
		u, _ := url.Parse(super) // ours
		u.User = url.User(user)
		return u.String()
	}
	err = c.alone(context.Background(), func() error {
		_, err := pool.Exec(likeSupabase)
		return err
	})
	return super, as("project"), as("authenticator"), err
}
