package host

import (
	"encoding/json"
	"errors"
)

// blocks are the parts of an MCP result, [{"type": "text", "text": …}, …], all
// of them text.
type blocks struct {
	all   []members
	texts []string
}

// textBlocks returns nil for a result with anything in it that is not text:
// an image leaves the whole alone.
func textBlocks(response json.RawMessage) *blocks {
	var raws []json.RawMessage
	if json.Unmarshal(response, &raws) != nil || len(raws) == 0 {
		return nil
	}
	b := &blocks{}
	for _, raw := range raws {
		var kind string
		var text *string
		m, err := cut(raw)
		if errors.Join(err, m.read("type", &kind), m.read("text", &text)) != nil || kind != "text" || text == nil {
			return nil
		}
		b.all, b.texts = append(b.all, m), append(b.texts, *text)
	}
	return b
}

// with returns the blocks with other texts, and all else as it was.
func (b *blocks) with(texts []string) (json.RawMessage, error) {
	updated := json.RawMessage{'['}
	for i, m := range b.all {
		block, err := m.replace(map[string]any{"text": texts[i]})
		if err != nil {
			return nil, err
		}
		if i > 0 {
			updated = append(updated, ',')
		}
		updated = append(updated, block...)
	}
	return append(updated, ']'), nil
}
