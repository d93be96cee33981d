//go:build agents

package pipeline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"cairn/internal/plan/headless"
)

// TestRunReal has `cairn plan run` start the real agents, headless, their model scripted:
// from an idea to its pull request. Where the run stops by design a person answers with the
// call that it names. It is killed at ten points. In the end there are the same files,
// nothing is committed twice, and the ledgers have what the model was asked for.
func TestRunReal(t *testing.T) {
	if os.Getenv("CAIRN_HARNESS") == "" {
		t.Skip("CAIRN_HARNESS is not set")
	}
	for _, agent := range []string{"claude", "codex"} {
		t.Run(agent, func(t *testing.T) {
			r := newRealRun(t, agent)
			rng := rand.New(rand.NewPCG(22, 11))
			killed := func(n int, answer ...string) {
				for range n {
					if !testing.Short() {
						r.killed(time.Duration(300+rng.IntN(9000))*time.Millisecond, answer...)
					}
				}
			}
			asks := func(id string, answer ...string) {
				t.Helper()
				if out, exit := r.goes(answer...); exit != 5 || !strings.Contains(out, "ask    "+id) || !strings.Contains(out, `--answer "`+id+`: ANSWER"`) {
					t.Fatalf("it does not ask %s: exit %d\n%s%s", id, exit, out, r.failures())
				}
			}
			killed(2)
			asks("new-project")
			killed(1, "new-project: yes")
			asks("discuss-phase", "new-project: yes")
			killed(1, "discuss-phase: one function each")
			if out, exit := r.goes("discuss-phase: one function each", "", "--until", "discuss"); exit != 0 {
				t.Fatalf("exit %d\n%s%s", exit, out, r.failures())
			}
			killed(5)
			asks("uat-1")
			killed(1, "uat-1: pass")
			if out, exit := r.goes("uat-1: pass"); exit != 0 { // the one before may have ended in time
				t.Fatalf("exit %d\n%s", exit, out)
			}
			r.check()
		})
	}
}

type realRun struct {
	*thread
	agent     string
	log       string            // of the model's server: a file per request
	documents map[string]string // that agents write
}

