package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"cairn/internal/compact"
	"cairn/internal/host"
)

// A hostCall says what stands in an envelope of a host's folder in
// ../host/testdata: the command of the call, the text that it printed, and what
// follows that in the same result.
type hostCall struct{ file, command, text, rest string }

// conformance is what the suite plays of each host, by the tool that is
// called. One that is not there must have its reason in cannot.
var conformance = map[string]map[string]hostCall{
	"claude": {
		"shell": {file: "bash", command: "seq 1 5", text: seq5}, "read": {file: "read", text: aTxt}, "mcp": {file: "mcp", text: mcp3},
		"grep": {file: "grep", text: captured("claude", "grep", "tool_response", "content")},
		"glob": {file: "glob", text: "b.txt", rest: "\na.txt\ne.txt\nnew.txt"},
	},
	"codex": {"shell": {file: "bash", command: "seq 1 5 #none", text: seq5}, "mcp": {file: "mcp", text: mcp3}},
	"gemini": {
		"shell": {file: "shell", command: "seq 1 5", text: seq5}, "mcp": {file: "mcp", text: mcp3},
		"read": {file: "read", text: captured("gemini", "read", "tool_response", "llmContent")},
		"grep": {file: "grep", text: "File: a.txt\n" + hello("L", 50)},
		"glob": {file: "glob", text: "/home/dev/proj/src/d4/f4.go", rest: "\n/home/dev/proj/src/d1/f1.go\n/home/dev/proj/src/d3/f3.go\n/home/dev/proj/src/d2/f2.go\n/home/dev/proj/src/d5/f5.go"},
	},
	"cursor": {"mcp": {file: "mcp", text: mcp3}},
	"opencode": {
		"shell": {file: "bash", command: "seq 1 5", text: seq5}, "mcp": {file: "mcp", text: mcp3},
		"read": {file: "read", text: "1: hello line 1\n2: hello line 2\n3: hello line 3"},
		"grep": {file: "grep", text: "Found 3 matches\n/home/dev/proj/a.txt:\n  Line 1: hello line 1\n\n  Line 2: hello line 2\n\n  Line 3: hello line 3\n"},
		"glob": {file: "glob", text: "/home/dev/proj/src/f72.ts\n/home/dev/proj/src/f42.ts\n/home/dev/proj/src/f54.ts\n/home/dev/proj/src/f45.ts"},
	},
	"kilo": {
		"shell": {file: "bash", command: "seq 1 5", text: seq5}, "mcp": {file: "mcp", text: mcp3},
		"read": {file: "read", text: "1: hello line 1\n2: hello line 2\n3: hello line 3"},
		"grep": {file: "grep", text: "Found 3 matches\n/home/dev/proj/a.txt:\n  Line 1: hello line 1\n\n  Line 2: hello line 2\n\n  Line 3: hello line 3\n"},
		"glob": {file: "glob", text: "/home/dev/proj/src/x.html"},
	},
	"cline": {
		"shell": {file: "bash", command: "seq 1 5", text: seq5},
		"read":  {file: "read", text: "1 | hello line 1\n2 | hello line 2\n3 | hello line 3"},
	},
	"copilot": {
		"shell": {file: "bash", command: "seq 1 5", text: seq5}, "mcp": {file: "mcp", text: mcp3},
		"read": {file: "view", text: "hello line 1\nhello line 2\nhello line 3"},
	},
}

const (
	codexTools   = "Codex has no such tool, it runs commands: https://developers.openai.com/codex/hooks"
	copilotTools = "Copilot groups and counts what it found itself: docs/agents.md"
	clineTools   = "what a plugin sees of such a result is no list, or not written down: https://docs.cline.bot/customization/plugins"
	cursorTools  = "Cursor takes answers for MCP tools only: https://cursor.com/docs/hooks"
)

var cannot = map[string]string{
	"codex read": codexTools, "codex grep": codexTools, "codex glob": codexTools,
	"cursor shell": cursorTools, "cursor read": cursorTools, "cursor grep": cursorTools, "cursor glob": cursorTools,
	"cline grep": clineTools, "cline glob": clineTools, "cline mcp": clineTools,
	"copilot grep": copilotTools, "copilot glob": copilotTools,
}

