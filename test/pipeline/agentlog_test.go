//go:build agents

package pipeline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// logged is a call as the agent itself wrote it down.
type logged struct {
	Spawned bool   // by an agent that was spawned
	Tool    string // Bash, Agent, …
	Line    string // of a shell call
	Result  string
	Failed  bool
}

// waited reports whether the call was kept from running until a person approves it.
func (l logged) waited() bool {
	for _, said := range []string{"requires approval", "requested permissions", "granted it", "Approve only if"} {
		if l.Failed && strings.Contains(l.Result, said) {
			return true
		}
	}
	return false
}

// agentLog reads the transcripts that Claude Code keeps below a home, and removes them.
func agentLog(t *testing.T, home string) (all []logged) {
	t.Helper()
	dir := filepath.Join(home, ".claude", "projects")
	calls := map[string]int{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".jsonl" {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in := bufio.NewScanner(f)
		in.Buffer(nil, 64<<20)
		for in.Scan() {
			var line struct {
				Sidechain bool `json:"isSidechain"`
				Message   struct {
					Content json.RawMessage
				}
			}
			var blocks []struct {
				Type, ID, Name string
				Input          struct{ Command string }
				UseID          string `json:"tool_use_id"`
				IsError        bool   `json:"is_error"`
				Content        any
			}
			if json.Unmarshal(in.Bytes(), &line) != nil || json.Unmarshal(line.Message.Content, &blocks) != nil {
				continue
			}
			for _, b := range blocks {
				switch b.Type {
				case "tool_use":
					calls[name+b.ID] = len(all)
					all = append(all, logged{Spawned: line.Sidechain, Tool: b.Name, Line: b.Input.Command})
				case "tool_result":
					if i, ok := calls[name+b.UseID]; ok {
						all[i].Failed, all[i].Result = b.IsError, fmt.Sprint(b.Content)
					}
				}
			}
		}
		return in.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	return all
}
