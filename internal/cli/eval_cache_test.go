package cli

import (
	"bytes"
	"cairn/internal/command"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// evalCacheCall runs the shipped binary as a runner would.
func evalCacheCall(t *testing.T, home, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(built(t), append([]string{"eval", "cache"}, args...)...)
	cmd.Env = append(os.Environ(), "CAIRN_HOME="+home, "EVAL_CACHE=", "EVAL_CACHE_CLEAR=")
	cmd.Stdin = strings.NewReader(stdin)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	_ = cmd.Run()
	return out.String(), talk.String(), cmd.ProcessState.ExitCode()
}

func TestEvalCacheExitCodes(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if _, talk, code := evalCacheCall(t, home, "", "write", "s", "k", "[1]"); code != command.ExitOK {
		t.Fatal(talk)
	}
	torn := filepath.Join(home, "eval-cache", "s", "torn.json")
	if err := os.WriteFile(torn, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]int{
		"read s k": command.ExitOK, "read s none": command.ExitFailed, "read s torn": command.ExitFailed, "read none k": command.ExitFailed, "read s k --envelope": command.ExitOK,
		"read s": command.ExitUsage, "read s k --nope": command.ExitUsage, "read s ..": command.ExitUsage, "read s k more": command.ExitUsage, "read -h": command.ExitOK, "read s -h": command.ExitOK,
		"write s k": command.ExitData, "write s k {": command.ExitData, "write s a/b 1": command.ExitUsage, "write": command.ExitUsage,
		"verify": command.ExitGate, "verify --json": command.ExitGate, "stats": command.ExitOK, "stats x": command.ExitUsage, "clear a/b": command.ExitUsage,
		"key": command.ExitUsage, "key --case none.yaml": command.ExitData, "key --case -": command.ExitData, "unknown": command.ExitUsage,
	} {
		out, talk, code := evalCacheCall(t, home, "", strings.Fields(args)...)
		if code != want || code != command.ExitOK && code != command.ExitGate && out != "" {
			t.Errorf("%s: exit %d, want %d; %q, said %q", args, code, want, out, talk)
		}
	}
}

// A hundred processes of a runner write and read at the same time.
func TestEvalCacheAtOnce(t *testing.T) {
	t.Parallel()
	const processes = 100
	home := t.TempDir()
	data := func(n int) string { return fmt.Sprintf(`{"n":%d,"text":"%s"}`, n, strings.Repeat("x", 20_000+n)) }
	each := func(do func(n int)) {
		var wg sync.WaitGroup
		for n := range processes {
			wg.Go(func() { do(n) })
		}
		wg.Wait()
	}
	built(t)
	each(func(n int) {
		for _, key := range []string{fmt.Sprint("own", n), "shared"} {
			if _, talk, code := evalCacheCall(t, home, data(n), "write", "s", key); code != command.ExitOK || talk != "" {
				t.Errorf("%d: exit %d, %s", n, code, talk)
			}
		}
		out, talk, code := evalCacheCall(t, home, "", "read", "s", "shared")
		var of int
		if _, err := fmt.Sscanf(out, `{"n":%d,`, &of); err != nil || out != data(of)+"\n" || code != command.ExitOK {
			t.Errorf("%d: %.40q, exit %d, %s", n, out, code, talk)
		}
	})
	each(func(n int) {
		if out, talk, code := evalCacheCall(t, home, "", "read", "s", fmt.Sprint("own", n)); out != data(n)+"\n" || code != command.ExitOK {
			t.Errorf("%d: %.40q, exit %d, %s", n, out, code, talk)
		}
	})
	if out, talk, code := evalCacheCall(t, home, "", "verify"); code != command.ExitOK || out != "101 entries, 0 cannot be used, 0 removed\n" {
		t.Errorf("%s%s", out, talk)
	}
}
