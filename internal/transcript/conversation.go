package transcript

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Conversation is a session as people see it: what was said, and which tools
// were called in between. What the tools returned is not in it.
type Conversation struct {
	Host           string
	Session        string
	Project        string // the directory the agent worked in
	Messages       []Message
	Started, Ended time.Time // of the first and the last line that has a time
}

// A Message is what one side said.
type Message struct {
	Role  string // user or assistant
	Text  string
	Tools []string // the tools that were called, in order
	Time  time.Time
}

// ErrBusy says that a transcript is being written: it grew while it was read,
// or its last line has no end.
var ErrBusy = errors.New("it is being written")

// IsSession reports whether a file is a session of its own: the transcripts of
// subagents belong to one.
func (f File) IsSession() bool {
	return !strings.HasPrefix(filepath.Base(f.Path), "agent-") && filepath.Base(filepath.Dir(f.Path)) != "subagents"
}

// ReadConversation reads what was said in a session. One without a word gives a
// Conversation without messages.
func ReadConversation(f File) (Conversation, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return Conversation{}, err
	}
	defer file.Close()
	before, err := file.Stat()
	if err != nil {
		return Conversation{}, err
	}
	var end [1]byte
	if n := before.Size(); n > 0 {
		if _, err := file.ReadAt(end[:], n-1); err != nil || end[0] != '\n' {
			return Conversation{}, busy(err)
		}
	}
	t := talk{c: Conversation{Host: f.Host}, file: strings.TrimSuffix(filepath.Base(f.Path), ".jsonl")}
	in := NewLines(io.LimitReader(file, before.Size()))
	for {
		line, err := in.Next()
		if len(line) > 1 && line[0] == '{' {
			t.line(line)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Conversation{}, err
		}
	}
	if after, err := os.Stat(f.Path); err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return Conversation{}, busy(err)
	}
	return t.c, nil
}

// busy is the reason for which a file cannot be read to its end.
func busy(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, fs.ErrNotExist) {
		return ErrBusy
	}
	return err
}

// talk is one file while it is read for what was said.
type talk struct {
	c    Conversation
	file string // its name, which is the session's id with Claude Code
	id   string // of the message of the model that the last line belongs to
}

type talkLine struct {
	line
	Meta bool `json:"isMeta"`
}

func (t *talk) line(raw []byte) {
	var l talkLine
	if !decode(raw, &l) {
		return
	}
	at, _ := time.Parse(time.RFC3339Nano, l.Timestamp)
	switch {
	case l.Payload != nil:
		t.codex(l.Type, l.Payload, at)
	case l.Message != nil && (l.Type == "user" || l.Type == "assistant"):
		t.claude(l, at)
	default:
		t.codexItem(raw, at)
	}
}

// claude takes a line of Claude Code's: not what a subagent or the host said,
// nor what a resumed session copied of another.
func (t *talk) claude(l talkLine, at time.Time) {
	if l.Sidechain || l.Meta || l.Summary || l.SessionID != "" && l.SessionID != t.file && t.c.Session == t.file {
		return
	}
	if l.SessionID == t.file && t.c.Session != t.file { // what stood before was copied
		t.c = Conversation{Host: t.c.Host, Session: l.SessionID}
	} else if t.c.Session == "" {
		t.c.Session = l.SessionID
	}
	t.c.Project = cmp.Or(t.c.Project, l.Cwd)
	var tools []string
	var blocks []claudeBlock
	if json.Unmarshal(l.Message.Content, &blocks) == nil {
		for _, b := range blocks {
			if b.Type == "tool_use" && b.Name != "" {
				tools = append(tools, b.Name)
			}
		}
	}
	text, _ := texts(l.Message.Content)
	t.say(l.Type, l.Message.ID, text, tools, at)
}

func (t *talk) codex(kind string, payload json.RawMessage, at time.Time) {
	switch kind {
	case "session_meta":
		var m codexItem
		if decode(payload, &m); t.c.Session == "" {
			t.c.Session, t.c.Project = m.ID, m.Cwd
		}
	case "response_item":
		t.codexItem(payload, at)
	}
}

