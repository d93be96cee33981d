// Package rule is the library of compaction rules: what a rule is, where
// rules come from, how the three tiers are merged, and which rule an output
// belongs to.
//
// Only internal/compact and cli may import it; it imports command. What a rule
// does to lines belongs to internal/compact, what a record is to record.
//
// A rule is a JSON file: built-in ones are under rules/<family>/, a user's in
// ~/.cairn/compact/rules/, a project's in .cairn/rules/.
package rule

import (
	"encoding/json"
	"fmt"
	"regexp"
)

// A Rule says how the output of some commands is cut. Every field but ID is
// optional; an unknown field is ignored, so that a rule written for a later
// version still works.
type Rule struct {
	ID          string     `json:"id"` // family/name
	Family      string     `json:"family,omitempty"`
	Description string     `json:"description,omitempty"`
	Match       Match      `json:"match,omitzero"`
	Parser      string     `json:"parser,omitempty"` // of package record; "" is text
	Finite      bool       `json:"finite,omitempty"` // the command ends by itself soon; not read today
	Data        bool       `json:"data,omitempty"`   // the output is content (files, listings), so its words tell nothing about a failure
	Exact       int        `json:"exact,omitempty"`  // bytes: an output up to this size goes out unchanged
	Primitives  Primitives `json:"primitives,omitzero"`
	Tee         *Tee       `json:"tee,omitempty"`
	Counters    []Counter  `json:"counters,omitempty"` // as primitives.count.counters

	Source string `json:"-"` // the files it was merged from, lowest tier first
	Tier   Tier   `json:"-"` // the highest of them
}

// A Tier is whose rule it is.
type Tier uint8

const (
	BuiltIn Tier = iota
	OfUser
	OfProject
)

// Match says which outputs a rule is for.
type Match struct {
	Tools    []string `json:"tools,omitempty"`    // default: Bash, and TaskOutput, which shows what a command in the background printed
	Commands []string `json:"commands,omitempty"` // command prefixes, longest wins: "go test"
	Patterns []string `json:"patterns,omitempty"` // regular expressions on the content, when no command decides
	Hooks    bool     `json:"hooks,omitempty"`    // the command may run other tools besides (git commit): plain content decides first
	Wrapper  bool     `json:"wrapper,omitempty"`  // the command runs another tool (npm run, make): content decides first
	Source   bool     `json:"source,omitempty"`   // the output may be source code: beside other commands' output, this rule decides
}

// Primitives are the steps a rule may use, in the order they run.
type Primitives struct {
	Filter   Filter    `json:"filter,omitzero"`
	Group    *Group    `json:"group,omitempty"`
	Dedupe   *Dedupe   `json:"dedupe,omitempty"`
	Truncate *Truncate `json:"truncate,omitempty"`
	Count    Count     `json:"count,omitzero"`
}

// Filter removes spans and lines. All lists are regular expressions.
type Filter struct {
	Strip  []string `json:"strip,omitempty"` // the matching span goes
	Drop   []string `json:"drop,omitempty"`  // the line goes
	Keep   []string `json:"keep,omitempty"`  // the line is never removed by anything later
	Only   []string `json:"only,omitempty"`  // a line that matches neither only nor keep goes
	Blocks []Block  `json:"blocks,omitempty"`
}

// A Block is several lines kept whole: from one that matches Start to one
// that matches End (an empty End: up to the next blank line), at most Max
// lines (0: 60).
type Block struct {
	Start string `json:"start"`
	End   string `json:"end,omitempty"`
	Max   int    `json:"max,omitempty"`
}

// Group puts lines that match By under a header by its capture "key"; a
// capture "row" is what is printed of the line.
type Group struct {
	By       string `json:"by,omitempty"`
	Header   string `json:"header,omitempty"`
	Limit    int    `json:"limit,omitempty"`    // rows printed of each group; 0: 10
	Sort     string `json:"sort,omitempty"`     // "count" (most first) or "" (first seen first)
	Lossless bool   `json:"lossless,omitempty"` // all rows or their count are kept: runs at level normal
}

// Dedupe folds a run of equal lines into the first with a count.
type Dedupe struct {
	Pattern   string `json:"pattern,omitempty"`   // only lines that match; "": all
	Normalize bool   `json:"normalize,omitempty"` // equal after numbers, times, hex and paths are taken out
	Across    bool   `json:"across,omitempty"`    // not only runs: anywhere in the output
	Format    string `json:"format,omitempty"`    // in place of the run: "[… {count} blank lines …]"
}

// Truncate keeps the first and last lines of what nothing else decided about.
type Truncate struct {
	HeadLines int     `json:"headLines"`
	TailLines int     `json:"tailLines"`
	OnFailure *Window `json:"onFailure,omitempty"`
}

// A Window is a number of lines at either end.
type Window struct {
	HeadLines int `json:"headLines"`
	TailLines int `json:"tailLines"`
}

// Count counts lines; Summary stands where the most lines were dropped, with
// {name} replaced by each counter.
type Count struct {
	Counters []Counter `json:"counters,omitempty"`
	Summary  string    `json:"summary,omitempty"`
}

// A Counter counts the lines that match Pattern. Flags are those of Go's
// regexp syntax, "i" for example.
type Counter struct {
	Name    string `json:"name"`
	Pattern string `json:"pattern"`
	Flags   string `json:"flags,omitempty"`
}

// Tee says when the raw output is stored: OnExit "nonzero" (and any large
// cut), "always" or "never".
type Tee struct {
	OnExit   string `json:"onExit,omitempty"`
	MaxBytes int    `json:"maxBytes,omitempty"`
}

// Parse reads one rule. The error names what is wrong, not the file.
func Parse(data []byte) (*Rule, error) {
	var r Rule
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	if r.ID == "" {
		return nil, fmt.Errorf("the rule has no id")
	}
	r.Primitives.Count.Counters = append(r.Primitives.Count.Counters, r.Counters...)
	r.Counters = nil
	return &r, nil
}

// Compile compiles one of the rule's patterns. RE2 cannot backtrack, so a
// pattern that needs look-around or back-references is refused.
func (r *Rule) Compile(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: rule %s: pattern %q cannot be used: %w", r.Source, r.ID, pattern, err)
	}
	return re, nil
}
