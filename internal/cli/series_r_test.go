//go:build unix

package cli

import (
	"cairn/internal/command"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The R series: why users leave compactors, by how often they say so. Each
// test is one complaint, end to end with the binary as it is shipped, and
// names the protection without which it fails.

// session starts a session of the agent: its shell gets our block.
func (u *user) session() {
	u.Helper()
	envFile := "CLAUDE_ENV_FILE=" + filepath.Join(u.dir, "..", "env.sh")
	if out, stderr := u.hook("claude", []byte(`{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}`), envFile); out != "" || stderr != "" {
		u.Fatalf("SessionStart: %q, %q", out, stderr)
	}
	bin := filepath.Join(u.dir, "..", "bin")
	u.file(filepath.Join(bin, "make"), "#!/bin/sh\nseq 1 700\necho 'main.c:3: error: undefined name'\nseq 701 3000\nexit 2\n")
	u.env = append(u.env, "PATH="+bin+":"+os.Getenv("PATH"), "CLAUDE_CODE_SESSION_ID=s")
}

// bash runs a command as the agent does and returns what it reads.
func (u *user) bash(script string) (output string, code int) {
	u.Helper()
	env, err := os.ReadFile(filepath.Join(u.dir, "..", "env.sh"))
	if err != nil {
		u.Fatal(err)
	}
	out, err := os.OpenFile(filepath.Join(u.TempDir(), "out"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600)
	if err != nil {
		u.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command("bash", "-c", string(env)+": && eval "+"'"+strings.ReplaceAll(script, "'", `'"'"'`)+"' < /dev/null && pwd -P >| ../cwd")
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = u.dir, u.env, out, out
	cmd.Run()
	data, err := os.ReadFile(out.Name())
	if err != nil {
		u.Fatal(err)
	}
	return string(data), cmd.ProcessState.ExitCode()
}

// R1: the wrapper swallowed the exit code, so failures looked like passes.
// The protection: a shell ends as it ends without us (calls' block), and run as
// the tool ended (runRun).
func TestR1ExitCode(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.session()
	if out, code := u.bash("make && echo passed"); code != 2 || strings.Contains(out, "passed") || !strings.HasPrefix(out, "[cairn: ") {
		t.Errorf("shell: exit code %d, read %.200q", code, out)
	}
	if out, code := u.bash(u.cairn + " run -- make && echo passed"); code != 2 || strings.Contains(out, "passed") || !strings.HasPrefix(out, "[cairn: ") {
		t.Errorf("run: exit code %d, read %.200q", code, out)
	}
}

// R2: the line that explained the failure was gone, so the agent ran the
// command again. The protection: the guard looks through all that was removed,
// here by a rule that drops every line, and the raw output can be had.
func TestR2ExplainingLine(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.session()
	u.file(filepath.Join(u.dir, "check"), `#!/bin/sh
seq -f 'step %g of the check is done' 1 2000
echo 'ledger.c:41: balance: expected 100, got 90'
seq -f 'step %g of the check is done' 2001 5000
exit 1
`)
	u.file(filepath.Join(u.dir, ".cairn", "rules", "check.json"),
		`{"id":"local/check","family":"local","match":{"commands":["check"]},"primitives":{"filter":{"drop":["."]}}}`)
	u.trust()
	for _, script := range []string{"make", u.cairn + " run -- ./check"} {
		out, _ := u.bash(script)
		lost := !strings.Contains(out, "main.c:3: error: undefined name\n") && !strings.Contains(out, "ledger.c:41: balance: expected 100, got 90\n")
		id := regexp.MustCompile(`(cairn compact show [a-z0-9]+)\]`).FindStringSubmatch(out)
		if lost || id == nil || len(out) > 6000 || strings.HasSuffix(script, "check") && !strings.Contains(out, " · local/check") {
			t.Errorf("%s: read %.1000q", script, out)
			continue
		}
		// The command that the header names works as it stands there.
		raw, code := u.bash(strings.Replace(id[1], "cairn", u.cairn, 1) + " --lines 699-702")
		if code != 0 || strings.Count(raw, "\n") != 4 {
			t.Errorf("%s: exit code %d, read %q", id[1], code, raw)
		}
	}
}

// R3: a pipe or a script that parsed the output broke. The protection: only
// the file that the call's own stdout was is compacted, at its end (calls.End).
func TestR3Pipes(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.session()
	for script, want := range map[string]string{
		"make | grep -c '^[0-9]'": "3000\n",
		"make | wc -l":            "3001\n",
		"n=$(make); echo \"$n\" | md5sum; make | md5sum":          "",
		"make > out; wc -l < out":                                 "3001\n",
		"while read -r x; do last=$x; done < <(make); echo $last": "3000\n",
	} {
		out, _ := u.bash(script)
		if sums := strings.SplitAfter(out, "\n"); want == "" && len(sums) == 3 && sums[0] == sums[1] {
			continue
		}
		if strings.TrimLeft(out, " ") != want {
			t.Errorf("%s: read %.200q", script, out)
		}
	}
}

// R4: permission rules were bypassed or asked again, because the command was
// rewritten or approved. The protection: nothing is answered before a call
// (hook.answer), and no answer says anything of permissions.
func TestR4Permissions(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, input := range []string{`{"command":"make"}`, `{"command":"rm -rf /"}`, `{"command":"make","run_in_background":true}`, `{"command":"make","timeout":600000}`} {
		event := `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":` + input + `}`
		if out, stderr := u.hook("claude", []byte(event)); out != "" || stderr != "" {
			t.Errorf("%s: answered %q, said %q", input, out, stderr)
		}
	}
	out, _ := u.hook("claude", bashEvent(u.dir, "make", numbered(3000, "x")))
	if out == "" || regexp.MustCompile(`(?i)permission|decision|updatedInput|approve|allow`).MatchString(out) {
		t.Errorf("answered %.200q", out)
	}
}

// R5: cd or "read before edit" stopped working. The protection: no command has
// a function or a process of ours in front, and a file that is read comes as it
// is (hook's Read policy).
func TestR5ShellAndFiles(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.session()
	u.file(filepath.Join(u.dir, "sub", "main.go"), "package main\n"+strings.Repeat("// a line of the source\n", 1500))
	want, _ := filepath.EvalSymlinks(filepath.Join(u.dir, "sub"))
	if out, _ := u.bash("cd sub && make >/dev/null 2>&1; pwd -P; x=1; make() { x=2; }; make; echo $x"); out != want+"\n2\n" {
		t.Errorf("read %q, want to be in %s", out, want)
	}
	if out, _ := u.bash("typeset -f cd pushd cat head tail sed less source grep find git ls python python3 node bash sh sudo xargs"); out != "" {
		t.Errorf("the shell's own are replaced: %s", out)
	}
	if out, _ := u.bash("cat sub/main.go"); strings.Contains(out, "[cairn") || strings.Count(out, "\n") != 1501 {
		t.Errorf("cat: %.200q", out)
	}
	source, err := os.ReadFile(filepath.Join(u.dir, "sub", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	event, err := json.Marshal(map[string]any{
		"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": map[string]any{"file_path": "/p/main.go"},
		"tool_response": map[string]any{"type": "text", "file": map[string]any{
			"filePath": "/p/main.go", "content": string(source), "numLines": 1502, "startLine": 1, "totalLines": 1502,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if out, _ := u.hook("claude", event); out != "" || u.log() != "" {
		t.Errorf("Read: answered %.200q, logged %q", out, u.log())
	}
}

// R6: the hook was silently dead for weeks. The protection: what goes wrong is
// logged (logHook), and doctor looks at the log, the registration, the binary
// that it names, and whether it was called while the agent worked (callChecks).
func TestR6SilentlyDead(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.file(filepath.Join(u.home, "..", ".claude", "settings.json"), "{}")
	doctor := func() (string, int) {
		out, _, code := u.run(`"$cairn" doctor`)
		return out, code
	}
	if out, code := doctor(); code != command.ExitGate || !strings.Contains(out, "not registered") {
		t.Errorf("not registered: exit code %d\n%s", code, out)
	}
	if _, stderr, code := u.run(`"$cairn" install claude`); code != 0 {
		t.Fatalf("install: %s", stderr)
	}
	if out, code := doctor(); code != 0 || strings.Contains(out, "fail") {
		t.Errorf("installed: exit code %d\n%s", code, out)
	}
	u.hook("claude", []byte("garbage"))
	if out, code := doctor(); code != 0 || !strings.Contains(out, "not an event of this host") {
		t.Errorf("an error in the log: exit code %d\n%s", code, out)
	}
	// It is registered and answers, but the agent does not call it.
	fired := filepath.Join(u.home, "compact", "fired", "claude")
	old := time.Now().Add(-20 * 24 * time.Hour)
	if err := os.Chtimes(fired, old, old); err != nil {
		t.Fatal(err)
	}
	if out, code := doctor(); code != 0 || strings.Contains(out, "not called") {
		t.Errorf("nobody worked since: exit code %d\n%s", code, out)
	}
	u.file(filepath.Join(u.home, "..", ".claude", "projects", "-work", "s.jsonl"),
		`{"type":"user","timestamp":"`+time.Now().UTC().Format(time.RFC3339)+`"}`+"\n")
	for range 2 { // doctor's own call must not hide it
		if out, code := doctor(); code != command.ExitGate || !strings.Contains(out, "not called since "+old.Format(time.DateOnly)) {
			t.Errorf("sessions went on: exit code %d\n%s", code, out)
		}
	}
	u.hook("claude", bashEvent(u.dir, "true", ""))
	if out, code := doctor(); code != 0 || strings.Contains(out, "not called") {
		t.Errorf("called again: exit code %d\n%s", code, out)
	}
	if err := os.Remove(filepath.Join(u.home, "bin", "cairn")); err != nil {
		t.Fatal(err)
	}
	if out, code := doctor(); code != command.ExitGate || !strings.Contains(out, "fail") {
		t.Errorf("the binary is gone: exit code %d\n%s", code, out)
	}
}
