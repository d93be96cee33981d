package host

import (
	"encoding/json"
	"errors"
	"strings"
)

// decodeQwen reads Qwen Code's envelopes, as observed with 0.15.10 and 0.24.4
// (testdata): Claude Code's events with Gemini CLI's tools. It takes additions
// to a result, and at the start of a session
// (https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks).
func decodeQwen(data []byte) (Event, error) {
	m, err := cut(data)
	if err != nil {
		return Event{}, wrong(err)
	}
	var ev Event
	var name, tool string
	err = errors.Join(m.read("hook_event_name", &name), m.read("session_id", &ev.Session), m.read("cwd", &ev.Cwd), m.read("tool_name", &tool))
	var in struct {
		Command string `json:"command"`
		File    string `json:"file_path"`
		Content string `json:"content"`
		New     string `json:"new_string"`
	}
	ev.Tool = qwenTool(tool)
	if raw := m.get("tool_input"); raw != nil && ev.Tool != "" && !strings.HasPrefix(ev.Tool, "mcp__") {
		err = errors.Join(err, json.Unmarshal(raw, &in))
	}
	if err != nil {
		return Event{}, wrong(err)
	}
	ev.Command, ev.File, ev.Text = in.Command, in.File, in.Content+in.New
	switch name {
	case "SessionStart":
		ev.Kind, ev.Advise = SessionBegan, contextFor(name)
	case "PostToolUse":
		ev.Kind, ev.Advise = CallEnded, contextFor(name)
		if response, err := cut(m.get("tool_response")); err == nil {
			var text string
			if response.read("llmContent", &text) == nil && text != "" {
				ev.Texts = []string{text}
			}
		}
	}
	return ev, nil
}

// qwenTool is the name in rules of a tool, "" for one that does not concern us.
func qwenTool(name string) string {
	switch name {
	case geminiShell:
		return "Bash"
	case geminiRead:
		return "Read"
	case geminiWrite:
		return "Write"
	case "edit", geminiEdit:
		return "Edit"
	case "web_fetch":
		return "WebFetch"
	}
	if strings.HasPrefix(name, "mcp__") {
		return name
	}
	return ""
}
