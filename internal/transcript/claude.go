package transcript

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// claudeLine is a line of Claude Code's: {"type": "assistant" or "user",
// "message": {"content": […]}, "toolUseResult": what a hook gets as
// tool_response, …}. A subagent's messages stand in its own file, and in 2.1.39
// also in lines of type "progress" under data.message.
type claudeLine struct {
	SessionID     string          `json:"sessionId"`
	AgentID       string          `json:"agentId"` // of a subagent
	Sidechain     bool            `json:"isSidechain"`
	Subtype       string          `json:"subtype"`          // of a line of type "system"
	Summary       bool            `json:"isCompactSummary"` // of a line of type "user"
	Cwd           string          `json:"cwd"`
	Message       *claudeMessage  `json:"message"`
	ToolUseResult json.RawMessage `json:"toolUseResult"`
	Data          *struct {
		AgentID string `json:"agentId"`
		Message *struct {
			Type    string         `json:"type"`
			Message *claudeMessage `json:"message"`
		} `json:"message"`
	} `json:"data"`
}

// boundary is the subtype of the line between a context and the summary that
// replaces it.
const boundary = "compact_boundary"

type claudeMessage struct {
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Content json.RawMessage `json:"content"` // a text, or blocks
	Usage   *ClaudeUsage    `json:"usage"`
}

type claudeBlock struct {
	Type string `json:"type"`

	ID    string          `json:"id"` // of a tool_use
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`

	ToolUseID string          `json:"tool_use_id"` // of a tool_result
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`

	Text string `json:"text"`
}

func (s *session) claudeLine(kind string, l claudeLine, at time.Time) {
	message := l.Message
	if kind == "progress" && l.Data != nil && l.Data.Message != nil {
		kind, message = l.Data.Message.Type, l.Data.Message.Message
		l.AgentID = cmp.Or(l.Data.AgentID, l.AgentID)
	}
	if message == nil || kind != "assistant" && kind != "user" {
		return // such as api-request-blob, which repeats results
	}
	request := -1
	if kind == "assistant" {
		request = s.claudeRequest(message, l, at)
	}
	if kind == "user" {
		s.said(l, message.Content)
		if s.reader.Entered != nil {
			s.wrote(l, message.Content)
		}
	}
	var blocks []json.RawMessage
	if json.Unmarshal(message.Content, &blocks) != nil {
		return
	}
	for _, raw := range blocks {
		var b claudeBlock
		if !decode(raw, &b) {
			continue
		}
		switch b.Type {
		case "tool_use":
			c := claudeCall(b, l, message.Model)
			c.Request = request
			s.begin(b.ID, c)
		case "tool_result":
			if c := s.end(b.ToolUseID); c != nil {
				c.Time, c.Context = at, s.contexts
				s.claudeResult(c, b, l.ToolUseResult)
				s.give(b.ToolUseID, c)
			}
		}
	}
}

func claudeCall(b claudeBlock, l claudeLine, model string) *Call {
	c := &Call{Host: Claude, Session: l.SessionID, Project: l.Cwd, Model: model, Tool: b.Name, Agent: l.AgentID, Args: b.Input}
	var in struct {
		Command      string          `json:"command"`
		FilePath     string          `json:"file_path"`
		NotebookPath string          `json:"notebook_path"`
		Offset       json.RawMessage `json:"offset"`
		Limit        json.RawMessage `json:"limit"`
		Background   bool            `json:"run_in_background"`
	}
	if strings.HasPrefix(b.Name, "mcp__") || !decode(b.Input, &in) {
		return c
	}
	c.File, c.Range, c.Background = in.FilePath+in.NotebookPath, in.Offset != nil || in.Limit != nil, in.Background
	switch b.Name {
	case "Bash":
		c.Command = in.Command
	case "Read", "Write", "Edit":
		c.Input = b.Input
	}
	return c
}

