// Package ci plays action.yml and ci/gitlab.yml as a runner of CI does: their
// shell steps, with the variables that a runner sets, the real cairn, and a server
// that answers as GitHub and GitLab do.
//
// It is test code only.
package ci

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"

	"cairn/test/cairntest"
)

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "cairn-ci")
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "cairn"), cairntest.Build(filepath.Join(dir, "cairn"))
})

func TestMain(m *testing.M) {
	code := m.Run()
	if bin, err := build(); err == nil {
		os.RemoveAll(filepath.Dir(bin))
	}
	os.Exit(code)
}

// A machine is what a job runs on: a checkout, a home, and what the forge's cache
// has, which outlives it.
type machine struct {
	t         *testing.T
	dir, home string
	cache     map[string]string // directories by key
}

func newMachine(t *testing.T) machine {
	t.Helper()
	cairntest.NoRace(t) // what runs is other programs
	for _, tool := range []string{"bash", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not there", tool)
		}
	}
	m := machine{t: t, dir: t.TempDir(), home: t.TempDir(), cache: map[string]string{}}
	m.git("init -q -b main")
	m.git("remote add origin https://github.test/acme/web.git")
	m.git("commit -q --allow-empty -m start")
	return m
}

func (m machine) git(line string) {
	m.t.Helper()
	cmd := exec.Command("git", strings.Fields(line)...)
	cmd.Dir, cmd.Env = m.dir, m.environ(nil)
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Fatalf("git %s: %v\n%s", line, err, out)
	}
}

