package host

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Hosts that took Claude Code's answers as their pattern have in them
// {"hookSpecificOutput": {"hookEventName": EVENT, …}}.

// contextFor returns the Advise of such a host for an event: the text is a
// member additionalContext.
func contextFor(event string) func(answer []byte, text string) ([]byte, error) {
	return func(answer []byte, text string) ([]byte, error) {
		quoted, err := json.Marshal(text)
		if err != nil {
			return nil, err
		}
		if len(answer) == 0 {
			return specific(event, "additionalContext", quoted), nil
		}
		whole, err := cut(answer)
		if err != nil {
			return nil, err
		}
		inner, err := cut(whole.get("hookSpecificOutput"))
		if err != nil {
			return nil, err
		}
		return whole.replace(map[string]any{"hookSpecificOutput": inner.with("additionalContext", quoted)})
	}
}

// denied is the answer by which such a host does not run a call.
func denied(event string) func(why string) ([]byte, error) {
	return func(why string) ([]byte, error) {
		quoted, err := json.Marshal(why)
		if err != nil {
			return nil, err
		}
		return members{
			{`"hookEventName"`, json.RawMessage(`"` + event + `"`)},
			{`"permissionDecision"`, json.RawMessage(`"deny"`)},
			{`"permissionDecisionReason"`, quoted},
		}.specific(), nil
	}
}

// specific is the answer with one member for an event.
func specific(event, key string, value json.RawMessage) []byte {
	return members{{`"hookEventName"`, json.RawMessage(`"` + event + `"`)}, {`"` + key + `"`, value}}.specific()
}

func (m members) specific() []byte {
	return append(append([]byte(`{"hookSpecificOutput":`), m.object()...), '}')
}

// with returns the object with one more member, which it does not have.
func (m members) with(key string, value json.RawMessage) json.RawMessage {
	return append(m[:len(m):len(m)], member{`"` + key + `"`, value}).object()
}

// object is the members as they stand.
func (m members) object() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, mem := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(mem.key)
		b.WriteByte(':')
		b.Write(mem.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// appendTo returns the answer with a text after the one that the model gets by
// the member of this name.
func appendTo(answer []byte, key, text string) ([]byte, error) {
	m, err := cut(answer)
	var old string
	if err = errors.Join(err, m.read(key, &old)); err != nil {
		return nil, err
	}
	return m.replace(map[string]any{key: below(old, text)})
}

// below is a text of ours below the one of a tool.
func below(text, ours string) string {
	if text == "" {
		return ours
	}
	return text + "\n\n" + ours
}
