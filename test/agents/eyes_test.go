//go:build agents

package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// eyes is a model that follows its eyes: it knows of a file what it was shown
// and what it wrote, and edits what it knows. It asks for Reads far more often
// than it would have to.
type eyes struct {
	mu     sync.Mutex
	rng    *rand.Rand
	file   string
	turns  []turn
	lines  []string // of the file, as the model believes; "" where it was not shown one
	stale  bool     // a command has changed the file
	failed []string // what went wrong with its eyes open
	chars  int      // of results of Read
	short  int      // Reads that were answered in part
}

// A turn is a call of the model's, and what it does with the result.
type turn struct {
	name  string
	input map[string]any
	then  func(result string, failed bool)
}

const eyesTurns = 60

// next decides for a call. What it decides does not depend on how much of a
// file it was shown, so that a session with cairn and one without do the same.
func (e *eyes) next() turn {
	n := len(e.turns)
	switch kind := e.rng.IntN(10); {
	case n == 0 || e.stale || kind < 4 || n == eyesTurns-1:
		e.stale = false
		return turn{"Read", map[string]any{"file_path": e.file}, func(r string, _ bool) { e.read(r, 1) }}
	case kind < 5:
		from := 1 + e.rng.IntN(len(e.lines)-200)
		return turn{"Read", map[string]any{"file_path": e.file, "offset": from, "limit": 150}, func(r string, _ bool) { e.read(r, from) }}
	case kind < 6:
		// Somebody else changes one line and puts one in.
		e.stale = true
		at := 5 + e.rng.IntN(len(e.lines)-10)
		command := fmt.Sprintf("sed -i -e '%ds/$/ \\/\\/ formatted in turn %d/' -e '%di // put in by turn %d' %s", at, n, at+2, n, e.file)
		return turn{"Bash", map[string]any{"command": command, "description": "format"}, func(string, bool) {}}
	}
	at := e.rng.IntN(len(e.lines))
	for strings.TrimSpace(e.lines[at]) == "" || e.count(e.lines[at]) != 1 {
		at = (at + 1) % len(e.lines)
	}
	old := e.lines[at]
	put := []string{old + " // edited in turn " + strconv.Itoa(n)}
	if e.rng.IntN(2) == 0 {
		put = append(put, fmt.Sprintf("\t// a line more, of turn %d", n))
	}
	return turn{"Edit", map[string]any{"file_path": e.file, "old_string": old, "new_string": strings.Join(put, "\n")}, func(r string, failed bool) {
		if failed {
			e.failed = append(e.failed, fmt.Sprintf("turn %d: the Edit of %q fails: %s", n, old, r))
			return
		}
		e.lines = append(append(e.lines[:at:at], put...), e.lines[at+1:]...)
	}}
}

