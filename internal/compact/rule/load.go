package rule

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	failures string           // see Quarantine
	Warnings []Warning
	Off      []Warning // rules that failed too often
}

// tier is the merged JSON of one id above the built-in rules.
type tier struct {
	fields  map[string]any
	replace bool // "extends": null: nothing below counts
	source  string
}

// Load reads the rules in dirs, lowest precedence first; a directory that
// does not exist is fine. Built-in rules are not read until they match.
func Load(dirs ...string) *Library {
	l := &Library{user: map[string]*tier{}}
	for _, dir := range dirs {
		if dir != "" {
			l.readDir(dir)
		}
	}
	return l
}

func (l *Library) warn(file string, format string, args ...any) {
	l.Warnings = append(l.Warnings, Warning{file, fmt.Errorf(format, args...)})
}

func (l *Library) readDir(dir string) {
	n := 0
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if name != dir || !isMissing(err) {
				l.warn(name, "%w", err)
			}
			return fs.SkipDir
		}
		if d.IsDir() {
			if rel, _ := filepath.Rel(dir, name); strings.Count(rel, string(filepath.Separator)) >= maxDepth {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".json" || !d.Type().IsRegular() {
			return nil
		}
		if n++; n > maxFiles {
			l.warn(dir, "more than %d rule files; the rest is not read", maxFiles)
			return fs.SkipAll
		}
		l.readFile(name, d)
		return nil
	})
}

// isMissing reports whether a directory is not there, be it that a file stands
// where one above it should be.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func (l *Library) readFile(name string, d fs.DirEntry) {
	if fi, err := d.Info(); err == nil && fi.Size() > maxFile {
		l.warn(name, "%d bytes, more than the %d a rule may have", fi.Size(), maxFile)
		return
	}
	data, err := os.ReadFile(name)
	if err != nil {
		l.warn(name, "%w", err)
		return
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		l.warn(name, "line %d: %w", lineOf(data, err), err)
		return
	}
	id, _ := fields["id"].(string)
	if id == "" {
		l.warn(name, "the rule has no id")
		return
	}
	extends, named := fields["extends"]
	t := &tier{fields: fields, replace: named && extends == nil, source: name}
	if below := l.user[id]; below != nil && !t.replace {
		t = &tier{fields: merge(below.fields, fields), replace: below.replace, source: below.source + ", " + name}
	}
	l.user[id] = t
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
	out := make(map[string]any, len(base)+len(over))
	for k, v := range base {
		out[k] = v
	}
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
	t, below := l.user[id], indexed(id)
	if t == nil {
		return below, nil
	}
	fields, source := t.fields, t.source
	if below != nil && !t.replace {
		base, err := below.fields()
		if err != nil {
			return nil, err
		}
		fields, source = merge(base, t.fields), below.Source+", "+t.source
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	r, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	r.Source = source
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