const (
	seq5 = "1\n2\n3\n4\n5"
	mcp3 = "mcp line 0\nmcp line 1\nmcp line 2"
)

var aTxt = captured("claude", "read", "tool_response", "file", "content")

// hello is what a search for hello found in a.txt, line by line.
func hello(before string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\n%s%d: hello line %d", before, i+1, i+1)
	}
	return b.String()[1:]
}

// captured returns a text in a captured envelope.
func captured(agent, file string, keys ...string) string {
	var v any
	data, err := os.ReadFile(filepath.Join("..", "host", "testdata", agent, file+".json"))
	if err != nil || json.Unmarshal(data, &v) != nil {
		return ""
	}
	for _, k := range keys {
		v = v.(map[string]any)[k]
	}
	return v.(string)
}

// envelope returns a captured envelope as if the call had been another: each
// string in it is changed, also those of a JSON text in a string.
func (u *user) envelope(agent string, c hostCall, command, text string) []byte {
	u.Helper()
	folder := filepath.Join("..", "host", "testdata", agent)
	data, err := os.ReadFile(filepath.Join(folder, c.file+".json"))
	if err != nil {
		u.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		u.Fatal(err)
	}
	inJSON := func(s string) string { q, _ := json.Marshal(s); return string(q[1 : len(q)-1]) }
	changed := false
	v = mapStrings(v, func(s string) string {
		if c.command != "" && s == c.command {
			return command
		}
		for _, form := range []func(string) string{func(s string) string { return s }, inJSON} {
			if t := strings.Replace(s, form(c.text), form(text), 1); t != s {
				changed = true
				return t
			}
		}
		return strings.ReplaceAll(s, "/home/dev/proj", u.dir)
	}).(map[string]any)
	if !changed {
		u.Fatalf("%s of %s has no %q", c.file, agent, c.text)
	}
	// What the host has on disk when it calls a hook: the session's record.
	record := filepath.Join(filepath.Dir(u.home), "tmp", "project", "chats", "session.jsonl")
	rollout, _ := os.ReadFile(filepath.Join(folder, "rollout.jsonl"))
	u.file(record, string(rollout))
	v["transcript_path"] = record
	data, err = json.Marshal(v)
	if err != nil {
		u.Fatal(err)
	}
	return data
}

// mapStrings changes every string in a decoded JSON value.
func mapStrings(v any, change func(string) string) any {
	switch v := v.(type) {
	case string:
		return change(v)
	case []any:
		for i := range v {
			v[i] = mapStrings(v[i], change)
		}
	case map[string]any:
		for k := range v {
			v[k] = mapStrings(v[k], change)
		}
	}
	return v
}

// texts returns every string of an answer, and of a file that it names the
// content.
func texts(t *testing.T, answer string) string {
	t.Helper()
	if strings.TrimSpace(answer) == "" {
		return ""
	}
	var v any
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		t.Fatalf("%v: %.300q", err, answer)
	}
	var all []string
	mapStrings(v, func(s string) string {
		all = append(all, s)
		if filepath.IsAbs(s) {
			data, _ := os.ReadFile(s)
			all = append(all, string(data))
		}
		return s
	})
	return strings.Join(all, "\n")
}

// each runs a test for every row that has hooks. What a row cannot is skipped
// with the reason.
func each(t *testing.T, tool string, test func(t *testing.T, u *user, h host.Host, c hostCall)) {
	for _, h := range host.All() {
		t.Run(h.Name, func(t *testing.T) {
			if h.RunOnly != "" {
				t.Skipf("%s (%s)", h.RunOnly, h.Source)
			}
			row, ok := conformance[h.Name]
			c := row[tool]
			if tool == "" { // any
				if c = row["shell"]; c.file == "" {
					c = row["mcp"]
				}
			}
			why := cannot[h.Name+" "+tool]
			switch {
			case !ok:
				t.Fatal("no captured envelopes")
			case c.file == "" && why == "":
				t.Fatalf("no captured envelope of %s, and no reason", tool)
			case c.file == "":
				t.Skip(why)
			}
			t.Parallel()
			test(t, newUser(t), h, c)
		})
	}
}

var anyID = regexp.MustCompile(`compact show [a-z0-9]+`)

