package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// A session is one file while it is read.
type session struct {
	reader *Reader
	path   string
	each   func(*Call)

	waiting map[string]*Call // calls without a result, by id
	order   []string         // their ids, the oldest first

	requests []Request
	numbers  map[string]int // of requests, by the id of their message

	hasShape bool // the fixed part of a request was seen

	contexts int // how often the model's context was replaced so far

	id, project, model string // of a Codex session, whose lines do not repeat them
}

// line is what the lines of every host have. Claude Code has the message at
// the top, Codex an item in a payload, or in its first versions the bare item.
type line struct {
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	Payload   json.RawMessage `json:"payload"`

	claudeLine
}

// telling are the words of which every line that concerns us has one: most of
// a transcript is decoded no further.
var telling = [][]byte{
	[]byte("tool_use"), []byte("function_call"), []byte("custom_tool_call"), []byte("local_shell_call"),
	[]byte("session_meta"), []byte("turn_context"), []byte(boundary),
}

func (s *session) line(raw []byte) {
	if raw[0] != '{' || raw[len(raw)-1] != '}' {
		s.reader.Stats.Broken++
		return
	}
	if s.reader.Requests == nil && !slices.ContainsFunc(telling, func(word []byte) bool { return bytes.Contains(raw, word) }) {
		return
	}
	var l line
	if !decode(raw, &l) {
		s.reader.Stats.Broken++
		return
	}
	at, _ := time.Parse(time.RFC3339Nano, l.Timestamp)
	switch {
	case l.Type == "attachment" || l.Type == "api-request-shape":
		if s.reader.Entered == nil {
			return
		}
		if l.Type == "attachment" {
			s.attached(raw, l.claudeLine)
		} else {
			s.shaped(raw, l.claudeLine)
		}
	case l.Type == "system":
		if l.Subtype == boundary && !l.Sidechain {
			s.contexts++
		}
	case l.Payload != nil:
		s.codexLine(l.Type, l.Payload, at)
	case l.Message != nil || l.Data != nil:
		s.claudeLine(l.Type, l.claudeLine, at)
	default:
		s.codexItem(raw, at)
	}
}

// decode reads what it can of data: a member of another type than we know
// costs that member and no more. It is false when data is not JSON.
func decode(data []byte, into any) bool {
	err := json.Unmarshal(data, into)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}

// begin notes a call whose result is still to come.
func (s *session) begin(id string, c *Call) {
	if id == "" || c.Tool == "" {
		return
	}
	if s.waiting[id] == nil {
		s.order = append(s.order, id)
	}
	s.waiting[id], c.ID = c, id
	if len(s.order) > maxPending {
		delete(s.waiting, s.order[0])
		s.order = s.order[1:]
	}
}

// end takes the call that a result belongs to, or nil.
func (s *session) end(id string) *Call {
	c := s.waiting[id]
	if c == nil {
		s.reader.Stats.Unpaired++
		return nil
	}
	delete(s.waiting, id)
	if i := slices.Index(s.order, id); i >= 0 {
		s.order = slices.Delete(s.order, i, i+1)
	}
	return c
}

// give hands a finished call on, unless it is a copy or too old.
func (s *session) give(id string, c *Call) {
	if !s.reader.fresh(id, c.Output) || !c.Time.IsZero() && c.Time.Before(s.reader.Since) {
		return
	}
	s.reader.Stats.Calls++
	s.each(c)
}
