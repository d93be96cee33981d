//go:build agents

package agents

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A paidTurn is an answer of the scripted model: what it costs, and what it calls.
type paidTurn struct {
	command string // of Bash, "" for the last answer
	branch  string // where the session stands when it is asked
	commit  string // message of the session's next commit there, "" for none
}

// TestSpend plays sessions of the real Claude Code on branches and in working trees,
// resumed, forked, with a subagent; the branches are then squashed, rebased and
// merged. The scripted model keeps the true ledger, and `cairn spend` has to find
// it, with our hooks and without.
func TestSpend(t *testing.T) {
	if harness == "" || hosts == "" {
		t.Skip("CAIRN_HARNESS and HOSTS_DIR name no harness and no agents")
	}
	binary := filepath.Join(t.TempDir(), "cairn")
	run(t, "../..", "go", "build", "-o", binary, ".")
	for _, hooked := range []bool{true, false} {
		name := "without hooks"
		if hooked {
			name = "with hooks"
		}
		t.Run(name, func(t *testing.T) { playSpend(t, binary, hooked) })
	}
}

type ledger struct {
	t      *testing.T
	home   string
	repo   string
	total  float64
	branch map[string]float64
	commit map[string]float64 // by message
	turns  map[string]int     // answers in a session so far
	n      int
	agent  string
	more   []string // arguments of the harness
}

func playSpend(t *testing.T, binary string, hooked bool) {
	l := newLedger(t)
	if hooked {
		l.sh(binary + " install claude --yes")
	}
	commit := func(n, message string) string {
		return "echo " + n + " > " + n + ".txt && git add -A && git commit -qm '" + message + "'"
	}

	id := l.play(l.repo, nil, "", []paidTurn{
		{command: "ls", branch: "main"},
		{command: "git checkout -qb feature/a", branch: "main"},
		{command: "ls -l", branch: "feature/a", commit: "a one"},
		{command: commit("a1", "a one"), branch: "feature/a", commit: "a one"},
		{command: commit("a2", "a two") + " && git log --oneline -1", branch: "feature/a", commit: "a two"},
		{branch: "feature/a", commit: "a three"}, // the session goes on: its next commit there
	})
	l.play(l.repo, []string{"--resume", id}, "", []paidTurn{
		{command: "ls", branch: "feature/a", commit: "a three"},
		{command: commit("a3", "a three"), branch: "feature/a", commit: "a three"},
		{branch: "feature/a"},
	})
	l.play(l.repo, []string{"--resume", id, "--fork-session"}, "", []paidTurn{
		{command: commit("a4", "a four"), branch: "feature/a", commit: "a four"},
		{branch: "feature/a"},
	})
	if _, err := os.Stat(filepath.Join(hosts, "openai_codex")); err == nil {
		l.agent = "codex"
		l.play(l.repo, nil, "", []paidTurn{
			{command: commit("a5", "a five"), branch: "feature/a", commit: "a five"},
			{branch: "feature/a"},
		})
		l.agent = "claude"
	}
	l.sh("cd src/shop && sleep 1 && git checkout -q main && git worktree add -q -b feature/b ../shop-b && echo m > m && git add m && git commit -qm 'by hand'")
	l.play(filepath.Join(filepath.Dir(l.repo), "shop-b"), nil, "claude-opus-4-5", []paidTurn{
		{command: "ls", branch: "feature/b", commit: "b one"},
		{command: commit("b1", "b one"), branch: "feature/b", commit: "b one"},
		{branch: "feature/b"},
	})
	l.sh(`cd src/shop && sleep 1 && git merge -q --squash feature/a >/dev/null && git commit -qm 'Feature a (#7)' && git branch -qD feature/a && sleep 1 &&
		cd ../shop-b && git rebase -q main && cd ../shop && git merge -q --no-ff -m 'Merge pull request #8 from acme/feature/b' feature/b`)

	ask, same := l.asker(binary)
	branches := ask("branch")
	same("total", branches["total"], l.total)
	for b, usd := range l.branch {
		same("branch "+b, branches["acme/shop:"+b], usd)
	}
	pulls := ask("pr")
	same("#7", pulls["acme/shop#7"], l.commit["a one"]+l.commit["a two"]+l.commit["a three"]+l.commit["a four"]+l.commit["a five"])
	same("#8", pulls["acme/shop#8"], l.commit["b one"])
	commits := ask("commit")
	squash := strings.TrimSpace(l.sh("cd src/shop && git log --format=%H --grep='Feature a'"))
	same("squash", commits["acme/shop:"+squash], pulls["acme/shop#7"])
	rebased := strings.TrimSpace(l.sh("cd src/shop && git log --format=%H --grep='b one'"))
	same("rebased", commits["acme/shop:"+rebased], l.commit["b one"])
	if t.Failed() {
		t.Log(l.sh(binary + " spend --by commit; " + binary + " spend --by branch; cd src/shop && git reflog --date=iso; cat ~/.cairn/store/marks.jsonl"))
	}
}

