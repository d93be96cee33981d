package reader

import (
	"bytes"
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/spend"
	"cairn/internal/transcript"
)

// claudeRow is a line of Claude Code's. A request is on as many lines as its answer
// has blocks, each with the usage; in 2.1.39 the lines before the last have the
// first count of the output.
type claudeRow struct {
	Type           string         `json:"type"`
	Timestamp      time.Time      `json:"timestamp"`
	SessionID      string         `json:"sessionId"`
	RequestSession string         `json:"requestSessionId"` // in a fork's copy of a line: its parent
	RequestRef     string         `json:"requestRef"`       // of newer versions: one for each request
	AgentID        string         `json:"agentId"`
	Cwd            string         `json:"cwd"`
	GitBranch      string         `json:"gitBranch"`
	Message        *claudeMessage `json:"message"`
	Data           *struct {
		AgentID string `json:"agentId"`
		Message *struct {
			Type      string         `json:"type"`
			Timestamp time.Time      `json:"timestamp"`
			Message   *claudeMessage `json:"message"`
		} `json:"message"`
	} `json:"data"` // of a line of type progress: a subagent's, which has a file of its own where that was kept
}

type claudeMessage struct {
	ID      string                  `json:"id"`
	Model   string                  `json:"model"`
	Content jsontext.Value          `json:"content"`
	Usage   *transcript.ClaudeUsage `json:"usage"`
}

type claudeBlock struct {
	Type  string `json:"type"`
	ID    string `json:"id"`
	Name  string `json:"name"`
	Input struct {
		Command string `json:"command"`
	} `json:"input"`
	ToolUseID string         `json:"tool_use_id"`
	Content   jsontext.Value `json:"content"`
	Text      string         `json:"text"`
}

var (
	blob     = []byte(`{"type":"api-request`)
	nobody   = "<synthetic>" // the model of a message that the host made itself
	onesSelf = []byte(`assistant`)
	told     = []byte(`user`)
	results  = []byte(`tool_result`)
)

// readOnly are tools that move no working tree, and those that only wait for
// others' calls.
var readOnly = map[string]bool{
	"Read": true, "Grep": true, "Glob": true, "LS": true, "WebFetch": true, "WebSearch": true, "TodoWrite": true, "Edit": true,
	"Write": true, "MultiEdit": true, "NotebookEdit": true, "NotebookRead": true, "Task": true, "Agent": true, "TaskOutput": true,
	"BashOutput": true, "ToolSearch": true, "AskUserQuestion": true, "Skill": true,
}

func claudeLine(s *state, raw []byte, f *File, out *Out) {
	if bytes.HasPrefix(raw, blob) || !bytes.Contains(raw, onesSelf) && !bytes.Contains(raw, told) {
		return
	}
	var l claudeRow
	if !decode(raw, &l) {
		if bytes.Contains(raw, []byte(`"usage"`)) {
			out.Odd++
		}
		return
	}
	if l.Type == "progress" && l.Data != nil && l.Data.Message != nil && l.Data.Message.Type == "assistant" {
		l.Type, l.Message, l.AgentID = "assistant", l.Data.Message.Message, l.Data.AgentID
		if at := l.Data.Message.Timestamp; !at.IsZero() {
			l.Timestamp = at
		}
	}
	switch l.Type {
	case "assistant":
		s.claudeAnswer(&l, f, out)
	case "user":
		if bytes.Contains(raw, results) && l.Message != nil {
			s.claudeResults(&l, out)
		}
		if !l.Timestamp.IsZero() {
			s.Last = l.Timestamp
		}
	}
}

func (s *state) claudeAnswer(l *claudeRow, f *File, out *Out) {
	m := l.Message
	if m == nil || m.Usage == nil || m.Model == nobody {
		return
	}
	if m.ID == "" {
		out.Odd++
		return
	}
	// A fork's copy is its parent's request.
	session := cmp.Or(l.RequestSession, l.SessionID, fileName(f.Path))
	u := m.Usage
	id := m.ID
	if l.RequestRef != "" { // services of others may count their messages from 1 in each session
		id += "/" + l.RequestRef
	}
	five, hour := u.Writes()
	q := spend.Request{
		Agent: f.Agent, ID: id, Session: session, Sub: l.AgentID, At: l.Timestamp, Sent: s.Last, Dir: l.Cwd, Branch: l.GitBranch, Model: m.Model,
		Tokens:   spend.Tokens{Input: u.Input, CacheRead: u.CacheRead, Write5m: five, Write1h: hour, Output: u.Output},
		Searches: u.ServerTools.Searches, Tier: tier(u.ServiceTier, u.Speed),
	}
	if q.Sent.IsZero() || q.Sent.After(q.At) {
		q.Sent = q.At
	}
	if q.Branch == "HEAD" { // outside of a repository, or no branch is checked out
		q.Branch = ""
	}
	called := blocks(m.Content)
	for _, b := range called {
		if b.Type == "tool_use" && q.Tool == "" {
			q.Tool = b.Name
		}
	}
	if last := len(out.Requests) - 1; last >= 0 && out.Requests[last].ID == q.ID {
		had := &out.Requests[last]
		q.At, q.Sent, q.Tool = had.At, had.Sent, cmp.Or(had.Tool, q.Tool)
		if q.Output < had.Output {
			q.Tokens = had.Tokens
		}
		*had = q
	} else {
		out.Requests = append(out.Requests, q)
	}
	for _, b := range called {
		if b.Type == "tool_use" && !readOnly[b.Name] {
			git := gitOf(b.Input.Command)
			if strings.Contains(b.Name, "commit") { // a tool of git's by another protocol
				git = spend.Commits
			}
			s.begin(b.ID, open{session, l.AgentID, l.Timestamp, l.Cwd, git})
		}
	}
}

func (s *state) claudeResults(l *claudeRow, out *Out) {
	for _, b := range blocks(l.Message.Content) {
		if b.Type != "tool_result" {
			continue
		}
		git := s.Open[b.ToolUseID].Git
		if c := s.end(b.ToolUseID, l.Timestamp, out); c != nil && git == spend.Commits {
			c.Commits, c.On = made(text(b.Content))
		}
	}
}

// tier is the tier of a service that is not the ordinary one.
func tier(service, speed string) string {
	if speed != "" && speed != "standard" {
		return speed
	}
	if service == "standard" {
		return ""
	}
	return service
}

func blocks(content jsontext.Value) (list []claudeBlock) {
	if len(content) > 0 && content[0] == '[' {
		decode(content, &list)
	}
	return list
}

// text is a result's, which is a string or a list of blocks.
func text(content jsontext.Value) string {
	var one string
	if len(content) > 0 && content[0] == '"' {
		decode(content, &one)
		return one
	}
	var parts []string
	for _, b := range blocks(content) {
		parts = append(parts, b.Text)
	}
	return strings.Join(parts, "\n")
}
