package cli

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/wire"
	"cairn/test/cairntest"
)

// TestServeMemory: pushes of very many empty cases at once, which take a hundred
// times their bytes as values, leave the server below 340 MB.
func TestServeMemory(t *testing.T) {
	cairntest.NoRace(t)
	t.Parallel()
	p := serving(t, t.TempDir())
	say := func(out any, args ...string) {
		cmd := exec.Command(built(t), append([]string{"serve"}, args...)...)
		cmd.Env = p.Env
		text, err := cmd.Output()
		if err == nil && out != nil {
			err = json.Unmarshal(text, out)
		}
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, text)
		}
	}
	var keys struct {
		Service string `json:"service_role_key"`
	}
	var team struct {
		ID string `json:"id"`
	}
	say(nil, "user", "add", "ada@example.com")
	say(nil, "team", "create", "acme", "--owner", "ada@example.com")
	say(&team, "team", "list", "--json")
	say(&keys, "keys", "--service", "--json")
	body := fmt.Sprintf(`{"p_team":%q,"p_run":{"id":"00000000-0000-4000-8000-000000000001","run_at":"2026-11-20T00:00:00Z","ingest_key":"%064d","repo_slug":"a/b","total_tests":0,"passed":0,"failed":0,"cases":[{}%s]}}`,
		team.ID, 1, strings.Repeat(",{}", 690_000))
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			status, text := http.StatusServiceUnavailable, ""
			// On a slow machine the last in the queue are told to come back, which clients do.
			for again := 0; status == http.StatusServiceUnavailable && again < 10; again++ {
				req, err := http.NewRequest(http.MethodPost, p.url+wire.PushEvalRun, strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				req.Header.Set("Authorization", "Bearer "+keys.Service)
				req.Header.Set("Content-Type", "application/json")
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				all, _ := io.ReadAll(res.Body)
				res.Body.Close()
				status, text = res.StatusCode, string(all)
			}
			if status != http.StatusBadRequest || !strings.Contains(text, "eval_cases_name_check") {
				t.Errorf("%d %s", status, text)
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var peak int
	if _, err := fmt.Sscanf(rest, "%d kB", &peak); err != nil || peak > 340<<10 {
		t.Errorf("%d kB at most, %v", peak, err)
	}
	t.Logf("%d MB at most", peak>>10)
}