func (t *talk) codexItem(raw json.RawMessage, at time.Time) {
	var m codexItem
	if !decode(raw, &m) {
		return
	}
	switch m.Type {
	case "message":
		text, _ := texts(m.Content)
		t.say(m.Role, "", text, nil, at)
	case "function_call", "custom_tool_call", "local_shell_call":
		name := cmp.Or(m.Name, m.Type)
		if _, isShell := codexCommand(m); isShell {
			name = "Bash"
		}
		t.say("assistant", "tools", "", []string{name}, at)
	case "": // the head of the oldest transcripts
		t.c.Session = cmp.Or(t.c.Session, m.ID)
	}
}

// say adds a message, or what a later line has of the same one.
func (t *talk) say(role, id, text string, tools []string, at time.Time) {
	if role != "user" && role != "assistant" {
		return
	}
	if !at.IsZero() {
		if t.c.Started.IsZero() {
			t.c.Started = at
		}
		t.c.Ended = at
	}
	if role == "user" {
		text = typed(text)
	}
	if text = strings.TrimSpace(text); text == "" && len(tools) == 0 {
		return
	}
	if n := len(t.c.Messages); n > 0 && role == "assistant" && t.c.Messages[n-1].Role == role && (id == "tools" || id != "" && id == t.id) {
		last := &t.c.Messages[n-1]
		if text != "" {
			last.Text = strings.TrimSpace(last.Text + "\n" + text)
		}
		last.Tools = append(last.Tools, tools...)
		return
	}
	t.id = id
	t.c.Messages = append(t.c.Messages, Message{Role: role, Text: text, Tools: tools, Time: at})
}

// typed is what a person typed of what stands in their name: "" of what the host
// adds, the name and the words of a command.
func typed(text string) string {
	text = strings.TrimSpace(text)
	if _, rest, ok := strings.Cut(text, "<command-name>"); ok && strings.HasPrefix(text, "<command-") {
		name, _, _ := strings.Cut(rest, "</command-name>")
		_, args, _ := strings.Cut(rest, "<command-args>")
		args, _, _ = strings.Cut(args, "</command-args>")
		return strings.TrimSpace(name + " " + args)
	}
	if slices.ContainsFunc(hostTexts, func(begin string) bool { return strings.HasPrefix(text, begin) }) {
		return ""
	}
	return text
}

// hostTexts begin what the host adds in a person's name.
var hostTexts = []string{"<local-command-", "<system-reminder>", "<environment_context>", "<user_instructions>", "<permissions instructions>", "<turn_aborted>", "# AGENTS.md instructions"}

// History reads Claude Code's history.jsonl: what a person typed, by session, of
// lines after since; the oldest session first. The transcript of a session knows
// more, but is gone after a while.
func History(name string, since time.Time) ([]Conversation, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	bySession := map[string]*Conversation{}
	in := NewLines(file)
	for {
		raw, err := in.Next()
		var l struct {
			Display   string `json:"display"`
			Timestamp int64  `json:"timestamp"` // milliseconds
			Project   string `json:"project"`
			SessionID string `json:"sessionId"`
		}
		if len(raw) > 1 && decode(raw, &l) && l.SessionID != "" && strings.TrimSpace(l.Display) != "" {
			at := time.UnixMilli(l.Timestamp).UTC()
			c := bySession[l.SessionID]
			if c == nil {
				c = &Conversation{Host: Claude, Session: l.SessionID, Project: l.Project, Started: at}
				bySession[l.SessionID] = c
			}
			c.Ended = at
			c.Messages = append(c.Messages, Message{Role: "user", Text: strings.TrimSpace(l.Display), Time: at})
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	var out []Conversation
	for _, c := range bySession {
		if c.Ended.After(since) {
			out = append(out, *c)
		}
	}
	slices.SortFunc(out, func(a, b Conversation) int { return strings.Compare(a.Session, b.Session) })
	slices.SortStableFunc(out, func(a, b Conversation) int { return a.Ended.Compare(b.Ended) })
	return out, nil
}

// HistoryFile is where Claude Code keeps its history, "" when nobody knows.
func HistoryFile(getenv func(string) string) string {
	for _, r := range Roots(getenv) {
		if r.Host == Claude {
			return filepath.Join(filepath.Dir(r.Dir), "history.jsonl")
		}
	}
	return ""
}
