package host

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Gemini CLI's own names of tools.
const (
	geminiShell = "run_shell_command"
	geminiRead  = "read_file"
	geminiGrep  = "grep_search"
	geminiGlob  = "glob"
	geminiWrite = "write_file"
	geminiEdit  = "replace"
)

// geminiRefuse is the answer by which a call does not run.
func geminiRefuse(why string) ([]byte, error) {
	return json.Marshal(map[string]string{"decision": "deny", "reason": why})
}

// geminiPrefix begins the name of each file of ours.
const geminiPrefix = "cairn-"

// geminiClip is what Gemini CLI makes of the output of a command after hooks
// had it: the first 8,000 and the last 32,000 characters, and a file's name.
var geminiClip = Clip{Over: 40_000, Keep: 40_200}

// decodeGemini reads Gemini CLI's envelopes, as observed with 0.61.0
// (testdata). They come before the host clips a result.
func decodeGemini(data []byte) (Event, error) {
	m, err := cut(data)
	if err != nil {
		return Event{}, wrong(err)
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
		Content    string `json:"content"`
		New        string `json:"new_string"`
	}
	if raw := m.get("tool_input"); raw != nil && slices.Contains([]string{geminiShell, geminiRead, geminiWrite, geminiEdit}, ev.Tool) {
		err = errors.Join(err, json.Unmarshal(raw, &in))
	}
	if err != nil {
		return Event{}, wrong(err)
	}
	ev.Command, ev.Background = in.Command, in.Background
	switch ev.Tool {
	case geminiWrite:
		ev.Tool, ev.File, ev.Text = "Write", in.File, in.Content
	case geminiEdit:
		ev.Tool, ev.File, ev.Text = "Edit", in.File, in.New
	}
	switch name {
	case "SessionStart":
		ev.Kind, ev.Advise = SessionBegan, contextFor(name)
		return ev, nil
	case "BeforeTool":
		if ev.Tool == geminiShell {
			ev.Tool = "Bash"
		}
		ev.Kind, ev.Refuse = CallBegins, geminiRefuse
		return ev, nil
	case "AfterTool":
		ev.Kind, ev.Advise = CallEnded, geminiAdvise
	default:
		return ev, nil
	}
	response, err := cut(m.get("tool_response"))
	content := response.get("llmContent")
	if err != nil || content == nil || response.has("error") {
		return ev, nil // of a tool that failed, the model gets another shape than we could give it
	}
	var f framed
	var ok bool
	out := &Output{}
	switch tool := ev.Tool; {
	case tool == geminiShell:
		ev.Tool = "Bash"
		ev.ExitCode, f, ok = geminiCommand(content)
	case tool == geminiRead:
		ev.Tool, out.File, out.Range, out.Rest = "Read", in.File, in.Start != nil || in.End != nil, "read_file with start_line %d"
		ok = json.Unmarshal(content, &f.text) == nil && !strings.HasPrefix(filepath.Base(in.File), geminiPrefix) // an answer of ours
	case tool == geminiGrep, tool == geminiGlob:
		ev.Tool, f, ok = geminiSearch(content)
	case tool == "web_fetch", tool == "google_web_search":
		ev.Tool = "WebFetch"
		_ = json.Unmarshal(content, &f.text) // or there is no text
	case strings.HasPrefix(tool, "mcp_"):
		if ev.Tool = geminiMCP(m.get("mcp_context")); ev.Tool != "" {
			f, ok = geminiBlock(content)
		}
	}
	ev.File, ev.Texts = cmp.Or(ev.File, in.File), []string{f.text}
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

// geminiFile is the file for a text: among those in which the host itself
// keeps long outputs of a session, where its read_file may look and which it
// removes with the session. "" when the envelope names no such place.
func geminiFile(transcript, session, stamp, text string) string {
	chats := filepath.Dir(transcript)
	if filepath.Base(chats) != "chats" || session == "" || session != filepath.Base(session) {
		return ""
	}
	sum := sha256.Sum256([]byte(stamp + text))
	return filepath.Join(filepath.Dir(chats), "tool-outputs", "session-"+session, geminiPrefix+hex.EncodeToString(sum[:6])+".txt")
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
	var a geminiTail
	a.Specific.Event, a.Specific.Tail.Name = "AfterTool", geminiRead
	a.Specific.Tail.Args.File = file
	return json.Marshal(a)
}

// geminiTail is the answer that has read_file called.
type geminiTail struct {
	Specific struct {
		Event string `json:"hookEventName"`
		Tail  struct {
			Name string `json:"name"`
			Args struct {
				File string `json:"file_path"`
			} `json:"args"`
		} `json:"tailToolCallRequest"`
	} `json:"hookSpecificOutput"`
}

// geminiAdvise: beside another tool's call the host drops what is said, so it
// goes into the file that is read.
func geminiAdvise(answer []byte, text string) ([]byte, error) {
	if len(answer) == 0 {
		return contextFor("AfterTool")(nil, text)
	}
	var a geminiTail
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(a.Specific.Tail.Args.File, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	_, err = f.WriteString("\n\n" + text)
	return answer, errors.Join(err, f.Close())
}
