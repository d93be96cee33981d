package cli

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/command"
)

// offered is what a shell is told for a line, the last word being typed.
func offered(t *testing.T, home, dir string, line ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	env := &Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(k string) string {
		return map[string]string{"HOME": home, "CAIRN_HOME": filepath.Join(home, ".cairn")}[k]
	}, Dir: dir}
	args := append([]string{"__complete"}, line...)
	root := newRootFor(env, args)
	command.Complete(env, root, declared(env))
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	if s := errs.String(); strings.Contains(s, "cairn:") {
		t.Errorf("%q says %s", line, s)
	}
	var words []string
	for l := range strings.Lines(out.String()) {
		if word, _, _ := strings.Cut(strings.TrimSpace(l), "\t"); !strings.HasPrefix(word, ":") {
			words = append(words, word)
		}
	}
	return words
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	home, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "results.xml"), []byte(`<testsuite name="search"><testcase classname="search" name="a"/></testsuite>`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, said, code := cairn(t, map[string]string{"CAIRN_HOME": filepath.Join(home, ".cairn"), "PWD": dir}, "eval", "push", "results.xml", "--label", "nightly"); code != 0 {
		t.Fatal(said)
	}
	for _, tt := range []struct {
		line []string
		want []string
	}{
		{[]string{"ev"}, []string{"eval"}},
		{[]string{"install", ""}, []string{"claude", "codex"}},
		{[]string{"eval", "show", ""}, []string{"latest", "merge-base", "nightly"}},
		{[]string{"eval", "compare", "latest", ""}, []string{"previous", "nightly"}},
		{[]string{"eval", "list", "--suite", ""}, []string{"search"}},
		{[]string{"eval", "trend", ""}, []string{"search"}},
		{[]string{"eval", "leaderboard", "--by", ""}, []string{"person", "model"}},
		{[]string{"team", "invite", "--role", ""}, []string{"member", "admin", "ci"}},
		{[]string{"team", "role", "ada@example.com", ""}, []string{"owner"}},
		{[]string{"config", "set", "compact.level", ""}, []string{"aggressive"}},
		{[]string{"config", "set", "compact.e"}, []string{"compact.enabled"}},
		{[]string{"compact", "list-rules", "tests/g"}, []string{"tests/go"}},
		{[]string{"dashboard", "show", ""}, []string{"velocity"}},
		{[]string{"plan", "phase", "show", ""}, nil},
		{[]string{"completion", ""}, []string{"bash", "zsh", "fish", "powershell"}},
		{[]string{"help", ""}, []string{"eval", "exit-codes", "topics"}},
		{[]string{"serve", "--log-format", ""}, []string{"json"}},
	} {
		got := offered(t, home, dir, tt.line...)
		for _, w := range tt.want {
			if !slices.Contains(got, w) {
				t.Errorf("%q: %q lacks %s", tt.line, got, w)
			}
		}
	}
}

// Nothing is said, and no server asked, where nothing is as it should be.
func TestCompletionIsSilent(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	asked := make(chan struct{}, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			asked <- struct{}{}
			c.Close()
		}
	}()
	dir, home := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(dir, ".cairn", "team.json"):                   `{"url": "http://` + l.Addr().String() + `", "team": "web"}`,
		filepath.Join(home, ".cairn", "config.toml"):                "sync_enabled = true\nnonsense",
		filepath.Join(home, ".cairn", "evals", "broken.json"):       "{",
		filepath.Join(home, ".cairn", "compact", "rules", "x.json"): "{",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range declared(osEnv()) {
		offered(t, home, dir, append(strings.Fields(c.Path), "")...)
		for _, f := range c.Flags {
			if f.Values != nil {
				offered(t, home, dir, append(strings.Fields(c.Path), "--"+f.Name, "")...)
			}
		}
	}
	select {
	case <-asked:
		t.Error("a server was asked")
	default:
	}
}
