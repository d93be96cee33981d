package eval

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/result"
)

// The index is a line of JSON for each run, in the order in which they came.
// It is a memory of what the files say and nothing more: a line that is torn or
// missing is read from its file again, a line without a file counts for nothing.
// So nobody has to lock it.
const (
	indexName = "index.ndjson"
	maxIndex  = 1 << 30
)

// note adds a line for each entry, all in one write. After a torn line both
// are read from their files once more.
func (s *Store) note(entries ...Entry) {
	f, err := os.OpenFile(filepath.Join(s.dir, indexName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, home.PrivateFile)
	if err != nil {
		return
	}
	_, _ = f.Write(indexLines(entries))
	f.Close()
}

func indexLines(entries []Entry) []byte {
	var text bytes.Buffer
	for i := range entries {
		if data, err := json.Marshal(&entries[i]); err == nil {
			text.Write(append(data, '\n'))
		}
	}
	return text.Bytes()
}

// List returns all runs, the newest first. Files that cannot be read are left
// out and returned apart, each with the reason.
func (s *Store) List() (entries []Entry, broken []error, err error) {
	entries, broken, err = s.list()
	if err == nil && s.others != nil {
		entries = s.others.merge(entries, s.written)
	}
	return entries, broken, err
}

// list is List of what is here.
func (s *Store) list() (entries []Entry, broken []error, err error) {
	files, err := s.files()
	if err != nil || len(files) == 0 {
		return nil, nil, err
	}
	entries, unknown, lines := s.readIndex(files)
	known := len(entries)
	s.sortOldest(unknown)
	for _, file := range unknown {
		e, err := s.readEntry(file)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		entries = append(entries, e)
	}
	switch {
	case lines > 2*len(files)+100: // mostly of runs that are gone
		_ = atomicfile.WriteFile(filepath.Join(s.dir, indexName), indexLines(entries), home.PrivateFile)
	case len(entries) > known:
		s.note(entries[known:]...)
	}
	slices.Reverse(entries)
	sortNewest(entries)
	return entries, broken, nil
}

// sortOldest puts files in the order in which they were written.
func (s *Store) sortOldest(files []string) {
	at := make(map[string]time.Time, len(files))
	for _, file := range files {
		at[file] = s.written(file)
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(at[a].Compare(at[b]), strings.Compare(a, b)) })
}

func (s *Store) written(file string) time.Time {
	if fi, err := os.Stat(filepath.Join(s.dir, file)); err == nil {
		return fi.ModTime()
	}
	return time.Time{}
}

// readIndex returns the entries of those files that the index knows, which
// files it does not know, and how many lines it has.
func (s *Store) readIndex(files []string) (entries []Entry, unknown []string, lines int) {
	data, _ := atomicfile.ReadRegular(filepath.Join(s.dir, indexName), maxIndex) // what is not there knows nothing
	there := make(map[string]bool, len(files))                                   // and whether the index has it
	for _, file := range files {
		there[file] = false
	}
	entries = make([]Entry, 0, len(files))
	for line := range bytes.Lines(data) {
		lines++
		entries = append(entries, Entry{})
		e := &entries[len(entries)-1]
		err := json.Unmarshal(line, e)
		if seen, ok := there[e.File]; err != nil || !e.whole() || seen || !ok {
			entries = entries[:len(entries)-1]
			continue
		}
		there[e.File] = true
	}
	for _, file := range files {
		if !there[file] {
			unknown = append(unknown, file)
		}
	}
	return entries, unknown, lines
}

// whole reports whether a line of the index says what every line has to: the
// name of a file ends with the id.
func (e *Entry) whole() bool {
	return e.ID != "" && strings.HasSuffix(e.File, e.ID+".json")
}

// readEntry makes the entry of a file from what is in it.
func (s *Store) readEntry(file string) (Entry, error) {
	run, err := s.read(file)
	if err != nil {
		return Entry{}, err
	}
	e := EntryOf(run)
	e.File = file
	if e.whole() {
		return e, nil
	}
	err = run.Identify() // somebody put the file there by hand
	e.ID = run.ID
	return e, err
}

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

	// Came is when a run of a team came to its server. It orders runs with the same
	// Time.
	Came time.Time `json:"-"`
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
	seen := map[string]bool{}
	for i := range run.Results {
		seen[cmp.Or(run.Results[i].Suite, run.Suite)] = true
	}
	return slices.Sorted(maps.Keys(seen))
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
