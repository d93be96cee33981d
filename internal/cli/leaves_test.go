//go:build unix

package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"cairn/test/cairntest"
)

// everyFeature uses cairn as somebody does who has turned nothing on: a shell
// script, which ends with "all done". $cairn is the binary, $sample has an event
// of each agent.
const everyFeature = `
set -u
may() { "$@" </dev/null >>out 2>&1 || true; } # many of them fail, as they should here
git init -q . && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m x
cat > fail.sh <<'END'
for i in $(seq 600); do echo "ok test $i passed"; done
echo "FAIL: TestPay expected 3 got 4 at pay_test.go:12"
exit 1
END
mkdir -p .cairn/rules
echo '{"id":"x/y","match":{"commands":["sh"]},"primitives":{"filter":{"drop":["ok"]}}}' > .cairn/rules/x.json
printf '[compact.verifier]\nenabled = true\n' > .cairn/config.toml
echo '{"url":"http://192.0.2.2:9","anon_key":"k","team_slug":"acme"}' > .cairn/team.json
echo '{"schema_version":1,"suite":"s","all_results":[{"name":"a","status":"pass","input":"private","output":{"response":"private"}}]}' > r.json
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	may "$cairn" run -- sh fail.sh
	CAIRN_COMPACT_VERIFY=1 may "$cairn" run --quiet -- sh fail.sh
	may "$cairn" shim sh fail.sh
done
for agent in "$sample"/*; do
	for event in "$agent"/*.json; do
		"$cairn" hook "$(basename "$agent")" < "$event" >>out 2>&1 || true
	done
done
may "$cairn" install --yes
may "$cairn" doctor
may "$cairn" version
may "$cairn" trust --show
may "$cairn" config list
may "$cairn" compact gain
may "$cairn" compact list-rules
may "$cairn" compact verify tests/go .cairn/rules/none.txt
may "$cairn" plan init
may "$cairn" plan status
may "$cairn" plan next
may "$cairn" eval push r.json
may "$cairn" eval list
may "$cairn" eval show latest
may "$cairn" eval compare latest latest
may "$cairn" eval gate latest
may "$cairn" eval grade r.json
may "$cairn" eval trend
may "$cairn" eval cost
may "$cairn" retro
may "$cairn" sync status
may "$cairn" sync push-retro
may "$cairn" sync push-ship
may "$cairn" sync push-transcript
may "$cairn" sync collect
may "$cairn" sync drain
may "$cairn" sync pull
may "$cairn" eval list --team
may "$cairn" dashboard --no-open
may "$cairn" team members
may "$cairn" update
echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' | "$cairn" mcp >>out 2>&1
"$cairn" trust --yes >>out 2>&1
may "$cairn" run -- sh fail.sh
may "$cairn" eval push r.json
may "$cairn" sync status
may "$cairn" sync test
rm -r .cairn
"$cairn" up --listen 127.0.0.1:0 --no-agents --no-open >>out 2>&1 || { cat out; exit 1; }
may "$cairn" eval push r.json
may "$cairn" sync pull
may "$cairn" sync status
may "$cairn" dashboard --no-open
may "$cairn" dashboard show velocity
may "$cairn" uninstall --yes
may "$cairn" down
echo all done
`

// leavesEnv is a clean home in which whoever would send anything could: keys are
// there, and a server for each that is asked by default.
func leavesEnv(t *testing.T, server string) (dir string, env []string) {
	t.Helper()
	root := t.TempDir()
	dir = filepath.Join(root, "work")
	for _, d := range []string{dir, filepath.Join(root, ".claude"), filepath.Join(root, ".codex")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sample, err := filepath.Abs("../host/testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir, []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + root, "cairn=" + built(t), "sample=" + sample, "GIT_CONFIG_GLOBAL=/dev/null",
		"ANTHROPIC_API_KEY=sk-ant-test", "ANTHROPIC_BASE_URL=" + server, "OPENAI_API_KEY=sk-test", "OPENAI_BASE_URL=" + server,
	}
}

// With every feature at its default nothing leaves the machine, whatever keys
// are in the environment and whatever the repository says.
func TestNothingIsSent(t *testing.T) {
	cairntest.Long(t)
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		t.Errorf("%s %s", r.Method, r.URL)
	}))
	defer server.Close()
	dir, env := leavesEnv(t, server.URL)
	// A proxy for what would go elsewhere; what goes to this machine passes it by.
	env = append(env, "HTTP_PROXY="+server.URL, "HTTPS_PROXY="+server.URL, "http_proxy="+server.URL, "https_proxy="+server.URL)
	cmd := exec.Command("sh", "-c", everyFeature)
	cmd.Dir, cmd.Env = dir, env
	defer endServer(t, env)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "all done") {
		t.Fatalf("%v: %s", err, out)
	}
	// The control: turned on, the LLM check does ask.
	before := asked.Load()
	if before > 0 {
		t.Fatalf("%d requests", before)
	}
	control := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer control.Close()
	cmd = exec.Command("sh", "-c", `"$cairn" config set compact.verifier.enabled true; "$cairn" run --quiet -- sh fail.sh`)
	cmd.Dir, cmd.Env = dir, append(env, "ANTHROPIC_BASE_URL="+control.URL)
	_ = cmd.Run()
	if asked.Load() == 0 {
		t.Error("nor is anything sent where the check is on: this test would not see it")
	}
}
