package eval

import (
	"strings"

	"cairn/internal/team/result"
)

// An Entry is what the index knows of a run: enough to list and to find it.
type Entry struct {
	File      string      `json:"file"`
	ID        string      `json:"id"`
	Label     string      `json:"label,omitzero"`
	Suite     string      `json:"suite,omitzero"`
	Time      result.Time `json:"time,omitzero"`
	Repo      string      `json:"repo,omitzero"`
	Branch    string      `json:"branch,omitzero"`
	SHA       string      `json:"sha,omitzero"`
	Dirty     bool        `json:"dirty,omitzero"`
	PromptSHA string      `json:"prompt_sha,omitzero"`
	Host      string      `json:"host,omitzero"`
	Tool      string      `json:"tool,omitzero"`
	Kind      string      `json:"kind,omitzero"`
	Scope     string      `json:"scope,omitzero"`
	JudgeTier string      `json:"judge_tier,omitzero"`
	result.Counts
	CostUSD float64 `json:"cost_usd,omitzero"`
	Seconds float64 `json:"seconds,omitzero"`
}

func entryOf(run *result.Run) Entry {
	suite := run.Suite
	if suite == "" {
		suite = onlySuite(run)
	}
	return Entry{
		File: fileName(run), ID: run.ID, Label: run.Label, Suite: suite, Time: run.Timestamp, Repo: run.Repo,
		Branch: run.GitBranch, SHA: run.GitSHA, Dirty: run.GitDirty, PromptSHA: run.PromptSHA, Host: run.Hostname,
		Tool: run.Tool, Kind: run.Kind, Scope: run.Scope, JudgeTier: run.JudgeTier,
		Counts: run.Counts, CostUSD: run.TotalCostUSD, Seconds: run.DurationSeconds,
	}
}

// onlySuite is the suite of all results, "" when there are several.
func onlySuite(run *result.Run) string {
	suite := ""
	for i := range run.Results {
		switch s := run.Results[i].Suite; {
		case i == 0:
			suite = s
		case s != suite:
			return ""
		}
	}
	return suite
}

// fileName is 20260315T103000Z-label-0123456789ab.json: in the order of time,
// readable, and of one content only.
func fileName(run *result.Run) string {
	name := run.Timestamp.UTC().Format("20060102T150405Z") + "-"
	if label := Sanitize(run.Label); label != "" {
		name += label[:min(len(label), 40)] + "-"
	}
	return name + run.ID + ".json"
}

// Sanitize makes a word of a branch or a label: letters, digits, dot, dash and
// underscore stay, everything else becomes one underscore.
func Sanitize(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return strings.Trim(b.String(), "_.")
}