func (m machine) head() string {
	m.t.Helper()
	cmd := exec.Command("git", "rev-parse", "HEAD")
	cmd.Dir = m.dir
	out, err := cmd.Output()
	if err != nil {
		m.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// results writes those of a run: so many of 60 cases passed.
func (m machine) results(passed int) {
	m.t.Helper()
	var cases []string
	for i := range 60 {
		cases = append(cases, fmt.Sprintf(`{"name": "case %d @acme/all", "passed": %t}`, i, i < passed))
	}
	text := fmt.Sprintf(`{"schema_version": 1, "suite": "search", "all_results": [%s]}`, strings.Join(cases, ",\n"))
	if err := os.WriteFile(filepath.Join(m.dir, "results.json"), []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// goEnv are the directories of Go, of which a fresh home has none.
var goEnv = sync.OnceValue(func() []string {
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE", "GOFLAGS", "GOPROXY").Output()
	if err != nil {
		return nil
	}
	v := strings.Split(string(out), "\n")
	return []string{"GOMODCACHE=" + v[0], "GOCACHE=" + v[1], "GOFLAGS=" + v[2], "GOPROXY=" + v[3], "GOTOOLCHAIN=local"}
})

// environ is nothing of this machine but its programs.
func (m machine) environ(more map[string]string) []string {
	env := append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.home, "CI=true", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.test", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.test"}, goEnv()...)
	for name, v := range more {
		env = append(env, name+"="+v)
	}
	return env
}

// An action is what is read of action.yml.
type action struct {
	Inputs map[string]struct {
		Required bool
		Default  string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

type step struct {
	ID, If, Uses, Shell, Run string
	Dir                      string `yaml:"working-directory"`
	Env, With                map[string]string
}

func readAction(t *testing.T) action {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// A job is one use of the action.
type job struct {
	machine
	action action
	known  map[string]string // what expressions name: inputs.x, steps.y.outputs.z, github.…
	env    map[string]string
	path   []string
	said   string
	used   []string // actions of others, those that were skipped left out
	warm   bool     // the binary is in the cache already
}

// newJob is a job with inputs, of a pull request unless event is another.
func newJob(m machine, event string, inputs map[string]string) *job {
	m.t.Helper()
	j := &job{machine: m, action: readAction(m.t), known: map[string]string{"github.event_name": event, "github.token": "", "github.server_url": "https://github.test",
		"github.action_repository": "acme/cairn", "github.run_id": "1", "github.run_attempt": "1", "github.job": "evals", "runner.os": "Linux", "runner.arch": "X64"}}
	root, err := filepath.Abs("../..")
	if err != nil {
		m.t.Fatal(err)
	}
	temp := m.t.TempDir()
	j.known["github.action_path"] = root
	j.env = map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": root, "GITHUB_REPOSITORY": "acme/web", "GITHUB_EVENT_NAME": event,
		"GITHUB_SHA": m.head(), "RUNNER_TEMP": temp, "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "GITHUB_STEP_SUMMARY": filepath.Join(temp, "summary.md")}
	for name := range inputs {
		if _, ok := j.action.Inputs[name]; !ok {
			m.t.Fatalf("the action has no input %s", name)
		}
	}
	for name, in := range j.action.Inputs {
		v, ok := inputs[name]
		if !ok && in.Required {
			m.t.Fatalf("the input %s is required", name)
		}
		if !ok {
			v = j.fill(in.Default)
		}
		j.known["inputs."+name] = v
	}
	return j
}

var expression = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

// fill replaces the expressions in a value.
func (j *job) fill(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string { return j.value(strings.TrimSpace(expression.FindStringSubmatch(e)[1])) })
}

// value is what an expression of GitHub's says, of those that the action has:
// names, strings, ==, != and &&.
func (j *job) value(e string) string {
	if parts := strings.Split(e, "&&"); len(parts) > 1 {
		for _, p := range parts {
			if j.value(strings.TrimSpace(p)) != "true" {
				return "false"
			}
		}
		return "true"
	}
	for _, op := range []string{"==", "!="} {
		if a, b, ok := strings.Cut(e, op); ok {
			return fmt.Sprint((j.value(strings.TrimSpace(a)) == j.value(strings.TrimSpace(b))) == (op == "=="))
		}
	}
	if text, ok := strings.CutPrefix(e, "'"); ok && strings.HasSuffix(text, "'") {
		return strings.TrimSuffix(text, "'")
	}
	if e == "toJSON(matrix)" {
		return "null"
	}
	if !regexp.MustCompile(`^[\w.-]+$`).MatchString(e) {
		j.t.Fatalf("the test does not know the expression %s", e)
	}
	return j.known[e]
}

// run plays all steps, until one fails. It returns the exit code.
func (j *job) run() int {
	j.t.Helper()
	for i, s := range j.action.Runs.Steps {
		if s.If != "" && j.value(s.If) != "true" {
			continue
		}
		if s.Uses != "" {
			j.use(s)
			continue
		}
		if code := j.shell(i, s); code != 0 {
			return code
		}
	}
	return 0
}

// use does what the actions of GitHub that are used do.
func (j *job) use(s step) {
	j.t.Helper()
	name, _, ok := strings.Cut(s.Uses, "@v")
	if !ok {
		j.t.Fatalf("%s names no version", s.Uses)
	}
	j.used = append(j.used, name)
	dir, key := j.fill(s.With["path"]), j.fill(s.With["key"])
	copyDir := func(from, to string) {
		if err := os.RemoveAll(to); err != nil {
			j.t.Fatal(err)
		}
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			j.t.Fatal(err)
		}
	}
	switch name {
	case "actions/setup-go":
		if _, err := os.Stat(j.fill(s.With["go-version-file"])); err != nil {
			j.t.Fatal(err)
		}
	case "actions/cache/restore":
		if strings.HasPrefix(key, "cairn-evals-") {
			// The newest of the line, as GitHub does.
			newest := ""
			for k := range j.cache {
				if strings.HasPrefix(k, strings.TrimSpace(j.fill(s.With["restore-keys"]))) {
					newest = max(newest, k)
				}
			}
			if newest != "" {
				copyDir(j.cache[newest], dir)
			}
			return
		}
		if !strings.HasPrefix(key, "cairn-Linux-X64-") || len(key) < len("cairn-Linux-X64-")+5 {
			j.t.Fatalf("the key of the binary is %s", key)
		}
		if j.warm {
			bin, err := build()
			if err != nil {
				j.t.Fatal(err)
			}
			copyDir(filepath.Dir(bin), dir)
			j.known["steps."+s.ID+".outputs.cache-hit"] = "true"
		}
	case "actions/cache/save":
		if j.cache[key] != "" {
			return // a cache is immutable
		}
		kept := j.t.TempDir()
		copyDir(dir, kept)
		j.cache[key] = kept
	default:
		j.t.Fatalf("%s is not known", name)
	}
}

// shell runs a step as the runner does: docs.github.com, "Workflow syntax", shell.
func (j *job) shell(i int, s step) int {
	j.t.Helper()
	if s.Shell != "bash" || strings.Contains(s.Run, "${{") {
		j.t.Fatalf("step %d: the shell is %q, or an input is pasted into its text", i, s.Shell)
	}
	temp := j.t.TempDir()
	script, output, path := filepath.Join(temp, "step.sh"), filepath.Join(temp, "output"), filepath.Join(temp, "path")
	for name, text := range map[string]string{script: s.Run, output: "", path: ""} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			j.t.Fatal(err)
		}
	}
	env := map[string]string{"GITHUB_OUTPUT": output, "GITHUB_PATH": path}
	for name, v := range j.env {
		env[name] = v
	}
	for name, v := range s.Env {
		env[name] = j.fill(v)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script)
	cmd.Dir, cmd.Env = filepath.Join(j.dir, j.fill(s.Dir)), j.environ(env)
	out, err := cmd.CombinedOutput()
	j.said += string(out)
	if err != nil && cmd.ProcessState == nil {
		j.t.Fatal(err)
	}
	data, err := os.ReadFile(output)
	if err != nil {
		j.t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		name, v, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok {
			j.t.Fatalf("step %d: %q is no output", i, line)
		}
		j.known["steps."+s.ID+".outputs."+name] = v
	}
	return cmd.ProcessState.ExitCode()
}

// output is one of the action's.
func (j *job) output(name string) string { return j.fill(j.action.Outputs[name].Value) }
