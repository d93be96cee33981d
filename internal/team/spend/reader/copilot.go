package reader

import (
	"bytes"
	"cmp"
	"path/filepath"
	"time"

	"cairn/internal/team/spend"
)

// copilotRow is a line of Copilot CLI's.
type copilotRow struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      struct {
		SessionID string `json:"sessionId"`
		Context   struct {
			Cwd    string `json:"cwd"`
			Branch string `json:"branch"`
		} `json:"context"`
		Usage *struct {
			Model      string `json:"model"`
			Input      int64  `json:"inputTokens"`
			Output     int64  `json:"outputTokens"`
			CacheRead  int64  `json:"cacheReadTokens"`
			CacheWrite int64  `json:"cacheWriteTokens"`
			APICallID  string `json:"apiCallId"`
			Accounting struct {
				UsageID string `json:"usageId"`
			} `json:"accounting"`
		} `json:"usage"`
	} `json:"data"`
}

func copilotLine(s *state, raw []byte, f *File, out *Out) {
	if !bytes.Contains(raw, []byte(`session.`)) && !bytes.Contains(raw, []byte(`"user.`)) {
		return
	}
	var l copilotRow
	if !decode(raw, &l) {
		out.Odd++
		return
	}
	switch l.Type {
	case "session.start", "session.resume":
		s.Session = cmp.Or(l.Data.SessionID, s.Session, filepath.Base(filepath.Dir(f.Path)))
		s.Dir, s.Branch = cmp.Or(l.Data.Context.Cwd, s.Dir), cmp.Or(l.Data.Context.Branch, s.Branch)
	case "session.usage_record":
		u := l.Data.Usage
		if u == nil {
			out.Odd++
			return
		}
		session := cmp.Or(s.Session, filepath.Base(filepath.Dir(f.Path)))
		cached := min(u.CacheRead+u.CacheWrite, u.Input) // the input has both, as with the services behind it
		out.Requests = append(out.Requests, spend.Request{
			Agent: f.Agent, ID: session + "/" + cmp.Or(u.APICallID, u.Accounting.UsageID, l.Timestamp.Format(time.RFC3339Nano)), Session: session,
			At: l.Timestamp, Sent: l.Timestamp, Dir: s.Dir, Branch: s.Branch, Model: u.Model,
			Tokens: spend.Tokens{Input: u.Input - cached, CacheRead: u.CacheRead, Write5m: u.CacheWrite, Output: u.Output},
		})
	}
}
