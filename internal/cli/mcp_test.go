package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cairn/internal/mcp/mcpcmd"
	"cairn/internal/tokens"
)

// connect starts `cairn mcp` and connects the SDK's client to it.
func (u *user) connect(args ...string) *mcp.ClientSession {
	u.Helper()
	cmd := exec.Command(u.cairn, append([]string{"mcp"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = u.dir, u.env, u.Output()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := c.Connect(u.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		u.Fatal(err)
	}
	u.Cleanup(func() { s.Close() })
	return s
}

// ask calls a tool and returns its text.
func (u *user) ask(s *mcp.ClientSession, tool string, args map[string]any) (text string, res *mcp.CallToolResult) {
	u.Helper()
	res, err := s.CallTool(u.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		u.Fatalf("%s: %v", tool, err)
	}
	if len(res.Content) != 1 {
		u.Fatalf("%s: %d parts", tool, len(res.Content))
	}
	return res.Content[0].(*mcp.TextContent).Text, res
}

// says runs cairn in the project and returns what it printed.
func (u *user) says(args ...string) string {
	u.Helper()
	cmd := exec.Command(u.cairn, args...)
	cmd.Dir, cmd.Env = u.dir, u.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		u.Logf("cairn %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// evals makes two runs of ten cases; in the second the last four fail.
func (u *user) evals() {
	u.Helper()
	for i, label := range []string{"before", "after"} {
		type test struct {
			Name   string `json:"name"`
			Passed bool   `json:"passed"`
		}
		var tests []test
		for n := range 10 {
			tests = append(tests, test{fmt.Sprintf("case %d", n), n < 10-4*i})
		}
		data, err := json.Marshal(map[string]any{
			"schema_version": 1, "version": "1", "suite": "answers", "label": label,
			"timestamp": fmt.Sprintf("2026-01-0%dT10:00:00Z", i+1), "tests": tests,
		})
		if err != nil {
			u.Fatal(err)
		}
		file := filepath.Join(u.dir, label+".json")
		u.file(file, string(data))
		u.Log(u.says("eval", "push", file))
	}
}

// A tool says what the command says, word for word.
func TestMCPSaysWhatTheCommandsSay(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.says("plan", "init", "--name", "Widget")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=Ann", "-c", "user.email=ann@example.com", "commit", "-qm", "begin"}} {
		cmd := exec.Command("git", args...)
		if cmd.Dir = u.dir; cmd.Run() != nil {
			t.Fatalf("git %v", args)
		}
	}
	u.says("plan", "phase", "add", "First steps")
	u.evals()
	u.hook("claude", bashEvent(u.dir, "make", numbered(3000, "of it")))
	s := u.connect("--json")
	now := regexp.MustCompile(`"now": ?"[^"]*"`) // a second may pass between the two
	for _, tt := range []struct {
		tool string
		args map[string]any
		cli  []string
	}{
		{"plan_progress", nil, []string{"plan", "progress"}},
		{"plan_next", nil, []string{"plan", "next"}},
		{"plan_context", map[string]any{"workflow": "plan-phase", "subject": 1}, []string{"plan", "context", "plan-phase", "1"}},
		{"gate", map[string]any{"name": "ready", "phase": "1", "stage": "execute"}, []string{"plan", "gate", "ready", "1", "--stage", "execute"}},
		{"gate", map[string]any{"name": "all", "phase": 1}, []string{"plan", "gate", "all", "1"}},
		{"eval_list", nil, []string{"eval", "list"}},
		{"eval_list", map[string]any{"limit": 1}, []string{"eval", "list", "-n", "1"}},
		{"eval_list", map[string]any{"suite": "none"}, []string{"eval", "list", "--suite", "none"}},
		{"eval_compare", map[string]any{"a": "before", "b": "after"}, []string{"eval", "compare", "before", "after"}},
		{"eval_compare", map[string]any{"a": "before.json", "b": "after.json", "limit": 1}, []string{"eval", "compare", "before.json", "after.json", "-n", "1"}},
		{"eval_trend", nil, []string{"eval", "trend"}},
		{"eval_trend", map[string]any{"of": "case 9"}, []string{"eval", "trend", "case 9"}},
		{"retro", map[string]any{"days": 30}, []string{"retro", "30d"}},
		{"compact_show", map[string]any{"grep": "^299[0-9] "}, []string{"compact", "show", "--last", "--grep", "^299[0-9] "}},
		{"compact_show", map[string]any{"lines": "10-12"}, []string{"compact", "show", "--last", "--lines", "10-12"}},
	} {
		want := u.says(tt.cli...)
		got, res := u.ask(s, tt.tool, tt.args)
		if now.ReplaceAllString(got, "") != now.ReplaceAllString(want, "") || res.IsError || want == "" {
			t.Errorf("%s %v says\n%s\ncairn %s says\n%s", tt.tool, tt.args, got, strings.Join(tt.cli, " "), want)
		}
		if data, ok := res.StructuredContent.(map[string]any); (!ok || len(data) == 0) && tt.tool != "compact_show" {
			t.Errorf("%s: data %v", tt.tool, res.StructuredContent)
		}
	}
	long, _ := u.ask(s, "compact_show", nil)
	if want := "lines \"3001-\" goes on]\n"; strings.Contains(long, want) || !strings.HasSuffix(long, "3000 of it\n") {
		t.Errorf("ends with %q", long[max(0, len(long)-200):])
	}
	// An error says what the command says, and what to do.
	for _, tt := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"eval_compare", map[string]any{"a": "nobody"}, "hint: cairn eval list shows the runs"},
		{"plan_context", map[string]any{"workflow": "execute-phase", "subject": "x"}, "phase x: is neither in the roadmap nor on disk"},
		{"gate", map[string]any{"name": "ready", "phase": "9"}, "has no phase 9"},
		{"gate", map[string]any{"name": "ship", "stage": "plan"}, `gate ship has no stage "plan"`},
		{"compact_show", map[string]any{"id": "../../etc/passwd"}, "hint: "},
		{"compact_show", map[string]any{"grep": "("}, "missing closing"},
		{"retro", map[string]any{"days": 9999}, "invalid period"},
		{"team_pulse", nil, "this repository has no team"},
	} {
		if got, res := u.ask(s, tt.tool, tt.args); !res.IsError || !strings.Contains(got, tt.want) {
			t.Errorf("%s %v: %q, want %q", tt.tool, tt.args, got, tt.want)
		}
	}
	docs, err := s.ListResources(t.Context(), nil)
	if err != nil || len(docs.Resources) != 4 {
		t.Fatalf("%v: %+v", err, docs)
	}
	state, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "cairn://plan/STATE.md"})
	onDisk, _ := os.ReadFile(filepath.Join(u.dir, ".planning", "STATE.md"))
	if err != nil || state.Contents[0].Text != string(onDisk) || len(onDisk) == 0 {
		t.Errorf("%v: %+v", err, state)
	}
}

