package host

import (
	"encoding/json"
	"errors"
	"strings"
)

// decodeCursor reads Cursor's envelopes. Of an MCP tool that succeeded,
// tool_output is a JSON text, {"content": [{"type": "text", "text": …}]}, and
// the answer has such an object; of other tools it takes no answer.
func decodeCursor(data []byte) (Event, error) {
	m, err := cut(data)
	if err != nil {
		return Event{}, wrong(err)
	}
	var ev Event
	var name, output string
	var roots []string
	err = errors.Join(m.read("hook_event_name", &name), m.read("conversation_id", &ev.Session), m.read("cwd", &ev.Cwd),
		m.read("tool_name", &ev.Tool), m.read("workspace_roots", &roots))
	if err != nil {
		return Event{}, wrong(err)
	}
	if ev.Cwd == "" && len(roots) > 0 {
		ev.Cwd = roots[0]
	}
	if name == "sessionStart" {
		ev.Kind, ev.Advise = SessionBegan, cursorAdvise
		return ev, nil
	}
	tool, isMCP := strings.CutPrefix(ev.Tool, "MCP:")
	if name != "postToolUse" || !isMCP {
		return ev, nil
	}
	ev.Kind, ev.Tool, ev.Advise = CallEnded, "mcp__cursor__"+tool, cursorAdvise
	if m.read("tool_output", &output) != nil {
		return ev, nil
	}
	response, err := cut([]byte(output))
	var failed bool
	if errors.Join(err, response.read("isError", &failed)) != nil || failed || response.has("structuredContent") {
		return ev, nil
	}
	blocks := textBlocks(response.get("content"))
	if blocks == nil {
		return ev, nil
	}
	ev.Output = &Output{Texts: blocks.texts, Encode: func(texts []string) ([]byte, error) {
		content, err := blocks.with(texts)
		if err != nil {
			return nil, err
		}
		updated, err := response.replace(map[string]any{"content": content})
		if err != nil {
			return nil, err
		}
		return json.Marshal(map[string]json.RawMessage{"updated_mcp_tool_output": updated})
	}}
	return ev, nil
}

// cursorAdvise: a session's start and a tool's end take a text beside the rest.
func cursorAdvise(answer []byte, text string) ([]byte, error) {
	var m members
	if len(answer) > 0 {
		var err error
		if m, err = cut(answer); err != nil {
			return nil, err
		}
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	return m.with("additional_context", quoted), nil
}
