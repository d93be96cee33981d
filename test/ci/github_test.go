package ci

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"cairn/test/cairntest"
	"cairn/test/forgetest"
)

// pull makes a job one of pull request 7.
func (j *job) pull(s *forgetest.Server, from string) *job {
	j.t.Helper()
	j.event(j.head(), from)
	j.known["github.event.pull_request.number"] = "7"
	j.env["GITHUB_REF"], j.env["GITHUB_HEAD_REF"] = "refs/pull/7/merge", "topic"
	return j.at(s)
}

// event writes what GitHub says of the pull request.
func (j *job) event(head, from string) {
	j.t.Helper()
	name := filepath.Join(j.t.TempDir(), "event.json")
	text := fmt.Sprintf(`{"pull_request": {"number": 7, "head": {"sha": %q, "repo": {"full_name": %q}}, "base": {"repo": {"full_name": "acme/web"}}}}`, head, from)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		j.t.Fatal(err)
	}
	j.env["GITHUB_EVENT_PATH"] = name
}

// cairn runs it with the variables of the job.
func (j *job) cairn(args ...string) (string, error) {
	bin, err := build()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir, cmd.Env = j.dir, j.environ(j.env)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (j *job) at(s *forgetest.Server) *job {
	j.env["GITHUB_API_URL"] = s.URL
	j.known["inputs.token"] = forgetest.Token
	j.warm = true
	return j
}

// TestAction: main stores its run, a pull request is judged by it, and what the
// reviewer sees is one comment and one check run, however often the job runs.
func TestAction(t *testing.T) {
	s, m := forgetest.New(t), newMachine(t)
	inputs := map[string]string{"results": "results.json"}
	m.results(58)
	main := newJob(m, "push", inputs).at(s)
	if code := main.run(); code != 0 || main.output("verdict") != "passed" || len(s.Comments) != 0 || !slices.Contains(main.used, "actions/cache/save") {
		t.Fatalf("main: exit %d, %s, %d comments, used %v\n%s", code, main.output("verdict"), len(s.Comments), main.used, main.said)
	}
	m.git("checkout -q -b topic")
	m.git("commit -q --allow-empty -m worse")
	for _, c := range []struct {
		passed, code     int
		verdict, heading string
		conclusion       string
	}{{20, 5, "failed", "## ❌ eval gate: 1 of 2 rules failed", "failure"}, {59, 0, "passed", "## ✅ eval gate: 2 rules held", "success"}} {
		if err := os.RemoveAll(filepath.Join(m.home, ".cairn")); err != nil { // each job has a machine of its own
			t.Fatal(err)
		}
		m.results(c.passed)
		j := newJob(m, "pull_request", inputs).pull(s, "acme/web")
		code := j.run()
		if code != c.code || j.output("verdict") != c.verdict || len(j.output("id")) != 12 || slices.Contains(j.used, "actions/cache/save") {
			t.Errorf("exit %d, %s, id %s, used %v\n%s", code, j.output("verdict"), j.output("id"), j.used, j.said)
		}
		if len(s.Comments) != 1 || !strings.HasPrefix(s.Comments[0].Body, "<!-- cairn: cairn eval gate -->\n"+c.heading) || strings.Contains(s.Comments[0].Body, "@acme") {
			t.Fatalf("%d comments\n%s", len(s.Comments), j.said)
		}
		if len(s.Checks) != 2 || s.Checks[1]["conclusion"] != c.conclusion || s.Checks[1]["head_sha"] != m.head() {
			t.Errorf("%d check runs: %v", len(s.Checks), s.Checks)
		}
		if strings.Contains(j.said, forgetest.Token) {
			t.Errorf("the token is printed: %s", j.said)
		}
	}
}

// TestLinesOfCaches: two uses in one job keep both their runs, and an event that may
// run what a stranger wrote keeps nothing.
func TestLinesOfCaches(t *testing.T) {
	s, m := forgetest.New(t), newMachine(t)
	kept := func() (n int) {
		for key := range m.cache {
			if strings.HasPrefix(key, "cairn-evals-") {
				n++
			}
		}
		return n
	}
	m.results(58)
	for i, name := range []string{"one", "two"} {
		j := newJob(m, "push", map[string]string{"results": "results.json", "name": name}).at(s)
		if code := j.run(); code != 0 || kept() != i+1 {
			t.Fatalf("%s: exit %d, %d kept\n%s", name, code, kept(), j.said)
		}
	}
	clear(m.cache)
	for _, event := range []string{"issue_comment", "workflow_run", "pull_request_target"} {
		j := newJob(m, event, map[string]string{"results": "results.json", "allow-missing-baseline": "true"}).at(s)
		if code := j.run(); code != 0 || len(m.cache) != 0 {
			t.Errorf("%s: exit %d, kept %v\n%s", event, code, m.cache, j.said)
		}
	}
}

// TestForkIsWarned: the verdict is what it is, whatever becomes of the report.
func TestForkIsWarned(t *testing.T) {
	for _, passed := range []int{20, 59} {
		s, m := forgetest.New(t), newMachine(t)
		m.results(58)
		if code := newJob(m, "push", map[string]string{"results": "results.json", "check": "false"}).at(s).run(); code != 0 {
			t.Fatal(code)
		}
		m.git("checkout -q -b topic")
		m.git("commit -q --allow-empty -m topic")
		m.results(passed)
		s.ReadOnly = true
		j := newJob(m, "pull_request", map[string]string{"results": "results.json"}).pull(s, "mallory/web")
		code := j.run()
		if code != map[int]int{20: 5, 59: 0}[passed] || strings.Count(j.said, "the pull request comes from a fork, so the job's token can only read (403") != 2 {
			t.Errorf("exit %d\n%s", code, j.said)
		}
	}
}

// TestLongReport: what is longer than a comment may be is shortened.
func TestLongReport(t *testing.T) {
	s, m := forgetest.New(t), newMachine(t)
	write := func(status string) {
		var cases []string
		for i := range 3000 {
			cases = append(cases, fmt.Sprintf(`{"name": "a case with a rather long name, number %d", "passed": %s}`, i, status))
		}
		if err := os.WriteFile(filepath.Join(m.dir, "results.json"), []byte(`{"schema_version": 1, "suite": "s", "all_results": [`+strings.Join(cases, ",")+`]}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("true")
	if code := newJob(m, "push", map[string]string{"results": "results.json", "check": "false"}).at(s).run(); code != 0 {
		t.Fatal(code)
	}
	m.git("checkout -q -b topic")
	m.git("commit -q --allow-empty -m topic")
	write("false")
	j := newJob(m, "pull_request", map[string]string{"results": "results.json", "check": "false"}).pull(s, "acme/web")
	if code := j.run(); code != 5 || len(s.Comments) != 1 || len(s.Comments[0].Body) > 65_536 || !strings.HasSuffix(s.Comments[0].Body, "</details>\n") || !strings.Contains(s.Comments[0].Body, "3000 of 3000 cases") {
		t.Errorf("exit %d, %d comments\n%s", code, len(s.Comments), j.said)
	}
}

// TestNotChecked: a pull request without a baseline is not green.
func TestNotChecked(t *testing.T) {
	s, m := forgetest.New(t), newMachine(t)
	m.git("checkout -q -b topic")
	m.git("commit -q --allow-empty -m topic")
	m.results(59)
	j := newJob(m, "pull_request", map[string]string{"results": "results.json", "name": "Search (nightly)"}).pull(s, "acme/web")
	if code := j.run(); code != 7 || j.output("verdict") != "not checked" || len(s.Comments) != 1 || !strings.HasPrefix(s.Comments[0].Body, "<!-- cairn: Search (nightly) -->\n## ⚠️ eval gate: not checked:") || s.Checks[0]["conclusion"] != "action_required" {
		t.Errorf("exit %d, %s\n%s", code, j.output("verdict"), j.said)
	}
	gate := newJob(m, "pull_request", map[string]string{"results": "results.json", "gate": "false"}).pull(s, "acme/web")
	if code := gate.run(); code != 0 || gate.output("verdict") != "" {
		t.Errorf("without the gate: exit %d\n%s", code, gate.said)
	}
}

// TestMergeCommit: the checkout of a pull request is by default a merge without a
// branch, and may have no history.
func TestMergeCommit(t *testing.T) {
	s, m := forgetest.New(t), newMachine(t)
	m.results(58)
	if code := newJob(m, "push", map[string]string{"results": "results.json", "check": "false"}).at(s).run(); code != 0 {
		t.Fatal(code)
	}
	m.git("checkout -q -b topic")
	m.git("commit -q --allow-empty -m topic")
	head := m.head()
	m.git("checkout -q --detach main")
	m.git("merge -q --no-ff -m merge topic")
	m.results(20)
	j := newJob(m, "pull_request", map[string]string{"results": "results.json"}).pull(s, "acme/web")
	j.event(head, "acme/web")
	if code := j.run(); code != 5 || len(s.Comments) != 1 || !strings.Contains(s.Comments[0].Body, "· topic · topic&#64;"+m.head()[:7]) || s.Checks[0]["head_sha"] != head {
		t.Errorf("exit %d, checks %v\n%s", code, s.Checks, j.said)
	}
	// latest is that run, too.
	if out, err := j.cairn("eval", "show", "latest"); err != nil || !strings.Contains(out, "topic@"+m.head()[:7]) {
		t.Errorf("latest: %v\n%s", err, out)
	}

	shallow := m
	shallow.dir = t.TempDir()
	m.git("checkout -q main")
	m.git("commit -q --allow-empty -m next")
	m.git("clone -q --depth 1 file://" + m.dir + " " + shallow.dir)
	shallow.git("remote set-url origin https://github.test/acme/web.git")
	shallow.results(58)
	j = newJob(shallow, "pull_request", map[string]string{"results": "results.json", "check": "false"}).pull(s, "acme/web")
	if code := j.run(); code != 7 || !strings.Contains(j.said, "hint: this clone is shallow; fetch the whole history (fetch-depth: 0") {
		t.Errorf("a shallow clone: exit %d\n%s", code, j.said)
	}
}

// TestBuild: with nothing in the cache the action builds its own source.
func TestBuild(t *testing.T) {
	cairntest.Long(t)
	s, m := forgetest.New(t), newMachine(t)
	m.results(58)
	j := newJob(m, "push", map[string]string{"results": "results.json", "check": "false"}).at(s)
	j.warm = false
	if code := j.run(); code != 0 || !slices.Contains(j.used, "actions/setup-go") {
		t.Errorf("exit %d, used %v\n%s", code, j.used, j.said)
	}
}

// TestDownload: a release, if its checksum is right.
func TestDownload(t *testing.T) {
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	for _, c := range []struct {
		sums string
		code int
	}{{sum + "  cairn_1.2.3_linux_amd64\n" + strings.Repeat("0", 64) + "  cairn_1.2.3_linux_amd64.tar.gz\n", 0}, {strings.Repeat("0", 64) + "  cairn_1.2.3_linux_amd64\n", 1}, {sum + "  cairn_1.2.3_linux_arm64\n", 1}} {
		files := map[string][]byte{"/v1.2.3/cairn_1.2.3_linux_amd64": data, "/v1.2.3/checksums.txt": []byte(c.sums)}
		releases := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if file, ok := files[r.URL.Path]; ok {
				_, _ = w.Write(file)
				return
			}
			http.NotFound(w, r)
		}))
		defer releases.Close()
		s, m := forgetest.New(t), newMachine(t)
		m.results(58)
		j := newJob(m, "push", map[string]string{"results": "results.json", "check": "false", "version": "1.2.3", "releases": releases.URL}).at(s)
		j.warm = false
		if code := j.run(); code != c.code || slices.Contains(j.used, "actions/setup-go") || strings.Contains(j.said, "does not have the checksum") != (c.code != 0) {
			t.Errorf("%s: exit %d, used %v\n%s", c.sums, code, j.used, j.said)
		}
	}
}

// TestWorkflow: the workflow to copy gives the action what it takes.
func TestWorkflow(t *testing.T) {
	data, err := os.ReadFile("../../examples/eval/github/evals.yml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]struct{ Steps []step }
	}
	if err := yaml.Unmarshal(data, &workflow); err != nil {
		t.Fatal(err)
	}
	a, used := readAction(t), 0
	for _, job := range workflow.Jobs {
		for _, s := range job.Steps {
			if !strings.HasSuffix(strings.Split(s.Uses, "@")[0], "/cairn") {
				continue
			}
			used++
			for name := range s.With {
				if _, ok := a.Inputs[name]; !ok {
					t.Errorf("the action has no input %s", name)
				}
			}
			if s.With["results"] == "" {
				t.Error("the action gets no results")
			}
		}
	}
	if used != 1 || workflow.Permissions["pull-requests"] != "write" || workflow.Permissions["checks"] != "write" || workflow.Permissions["contents"] != "read" {
		t.Errorf("the action is used %d times, with %v", used, workflow.Permissions)
	}
}
