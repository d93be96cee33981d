package host

import (
	"encoding/json"
	"errors"
)

// textBlocks reads the result of an MCP tool, an array of content blocks
// {"type": "text", "text": …}. set gives the array with other texts. One block
// that is not text (an image) leaves the whole result alone: texts is nil.
func textBlocks(raw json.RawMessage) (texts []string, set func(texts []string) (json.RawMessage, error)) {
	var raws []json.RawMessage
	if json.Unmarshal(raw, &raws) != nil || len(raws) == 0 {
		return nil, nil
	}
	blocks := make([]members, len(raws))
	for i, raw := range raws {
		var kind string
		var text *string
		m, err := cut(raw)
		if errors.Join(err, m.read("type", &kind), m.read("text", &text)) != nil || kind != "text" || text == nil {
			return nil, nil
		}
		blocks[i], texts = m, append(texts, *text)
	}
	return texts, func(texts []string) (json.RawMessage, error) {
		updated := json.RawMessage{'['}
		for i, m := range blocks {
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
}
