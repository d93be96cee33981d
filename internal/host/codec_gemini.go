package host

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Gemini CLI's own names of tools.
const (
	geminiShell = "run_shell_command"
	geminiRead  = "read_file"
)

// geminiClip is what Gemini CLI makes of the output of a command after hooks
// had it: the first 8,000 and the last 32,000 characters, and a file's name.
var geminiClip = Clip{Over: 40_000, Keep: 40_200}

// decodeGemini reads Gemini CLI's envelopes, as observed with 0.61.0
// (testdata). They come before the host clips a result.
func decodeGemini(data []byte) (Event, error) {
	m, err := cut(data)
	if err != nil {
		return Event{}, fmt.Errorf("%w: %w", ErrEvent, err)
	}
	var ev Event
	var name, transcript, stamp string
	err = errors.Join(m.read("hook_event_name", &name), m.read("session_id", &ev.Session), m.read("cwd", &ev.Cwd),
		m.read("tool_name", &ev.Tool), m.read("transcript_path", &transcript), m.read("timestamp", &stamp))
	var in struct {
		Command    string `json:"command"`
		Background bool   `json:"is_background"`
		File       string `json:"file_path"`
		Start      *int   `json:"start_line"`
		End        *int   `json:"end_line"`
	}
	if raw := m.get("tool_input"); raw != nil && (ev.Tool == geminiShell || ev.Tool == geminiRead) {
		err = errors.Join(err, json.Unmarshal(raw, &in))
	}
	if err != nil {
		return Event{}, fmt.Errorf("%w: %w", ErrEvent, err)
	}
	ev.Command, ev.Background = in.Command, in.Background
	if name != "AfterTool" {
		return ev, nil
	}
	ev.Kind = CallEnded
	response, err := cut(m.get("tool_response"))
	content := response.get("llmContent")
	if err != nil || content == nil || response.has("error") {
		return ev, nil // of a tool that failed, the model gets another shape than we could give it
	}
	var f frame
	var ok bool
	out := &Output{}
	switch tool := ev.Tool; {
	case tool == geminiShell:
		ev.Tool = "Bash"
		ev.ExitCode, f, ok = geminiCommand(content)
	case tool == geminiRead:
		ev.Tool, out.File, out.Range = "Read", in.File, in.Start != nil || in.End != nil
		ok = json.Unmarshal(content, &f.text) == nil
	case strings.HasPrefix(tool, "mcp_"):
		if ev.Tool = geminiMCP(m.get("mcp_context")); ev.Tool != "" {
			f, ok = geminiBlock(content)
		}
	}
	file := geminiFile(transcript, ev.Session, stamp, f.text)
	if !ok || file == "" || geminiForbids(filepath.Join(filepath.Dir(file), "../../../.."), ev.Cwd) != "" {
		return ev, nil
	}
	out.Texts = []string{f.text}
	if ev.Tool == "Bash" && len(f.text) > geminiClip.Over {
		out.Passed = geminiClip.Keep
	}
	out.Encode = func(texts []string) ([]byte, error) {
		return geminiAnswer(file, f.before+strings.TrimSuffix(texts[0], "\n")+f.after)
	}
	ev.Output = out
	return ev, nil
}

// A frame is a text with what the host puts around it.
type frame struct{ before, text, after string }

const (
	untrusted    = "<untrusted_context>\n"
	untrustedEnd = "\n</untrusted_context>"
)

// unwrap takes off the marks by which a model knows what not to obey.
func (f *frame) unwrap() {
	text, begins := strings.CutPrefix(f.text, untrusted)
	text, ends := strings.CutSuffix(text, untrustedEnd)
	if begins && ends {
		f.before, f.text, f.after = untrusted, text, untrustedEnd
	}
}

// geminiCommand takes apart "Output: …", then lines about how the command
// ended, of which there may be any: Exit Code (not 0), Signal, Background PIDs,
// Process Group PGID. A command in the background has another text.
func geminiCommand(content json.RawMessage) (exit *int, f frame, ok bool) {
	if json.Unmarshal(content, &f.text) != nil {
		return nil, f, false
	}
	f.unwrap()
	const output = "Output: "
	if f.text, ok = strings.CutPrefix(f.text, output); !ok {
		return nil, f, false
	}
	f.before += output
	exit = new(int)
	for _, label := range []string{"Process Group PGID: ", "Background PIDs: ", "Signal: ", "Exit Code: "} {
		at := strings.LastIndexByte(f.text, '\n')
		value, is := strings.CutPrefix(f.text[at+1:], label)
		if at < 0 || !is {
			continue
		}
		f.text, f.after = f.text[:at], f.text[at:]+f.after
		switch label {
		case "Signal: ":
			*exit = -1
		case "Exit Code: ":
			code, err := strconv.Atoi(value)
			if err != nil {
				return nil, f, false
			}
			*exit = code
		}
	}
	return exit, f, true
}

// geminiBlock takes apart the result of an MCP tool that is one text.
func geminiBlock(content json.RawMessage) (f frame, ok bool) {
	var blocks []map[string]json.RawMessage
	if json.Unmarshal(content, &blocks) != nil || len(blocks) != 1 || len(blocks[0]) != 1 {
		return f, false
	}
	ok = json.Unmarshal(blocks[0]["text"], &f.text) == nil
	f.unwrap()
	return f, ok
}

// geminiMCP is the name that rules have for an MCP tool; "" for one that is
// not a server's of the user: an agent of the host's own may have it, which
// has no read_file.
func geminiMCP(context json.RawMessage) string {
	var c struct {
		Server string `json:"server_name"`
		Tool   string `json:"tool_name"`
	}
	if json.Unmarshal(context, &c) != nil || c.Server == "" {
		return ""
	}
	return "mcp__" + c.Server + "__" + c.Tool
}

// geminiFile is the file for a text: among those in which the host itself
// keeps long outputs of a session, where its read_file may look and which it
// removes with the session. "" when the envelope names no such place.
func geminiFile(transcript, session, stamp, text string) string {
	chats := filepath.Dir(transcript)
	if filepath.Base(chats) != "chats" || session == "" || session != filepath.Base(session) {
		return ""
	}
	sum := sha256.Sum256([]byte(stamp + text))
	return filepath.Join(filepath.Dir(chats), "tool-outputs", "session-"+session, "cairn-"+hex.EncodeToString(sum[:6])+".txt")
}

// What read_file passes on whole.
const (
	geminiLines = 2000
	geminiLine  = 2000 // characters
)

// geminiAnswer is the answer by which the model gets text for the result: the
// only one that leaves a success a success is to have another tool called,
// whose result counts instead. Without an answer the result stays.
func geminiAnswer(file, text string) ([]byte, error) {
	all := strings.Split(text, "\n")
	for _, line := range all {
		if len(all) > geminiLines || len(line) > geminiLine {
			return nil, nil
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	type call struct {
		Name string            `json:"name"`
		Args map[string]string `json:"args"`
	}
	return json.Marshal(map[string]any{"hookSpecificOutput": struct {
		Event string `json:"hookEventName"`
		Tail  call   `json:"tailToolCallRequest"`
	}{"AfterTool", call{geminiRead, map[string]string{"file_path": file}}}})
}