// asker returns what asks cairn spend for sums by something, with the total, and what
// compares one.
func (l *ledger) asker(binary string) (ask func(by string) map[string]float64, same func(what string, got, want float64)) {
	var bill struct {
		Rows []struct {
			Key string
			USD float64
		}
		Total float64 `json:"total_usd"`
	}
	ask = func(by string) map[string]float64 {
		bill.Rows = nil
		out := l.sh(binary + " spend --json --by " + by)
		if err := json.Unmarshal([]byte(out), &bill); err != nil {
			l.t.Fatal(err, out)
		}
		got := map[string]float64{"total": bill.Total}
		for _, r := range bill.Rows {
			got[r.Key] = r.USD
		}
		return got
	}
	same = func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-6 {
			l.t.Errorf("%s: $%f, the model's ledger has $%f", what, got, want)
		}
	}
	return ask, same
}

// TestSpendGone plays a working tree and a branch that are gone when cairn looks, a branch
// that is committed anew as one and renamed, and a repository that is moved.
func TestSpendGone(t *testing.T) {
	if harness == "" || hosts == "" {
		t.Skip("CAIRN_HARNESS and HOSTS_DIR name no harness and no agents")
	}
	binary := filepath.Join(t.TempDir(), "cairn")
	run(t, "../..", "go", "build", "-o", binary, ".")
	l := newLedger(t)
	commit := func(n, message string) string {
		return "echo " + n + n + n + " > " + n + ".txt && git add -A && git commit -m '" + message + "'"
	}
	side := filepath.Join(filepath.Dir(l.repo), "shop-side")
	l.sh("cd src/shop && git worktree add -q -b side ../shop-side")
	l.play(side, nil, "", []paidTurn{
		{command: "ls", branch: "side", commit: "s one"},
		{command: commit("s1", "s one"), branch: "side", commit: "s one"},
		{command: commit("s2", "s two"), branch: "side", commit: "s two"},
		{branch: "side"},
	})
	l.sh(`cd src/shop && sleep 1 && git merge -q --squash side >/dev/null && git commit -qm 'Side (#11)' && git worktree remove --force ../shop-side && git branch -qD side && git checkout -qb draft`)
	one := []paidTurn{
		{command: commit("r1", "r one"), branch: "final", commit: "r"},
		{command: commit("r2", "r two"), branch: "final", commit: "r"},
		{command: "git reset -q --soft main && git commit -m 'all of r'", branch: "final", commit: "r"},
		{branch: "final"},
	}
	l.play(l.repo, nil, "", one)
	l.sh(`cd src/shop && sleep 1 && git branch -m draft final && git checkout -q main && git merge -q --no-ff -m 'Merge pull request #12 from acme/final' final && cd .. && mv shop moved`)
	l.play(filepath.Join(filepath.Dir(l.repo), "moved"), nil, "", []paidTurn{{command: "ls", branch: "main"}, {branch: "main"}})

	ask, same := l.asker(binary)
	branches := ask("branch")
	same("total", branches["total"], l.total)
	for b, usd := range l.branch {
		same("branch "+b, branches["acme/shop:"+b], usd)
	}
	pulls := ask("pr")
	same("#11", pulls["acme/shop#11"], l.commit["s one"]+l.commit["s two"])
	same("#12", pulls["acme/shop#12"], l.commit["r"])
	if t.Failed() {
		t.Log(l.sh(binary + " spend --by commit; " + binary + " spend --by branch; cd src/moved && git reflog --date=iso"))
	}
}

