package transcript

import (
	"encoding/json"
	"strings"

	"cairn/internal/tokens"
)

// An Entry is a text, other than a tool result, that entered a model's context. Of
// the text only the size is kept.
type Entry struct {
	Session string
	Agent   string // of a subagent
	Request int    // number of the last request before it, -1 for none: it is part of the next one's prompt
	Kind    Kind
	Name    string // of an MCP server
	Tokens  int    // estimated
}

// A Kind of text in a context.
type Kind string

// The kinds.
const (
	System      Kind = "system prompt"
	Tools       Kind = "built-in tools"
	Server      Kind = "MCP server"
	Skills      Kind = "skills and commands"
	Roles       Kind = "agent roles"
	Memory      Kind = "memory files"
	Environment Kind = "environment and reminders"
	Prompt      Kind = "prompts"
	Summary     Kind = "summary"
)

// enter gives an entry on.
func (s *session) enter(l claudeLine, kind Kind, name string, n int) {
	if n == 0 {
		return
	}
	e := Entry{Session: l.SessionID, Agent: l.AgentID, Request: -1, Kind: kind, Name: name, Tokens: n}
	for i := len(s.requests) - 1; i >= 0 && e.Request < 0; i-- {
		if s.requests[i].Agent == l.AgentID {
			e.Request = i
		}
	}
	s.reader.Entered(e)
}

// attachment is a text that Claude Code added. Its rendered form is what was sent.
type attachment struct {
	Attachment struct {
		Type string `json:"type"`
	} `json:"attachment"`
	Rendered []struct {
		Content string `json:"content"`
	} `json:"rendered"`
}

func (s *session) attached(raw []byte, l claudeLine) {
	var a attachment
	if !decode(raw, &a) {
		return
	}
	n := 0
	for _, r := range a.Rendered {
		n += tokens.Estimate(r.Content)
	}
	kind := Environment
	switch t := a.Attachment.Type; {
	case strings.HasPrefix(t, "skill"), strings.HasPrefix(t, "command"):
		kind = Skills
	case strings.HasPrefix(t, "agent_listing"):
		kind = Roles
	case strings.HasPrefix(t, "deferred_tools"):
		kind = Tools
	case strings.HasPrefix(t, "mcp"):
		kind = Server
	case strings.Contains(t, "memory"), strings.Contains(t, "claude_md"):
		kind = Memory
	}
	s.enter(l, kind, "", n)
}

// shaped takes what newer versions of Claude Code write of the fixed part of their
// requests: the system prompt and the tools. Only the first of a file counts.
func (s *session) shaped(raw []byte, l claudeLine) {
	if s.hasShape {
		return
	}
	var shape struct {
		Shape struct {
			System []claudeBlock     `json:"system"`
			Tools  []json.RawMessage `json:"tools"`
		} `json:"shape"`
	}
	if !decode(raw, &shape) || len(shape.Shape.System) == 0 {
		return
	}
	s.hasShape = true
	n := 0
	for _, b := range shape.Shape.System {
		n += tokens.Estimate(b.Text)
	}
	s.enter(l, System, "", n)
	for _, tool := range shape.Shape.Tools {
		var t struct {
			Name string `json:"name"`
		}
		decode(tool, &t)
		kind, server := Tools, ""
		if rest, ok := strings.CutPrefix(t.Name, "mcp__"); ok {
			kind = Server
			server, _, _ = strings.Cut(rest, "__")
		}
		s.enter(l, kind, server, tokens.EstimateBytes(len(tool)))
	}
}

// wrote takes what stands in the name of a person.
func (s *session) wrote(l claudeLine, content json.RawMessage) {
	text, _ := texts(content)
	kind := Prompt
	switch {
	case l.Summary:
		kind = Summary
	case strings.HasPrefix(text, reminderMark):
		kind = Environment
	}
	s.enter(l, kind, "", tokens.Estimate(text))
}

// codexMessage takes a message that is not the model's.
func (s *session) codexMessage(role string, content json.RawMessage) {
	if role != "user" && role != "developer" {
		return
	}
	text, _ := texts(content)
	kind := Environment
	switch {
	case strings.Contains(text, "# AGENTS.md instructions"), strings.HasPrefix(text, "<user_instructions>"):
		kind = Memory
	case strings.HasPrefix(text, "<skills_instructions>"):
		kind = Skills
	case role == "user" && typed(text) != "":
		kind = Prompt
	}
	s.enter(claudeLine{SessionID: s.id}, kind, "", tokens.Estimate(text))
}

// codexBase takes the system prompt that the head of a file has.
func (s *session) codexBase(payload json.RawMessage) {
	var m struct {
		Base struct {
			Text string `json:"text"`
		} `json:"base_instructions"`
	}
	decode(payload, &m)
	s.enter(claudeLine{SessionID: s.id}, System, "", tokens.Estimate(m.Base.Text))
}