// What a session pays for our tools, whether or not it calls one. An agent
// that loads them as needed pays for their names alone.
func TestMCPCost(t *testing.T) {
	t.Parallel()
	const most = 950 // tokens
	u := newUser(t)
	s := u.connect()
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	total := tokens.Estimate(s.InitializeResult().Instructions)
	for _, tool := range list.Tools {
		if tool.Annotations == nil || !tool.Annotations.ReadOnlyHint || tool.Description == "" {
			t.Errorf("%s: %+v", tool.Name, tool.Annotations)
		}
		data, err := json.Marshal(map[string]any{"name": tool.Name, "description": tool.Description, "input_schema": tool.InputSchema})
		if err != nil {
			t.Fatal(err)
		}
		total += tokens.Estimate(string(data))
	}
	t.Logf("%d tools, %d tokens", len(list.Tools), total)
	if total > most {
		t.Errorf("the tools cost %d tokens, more than %d", total, most)
	}
}

// Where there is nothing, every tool says so and the server goes on; fifty
// calls at once get each their own answer.
func TestMCPNothingThere(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	s := u.connect()
	var wg sync.WaitGroup
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for i := range 50 {
		wg.Go(func() {
			tool := []string{"plan_progress", "plan_next", "gate", "eval_list", "eval_compare", "eval_trend", "team_pulse", "compact_show"}[i%8]
			res, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"gate": map[string]any{"name": "all"}}[tool]})
			if err != nil || len(res.Content) != 1 || res.Content[0].(*mcp.TextContent).Text == "" || res.StructuredContent != nil {
				t.Errorf("%s: %v, %+v", tool, err, res)
			}
		})
	}
	wg.Wait()
	if list, err := s.ListResources(t.Context(), nil); err != nil || len(list.Resources) != 0 {
		t.Errorf("%v: %+v", err, list)
	}
	if runtime.GOOS != "windows" { // what waits for a writer would keep the tool, and what has no end
		if text, res := u.ask(s, "eval_compare", map[string]any{"a": os.DevNull}); !res.IsError || !strings.Contains(text, "is not a regular file") {
			t.Errorf("a device as a run: %q", text)
		}
	}
	if err := os.RemoveAll(u.dir); err != nil {
		t.Skip("the directory cannot be removed while a process is in it")
	}
	if text, res := u.ask(s, "plan_progress", nil); !res.IsError {
		t.Errorf("without a directory: %q", text)
	}
}

