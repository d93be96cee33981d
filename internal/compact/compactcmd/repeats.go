package compactcmd

import (
	"bytes"
	"encoding/json"
	"os"
	"time"

	"cairn/internal/compact"
	"cairn/internal/compact/reads"
	"cairn/internal/hook"
	"cairn/internal/host"
	"cairn/internal/tokens"
	"cairn/internal/transcript"
)

// repeats goes through calls of the past as the hook would have met them, and
// keeps what it would have answered to Reads of lines that the model had in its
// context.
type repeats struct {
	outline bool   // of first Reads, too
	dir     string // of the ledger
	now     time.Time
	begun   map[string]int // sessions, with how often their context was replaced
	short   map[[2]string]said
}

// said is what stood in place of a Read, and by which rule.
type said struct{ rule, text string }

// follow is nil where nothing is left out of a repeated Read.
func (r *repeats) follow(on bool) func() (func(*transcript.Call), func()) {
	if !on {
		return nil
	}
	return func() (func(*transcript.Call), func()) {
		dir, err := os.MkdirTemp("", "cairn-reads-")
		if err != nil {
			return func(*transcript.Call) {}, func() {} // then every Read counts as a first one
		}
		r.dir, r.begun = dir, map[string]int{}
		return r.told, func() { os.RemoveAll(dir) }
	}
}

// key tells a call from others: the transcripts are read more than once.
func key(c *transcript.Call) [2]string { return [2]string{c.Session, c.ID} }

// told gives the agent's hook what it would have got of a call. Only calls whose
// envelope is written down can be given.
func (r *repeats) told(c *transcript.Call) {
	h, ok := host.Find(c.Host)
	if !ok || c.Failed {
		return
	}
	if contexts, ok := r.begun[c.Session]; !ok || contexts != c.Context {
		r.begun[c.Session] = c.Context
		_ = reads.Begin(r.dir, c.Session)
	}
	r.now = c.Time
	if c.Response == nil {
		_ = reads.Open(r.dir, c.Session, c.Agent, r.now).Spent(tokens.EstimateBytes(len(c.Output)))
		return
	}
	envelope, err := json.Marshal(map[string]any{
		"hook_event_name": h.ReplaceEvent, "session_id": c.Session, "agent_id": c.Agent, "cwd": c.Project,
		"tool_name": c.Tool, "tool_input": c.Input, "tool_response": c.Response,
	})
	if err != nil {
		return
	}
	rule := ""
	var out bytes.Buffer
	err = hook.Run(h, bytes.NewReader(envelope), &out, hook.Settings{
		Compact: func(string) compact.Options {
			return compact.Options{Level: compact.Normal, Reads: r.dir, Outline: r.outline}
		},
		Used: func(_ string, _ compact.Envelope, m compact.Meta) {
			if m.Rule == hook.ReadAgain || m.Rule == hook.ReadOutline {
				rule = m.Rule
			}
		},
		Now: func() time.Time { return r.now },
	})
	var answer struct {
		Specific struct {
			Updated struct {
				File struct {
					Content string `json:"content"`
				} `json:"file"`
			} `json:"updatedToolOutput"`
		} `json:"hookSpecificOutput"`
	}
	if err == nil && rule != "" && json.Unmarshal(out.Bytes(), &answer) == nil {
		r.short[key(c)] = said{rule, answer.Specific.Updated.File.Content}
	}
}
