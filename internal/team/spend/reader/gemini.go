package reader

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/team/spend"
)

// geminiRow is a line of Gemini CLI's: a header with the session, then messages. One
// comes twice where tools follow it.
type geminiRow struct {
	SessionID string        `json:"sessionId"`
	ID        string        `json:"id"`
	Type      string        `json:"type"`
	Timestamp time.Time     `json:"timestamp"`
	Model     string        `json:"model"`
	Tokens    *geminiTokens `json:"tokens"`
	ToolCalls []struct {
		ID        string    `json:"id"`
		Name      string    `json:"name"`
		Timestamp time.Time `json:"timestamp"` // of its end
		Args      struct {
			Command string `json:"command"`
		} `json:"args"`
		Display any `json:"resultDisplay"`
	} `json:"toolCalls"`
}

// geminiTokens are what was billed. The input has what was read from the cache;
// what was thought is apart, and costs what output costs.
type geminiTokens struct {
	Input    int64 `json:"input"`
	Output   int64 `json:"output"`
	Cached   int64 `json:"cached"`
	Thoughts int64 `json:"thoughts"`
	Tool     int64 `json:"tool"`
}

func geminiLine(s *state, raw []byte, f *File, out *Out) {
	if !bytes.Contains(raw, []byte(`"tokens"`)) && !bytes.Contains(raw, []byte(`"sessionId"`)) && !bytes.Contains(raw, []byte(`"user"`)) {
		return
	}
	var l geminiRow
	if !decode(raw, &l) {
		out.Odd++
		return
	}
	if l.SessionID != "" && l.ID == "" {
		s.Session, s.Dir = l.SessionID, geminiDir(f.Path)
		return
	}
	if l.Type == "user" {
		s.Last = l.Timestamp
	}
	if l.Type != "gemini" || l.Tokens == nil || l.ID == "" {
		return
	}
	t := l.Tokens
	q := spend.Request{
		Agent: f.Agent, ID: l.ID, Session: cmp.Or(s.Session, fileName(f.Path)), At: l.Timestamp, Sent: s.Last, Dir: s.Dir, Model: l.Model,
		Tokens: spend.Tokens{Input: max(0, t.Input-t.Cached) + t.Tool, CacheRead: min(t.Cached, t.Input), Output: t.Output + t.Thoughts},
	}
	if q.Sent.IsZero() || q.Sent.After(q.At) {
		q.Sent = q.At
	}
	if len(l.ToolCalls) > 0 {
		q.Tool = l.ToolCalls[0].Name
	}
	if n := len(out.Requests); n > 0 && out.Requests[n-1].ID == q.ID {
		out.Requests[n-1].Tokens, out.Requests[n-1].Tool = q.Tokens, q.Tool
	} else {
		out.Requests = append(out.Requests, q)
	}
	for _, c := range l.ToolCalls {
		s.begin(c.ID, open{q.Session, "", l.Timestamp, s.Dir, gitOf(c.Args.Command)})
		if call := s.end(c.ID, c.Timestamp, out); call != nil && call.Git == spend.Commits {
			shown, _ := c.Display.(string)
			call.Commits, call.On = made(shown)
		}
		if c.Timestamp.After(s.Last) {
			s.Last = c.Timestamp
		}
	}
}

// geminiDir is the directory that a project's folder is of: its file names it.
func geminiDir(file string) string {
	data, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(file)), ".project_root"))
	if err != nil || len(data) > 4096 {
		return ""
	}
	return strings.TrimSpace(string(data))
}
