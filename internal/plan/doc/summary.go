package doc

import (
	"strconv"
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
	OneLiner     string // see oneLiner
	Tasks        int    // of `**Tasks:** n`, 0 when it does not say
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
		TechAdded: tech.Get("added").Strings(), TechPatterns: tech.Get("patterns").Strings(),
		Created: files.Get("created").Strings(), Modified: files.Get("modified").Strings(),
		Patterns:     f.either("patterns-established", "patterns_established").Strings(),
		Requirements: f.either("requirements-completed", "requirements_completed").Strings(),
		Duration:     f.Get("duration").Text(), Completed: f.Get("completed").Text(),
		OneLiner: t.oneLiner(),
	}
	s.Files = append(f.either("files_modified", "files-modified").Strings(), files.Strings()...)
	for _, text := range f.either("key-decisions", "key_decisions").Strings() {
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
	s.Tasks = t.taskCount()
	return s
}

// oneLiner returns the frontmatter's one-liner; else the first line in bold
// under the title: **Text** or **Label:** text.
func (t *Text) oneLiner() string {
	if s := t.Front().either("one-liner", "one_liner").Text(); s != "" {
		return s
	}
	titled := false
	for i := t.Body(); i < t.Len(); i++ {
		line := strings.TrimSpace(t.Line(i))
		if t.Code(i) || line == "" {
			continue
		}
		if h, ok := heading(line); ok {
			if titled { // the next section: the title has no one-liner
				return ""
			}
			titled = h.Level == 1
			continue
		}
		rest, bold := strings.CutPrefix(line, "**")
		if !titled || !bold {
			continue
		}
		text, after, closed := strings.Cut(rest, "**")
		if !closed {
			continue
		}
		after = strings.TrimSpace(after)
		if label, ok := strings.CutSuffix(text, ":"); ok && label != "" {
			if after != "" {
				return after
			}
			return label
		}
		if value, ok := strings.CutPrefix(after, ":"); ok && strings.TrimSpace(value) != "" {
			return strings.TrimSpace(value)
		}
		return text
	}
	return ""
}

// taskCount reads `**Tasks:** n` wherever it stands, also in a list item.
func (t *Text) taskCount() int {
	for i := t.Body(); i < t.Len(); i++ {
		if _, rest, ok := strings.Cut(t.Line(i), "**Tasks:**"); ok && !t.Code(i) {
			rest = strings.TrimSpace(rest)
			n, _ := strconv.Atoi(rest[:countDigits(rest)])
			return n
		}
	}
	return 0
}
