package record

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
	"cairn/internal/team/table"
)

// A Session is what was said in a session with an agent.
type Session struct {
	ID             string
	Messages       []Message
	Started, Ended time.Time
}

// A Message of a session; it is stored as it stands here.
type Message struct {
	Role  string    `json:"role"`
	Text  string    `json:"display_text"`
	Tools []string  `json:"tool_names"`
	Time  time.Time `json:"timestamp,omitzero"`
}

const (
	mostText     = 8 << 10 // bytes of one message
	mostMessages = 2000    // the last ones of a session
)

// Row makes the row of a session. Long texts are cut, with an … in their place.
func (s Session) Row(when Context) (Row, error) {
	tools := map[string]int{}
	list, turns := make([]Message, len(s.Messages)), 0
	for i, m := range s.Messages {
		m.Text = storable(m.Text, mostText)
		if m.Role == "user" {
			turns++
		}
		m.Tools = append([]string{}, m.Tools...) // a list also where there is none
		for _, tool := range m.Tools {
			tools[tool]++
		}
		list[i] = m
	}
	list = list[max(0, len(list)-mostMessages):]
	c := columns{}
	c.text("session_id", s.ID)
	for name, value := range map[string]any{"messages": list, "tools_used": tools, "total_turns": turns} {
		data, err := json.Marshal(value, json.Deterministic(true))
		if err != nil {
			return Row{}, err
		}
		c[name] = jsontext.Value(data)
	}
	if !s.Started.IsZero() {
		c.time("started_at", s.Started)
		c.time("occurred_at", s.Started)
		c.time("ended_at", s.Ended)
	}
	return c.row(table.Find(Transcript.Table()), when, 1, s.ID)
}

func checkTranscript(c columns, o *object) error {
	m := o.find("messages")
	wrong := func(line int, what string) error {
		return result.Problem{Line: m.line + line - 1, Path: "messages", What: what}
	}
	if m.value.Kind() != '[' {
		return wrong(1, "must be a list")
	}
	if strings.Trim(string(m.value), "[] \t\r\n") == "" {
		return wrong(1, "it is empty")
	}
	list, err := objects(m.value)
	if err != nil {
		return wrong(1, "must be a list of objects with role and display_text")
	}
	for _, said := range list {
		if role := said.text("role"); role != "user" && role != "assistant" || said.find("display_text") == nil {
			return wrong(said.line, "each needs a role, user or assistant, and a display_text")
		}
	}
	return nil
}