// The texts by which Claude Code says what it did to a result.
const (
	persistedMark = "<persisted-output>"
	truncatedMark = " characters truncated] ..."
	exitPrefix    = "Exit code "
	reminderMark  = "<system-reminder>"
)

func (s *session) claudeResult(c *Call, b claudeBlock, response json.RawMessage) {
	c.Output, c.Images = texts(b.Content)
	c.Body, c.Failed = c.Output, b.IsError
	var res struct {
		IsImage    bool     `json:"isImage"`
		Task       string   `json:"backgroundTaskId"`
		Persisted  string   `json:"persistedOutputPath"`
		Background struct { // of TaskOutput
			Output   string `json:"output"`
			ExitCode *int   `json:"exitCode"`
		} `json:"task"`
	}
	if len(response) > 0 && response[0] == '{' {
		if decode(response, &res); c.Input != nil {
			c.Response = response
		}
	}
	c.Images = c.Images || res.IsImage
	c.Background = c.Background || res.Task != ""
	if strings.HasPrefix(c.Output, persistedMark) {
		c.Body, c.Clipped = "", true
		if c.Complete = stored(s.path, persistedPath(res.Persisted, c.Output)); c.Complete != "" {
			c.Clipped = false
		}
	}
	switch c.Tool {
	case "Bash":
		if code, body, ok := exitCode(c.Output); ok && b.IsError {
			c.Exit, c.Body = &code, body
			c.Clipped = strings.Contains(body, truncatedMark)
		} else if !b.IsError && !c.Background {
			c.Exit = new(int)
		}
	case "TaskOutput":
		c.Exit = res.Background.ExitCode
		if out := strings.TrimSuffix(res.Background.Output, "\n"); out != "" && strings.Contains(c.Output, out) {
			c.Body = out
		}
	case "Read":
		c.Body = plain(c.Body)
	}
}

// persistedPath returns the path of the file with the complete output.
func persistedPath(field, output string) string {
	_, after, _ := strings.Cut(output, "saved to: ")
	path, _, _ := strings.Cut(after, "\n")
	return cmp.Or(field, path)
}

// exitCode splits "Exit code 2\n…".
func exitCode(output string) (code int, body string, ok bool) {
	rest, ok := strings.CutPrefix(output, exitPrefix)
	if !ok {
		return 0, output, false
	}
	number, body, _ := strings.Cut(rest, "\n")
	code, err := strconv.Atoi(strings.TrimSpace(number))
	return code, body, err == nil
}

// texts joins the text of a result, which is a string or a list of blocks.
func texts(content json.RawMessage) (text string, others bool) {
	if json.Unmarshal(content, &text) == nil {
		return text, false
	}
	var raws []json.RawMessage
	if json.Unmarshal(content, &raws) != nil {
		return "", len(content) > 0
	}
	var parts []string
	for _, raw := range raws {
		var b claudeBlock
		if decode(raw, &b); strings.HasSuffix(b.Type, "text") { // text, and Codex's input_text
			parts = append(parts, b.Text)
		} else {
			others = true
		}
	}
	return strings.Join(parts, "\n"), others
}

// plain takes the line numbers off what Read gave: "    12→text" up to 2.1.39,
// "12\ttext" later. A text without them is returned as it is.
func plain(output string) string {
	if i := strings.Index(output, "\n\n"+reminderMark); i >= 0 {
		output = output[:i]
	}
	var b strings.Builder
	b.Grow(len(output))
	for rest := output; rest != ""; {
		line, after, more := strings.Cut(rest, "\n")
		body := strings.TrimLeft(strings.TrimLeft(line, " "), "0123456789")
		switch {
		case body == line:
			return output
		case strings.HasPrefix(body, "→"):
			b.WriteString(body[len("→"):])
		case strings.HasPrefix(body, "\t"):
			b.WriteString(body[1:])
		default:
			return output
		}
		if more {
			b.WriteByte('\n')
		}
		rest = after
	}
	return b.String()
}