func (e *eyes) count(part string) (n int) {
	for _, line := range e.lines {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}

var (
	rowSeen  = regexp.MustCompile(`^\s*(\d+)\t(.*)$`)
	restSeen = regexp.MustCompile(`^\[cairn: lines (\d+)(?:–(\d+))?(?: \(.* before\))? are unchanged since your `)
)

// read takes in what a Read of the lines from one on shows.
func (e *eyes) read(result string, from int) {
	e.chars += len(result)
	var shown, head, tail []string
	first := 0
	for _, row := range strings.Split(result, "\n") {
		m := rowSeen.FindStringSubmatch(row)
		if m == nil {
			continue
		}
		number, _ := strconv.Atoi(m[1])
		if strings.HasPrefix(m[2], "[cairn: unchanged since your ") {
			e.short++
			return
		}
		if rest := restSeen.FindStringSubmatch(m[2]); rest != nil {
			a, _ := strconv.Atoi(rest[1])
			b := a
			if rest[2] != "" {
				b, _ = strconv.Atoi(rest[2])
			}
			if shown == nil {
				e.short++
				head = e.lines[a-1 : b]
				if from == 1 {
					first = 1
				} else {
					first = a
				}
				continue
			}
			if head == nil {
				e.short++
			}
			if from == 1 { // to the file's end, wherever that is now
				tail = e.lines[len(e.lines)-(b-a+1):]
			} else {
				tail = e.lines[a-1 : b]
			}
			continue
		}
		if shown == nil && first == 0 {
			first = number
		}
		if number != first+len(head)+len(shown) {
			e.failed = append(e.failed, fmt.Sprintf("line %d stands where %d should: %q", number, first+len(head)+len(shown), row))
		}
		shown = append(shown, m[2])
	}
	all := append(append(append([]string(nil), head...), shown...), tail...)
	if from == 1 {
		e.lines = all
		return
	}
	copy(e.lines[first-1:], all)
}

// ServeHTTP answers as the Messages API does.
func (e *eyes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Model    string
		Stream   bool
		Tools    []json.RawMessage
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if strings.Contains(r.URL.Path, "count_tokens") {
		fmt.Fprint(w, `{"input_tokens": 1000}`)
		return
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	block := map[string]any{"type": "text", "text": "done"}
	stop := "end_turn"
	if len(body.Tools) > 0 {
		said := 0
		var results []json.RawMessage
		for _, m := range body.Messages {
			results = append(results, m.Content)
			if m.Role == "assistant" {
				said++
			}
		}
		if call := e.call(said, results); call != nil {
			block, stop = call, "tool_use"
		}
	}
	usage := map[string]any{"input_tokens": 100, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
	message := map[string]any{"id": fmt.Sprintf("msg_eyes_%d", len(body.Messages)), "type": "message", "role": "assistant", "model": body.Model, "content": []any{block}, "stop_reason": stop, "stop_sequence": nil, "usage": usage}
	if !body.Stream {
		_ = json.NewEncoder(w).Encode(message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(name string, data map[string]any) {
		data["type"] = name
		text, _ := json.Marshal(data)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, text)
	}
	message["content"], message["stop_reason"] = []any{}, nil
	event("message_start", map[string]any{"message": message})
	delta := map[string]any{"type": "text_delta", "text": "done"}
	if stop == "tool_use" {
		input, _ := json.Marshal(block["input"])
		delta = map[string]any{"type": "input_json_delta", "partial_json": string(input)}
		block["input"] = map[string]any{}
	} else {
		block["text"] = ""
	}
	event("content_block_start", map[string]any{"index": 0, "content_block": block})
	event("content_block_delta", map[string]any{"index": 0, "delta": delta})
	event("content_block_stop", map[string]any{"index": 0})
	event("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 20}})
	event("message_stop", map[string]any{})
}

// call is the call of a turn, nil after the last. It takes in the result of the
// one before.
func (e *eyes) call(n int, messages []json.RawMessage) map[string]any {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			e.failed = append(e.failed, fmt.Sprintf("turn %d: %v", n, p))
		}
	}()
	if n == len(e.turns) { // else the agent asks once more
		if n > 0 {
			for _, m := range messages {
				var results []struct {
					Type    string
					ID      string `json:"tool_use_id"`
					IsError bool   `json:"is_error"`
					Content json.RawMessage
				}
				_ = json.Unmarshal(m, &results) // a text has none
				for _, r := range results {
					if r.Type == "tool_result" && r.ID == fmt.Sprintf("toolu_eyes_%d", n-1) {
						e.turns[n-1].then(reminder.ReplaceAllString(contentText(r.Content), ""), r.IsError)
					}
				}
			}
		}
		if n == eyesTurns {
			return nil
		}
		e.turns = append(e.turns, e.next())
	}
	if n >= len(e.turns) {
		return nil
	}
	t := e.turns[n]
	return map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_eyes_%d", n), "name": t.name, "input": t.input}
}

// A model that believes what it is shown edits as rightly with short answers as
// with whole ones: every Edit finds its text, and in the end the model knows the
// file as it is.
func TestFollowsItsEyes(t *testing.T) {
	if harness == "" || hosts == "" {
		t.Skip("CAIRN_HARNESS and HOSTS_DIR name no harness and no agents")
	}
	binary := filepath.Join(t.TempDir(), "cairn")
	run(t, "../..", "go", "build", "-o", binary, ".")
	for seed := range uint64(3) {
		var files [2]string
		var models [2]*eyes
		for i, install := range []bool{false, true} {
			root := t.TempDir()
			dir, home := filepath.Join(root, "project"), filepath.Join(root, "home")
			file := filepath.Join(dir, "source.go")
			for _, d := range []string{dir, filepath.Join(home, ".claude")} {
				if err := os.MkdirAll(d, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			write(t, file, source("same"))
			write(t, filepath.Join(home, ".claude", "settings.json"), "{}\n")
			if install {
				cmd := exec.Command(binary, "install", "claude", "--only", "compact")
				cmd.Env = append(os.Environ(), "HOME="+home, "CLAUDE_CONFIG_DIR=", "CAIRN_HOME=")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			model := &eyes{rng: rand.New(rand.NewPCG(seed, 7)), file: file}
			server := httptest.NewServer(model)
			name := fmt.Sprintf("agents-test-eyes-%d-%d", seed, i)
			cmd := exec.Command("node", filepath.Join(harness, "run.mjs"), "claude", "--name", name, "--scenario", `{"steps":[]}`,
				"--home", home, "--cwd", dir, "--timeout", "900", "--env", "ANTHROPIC_BASE_URL="+server.URL)
			cmd.Env = append(os.Environ(), "HOSTS_DIR="+hosts)
			said, err := cmd.CombinedOutput()
			server.Close()
			if err != nil || len(model.turns) != eyesTurns {
				t.Fatalf("%v: %d turns\n%s", err, len(model.turns), said)
			}
			if !*keep {
				os.RemoveAll(filepath.Join(hosts, "runs", name))
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			files[i], models[i] = string(data), model
			for _, f := range model.failed {
				t.Errorf("seed %d, with cairn %v: %s", seed, install, f)
			}
			// The host shows no line after the last line feed, or an empty one.
			if got := strings.Join(model.lines, "\n"); strings.TrimRight(got, "\n") != strings.TrimRight(files[i], "\n") {
				t.Errorf("seed %d, with cairn %v: the model believes in another file", seed, install)
			}
			if log, err := os.ReadFile(filepath.Join(home, ".cairn/log/hook.log")); err == nil && len(bytes.TrimSpace(log)) > 0 {
				t.Errorf("the hook complains: %s", log)
			}
		}
		if files[0] != files[1] {
			t.Errorf("seed %d: with cairn the session ends with another file", seed)
		}
		if models[1].short < 5 || models[0].short > 0 {
			t.Errorf("seed %d: %d short answers, %d without cairn", seed, models[1].short, models[0].short)
		}
		t.Logf("seed %d: Reads showed %d characters, with cairn %d; %d answers were short", seed, models[0].chars, models[1].chars, models[1].short)
	}
}
