// Command viewers measures how long people wait for the team's pages while runs
// are pushed: it starts a PostgreSQL of its own, lets a cairn binary make its
// schema there, fills in years of results of many teams, starts that binary and
// asks it for pages with random filters. First one viewer asks, then many at
// once; each asks for the next page as soon as the last one has come, or with
// -pause after looking at that for a while. It prints Markdown. With -binary it
// measures another version. With -database it uses that database, fills it if it
// is empty and leaves it as it is, so that the next run need not fill one.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/test/pgtest"
	"cairn/test/soak"
)

// The secret that the server signs sessions with, and this program, too.
const secret = "a secret of the viewers' benchmark, of no other server"

func main() {
	var b bench
	flag.StringVar(&b.binary, "binary", "", "the server to measure; none builds this version")
	flag.StringVar(&b.database, "database", "", "URL of a PostgreSQL database to use, as its superuser; none starts a PostgreSQL")
	flag.IntVar(&b.options.Rows, "rows", 3_000_000, "results in all")
	flag.IntVar(&b.options.Teams, "teams", 20, "teams of one size")
	flag.IntVar(&b.viewers, "viewers", 50, "viewers at once, after one alone")
	flag.DurationVar(&b.long, "for", 30*time.Second, "how long each of the two takes")
	flag.DurationVar(&b.pause, "pause", 0, "how long a viewer looks at a page before the next, on average")
	flag.DurationVar(&b.every, "push", time.Second, "time between two pushes, 0 for none")
	flag.Parse()
	b.options.Now = time.Now()
	if err := must.Catch(func() { b.run(context.Background()) }); err != nil {
		fmt.Fprintln(os.Stderr, "viewers:", err)
		os.Exit(1)
	}
}

type bench struct {
	binary, database   string
	options            soak.Options
	viewers            int
	long, pause, every time.Duration
	url                string
	server, postmaster int // processes
	teams              []soak.Seeded
	sessions           []session
}

func (b *bench) run(ctx context.Context) {
	dir := must.Get(os.MkdirTemp("", "cairn-viewers"))
	defer os.RemoveAll(dir)
	if b.binary == "" {
		b.binary = filepath.Join(dir, "cairn")
		build := exec.Command("go", "build", "-trimpath", "-o", b.binary, ".")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			must.Fail(fmt.Errorf("go build: %w", err))
		}
	}
	if b.database == "" {
		cluster := must.Get(pgtest.Start())
		defer cluster.Stop()
		b.database = must.Get(cluster.Database())
	}
	server := b.serve(dir) // makes the schema
	must.OK(server.stop())
	d := must.Get(db.Open(ctx, b.database, db.Options{Timeout: 10 * time.Minute}))
	defer d.Close()
	b.teams = must.Get(soak.Filled(ctx, d))
	if len(b.teams) == 0 {
		begin := time.Now()
		b.teams = must.Get(soak.Seed(ctx, d, b.options))
		fmt.Fprintf(os.Stderr, "%d results of %d teams in %.0f s\n", b.options.Rows, len(b.teams), time.Since(begin).Seconds())
	}
	server = b.serve(dir)
	defer server.stop()
	b.server = server.cmd.Process.Pid
	b.postmaster = postmaster(ctx, d)
	b.signIn(ctx, d)
	fmt.Println("| viewers | page | asked | per second | p50 | p99 | not changed | failed |")
	fmt.Println("|---:|---|---:|---:|---:|---:|---:|---:|")
	for _, viewers := range [...]int{1, b.viewers} {
		b.browse(ctx, viewers)
	}
	fmt.Printf("\nThe server's memory: %s\n", server.memory())
}

// A process is a running server.
type process struct {
	cmd *exec.Cmd
	log *os.File
}

// serve starts the binary and waits until it is ready.
func (b *bench) serve(dir string) *process {
	log := must.Get(os.CreateTemp(dir, "log"))
	p := &process{cmd: exec.Command(b.binary, "serve", "--listen", "127.0.0.1:0", "--log-level", "info"), log: log}
	p.cmd.Env = append(os.Environ(), "CAIRN_HOME="+filepath.Join(dir, "home"), "CAIRN_DATABASE_URL="+b.database, "CAIRN_JWT_SECRET="+secret)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	must.OK(p.cmd.Start())
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		text, _ := os.ReadFile(log.Name())
		if url := address(string(text)); url != "" && ready(url) {
			b.url = url
			return p
		}
	}
	_ = p.stop()
	text, _ := os.ReadFile(log.Name())
	must.Fail(fmt.Errorf("%s is not ready: %s", b.binary, text))
	return nil
}

// address finds the server's own in what it printed.
func address(log string) string {
	_, rest, found := strings.Cut(log, "http://127.0.0.1:")
	if !found {
		return ""
	}
	if end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }); end > 0 {
		return "http://127.0.0.1:" + rest[:end]
	}
	return ""
}

func (p *process) stop() error {
	_ = p.cmd.Process.Signal(os.Interrupt)
	defer p.log.Close()
	return p.cmd.Wait()
}

// memory is what the process holds at most, as Linux says.
func (p *process) memory() string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return "not known here"
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line) + " at most"
}

// tick is what /proc counts processor time in.
const tick = 10 * time.Millisecond

// A spent is processor time: what a page costs however busy the machine is.
type spent struct{ server, database time.Duration }

func (b *bench) cpu() spent {
	s := spent{server: times(b.server)}
	for _, process := range append(children(b.postmaster), b.postmaster) {
		s.database += times(process)
	}
	return s
}

// postmaster finds the process whose children work for a database.
func postmaster(ctx context.Context, d *db.DB) (parent int) {
	var backend int
	must.OK(d.Get(ctx, `select pg_backend_pid()`, nil, &backend))
	if f := stat(backend); f != nil {
		parent, _ = strconv.Atoi(f[1])
	}
	return parent
}

// stat are the fields of /proc/PID/stat behind the name: state, parent and so on.
func stat(process int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return strings.Fields(rest)
}

// times is what a process and its children that have ended worked.
func times(process int) (sum time.Duration) {
	f := stat(process)
	if len(f) < 15 {
		return 0
	}
	for _, text := range f[11:15] {
		n, _ := strconv.Atoi(text)
		sum += time.Duration(n) * tick
	}
	return sum
}

func children(parent int) (out []int) {
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range all {
		process, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if f := stat(process); len(f) > 1 && f[1] == strconv.Itoa(parent) {
			out = append(out, process)
		}
	}
	return out
}
