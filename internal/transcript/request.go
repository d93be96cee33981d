package transcript

import (
	"encoding/json"
	"time"
)

// A Request is one answer of a model and what is billed for it. The tokens of
// the prompt are told apart by their price: fresh, read from the cache, written
// to it for five minutes or for an hour.
type Request struct {
	Host    string
	ID      string // of the message, on as many lines as the answer has blocks
	Session string
	Agent   string // of a subagent
	Context int    // how often the model's context was replaced by a summary before
	Project string
	Model   string
	Time    time.Time

	Input, CacheRead, Write5m, Write1h, Output int

	// Copied says that an earlier file has this request: a resumed or forked
	// session repeats the lines of its parent, and nobody pays for it again.
	Copied bool
}

// Prompt is the size of all that was sent.
func (q *Request) Prompt() int { return q.Input + q.CacheRead + q.Write5m + q.Write1h }

// synthetic is the model of a message that the host made itself, such as an
// error. Nobody was asked.
const synthetic = "<synthetic>"

// A ClaudeUsage is what a line of an answer says was billed. Input does not have what
// the cache had or got. Lines before the last of a message may have the first count of
// the output.
type ClaudeUsage struct {
	Input         int64 `json:"input_tokens"`
	CacheRead     int64 `json:"cache_read_input_tokens"`
	CacheWrite    int64 `json:"cache_creation_input_tokens"`
	Output        int64 `json:"output_tokens"`
	CacheCreation struct {
		Hour int64 `json:"ephemeral_1h_input_tokens"`
	} `json:"cache_creation"`
	ServerTools struct {
		Searches int64 `json:"web_search_requests"`
	} `json:"server_tool_use"`
	ServiceTier string `json:"service_tier"`
	Speed       string `json:"speed"`
}

// Writes are the tokens written to the cache for five minutes and for an hour.
func (u *ClaudeUsage) Writes() (five, hour int64) {
	hour = min(u.CacheCreation.Hour, u.CacheWrite)
	return u.CacheWrite - hour, hour
}

// A CodexUsage is what was billed for a response of Codex's. The input has what was
// read from the cache and written to it, the output what was thought.
type CodexUsage struct {
	Input  int64 `json:"input_tokens"`
	Cached int64 `json:"cached_input_tokens"`
	Write  int64 `json:"cache_write_input_tokens"`
	Output int64 `json:"output_tokens"`
	Total  int64 `json:"total_tokens"`
}

// Fresh are the tokens of the input that the cache neither had nor got.
func (u *CodexUsage) Fresh() int64 { return max(0, u.Input-u.Cached-u.Write) }

// claudeRequest takes the usage of a line into the request that it belongs to,
// and returns the request's number.
func (s *session) claudeRequest(m *claudeMessage, l claudeLine, at time.Time) int {
	if m.Usage == nil || m.ID == "" || m.Model == synthetic {
		return -1
	}
	i, had := s.numbers[m.ID]
	if !had {
		i = s.request(Request{
			Host: Claude, ID: m.ID, Session: l.SessionID, Agent: l.AgentID, Context: s.contexts, Project: l.Cwd, Model: m.Model, Time: at,
		})
	}
	if q := &s.requests[i]; !had || int(m.Usage.Output) > q.Output {
		u := m.Usage
		five, hour := u.Writes()
		q.Input, q.CacheRead, q.Write5m, q.Write1h, q.Output = int(u.Input), int(u.CacheRead), int(five), int(hour), int(u.Output)
	}
	return i
}

// codexRecord is a line of type token_usage_record.
type codexRecord struct {
	ResponseID string     `json:"response_id"`
	Usage      CodexUsage `json:"usage"`
}

func (s *session) codexRequest(payload json.RawMessage, at time.Time) {
	var r codexRecord
	if !decode(payload, &r) || r.ResponseID == "" {
		return
	}
	if _, had := s.numbers[r.ResponseID]; had {
		return
	}
	u := r.Usage
	s.request(Request{
		Host: Codex, ID: r.ResponseID, Session: s.id, Context: s.contexts, Project: s.project, Model: s.model, Time: at,
		Input: int(u.Fresh()), CacheRead: int(u.Cached), Write5m: int(u.Write), Output: int(u.Output),
	})
}

// request notes a request and returns its number.
func (s *session) request(q Request) int {
	_, q.Copied = s.reader.billed[q.Host+" "+q.ID]
	s.reader.billed[q.Host+" "+q.ID] = struct{}{}
	s.requests = append(s.requests, q)
	s.numbers[q.ID] = len(s.requests) - 1
	return len(s.requests) - 1
}

// said gives on what people wrote.
func (s *session) said(l claudeLine, content json.RawMessage) {
	if s.reader.Said == nil {
		return
	}
	if text, _ := texts(content); text != "" {
		s.reader.Said(&Call{Session: l.SessionID, Agent: l.AgentID, Context: s.contexts}, text)
	}
}
