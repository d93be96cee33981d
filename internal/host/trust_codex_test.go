//go:build unix

package host

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// codexPath makes a program the codex of the PATH.
func codexPath(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if script != "" {
		if err := os.WriteFile(filepath.Join(dir, "codex"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}

// What the real app-server printed, in its order, notices included.
const codexTalk = `read -r line; case "$line" in *'"initialize"'*) ;; *) exit 3;; esac
echo '{"id":1,"result":{"userAgent":"x/0.169.0","codexHome":"'$CODEX_HOME'"}}'
echo '{"method":"configWarning","params":{"summary":"no bubblewrap","details":null},"emittedAtMs":1795216828527}'
read -r line; case "$line" in *'"initialized"'*) ;; *) exit 4;; esac
read -r line; case "$line" in *'"hooks/list"'*'"cwds"'*) ;; *) exit 5;; esac
echo '{"id":2,"result":{"data":[{"cwd":"/p","hooks":[{"command":"a","enabled":true,"trustStatus":"untrusted"},{"command":"b","enabled":true,"trustStatus":"trusted"},{"command":"c","enabled":false,"trustStatus":"trusted"},{"command":"d","enabled":true,"trustStatus":"modified"}],"warnings":[],"errors":[]}]}}'
cat > /dev/null`

func TestTrustCodex(t *testing.T) {
	codexPath(t, codexTalk)
	got, err := codexTrust(context.Background(), "/home/dev/.codex", t.TempDir())
	want := []Trust{{"a", false, "untrusted"}, {"b", true, "trusted"}, {"c", false, "disabled"}, {"d", false, "modified"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestNoTrustCodex(t *testing.T) {
	for script, want := range map[string]string{
		"exit 1":                         "without an answer",
		`echo '{"id":1,"result":{}}'`:    "without an answer",
		"echo not JSON; cat > /dev/null": "no answer in",
		`read -r l; echo '{"id":1,"error":{"code":-32601,"message":"unknown method"}}'; cat > /dev/null`: "unknown method",
	} {
		codexPath(t, script)
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		begin := time.Now()
		list, err := codexTrust(ctx, "/home/dev/.codex", t.TempDir())
		cancel()
		if list != nil || err == nil || !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "broken pipe") || time.Since(begin) > 3*time.Second {
			t.Errorf("%s: %v, %v", script, list, err)
		}
	}
	codexPath(t, "")
	if _, err := codexTrust(context.Background(), "/home/dev/.codex", t.TempDir()); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("no codex: %v", err)
	}
}