// reduced is what every host's model must read of an output.
func reduced(u *user, c hostCall, tool, command, text string) string {
	env := compact.Envelope{Tool: tool, Command: command, Cwd: u.dir, CombinedText: text}
	if c.command != "" {
		env.ExitCode = new(int)
	}
	out := compact.Compact(env, compact.Options{Level: compact.Normal, Tee: compact.Tee{Dir: u.TempDir()}}).Reduced
	return anyID.ReplaceAllString(strings.TrimSuffix(out, "\n"), "compact show ID")
}

// CH5: a shell call is replaced, and with the same text in each host.
func TestCH5Shell(t *testing.T) {
	t.Parallel()
	each(t, "shell", func(t *testing.T, u *user, h host.Host, c hostCall) {
		long := strings.TrimSuffix(numbered(1500, "lines of it"), "\n")
		for _, command := range []string{"seq 1 1500", "go test ./..."} {
			answer, _ := u.hook(h.Name, u.envelope(h.Name, c, command, long))
			got := anyID.ReplaceAllString(texts(t, answer), "compact show ID")
			if want := reduced(u, c, "Bash", command, long); !strings.Contains(got, want) || strings.Contains(got, "750 lines") {
				t.Errorf("%s: the model reads %.400q, want %.400q; log %q", command, got, want, u.log())
			}
		}
		if answer, _ := u.hook(h.Name, u.envelope(h.Name, c, "seq 1 9", "1\n2\n3")); answer != "" {
			t.Errorf("a short output is answered: %q", answer)
		}
	})
}

// CH6: what was read is cut at the tail, and only of generated files.
func TestCH6Read(t *testing.T) {
	t.Parallel()
	each(t, "read", func(t *testing.T, u *user, h host.Host, c hostCall) {
		long := numbered(5000, "of a file")
		if answer, _ := u.hook(h.Name, u.envelope(h.Name, c, "", long)); answer != "" {
			t.Errorf("source is answered: %.200q", answer)
		}
		lock := bytes.ReplaceAll(u.envelope(h.Name, c, "", long), []byte("a.txt"), []byte("package-lock.json"))
		answer, _ := u.hook(h.Name, lock)
		if got := texts(t, answer); !strings.Contains(got, long[:7000]) || !strings.Contains(got, " lines …]") || len(got) > 12_000 {
			t.Errorf("a lock file: %d bytes, %.200q", len(got), got)
		}
	})
}

// CH7, CH8: what an agent's own search tools found is replaced.
func TestCH7Grep(t *testing.T) {
	t.Parallel()
	conformsSearch(t, "grep", "src/d%d/f%d.go:%d:a line with what was looked for", "Grep")
}
func TestCH8Glob(t *testing.T) { conformsSearch(t, "glob", "src/d%d/f%d-%d.go", "Glob") }

func conformsSearch(t *testing.T, tool, line, name string) {
	each(t, tool, func(t *testing.T, u *user, h host.Host, c hostCall) {
		var found []string
		for i := range 600 {
			found = append(found, fmt.Sprintf(line, i/100, i/10, i))
		}
		long := strings.Join(found, "\n")
		answer, _ := u.hook(h.Name, u.envelope(h.Name, c, "", long))
		got := strings.ReplaceAll(anyID.ReplaceAllString(texts(t, answer), "compact show ID"), "/home/dev/proj", u.dir)
		rest := strings.ReplaceAll(c.rest, "/home/dev/proj", u.dir)
		if want := reduced(u, c, name, "", long+rest); !strings.Contains(got, want) {
			t.Errorf("the model reads %.600q, want %.600q; log %q", got, want, u.log())
		}
	})
}

// CH9: an MCP result is replaced.
func TestCH9MCP(t *testing.T) {
	t.Parallel()
	each(t, "mcp", func(t *testing.T, u *user, h host.Host, c hostCall) {
		long := strings.TrimSuffix(numbered(1500, "lines of it"), "\n")
		answer, _ := u.hook(h.Name, u.envelope(h.Name, c, "", long))
		got := anyID.ReplaceAllString(texts(t, answer), "compact show ID")
		if want := reduced(u, c, "mcp__demo__big", "", long); !strings.Contains(got, want) {
			t.Errorf("the model reads %.400q, want %.400q; log %q", got, want, u.log())
		}
	})
}