// The page names every tool with its arguments, and commands that there are.
func TestMCPPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) == 5 {
			rows[strings.Trim(cells[1], " `")] = cells
		}
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	for _, tool := range mcpcmd.Tools(&Env{Getenv: os.Getenv}, declared(nil)) {
		row := rows[tool.Name]
		if row == nil {
			t.Errorf("the page does not have %s", tool.Name)
			continue
		}
		for _, p := range tool.Params {
			if !strings.Contains(row[2], "`"+p.Name+"`") {
				t.Errorf("%s: the page does not have its argument %s", tool.Name, p.Name)
			}
		}
	}
	commands := 0
	for _, m := range quoted.FindAllStringSubmatch(string(page), -1) {
		_, line, ok := strings.Cut(m[1], "cairn ")
		words := strings.Fields(line)
		if !ok || strings.HasPrefix(m[1], "codex") || strings.HasPrefix(m[1], "gemini") || strings.HasPrefix(m[1], "npx") || len(words) == 0 {
			continue
		}
		if words[0] == "--" {
			words = words[2:]
		}
		cmd, rest, err := newRootFor(&Env{Getenv: os.Getenv}, words).Find(words)
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err != nil || cmd.HasSubCommands() {
			t.Errorf("%s: %v", m[1], err)
		}
		commands++
	}
	if commands < 12 {
		t.Errorf("%d commands", commands)
	}
}

// However a client goes, the server ends by itself and says nothing odd.
func TestMCPEnds(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
	for _, tt := range []struct {
		name string
		end  func(in io.Closer, out io.Closer, p *os.Process)
	}{
		{"stdin ends", func(in, _ io.Closer, _ *os.Process) { in.Close() }},
		{"nobody reads", func(in, out io.Closer, _ *os.Process) {
			out.Close()
			_, _ = io.WriteString(in.(io.Writer), `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n")
			in.Close()
		}},
		{"SIGTERM", func(_, _ io.Closer, p *os.Process) { _ = p.Signal(syscall.SIGTERM) }},
		{"an interrupt", func(_, _ io.Closer, p *os.Process) { _ = p.Signal(os.Interrupt) }},
	} {
		if runtime.GOOS == "windows" && tt.name != "stdin ends" {
			continue
		}
		var said bytes.Buffer
		cmd := exec.Command(u.cairn, "mcp")
		cmd.Dir, cmd.Env, cmd.Stderr = u.dir, u.env, &said
		in, _ := cmd.StdinPipe()
		out, _ := cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, hello); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"serverInfo"`) {
			t.Fatalf("%q: %v", line, err)
		}
		tt.end(in, out, cmd.Process)
		if err := cmd.Wait(); tt.name != "nobody reads" && (err != nil || said.Len() > 0) || strings.Contains(said.String(), "goroutine") {
			t.Errorf("%s: %v, said %q", tt.name, err, said.String())
		}
	}
}