// newRealRun makes the project, the model's server and the agent's command line.
func newRealRun(t *testing.T, agent string) *realRun {
	t.Helper()
	p := newPlayer(t)
	root := filepath.Dir(p.dir)
	home := filepath.Join(root, "home")
	hosts := os.Getenv("HOSTS_DIR")
	bin := map[string]string{
		"claude": hosts + "/cc/node_modules/@anthropic-ai/claude-code-linux-x64/claude",
		"codex":  hosts + "/openai_codex/node_modules/.bin/codex",
	}[agent]
	if _, err := os.Stat(bin); err != nil {
		t.Skip(err)
	}
	r := &realRun{thread: &thread{player: p}, agent: agent, log: filepath.Join(root, "requests")}
	files, err := txtar.ParseFile("testdata/run.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if out, exit := r.run("git rm -q go.mod main.go"); exit != 0 {
		t.Fatal(out)
	}
	r.documents = map[string]string{}
	for _, f := range files.Files {
		if f.Name == "go.mod" {
			err = os.WriteFile(filepath.Join(p.dir, f.Name), f.Data, 0o600)
		} else {
			r.documents[f.Name] = string(f.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	gh := "#!/bin/sh\necho \"$*\" >> " + root + "/gh.log\ncase \"$2\" in\nlist) cat " + root + "/gh.open 2> /dev/null; true ;;\ncreate) echo https://example.org/pull/7 | tee " + root + "/gh.open ;;\nesac\n"
	if err := os.WriteFile(filepath.Join(root, "bin", "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	port := r.serve(root)
	address := fmt.Sprintf("http://127.0.0.1:%d", port)
	p.env = append(p.env, "ANTHROPIC_BASE_URL="+address, "ANTHROPIC_API_KEY=dummy-key", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1",
		"DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1", "NO_PROXY=127.0.0.1", "MOCK_KEY=dummy", "CODEX_HOME="+home+"/.codex", "RUST_LOG=error")
	config := fmt.Sprintf("model = \"gpt-5\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\nbase_url = \"%s/v1\"\nenv_key = \"MOCK_KEY\"\nwire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 0\n[projects.%q]\ntrust_level = \"trusted\"\n", address, p.dir)
	for _, line := range []string{
		"mkdir -p ~/.claude ~/.codex && ln -s " + bin + " " + root + "/bin/" + agent,
		`echo "export PATH=$PATH" > ~/.bash_profile`, // Codex runs its lines in a login shell
		"cat > ~/.codex/config.toml <<'END'\n" + config + "END",
		"git add . && git commit -qm 'a module' && git init -q --bare ../origin.git && git remote add origin ../origin.git && git push -q origin main",
		"cairn install " + agent + " --profile full --yes",
	} {
		if out, exit := r.run(line); exit != 0 {
			t.Fatal(out)
		}
	}
	return r
}

// serve starts the scripted model of the harness.
func (r *realRun) serve(root string) (port int) {
	r.t.Helper()
	data, err := json.Marshal(map[string]any{"steps": []step{{"text": "RESULT: blocked — no such role"}}, "threads": r.threads()})
	if err != nil {
		r.t.Fatal(err)
	}
	script := filepath.Join(root, "model.json")
	if err := os.WriteFile(script, data, 0o600); err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join(os.Getenv("CAIRN_HARNESS"), "mock.mjs"), "--scenario", script, "--log", r.log)
	out, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var said struct{ Port int }
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &said)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return said.Port
}

// threads are what each agent does. It is found by its row.
func (r *realRun) threads() []step {
	phase := r.dir + "/.planning/phases/01-base/"
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join("testdata", "run", name))
		if err != nil {
			r.t.Fatal(err)
		}
		return string(data)
	}
	thread := func(match string, steps ...step) step {
		return step{"match": match, "steps": append(steps, step{"text": "It is so.\n\nRESULT: done"})}
	}
	var all []step
	for i, n := range []string{"01", "02", "03"} {
		dir, id := r.dir+"/.planning/.cairn/trees/01-"+n, "01-"+n
		if i == 2 {
			dir = r.dir // alone in its wave
		}
		code := strings.ReplaceAll("package widget\n\n// F@ is @.\nfunc F@() int { return @ }\n", "@", fmt.Sprint(i+1))
		test := strings.ReplaceAll("package widget\n\nimport \"testing\"\n\nfunc TestF@(t *testing.T) {\n\tif F@() != @ {\n\t\tt.Error(F@())\n\t}\n}\n", "@", fmt.Sprint(i+1))
		summary := ".planning/phases/01-base/" + id + "-SUMMARY.md"
		steps := []step{r.write(dir+"/f"+n+".go", code), r.write(dir+"/f"+n+"_test.go", test), r.shell("go test ./...")}
		steps = append(steps,
			r.shell(fmt.Sprintf("cairn plan task commit %s 1 f%s.go f%s_test.go -m \"feat: f%s is there\" -C %s", id, n, n, n, dir)),
			r.shell(fmt.Sprintf("cairn plan template fill summary --phase 1 --plan %s --set one_liner=made -C %s", n, dir)))
		if i == 2 {
			steps = append(steps, r.edit(dir+"/"+summary, "requirements-completed: []", "requirements-completed: [WID-01]")...)
		}
		steps = append(steps, r.edit(dir+"/"+summary, "[deviations]", "None")...)
		steps = append(steps, r.edit(dir+"/"+summary, "## Self-Check\n\n[self check]", "## Self-Check: PASSED")...)
		steps = append(steps, r.shell("cairn plan verify summary "+id+" -C "+dir), r.shell(fmt.Sprintf("cairn plan commit -m \"docs(%s): summary\" %s -C %s", id, summary, dir)))
		all = append(all, thread(`"plan":"`+id+`"`, steps...))
	}
	var plans []step
	for _, n := range []string{"01", "02", "03"} {
		wave, after := "1", ""
		if n == "03" {
			wave, after = "2", "01-01, 01-02"
		}
		plans = append(plans, r.write(phase+"01-"+n+"-PLAN.md", strings.NewReplacer("@N@", n, "@WAVE@", wave, "@AFTER@", after).Replace(read("PLAN.md"))))
	}
	phase1 := ".planning/phases/01-base/01-CONTEXT.md"
	begin := []step{r.shell("cairn plan context new-project"), r.shell("cairn plan init --name Widget --goal counting")}
	for _, name := range []string{"PROJECT.md", "REQUIREMENTS.md", "ROADMAP.md"} {
		if r.agent == "claude" { // which overwrites nothing that it has not read
			begin = append(begin, step{"tool": "Read", "input": step{"file_path": r.dir + "/.planning/" + name}})
		}
		begin = append(begin, r.write(r.dir+"/.planning/"+name, r.documents[".planning/"+name]))
	}
	begin = append(begin, r.shell(`cairn plan state set Phase "1 of 1 (Base)"`), r.shell(`cairn plan state set Status "Ready to plan"`), r.shell("cairn plan state sync"), r.shell(`cairn plan commit -m "docs: the project"`))
	return append(all,
		thread(`"role":"new-project"`, begin...),
		thread("one function each", r.shell("cairn plan phase scaffold 1 directory"), r.write(r.dir+"/"+phase1, r.documents[phase1]), r.shell(`cairn plan commit -m "docs(01): decisions of the phase"`)),
		step{"match": `"role":"discuss-phase"`, "steps": []step{{"text": "One thing only you can say.\n\nRESULT: checkpoint — decision: 1. One function each, or one for all? (each, all)"}}},
		thread(`"role":"phase-researcher"`, r.write(phase+"01-RESEARCH.md", read("RESEARCH.md"))),
		thread(`"role":"pattern-mapper"`, r.write(phase+"01-PATTERNS.md", "# Patterns\n\nNone.\n")),
		thread(`"role":"planner"`, plans...),
		thread(`"role":"plan-checker"`, r.shell("cairn plan phase index 1")),
		thread(`"role":"code-reviewer"`, r.shell("cairn plan phase changes 1"), r.shell("cairn plan frontmatter set .planning/phases/01-base/01-REVIEW.md status clean")),
		thread(`"role":"verifier"`, r.write(phase+"01-VERIFICATION.md", read("VERIFICATION.md"))),
	)
}

// write, edit and shell are calls as the agent has them.
func (r *realRun) write(path, text string) step {
	if r.agent == "claude" {
		return step{"tool": "Write", "input": step{"file_path": path, "content": text}}
	}
	return r.shell("cat > " + path + " <<'END_OF_FILE'\n" + text + "END_OF_FILE")
}

func (r *realRun) edit(path, old, with string) []step {
	if r.agent == "claude" {
		return []step{{"tool": "Read", "input": step{"file_path": path}}, {"tool": "Edit", "input": step{"file_path": path, "old_string": old, "new_string": with}}}
	}
	return []step{r.shell(fmt.Sprintf("OLD=%s NEW=%s perl -0pi -e 's/\\Q$ENV{OLD}\\E/$ENV{NEW}/' %s", quoted(old), quoted(with), path))}
}

func quoted(s string) string { return "'" + s + "'" }

func (r *realRun) shell(line string) step {
	if r.agent == "claude" {
		return step{"tool": "Bash", "input": step{"command": line}}
	}
	return step{"tool": "exec_command", "input": step{"cmd": line, "yield_time_ms": 60000}}
}

// line is the call that a person makes.
func (r *realRun) line() string {
	if r.agent == "claude" {
		return `cairn plan run --idea "three numbers" --ship --allow "Bash(go test:*)"`
	}
	return `cairn plan run --idea "three numbers" --ship --agent codex --allow "$GOCACHE"`
}

// with is the call with an answer, and what else follows an empty one.
func (r *realRun) with(answer []string) string {
	line, flag := r.line(), true
	for _, a := range answer {
		switch {
		case a == "":
			flag = false
		case flag:
			line += " --answer " + quoted(a)
		default:
			line += " " + a
		}
	}
	return line
}

func (r *realRun) goes(answer ...string) (string, int) {
	r.t.Helper()
	out, exit := r.run(r.with(answer))
	r.t.Logf("exit %d\n%s", exit, out)
	return out, exit
}

// killed starts a run and kills it, as the machine would: its agents live on.
func (r *realRun) killed(after time.Duration, answer ...string) {
	r.t.Helper()
	cmd := exec.Command("bash", "-c", "exec "+r.with(answer))
	cmd.Dir, cmd.Env = r.dir, r.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// failures are the calls of the agents that failed, as their model was told.
func (r *realRun) failures() string {
	var b strings.Builder
	names, _ := filepath.Glob(r.log + "/*.json")
	seen := map[string]bool{}
	for _, name := range names {
		data, _ := os.ReadFile(name)
		var q struct {
			Body struct {
				Input []struct{ Type, Output string }
			}
		}
		_ = json.Unmarshal(data, &q)
		for _, in := range q.Body.Input {
			_, out, _ := strings.Cut(in.Output, "exited with code ")
			if out != "" && !strings.HasPrefix(out, "0") && !seen[out] {
				seen[out] = true
				b.WriteString(out + "\n")
			}
		}
	}
	return b.String()
}

// check looks at what has to be there once.
func (r *realRun) check() {
	r.t.Helper()
	log, _ := r.run("git log --format=%s")
	for _, n := range []string{"01", "02", "03"} {
		if got := strings.Count(log, "feat(01-"+n+")"); got != 1 {
			r.t.Errorf("01-%s was committed %d times", n, got)
		}
	}
	if out, exit := r.run("go test ./... && cairn plan requirements list && git worktree list"); exit != 0 || strings.Contains(out, "trees/") {
		r.t.Errorf("exit %d\n%s", exit, out)
	}
	if out, _ := r.run("git status --porcelain"); out != "" {
		r.t.Error("left:", out)
	}
	if called, err := os.ReadFile(filepath.Join(filepath.Dir(r.dir), "gh.log")); err != nil || strings.Count(string(called), "pr create") != 1 {
		r.t.Errorf("pull requests: %s %v", called, err)
	}
	if out, _ := r.run("git log --format=%s origin/phase-01-base -1"); !strings.Contains(out, "docs(01): ship the phase") {
		r.t.Error("what is pushed ends with", out)
	}
	var data []byte
	for _, name := range []string{"run-project.jsonl", "run-01.jsonl"} {
		ledger, err := os.ReadFile(filepath.Join(r.dir, ".planning/.cairn", name))
		if err != nil {
			r.t.Fatal(err)
		}
		data = append(data, ledger...)
	}
	agents, unpriced, usd := 0, 0, 0.0
	for line := range strings.Lines(string(data)) {
		var e headless.Entry
		if json.Unmarshal([]byte(line), &e) != nil || !e.Ended {
			continue
		}
		agents++
		r.t.Logf("%-17s %s %-8s %3d s  %s", e.Role, e.Plan, e.Model, e.Seconds, e.Result)
		if e.USD == nil {
			unpriced++
		} else {
			usd += *e.USD
		}
	}
	asked, want := r.asked()
	r.t.Logf("%d agents, %d requests, $%.6f by the ledger, $%.6f by the model's", agents, asked, usd, want)
	switch {
	case r.agent == "claude" && (unpriced > 0 || math.Abs(usd-want) > 1e-6):
		r.t.Errorf("the ledger has $%.6f, the model was asked for $%.6f; %d agents have no cost", usd, want, unpriced)
	case r.agent == "codex" && unpriced != agents:
		r.t.Errorf("codex names no price, and %d of %d have one", agents-unpriced, agents)
	}
	if agents > 18 {
		r.t.Errorf("%d agents for eleven jobs", agents)
	}
}

// asked reads what the model's server was asked for, and what that costs: 100 tokens in and
// 20 out each, at the list prices that Claude Code 2.1.329 knows.
func (r *realRun) asked() (requests int, usd float64) {
	r.t.Helper()
	names, err := filepath.Glob(r.log + "/*.json")
	if err != nil {
		r.t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			r.t.Fatal(err)
		}
		var q struct {
			URL  string
			Body struct{ Model string }
		}
		if err := json.Unmarshal(data, &q); err != nil {
			r.t.Fatal(err)
		}
		if !strings.Contains(q.URL, "/messages") || strings.Contains(q.URL, "count_tokens") {
			continue
		}
		requests++
		price := 2.0 // dollars for a million tokens; five times that for what comes out
		switch {
		case strings.Contains(q.Body.Model, "opus"):
			price = 4
		case strings.Contains(q.Body.Model, "haiku"):
			price = 0.1
		}
		usd += (100*price + 20*5*price) / 1e6
	}
	return requests, usd
}
