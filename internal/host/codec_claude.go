package host

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Claude Code's envelopes, as observed with 2.1.197 and 2.1.329 (testdata):
// common keys, then those of the event. A replaced result must have the
// tool's own shape, or the host ignores it without a word.
type claudeEvent struct {
	Event    string          `json:"hook_event_name"`
	Session  string          `json:"session_id"`
	Cwd      string          `json:"cwd"`
	Tool     string          `json:"tool_name"`
	Input    json.RawMessage `json:"tool_input"`
	Response json.RawMessage `json:"tool_response"`
}

// claudeInput is what we read of the input of the host's own tools. An MCP
// tool may have members of the same names with values of any kind.
type claudeInput struct {
	Command    string   `json:"command"`
	Background bool     `json:"run_in_background"`
	Timeout    float64  `json:"timeout"` // milliseconds
	Offset     *float64 `json:"offset"`
	Limit      *float64 `json:"limit"`
}

func decodeClaude(data []byte) (Event, error) {
	var c claudeEvent
	if err := json.Unmarshal(data, &c); err != nil {
		return Event{}, fmt.Errorf("%w: %w", ErrEvent, err)
	}
	var in claudeInput
	if c.Tool == "Bash" || c.Tool == "Read" {
		if err := json.Unmarshal(c.Input, &in); err != nil {
			return Event{}, fmt.Errorf("%w: %w", ErrEvent, err)
		}
	}
	ev := Event{
		Session: c.Session, Cwd: c.Cwd, Tool: c.Tool, Command: in.Command,
		Background: in.Background, Timeout: time.Duration(in.Timeout) * time.Millisecond,
	}
	switch c.Event {
	case "SessionStart":
		ev.Kind = SessionBegan
	case "PreToolUse":
		ev.Kind = CallBegins
	case "PostToolUse":
		ev.Kind = CallEnded
		ev.Output = claudeOutput(c, in)
	}
	return ev, nil
}

func claudeOutput(c claudeEvent, in claudeInput) *Output {
	switch {
	case c.Tool == "Bash":
		return claudeBash(c.Response)
	case c.Tool == "Read":
		out := claudeRead(c.Response)
		if out != nil {
			out.Range = in.Offset != nil || in.Limit != nil
		}
		return out
	case strings.HasPrefix(c.Tool, "mcp__"):
		return claudeMCP(c.Response)
	}
	return nil
}

// claudeBash: an object whose stdout holds both streams. Over 30,000
// characters it is only the beginning and persistedOutputPath has all; the
// answer must then lack both persisted keys, or the host shows its preview.
func claudeBash(response json.RawMessage) *Output {
	var b struct {
		Stdout     *string `json:"stdout"`
		IsImage    bool    `json:"isImage"`
		Background string  `json:"backgroundTaskId"`
		TimedOut   float64 `json:"timedOutAfterMs"`
		Persisted  string  `json:"persistedOutputPath"`
	}
	if json.Unmarshal(response, &b) != nil || b.Stdout == nil || b.IsImage || b.Background != "" || b.TimedOut != 0 {
		return nil
	}
	return &Output{
		Texts: []string{*b.Stdout}, Complete: b.Persisted,
		Encode: func(texts []string) ([]byte, error) {
			return claudeReplace(response, []string{"persistedOutputPath", "persistedOutputSize"}, map[string]any{"stdout": texts[0]})
		},
	}
}

// claudeRead: the host numbers the lines itself, from startLine.
func claudeRead(response json.RawMessage) *Output {
	var r struct {
		Type string          `json:"type"`
		File json.RawMessage `json:"file"`
	}
	var f struct {
		Path    string  `json:"filePath"`
		Content *string `json:"content"`
	}
	if json.Unmarshal(response, &r) != nil || r.Type != "text" || json.Unmarshal(r.File, &f) != nil || f.Content == nil {
		return nil
	}
	return &Output{
		Texts: []string{*f.Content}, File: f.Path,
		Encode: func(texts []string) ([]byte, error) {
			file, err := withKeys(r.File, nil, map[string]any{"content": texts[0], "numLines": strings.Count(texts[0], "\n") + 1})
			if err != nil {
				return nil, err
			}
			return claudeReplace(response, nil, map[string]any{"file": file})
		},
	}
}

// claudeMCP: an array of blocks. One that is not text (an image) leaves the
// whole result alone.
func claudeMCP(response json.RawMessage) *Output {
	var blocks []map[string]json.RawMessage
	if json.Unmarshal(response, &blocks) != nil {
		return nil
	}
	out := &Output{}
	for _, b := range blocks {
		var kind, text string
		if json.Unmarshal(b["type"], &kind) != nil || kind != "text" || json.Unmarshal(b["text"], &text) != nil {
			return nil
		}
		out.Texts = append(out.Texts, text)
	}
	if len(blocks) == 0 {
		return nil
	}
	out.Encode = func(texts []string) ([]byte, error) {
		for i, t := range texts {
			quoted, err := json.Marshal(t)
			if err != nil {
				return nil, err
			}
			blocks[i]["text"] = quoted
		}
		return claudeAnswer(blocks)
	}
	return out
}

func claudeReplace(response json.RawMessage, without []string, with map[string]any) ([]byte, error) {
	updated, err := withKeys(response, without, with)
	if err != nil {
		return nil, err
	}
	return claudeAnswer(updated)
}

func claudeAnswer(updated any) ([]byte, error) {
	return json.Marshal(map[string]any{"hookSpecificOutput": map[string]any{
		"hookEventName": "PostToolUse", "updatedToolOutput": updated,
	}})
}

// withKeys returns a JSON object with some keys taken out and others set; the
// rest stays as it is.
func withKeys(object json.RawMessage, without []string, with map[string]any) (map[string]json.RawMessage, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(object, &m); err != nil {
		return nil, err
	}
	for _, k := range without {
		delete(m, k)
	}
	for k, v := range with {
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		m[k] = raw
	}
	return m, nil
}
