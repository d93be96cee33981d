package cli

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process is the binary as it is shipped, serving.
type process struct {
	*exec.Cmd
	url string
	log chan string // what it says, line by line
}

// serving starts cairn serve in a home and waits until it says its address.
func serving(t *testing.T, home string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(built(t), append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...), log: make(chan string, 1000)}
	p.Env = append(os.Environ(), "HOME="+home, "CAIRN_HOME="+filepath.Join(home, ".cairn"), "CAIRN_DATABASE_URL=", "GOGC=") // scripts/test.sh sets one
	out, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill(); p.Wait() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "cairn serves "); ok {
			p.url = url
			break
		}
		t.Log(lines.Text())
	}
	if p.url == "" {
		t.Fatal("it does not serve")
	}
	go func() {
		defer close(p.log)
		for lines.Scan() {
			p.log <- lines.Text()
		}
	}()
	return p
}

func (p *process) status(t *testing.T, path string) int {
	t.Helper()
	resp, err := http.Get(p.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// TestServeStart prints how long the first start takes; its bound is far above
// what it needs, so that only something that is broken goes past it.
func TestServeStart(t *testing.T) {
	home := t.TempDir()
	built(t)
	for _, what := range []string{"on an empty directory", "again"} {
		began := time.Now()
		p := serving(t, home)
		if got := p.status(t, "/readyz"); got != 200 {
			t.Errorf("/readyz: %d", got)
		}
		t.Logf("%s it answered after %v", what, time.Since(began).Round(time.Millisecond))
		p.Process.Kill()
		p.Wait()
	}
}

// TestServeKilled kills a server again and again while users are added: who
// was acknowledged is there.
func TestServeKilled(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	added := 0
	for round := range 5 {
		p := serving(t, home)
		ended := make(chan bool)
		go func() {
			time.Sleep(time.Duration(20+30*round) * time.Millisecond)
			p.Process.Kill()
			p.Wait()
			close(ended)
		}()
		for running := true; running; {
			cmd := exec.Command(built(t), "serve", "user", "add", fmt.Sprintf("u%d@example.com", added))
			cmd.Env = p.Env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			added++
			select {
			case <-ended:
				running = false
			default:
			}
		}
	}
	p := serving(t, home)
	for _, args := range [][]string{{"user", "list", "--json"}, {"doctor"}} {
		cmd := exec.Command(built(t), append([]string{"serve"}, args...)...)
		cmd.Env = p.Env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v: %s", args, err, out)
		}
		if n := strings.Count(string(out), "@example.com"); args[0] == "user" && n != added {
			t.Errorf("%d users, %d were added", n, added)
		}
	}
}

// TestServeTerminated has a request under way when the signal comes.
func TestServeTerminated(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there is no such signal")
	}
	p := serving(t, t.TempDir())
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := `{"email":"ada@example.com","password":"a long enough password"}`
	fmt.Fprintf(conn, "POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(body))
	reply := bufio.NewReader(conn)
	if line, err := reply.ReadString('\n'); err != nil || !strings.Contains(line, "100") { // the handler reads the body now
		t.Fatalf("%q, %v", line, err)
	}
	p.Process.Signal(syscall.SIGTERM)
	for line := range p.log {
		if strings.Contains(line, "stopping") {
			break
		}
	}
	io.WriteString(conn, body)
	rest, _ := io.ReadAll(reply)
	if !strings.Contains(string(rest), "invalid_credentials") {
		t.Errorf("the request under way got %q", rest)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	if c, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://")); err == nil {
		c.Close()
		t.Error("it still listens")
	}
}

func TestServeCannotStart(t *testing.T) {
	t.Parallel()
	p := serving(t, t.TempDir())
	full := t.TempDir()
	database := filepath.Join(full, "cairn.db")
	if err := os.WriteFile(database, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(t.TempDir(), "file")
	os.WriteFile(closed, nil, 0o600)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a port in use":    {[]string{"--data", t.TempDir(), "--listen", strings.TrimPrefix(p.url, "http://")}, "cannot listen: "},
		"no database":      {[]string{"--data", full}, "cairn.db"},
		"no directory":     {[]string{"--data", filepath.Join(closed, "data")}, "not a directory"},
		"no database here": {[]string{"--database", "postgres://127.0.0.1:1/x"}, "cairn: error:"},
	} {
		cmd := exec.Command(built(t), append([]string{"serve", "--listen", "127.0.0.1:0"}, c.args...)...)
		cmd.Env = p.Env
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) || strings.Count(string(out), "cairn: error:") != 1 || strings.Contains(string(out), "goroutine") {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}

// TestServeNotifies is systemd's part of sd_notify.
func TestServeNotifies(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("systemd is Linux's")
	}
	dir, err := os.MkdirTemp("", "cairn") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "n"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	t.Setenv("NOTIFY_SOCKET", filepath.Join(dir, "n"))
	p := serving(t, t.TempDir())
	for _, want := range []string{"READY=1", "STOPPING=1"} {
		buf := make([]byte, 100)
		n, err := socket.Read(buf)
		if err != nil || string(buf[:n]) != want {
			t.Errorf("%q, %v; want %s", buf[:n], err, want)
		}
		p.Process.Signal(syscall.SIGTERM)
	}
	p.Wait()
}