// CH10, CH12: a project's settings win over the user's, and its rule replaces
// the built-in one.
func TestCH10Precedence(t *testing.T) {
	t.Parallel()
	each(t, "", func(t *testing.T, u *user, h host.Host, c hostCall) {
		event := u.envelope(h.Name, c, "seq 1 1500", numbered(1500, "lines of it"))
		u.file(filepath.Join(u.home, "config.toml"), "[compact]\nenabled = false\n")
		if answer, _ := u.hook(h.Name, event); answer != "" {
			t.Errorf("turned off by the user: %.200q", answer)
		}
		u.file(filepath.Join(u.dir, ".cairn", "config.toml"), "[compact]\nenabled = true\n")
		if answer, _ := u.hook(h.Name, event); answer != "" {
			t.Errorf("turned on by a project that nobody trusts: %.200q", answer)
		}
		u.trust()
		if answer, _ := u.hook(h.Name, event); answer == "" {
			t.Errorf("turned on by the project: no answer; log %q", u.log())
		}
	})
}

func TestCH12ProjectRule(t *testing.T) {
	t.Parallel()
	each(t, "shell", func(t *testing.T, u *user, h host.Host, c hostCall) {
		u.file(filepath.Join(u.dir, ".cairn", "rules", "go.json"),
			`{"id": "tests/go", "extends": null, "match": {"commands": ["go test"]}, "primitives": {"filter": {"drop": ["lines of it$"]}}}`)
		u.trust()
		event := u.envelope(h.Name, c, "go test ./...", numbered(1500, "lines of it")+"kept")
		answer, _ := u.hook(h.Name, event)
		if got := texts(t, answer); !strings.Contains(got, "kept") || strings.Contains(got, "lines of it") {
			t.Errorf("the model reads %.300q; log %q", got, u.log())
		}
	})
}

// CH11: CAIRN_RAW=1 leaves everything as it is.
func TestCH11Raw(t *testing.T) {
	t.Parallel()
	each(t, "", func(t *testing.T, u *user, h host.Host, c hostCall) {
		event := u.envelope(h.Name, c, "seq 1 1500", numbered(1500, "lines of it"))
		if answer, _ := u.hook(h.Name, event, "CAIRN_RAW=1"); answer != "" {
			t.Errorf("answered %.200q", answer)
		}
		if answer, _ := u.hook(h.Name, event); answer == "" {
			t.Error("the control is not answered")
		}
	})
}

// CH14: whatever comes, a hook exits 0 with nothing or an answer, in time.
func TestCH14FailsOpen(t *testing.T) {
	each(t, "", func(t *testing.T, u *user, h host.Host, c hostCall) {
		event := u.envelope(h.Name, c, "seq 1 1500", numbered(1500, "lines of it"))
		for name, stdin := range map[string][]byte{
			"nothing": nil, "garbage": []byte("\x00\xff{"), "half": event[:len(event)/2], "twice": append(event[:len(event):len(event)], event...),
			"null": []byte("null"), "an array": []byte("[]"), "other types": []byte(`{"hook_event_name": 1, "tool_name": [], "tool_response": {"a": "b"}}`),
			"no response": []byte(fmt.Sprintf(`{"hook_event_name": %q, "tool_name": %q}`, h.ReplaceEvent, h.ReplaceTools[0])),
			"nested":      bytes.Repeat([]byte(`{"tool_response":`), 50_000),
		} {
			begin := time.Now()
			if answer, errs := u.hook(h.Name, stdin); answer != "" || errs != "" {
				t.Errorf("%s: printed %.200q, %.200q", name, answer, errs)
			}
			if took := time.Since(begin); took > 4*time.Second {
				t.Errorf("%s: %v", name, took)
			}
		}
		// A rule that cannot be used, and a home that cannot be written.
		u.file(filepath.Join(u.dir, ".cairn", "rules", "bad.json"), "{")
		if err := os.RemoveAll(u.home); err != nil {
			t.Fatal(err)
		}
		u.file(u.home, "a file in its place")
		if answer, _ := u.hook(h.Name, event); answer == "" {
			t.Error("a home that cannot be written costs the answer")
		}
	})
}

// agent runs cairn as its user does.
func (u *user) agent(args ...string) (string, error) {
	cmd := exec.Command(u.cairn, args...)
	cmd.Dir, cmd.Env = u.dir, u.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}
