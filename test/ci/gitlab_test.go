package ci

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goccy/go-yaml"

	"cairn/test/forgetest"
)

// A template is what is read of ci/gitlab.yml.
type template struct {
	Variables map[string]string
	Before    []string `yaml:"before_script"`
	Script    []string
	Cache     []struct {
		Paths []string
	}
	Rules []struct {
		If        string
		Variables map[string]string
	}
}

func readTemplate(t *testing.T) template {
	t.Helper()
	data, err := os.ReadFile("../../ci/gitlab.yml")
	if err != nil {
		t.Fatal(err)
	}
	var jobs map[string]template
	if err := yaml.Unmarshal(data, &jobs); err != nil {
		t.Fatal(err)
	}
	j, ok := jobs[".cairn-eval"]
	if !ok || len(jobs) != 1 {
		t.Fatalf("%d jobs", len(jobs))
	}
	return j
}

// gitlab runs the template as GitLab's runner does: all lines in one shell, that
// ends with the first that fails.
func (m machine) gitlab(job template, env map[string]string) (int, string) {
	m.t.Helper()
	all := map[string]string{"GITLAB_CI": "true", "CI_PROJECT_DIR": m.dir, "CI_PROJECT_ID": "42", "CI_COMMIT_SHA": m.head(), "CI_PROJECT_URL": "https://gitlab.test/acme/web"}
	for _, from := range []map[string]string{job.Variables, env} {
		for name, v := range from {
			all[name] = strings.ReplaceAll(v, "$CI_PROJECT_DIR", m.dir)
		}
	}
	lines := append([]string{"set -eo pipefail"}, append(job.Before, job.Script...)...)
	cmd := exec.Command("bash", "-c", strings.Join(lines, "\n"))
	cmd.Dir, cmd.Env = m.dir, m.environ(all)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// TestGitLab: the default branch stores its run, a merge request is judged by it
// and gets one note.
func TestGitLab(t *testing.T) {
	s, m, job := forgetest.New(t), newMachine(t), readTemplate(t)
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	binary := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); _, _ = w.Write(data) }))
	defer binary.Close()
	env := map[string]string{"CAIRN_CI_BINARY": binary.URL + "/cairn", "CAIRN_CI_SHA256": strings.Repeat("0", 64), "CI_API_V4_URL": s.URL + "/api/v4", "CI_COMMIT_REF_NAME": "main"}
	m.results(58)
	if code, out := m.gitlab(job, env); code == 0 || asked.Load() != 1 {
		t.Fatalf("a binary with another checksum: exit %d\n%s", code, out)
	}
	env["CAIRN_CI_SHA256"] = fmt.Sprintf("%x", sha256.Sum256(data))
	if code, out := m.gitlab(job, env); code != 0 || len(s.Comments) != 0 || asked.Load() != 2 {
		t.Fatalf("the default branch: exit %d\n%s", code, out)
	}
	if _, err := os.Stat(filepath.Join(m.dir, ".cairn-ci", "home", "evals", "index.ndjson")); err != nil {
		t.Error("the runs are not where the cache has them")
	}
	m.git("checkout -q -b topic")
	m.git("commit -q --allow-empty -m topic")
	env["CI_MERGE_REQUEST_IID"], env["CI_COMMIT_REF_NAME"] = "7", "topic"
	m.results(20)
	if code, out := m.gitlab(job, env); code != 5 || !strings.Contains(out, "GITLAB_TOKEN is not set") || len(s.Comments) != 0 {
		t.Fatalf("without a token: exit %d\n%s", code, out)
	}
	env["GITLAB_TOKEN"] = forgetest.Token
	for _, c := range []struct {
		passed, code int
		heading      string
	}{{21, 5, "## ❌ eval gate: 1 of 2 rules failed"}, {59, 0, "## ✅ eval gate: 2 rules held"}} {
		m.results(c.passed)
		code, out := m.gitlab(job, env)
		if code != c.code || len(s.Comments) != 1 || !strings.HasPrefix(s.Comments[0].Body, "<!-- cairn: cairn eval gate -->\n"+c.heading) || strings.Contains(out, forgetest.Token) {
			t.Fatalf("exit %d, %d notes\n%s", code, len(s.Comments), out)
		}
	}
	if asked.Load() != 2 {
		t.Errorf("the binary was fetched %d times", asked.Load())
	}
	if data, err := os.ReadFile(filepath.Join(m.dir, "cairn-gate.xml")); err != nil || !strings.Contains(string(data), "<testsuites") {
		t.Errorf("JUnit: %v", err)
	}
	m.git("checkout -q -b fresh")
	m.git("commit -q --allow-empty -m fresh")
	env["CAIRN_CI_SUITE"], env["CAIRN_CI_BASELINE"] = "ignored", "@nobody"
	if code, out := m.gitlab(job, env); code != 7 || !strings.HasPrefix(s.Comments[0].Body, "<!-- cairn: cairn eval gate -->\n## ⚠️ eval gate: not checked") {
		t.Errorf("no baseline: exit %d\n%s", code, out)
	}
}
