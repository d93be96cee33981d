package host

import (
	"bytes"
	"encoding/json"
	"time"
)

// A command that Codex recorded as ended.
type recorded struct {
	ExitCode *int   `json:"exit_code"`
	Output   string `json:"aggregated_output"` // at most 64 KB, see recordSeam
}

const (
	rolloutTail = 2 << 20 // bytes at the end of a session's record that are searched
	// Codex writes the record of a command before it calls hooks, but another
	// task of it does: look this often, with that much between.
	rolloutLooks = 5
	rolloutPause = 20 * time.Millisecond
)

// recordedCommand finds how a call's command ended in the session's record,
// ~/.codex/sessions/…/rollout-….jsonl, which an envelope names. A line of it
// is {"type": "event_msg", "payload": {"type": "item_completed", "item":
// {"type": "CommandExecution", "id": call, "exit_code": …}}}.
func recordedCommand(rollout, call string) (recorded, bool) {
	if rollout == "" || call == "" {
		return recorded{}, false
	}
	for look := range rolloutLooks {
		if look > 0 {
			time.Sleep(rolloutPause)
		}
		tail, err := fileTail(rollout, rolloutTail)
		if err != nil {
			return recorded{}, false
		}
		if rec, ok := findCommand(tail, call); ok {
			return rec, true
		}
	}
	return recorded{}, false
}

func findCommand(tail []byte, call string) (recorded, bool) {
	id, err := json.Marshal(call)
	if err != nil {
		return recorded{}, false
	}
	for line := range lastFirst(tail) {
		if !bytes.Contains(line, []byte(`"CommandExecution"`)) || !bytes.Contains(line, id) {
			continue
		}
		var l struct {
			Payload struct {
				Type string `json:"type"`
				Item struct {
					Type string `json:"type"`
					ID   string `json:"id"`
					recorded
				} `json:"item"`
			} `json:"payload"`
		}
		if json.Unmarshal(line, &l) != nil {
			continue // the rest of a line, or one that is being written
		}
		if p := l.Payload; p.Type == "item_completed" && p.Item.Type == "CommandExecution" && p.Item.ID == call && p.Item.ExitCode != nil {
			return p.Item.recorded, true
		}
	}
	return recorded{}, false
}

// codexUsed finds how many tokens the session's last request had, and the
// window has: {"type": "event_msg", "payload": {"type": "token_count", "info":
// {"last_token_usage": {"total_tokens": …}, "model_context_window": …}}}.
func codexUsed(rollout string) (tokens, window int, ok bool) {
	ok = lookBack(rollout, func(tail []byte) bool {
		for line := range lastFirst(tail) {
			if !bytes.Contains(line, []byte(`"token_count"`)) {
				continue
			}
			var l struct {
				Payload struct {
					Type string `json:"type"`
					Info *struct {
						Last struct {
							Total int `json:"total_tokens"`
						} `json:"last_token_usage"`
						Window int `json:"model_context_window"`
					} `json:"info"`
				} `json:"payload"`
			}
			if json.Unmarshal(line, &l) == nil && l.Payload.Type == "token_count" && l.Payload.Info != nil {
				tokens, window = l.Payload.Info.Last.Total, l.Payload.Info.Window
				return tokens > 0
			}
		}
		return false
	})
	return tokens, window, ok
}
