package eval

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/result"
)

// An Entry is what the index knows of a run: enough to list and to find it.
type Entry struct {
	File      string      `json:"file"`
	ID        string      `json:"id"`
	Label     string      `json:"label,omitzero"`
	Suite     string      `json:"suite,omitzero"`   // of all results
	Suites    []string    `json:"suites,omitempty"` // where they are of several
	Time      result.Time `json:"timestamp,omitzero"`
	Repo      string      `json:"repo,omitzero"`
	Branch    string      `json:"git_branch,omitzero"`
	SHA       string      `json:"git_sha,omitzero"`
	Dirty     bool        `json:"git_dirty,omitzero"`
	PromptSHA string      `json:"prompt_sha,omitzero"`
	Host      string      `json:"hostname,omitzero"`
	Tool      string      `json:"tool,omitzero"`
	Kind      string      `json:"kind,omitzero"`
	Scope     string      `json:"scope,omitzero"`
	JudgeTier string      `json:"judge_tier,omitzero"`
	result.Counts
	CostUSD float64 `json:"cost_usd,omitzero"`
	Where   string  `json:"where,omitzero"` // set together with runs of a team: Here, Elsewhere or Both
	Seconds float64 `json:"duration_seconds,omitzero"`
}

// EntryOf is what an index would know of a run.
func EntryOf(run *result.Run) Entry {
	e := Entry{
		File: fileName(run), ID: run.ID, Label: run.Label, Time: run.Timestamp, Repo: run.Repo,
		Branch: run.GitBranch, SHA: run.GitSHA, Dirty: run.GitDirty, PromptSHA: run.PromptSHA, Host: run.Hostname,
		Tool: run.Tool, Kind: run.Kind, Scope: run.Scope, JudgeTier: run.JudgeTier,
		Counts: run.Counts, CostUSD: run.TotalCostUSD, Seconds: run.DurationSeconds,
	}
	switch suites := Suites(run); len(suites) {
	case 0:
		e.Suite = run.Suite
	case 1:
		e.Suite = suites[0]
	default:
		e.Suites = suites
	}
	return e
}

// Suites lists the suites of a run's results by name; "" is one, too.
func Suites(run *result.Run) (suites []string) {
	last := ""
	seen := map[string]bool{}
	for i := range run.Results {
		suite := run.Results[i].Suite
		if suite == "" {
			suite = run.Suite
		}
		if (i == 0 || suite != last) && !seen[suite] {
			seen[suite] = true
			suites = append(suites, suite)
		}
		last = suite
	}
	slices.Sort(suites)
	return suites
}

func (e *Entry) suites() []string {
	if len(e.Suites) > 0 {
		return e.Suites
	}
	return []string{e.Suite}
}

func (e *Entry) sharesSuite(o *Entry) bool {
	return slices.ContainsFunc(e.suites(), func(s string) bool { return slices.Contains(o.suites(), s) })
}

// SuiteText is how a person reads which suites there are.
func (e *Entry) SuiteText() string {
	switch names := e.suites(); {
	case len(names) > 3:
		return fmt.Sprintf("%s, %s and %d more", names[0], names[1], len(names)-2)
	case len(names) > 1:
		return strings.Join(names, ", ")
	default:
		return names[0]
	}
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
