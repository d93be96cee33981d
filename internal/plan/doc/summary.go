package doc

import (
	"strings"
)

// Summary is what a SUMMARY.md says.
type Summary struct {
	Phase, Plan  string
	Subsystem    string
	Tags         []string
	Requires     []Provided
	Provides     []string
	Affects      []string
	TechAdded    []string
	TechPatterns []string
	Created      []string // key-files
	Modified     []string
	Files        []string // files_modified, or key-files as a plain list
	Decisions    []Decided
	Patterns     []string // patterns-established
	Requirements []string // requirements-completed
	Duration     string
	Completed    string // a date
	OneLiner     string // see OneLiner
	Tasks        int    // see TaskCount
}

// Provided is what an earlier phase gave.
type Provided struct{ Phase, Provides string }

// Decided is an entry of key-decisions, `what: why`.
type Decided struct{ Summary, Rationale string }

// ReadSummary reads a summary. It never fails: what is not there is empty.
// Keys may be written with dashes or underscores.
func ReadSummary(t *Text) Summary {
	f := t.Front()
	files, tech := f.either("key-files", "key_files"), f.either("tech-stack", "tech_stack")
	s := Summary{
		Phase: f.Get("phase").Text(), Plan: f.Get("plan").Text(), Subsystem: f.Get("subsystem").Text(),
		Tags: f.Get("tags").Strings(), Provides: f.Get("provides").Strings(), Affects: f.Get("affects").Strings(),
		TechAdded: tech.Get("added").Names(), TechPatterns: tech.Get("patterns").Strings(),
		Created: files.Get("created").Strings(), Modified: files.Get("modified").Strings(),
		Patterns:     f.either("patterns-established", "patterns_established").Names(),
		Requirements: f.either("requirements-completed", "requirements_completed").Strings(),
		Duration:     f.Get("duration").Text(), Completed: f.Get("completed").Text(),
		OneLiner: OneLiner(t),
	}
	s.Files = append(f.either("files_modified", "files-modified").Strings(), files.Strings()...)
	for _, text := range f.either("key-decisions", "key_decisions").Names() {
		what, why, _ := strings.Cut(text, ":")
		s.Decisions = append(s.Decisions, Decided{strings.TrimSpace(what), strings.TrimSpace(why)})
	}
	for _, it := range f.Get("requires").list() {
		if it.Kind == Map {
			s.Requires = append(s.Requires, Provided{it.Get("phase").Text(), it.Get("provides").Text()})
		} else {
			s.Requires = append(s.Requires, Provided{Provides: it.Value})
		}
	}
	s.Tasks = TaskCount(t)
	return s
}

// Names returns the texts of a list as Strings does, but an item that is a
// map is what its name, decision, provides, pattern or title says.
func (n *Node) Names() []string {
	if n == nil || n.Kind != List {
		return n.Strings()
	}
	var out []string
	for _, it := range n.Items {
		if name := it.name(); name != "" {
			out = append(out, name)
		}
	}
	return out
}

func (n *Node) name() string {
	for _, key := range []string{"name", "decision", "provides", "pattern", "title"} {
		if v := n.Get(key); v != nil && v.Kind == Scalar && v.Value != "" {
			return v.Value
		}
	}
	one := Node{Kind: List, Items: []*Node{n}}
	return strings.Join(one.Strings(), "")
}
