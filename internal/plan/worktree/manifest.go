package worktree

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/term"
)

// Entry is an agent's worktree: where it is, its branch, and the commit it
// began at. An orchestrator notes one when it starts the agent.
type Entry struct {
	Phase  string `json:"phase,omitempty"`
	Wave   int    `json:"wave,omitempty"`
	Agent  string `json:"agent_id,omitempty"`
	Path   string `json:"worktree_path"`
	Branch string `json:"branch"`
	Base   string `json:"expected_base"`
	Status Status `json:"status,omitempty"` // of the last clean-up
	Reason Reason `json:"reason,omitempty"`
}

// branchPrefix begins the branches that agents work on; no other is touched.
const branchPrefix = "worktree-agent-"

// ParseManifest reads a wave's manifest: a JSON list of entries, or an object
// with the list as its member worktrees. A path may also be called path.
// Entries that lack something, or name a branch that is not an agent's, are
// left out, and so is a second entry for a path or branch.
func ParseManifest(b []byte) ([]Entry, error) {
	var list []json.RawMessage
	if json.Unmarshal(b, &list) != nil {
		var object struct {
			Worktrees []json.RawMessage `json:"worktrees"`
		}
		if err := json.Unmarshal(b, &object); err != nil {
			return nil, errors.New("a manifest is a JSON list, or an object with a list of worktrees")
		}
		list = object.Worktrees
	}
	var out []Entry
	for _, raw := range list {
		var e struct {
			Entry
			Short string `json:"path"`
		}
		if json.Unmarshal(raw, &e) != nil {
			continue
		}
		if e.Path == "" {
			e.Path = e.Short
		}
		twice := slices.ContainsFunc(out, func(have Entry) bool { return have.Path == e.Path || have.Branch == e.Branch })
		if e.valid() && !twice {
			out = append(out, e.Entry)
		}
	}
	return out, nil
}

func (e Entry) valid() bool {
	return e.Path != "" && e.Base != "" && !strings.HasPrefix(e.Base, "-") && isAgentBranch(e.Branch)
}

// PlanOf returns the plan that a branch which Add made is of.
func PlanOf(branch string) string { return strings.TrimPrefix(branch, branchPrefix) }

func isAgentBranch(name string) bool {
	rest, ok := strings.CutPrefix(name, branchPrefix)
	return ok && rest != "" && !strings.ContainsFunc(rest, func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-", r)
	})
}

// recordPath is where the workspace's own manifest is. Git ignores it.
func recordPath(w *plan.Workspace) string {
	name := "worktrees.json"
	if w.Stream != "" {
		name = "worktrees-" + w.Stream + ".json"
	}
	return w.Shared(".cairn", name)
}

// Recorded returns the entries of the workspace's manifest.
func Recorded(tx *plan.Tx) []Entry {
	if !tx.Has(recordPath(tx.Workspace)) {
		return nil
	}
	b := must.Get(tx.ReadBytes(recordPath(tx.Workspace)))
	entries, err := ParseManifest(b)
	if err != nil {
		must.Fail(&plan.InputError{Path: recordPath(tx.Workspace), What: err.Error()})
	}
	return entries
}

// Record adds an entry to the workspace's manifest, or replaces the one of
// its path or branch, and drops those that were brought home.
func Record(tx *plan.Tx, e Entry) {
	if !e.valid() {
		err := errors.New("a worktree is recorded with its path, the commit it began at, and a branch " + branchPrefix + "NAME")
		if !isAgentBranch(e.Branch) {
			err = fmt.Errorf("the branch of an agent's worktree is %sNAME, not %q", branchPrefix, e.Branch)
		}
		must.Fail(term.Hint(err, "git worktree add -b %sNAME DIR makes one", branchPrefix))
	}
	entries := Recorded(tx)
	entries = slices.DeleteFunc(entries, func(have Entry) bool {
		return have.Status == MergedRemoved || have.Path == e.Path || have.Branch == e.Branch
	})
	write(tx, append(entries, e))
}

// Note writes what a clean-up did into the workspace's manifest.
func Note(tx *plan.Tx, outcomes []Outcome) {
	entries := Recorded(tx)
	for i, e := range entries {
		for _, o := range outcomes {
			if o.Path == e.Path && o.Branch == e.Branch {
				entries[i].Status, entries[i].Reason = o.Status, o.Reason
			}
		}
	}
	write(tx, entries)
}

func write(tx *plan.Tx, entries []Entry) {
	tx.Write(recordPath(tx.Workspace), append(must.Get(json.MarshalIndent(map[string]any{"worktrees": entries}, "", "  ")), '\n'))
}
