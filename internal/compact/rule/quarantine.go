package rule

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// maxFailures is how often a rule file may fail before it is left alone.
const maxFailures = 3

// Quarantine leaves out every rule of a user or a project that failed three
// times, until one of its files is edited; a built-in rule below it counts
// again. Failures are kept in dir: a file of as many bytes as there were, named
// after the rule and the state of its files.
func (l *Library) Quarantine(dir string) {
	l.failures = dir
	for _, rules := range []map[string]*tier{l.project, l.user} {
		for id, t := range rules {
			if fi, err := os.Stat(filepath.Join(dir, t.state(id))); err == nil && fi.Size() >= maxFailures {
				delete(rules, id)
				l.Off = append(l.Off, Warning{t.source(), fmt.Errorf("rule %s failed %d times and is off until the file is edited", id, maxFailures)})
			}
		}
	}
	slices.SortFunc(l.Off, func(a, b Warning) int { return strings.Compare(a.File, b.File) })
}

// Failed counts a failure of a rule. A built-in rule is not counted: its tests
// are ours.
func (l *Library) Failed(id string) {
	t := l.top(id)
	if t != nil && l.failures != "" {
		_ = atomicfile.Append(filepath.Join(l.failures, t.state(id)), []byte("x"), home.PrivateDir, home.PrivateFile)
	}
}

// state names a rule as it is now: an edit gives another name.
func (t *tier) state(id string) string {
	h := fnv.New64a()
	fmt.Fprint(h, id)
	for _, f := range t.files {
		fmt.Fprint(h, "\x00", f.name, "\x00")
		h.Write(f.data)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
