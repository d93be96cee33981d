package rule

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Limits on what a directory of rules may hold. A hook reads them on every
// call, so a mistake must not make it slow.
const (
	maxFile  = 64 << 10
	maxFiles = 500
	maxDepth = 3
)

// A Warning is about a rule file that was skipped. It never stops a hook.
type Warning struct {
	File string
	Err  error
}

func (w Warning) String() string { return w.File + ": " + w.Err.Error() }

// A Library is the built-in rules with a user's and a project's on top.
type Library struct {
	user     map[string]*tier // by rule id
	project  map[string]*tier // the same with the project's in them
	failures string           // see Quarantine
	Warnings []Warning
	Off      []Warning // rules that failed too often
}

// tier is the merged JSON of one id above the built-in rules.
type tier struct {
	fields  map[string]any
	replace bool   // "extends": null: nothing below counts
	files   []file // it was merged from, lowest tier first
}

// A file of rules, as it was read.
type file struct {
	name string
	data []byte
}

// source names the files that a rule was merged from.
func (t *tier) source() string {
	var names []string
	for _, f := range t.files {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

// Load reads a user's rules in dirs, lowest precedence first; a directory that
// does not exist is fine. Built-in rules are not read until they match.
func Load(dirs ...string) *Library {
	l := &Library{user: map[string]*tier{}}
	for _, dir := range dirs {
		if dir != "" {
			l.readFiles(os.DirFS(dir), dir)
		}
	}
	return l
}

// LoadProject puts a project's rules, by the paths of their files, on top. A
// person trusts them, but strangers may have written them: see restrict.
func (l *Library) LoadProject(rules map[string][]byte) {
	l.project = map[string]*tier{}
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		f := file{name, rules[name]}
		if id, fields := l.read(f); id == "" {
		} else if err := checkID(id); err != nil {
			l.warn(name, "%w", err)
		} else {
			l.project[id] = add(cmp.Or(l.project[id], l.user[id]), f, fields)
		}
	}
}

// CheckProject is what is wrong with the files of a project's rules, trusted or
// not.
func CheckProject(rules map[string][]byte) []Warning {
	l := Load()
	l.LoadProject(rules)
	return l.Check()
}

// top is the highest tier of a rule, nil for one that is only built in.
func (l *Library) top(id string) *tier { return cmp.Or(l.project[id], l.user[id]) }

// Below is the library without the tier that a rule is of, and without those
// above.
func (l *Library) Below(t Tier) *Library {
	if t == OfProject {
		return &Library{user: l.user, failures: l.failures}
	}
	return &Library{}
}

func (l *Library) warn(file string, format string, args ...any) {
	l.Warnings = append(l.Warnings, Warning{file, fmt.Errorf(format, args...)})
}

// readFiles reads the rule files in a directory of the user's.
func (l *Library) readFiles(files fs.FS, dir string) {
	n := 0
	_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err != nil {
			if name != "." || !isMissing(err) {
				l.warn(at, "%w", err)
			}
			return fs.SkipDir
		}
		if d.IsDir() {
			if strings.Count(name, "/") >= maxDepth-1 && name != "." {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".json" || !d.Type().IsRegular() {
			return nil
		}
		if n++; n > maxFiles {
			l.warn(dir, "more than %d rule files; the rest is not read", maxFiles)
			return fs.SkipAll
		}
		if fi, err := d.Info(); err == nil && fi.Size() > maxFile {
			l.warn(at, "%d bytes, more than the %d a rule may have", fi.Size(), maxFile)
			return nil
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			l.warn(at, "%w", err)
			return nil
		}
		f := file{at, data}
		if id, fields := l.read(f); id != "" {
			l.user[id] = add(l.user[id], f, fields)
		}
		return nil
	})
}

// read returns what is in a file, or warns of it; the id is "" then.
func (l *Library) read(f file) (id string, fields map[string]any) {
	if len(f.data) > maxFile {
		l.warn(f.name, "%d bytes, more than the %d a rule may have", len(f.data), maxFile)
	} else if err := json.Unmarshal(f.data, &fields); err != nil {
		l.warn(f.name, "line %d: %w", lineOf(f.data, err), err)
	} else if id, _ = fields["id"].(string); id == "" {
		l.warn(f.name, "the rule has no id")
	}
	return id, fields
}

// isMissing reports whether a directory is not there, be it that a file stands
// where one above it should be.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// add merges the fields of a file into what is below it.
func add(below *tier, from file, fields map[string]any) *tier {
	extends, named := fields["extends"]
	if below == nil || named && extends == nil {
		return &tier{fields: fields, replace: named && extends == nil, files: []file{from}}
	}
	return &tier{fields: merge(below.fields, fields), replace: below.replace, files: append(slices.Clone(below.files), from)}
}

// lineOf returns the line, from 1, where a JSON error is.
func lineOf(data []byte, err error) int {
	offset := int64(0)
	switch e := err.(type) {
	case *json.SyntaxError:
		offset = e.Offset
	case *json.UnmarshalTypeError:
		offset = e.Offset
	}
	return 1 + strings.Count(string(data[:min(int(offset), len(data))]), "\n")
}

// merge returns base with over on top: objects merge, everything else is
// replaced.
func merge(base, over map[string]any) map[string]any {
	out := maps.Clone(base)
	for k, v := range over {
		b, bok := out[k].(map[string]any)
		o, ook := v.(map[string]any)
		if bok && ook {
			v = merge(b, o)
		}
		out[k] = v
	}
	return out
}

// Rule returns the effective rule with this id, or nil and an error that says
// why it cannot be used. Both are nil when there is no such rule. The rule is
// not to be changed.
func (l *Library) Rule(id string) (*Rule, error) {
	t, below := l.top(id), indexed(id)
	if t == nil {
		return below, nil
	}
	fields, source := t.fields, t.source()
	if below != nil && !t.replace {
		base, err := below.fields()
		if err != nil {
			return nil, err
		}
		fields, source = merge(base, t.fields), below.Source+", "+source
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	r, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	if r.Source, r.Tier = source, OfUser; l.project[id] == nil {
		return r, nil
	}
	r.Tier = OfProject
	changed, err := l.Below(OfProject).Rule(id)
	if changed == nil || err != nil {
		changed = &Rule{}
	}
	restrict(r, changed)
	return r, nil
}

// fields is a rule as its file would be read for a merge.
func (r *Rule) fields() (map[string]any, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	return m, json.Unmarshal(data, &m)
}
