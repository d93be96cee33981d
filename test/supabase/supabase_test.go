// Package supabase runs the real supabase-js against cairn serve, on both
// databases: js/suite.mjs is what a program would do with it, and what an
// attacker would. It imports nothing of the server.
package supabase

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cairn/test/cairntest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

func TestSupabaseJS(t *testing.T) {
	if _, err := os.Stat("js/node_modules/@supabase/supabase-js"); err != nil {
		t.Skip("supabase-js is not installed: make test installs it")
	}
	cairn := filepath.Join(t.TempDir(), "cairn")
	if err := cairntest.Build(cairn); err != nil {
		t.Fatal(err)
	}
	t.Run("sqlite", func(t *testing.T) { suite(t, cairn, "") })
	t.Run("postgres", func(t *testing.T) {
		if pgtest.Shared() == nil {
			t.Skip(pgtest.ErrMissing)
		}
		url, err := pgtest.Shared().Database()
		if err != nil {
			t.Fatal(err)
		}
		suite(t, cairn, url)
	})
}

func suite(t *testing.T, cairn, database string) {
	home := t.TempDir()
	env := append(os.Environ(), "HOME="+home, "CAIRN_HOME="+filepath.Join(home, ".cairn"), "CAIRN_DATABASE_URL="+database)
	serve := exec.Command(cairn, "serve", "--listen", "127.0.0.1:0")
	serve.Env = env
	stderr, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(stderr)
	var log, url string
	for url == "" && said.Scan() {
		log += said.Text() + "\n"
		if at := strings.Index(said.Text(), "http://"); at >= 0 {
			url = strings.TrimSpace(said.Text()[at:])
		}
	}
	if url == "" {
		t.Fatalf("the server did not start:\n%s", log)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for said.Scan() {
			log += said.Text() + "\n"
		}
	}()
	t.Cleanup(func() {
		_ = serve.Process.Signal(os.Interrupt)
		<-done
		_ = serve.Wait()
		if t.Failed() {
			t.Logf("the server's log:\n%s", log)
		}
	})

	keys := exec.Command(cairn, "serve", "keys", "--service", "--json")
	keys.Env = env
	out, err := keys.Output()
	if err != nil {
		t.Fatal(err)
	}
	var key struct {
		Anon    string `json:"anon_key"`
		Service string `json:"service_role_key"`
	}
	if err := json.Unmarshal(out, &key); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	node := exec.Command("node", "js/suite.mjs")
	node.Env = append(env, "SUPABASE_URL="+url, "SUPABASE_ANON_KEY="+key.Anon, "SUPABASE_SERVICE_KEY="+key.Service)
	report, err := node.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, failures(string(report)))
	}
	if n := strings.Count("\n"+string(report), "\nok "); n < 156 && !t.Failed() {
		t.Errorf("only %d checks passed:\n%s", n, report)
	} else {
		t.Logf("%d checks passed", n)
	}
}

// failures leaves out what passed.
func failures(report string) string {
	var out []string
	for _, line := range strings.Split(report, "\n") {
		if !strings.HasPrefix(line, "ok ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