// newLedger is of a machine with a repository.
func newLedger(t *testing.T) *ledger {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l := &ledger{t: t, home: home, repo: filepath.Join(home, "src", "shop"), branch: map[string]float64{}, commit: map[string]float64{}, turns: map[string]int{}, agent: "claude"}
	l.sh("mkdir -p src/shop ~/.claude && cd src/shop && git init -qb main && git remote add origin https://example.com/acme/shop.git && git commit -q --allow-empty -m begin && echo x > x && git add x && git commit -qm x")
	return l
}

func (l *ledger) sh(script string) string {
	l.t.Helper()
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = l.home
	cmd.Env = []string{"HOME=" + l.home, "PATH=" + os.Getenv("PATH"), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		l.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

var sessionID = regexp.MustCompile(`\\?"session_id\\?": ?\\?"([0-9a-f-]{36})`)

// play has the agent make the turns, notes what they cost, and returns the session.
func (l *ledger) play(dir string, options []string, model string, turns []paidTurn) string {
	l.t.Helper()
	l.n++
	type step map[string]any
	var steps []step
	prices := [2]float64{3, 15}
	if model != "" {
		options = append(options, "--model", model)
		prices = [2]float64{5, 25}
	}
	for i, q := range turns {
		usage := map[string]any{"input_tokens": 100 + 7*l.n + i, "cache_read_input_tokens": 20000 + 100*i, "cache_creation_input_tokens": 900,
			"cache_creation": map[string]int{"ephemeral_5m_input_tokens": 600, "ephemeral_1h_input_tokens": 300}}
		usd := (float64(100+7*l.n+i)*prices[0] + float64(20000+100*i)*prices[0]/10 + 600*prices[0]*1.25 + 300*prices[0]*2 + 20*prices[1]) / 1e6
		if l.agent == "codex" { // its input has what the cache had; nothing is written to it
			usage = map[string]any{"input_tokens": 20100 + 100*i, "input_tokens_details": map[string]int{"cached_tokens": 20000}, "total_tokens": 20120 + 100*i}
			usd = (float64(100+100*i)*1.25 + 20000*0.125 + 20*10) / 1e6
		}
		l.total += usd
		l.branch[q.branch] += usd
		if q.commit != "" {
			l.commit[q.commit] += usd
		}
		if q.command == "" {
			steps = append(steps, step{"text": "done", "usage": usage})
			continue
		}
		call := step{"tool": "Bash", "input": map[string]any{"command": q.command, "description": "x"}, "usage": usage}
		if l.agent == "codex" {
			call["tool"], call["input"] = "exec_command", map[string]any{"cmd": q.command}
		}
		steps = append(steps, call)
	}
	// The mock counts the answers in a request: of a session that goes on there are some.
	prompt := "do part " + string(rune('a'+l.n))
	before := 0
	if len(options) > 1 && options[0] == "--resume" {
		before = l.turns[options[1]]
	}
	pad := make([]step, before)
	for i := range pad {
		pad[i] = step{"text": "done"}
	}
	data, _ := json.Marshal(map[string]any{"steps": append(pad, steps...)})
	scenario := filepath.Join(l.t.TempDir(), "s.json")
	write(l.t, scenario, string(data))
	if l.agent == "claude" {
		options = append([]string{"--mcp-config", mcpConfig()}, options...)
	}
	more, _ := json.Marshal(append([]string{}, options...))
	name := "spend-test-" + string(rune('a'+l.n))
	cmd := exec.Command("node", filepath.Join(harness, "run.mjs"), l.agent, "--name", name, "--scenario", scenario, "--home", l.home, "--cwd", dir,
		"--prompt", prompt, "--timeout", "200", "--args", string(more), "--out", "--cut", "100000",
		"--env", "GIT_AUTHOR_NAME=a", "--env", "GIT_AUTHOR_EMAIL=a@b.c", "--env", "GIT_COMMITTER_NAME=a", "--env", "GIT_COMMITTER_EMAIL=a@b.c")
	cmd.Args = append(cmd.Args, l.more...)
	cmd.Env = append(os.Environ(), "HOSTS_DIR="+hosts)
	out, err := cmd.Output()
	m := sessionID.FindSubmatch(out)
	if err == nil && l.agent == "codex" {
		return ""
	}
	if err != nil || m == nil {
		l.t.Fatalf("%v\n%s", err, out)
	}
	l.turns[string(m[1])] = before + len(turns)
	return string(m[1])
}
