// Package settings is a project's .planning/config.json: which keys there
// are, what each is set to, where that was said, and edits that change
// nothing else of the file.
//
// The table of rows is the only place that knows keys: reading, checking,
// editing, a new project's file and the documentation come from it. The
// packages of plan and the verbs import it; it imports plan and jsonc. It
// reads the working tree, but starts no git and writes only through a
// [plan.Tx]. Which model an agent gets is in plan/agent, not here.
//
// A workstream's config.json beats the project's, which beats the default.
// Below an object they are merged; null is as if the key were not there and
// hides what a weaker file says.
package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"cairn/internal/jsonc"
	"cairn/internal/plan"
)

// FileName is the name of the settings in a planning directory.
const FileName = "config.json"

// Kinds of Source.
const (
	Default    = "default"
	GitIgnore  = "gitignore" // .planning is ignored, so commit_docs is off
	UserFile   = "user"      // used while there is no planning directory
	RootFile   = "project"
	StreamFile = "workstream"
)

// A Source is where a value came from.
type Source struct {
	Kind string `json:"kind"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Name string `json:"name,omitempty"` // the older name it stands under
}

// String is the source for a reader, such as "project .planning/config.json:3".
func (s Source) String() string {
	out := s.Kind
	if s.File != "" {
		out += " " + s.File
	}
	if s.Line > 0 {
		out += ":" + strconv.Itoa(s.Line)
	}
	if s.Name != "" {
		out += " (as " + s.Name + ")"
	}
	return out
}

// Settings are the settings of a workspace as they were when it was looked at.
type Settings struct {
	layers  []layer // the strongest first
	merged  jsonc.Object
	ignored string // the file by which git ignores .planning, once looked
	looked  bool
	tx      *plan.Tx
}

// layer is one file of settings.
type layer struct {
	kind, file string
	doc        *jsonc.Doc // nil when the file is there but broken
	tree       jsonc.Object
	err        error
}

// Load reads the settings of tx's workspace. It never fails: what cannot be
// read has its default, and Err and Warnings tell why.
func Load(tx *plan.Tx) *Settings {
	s := &Settings{tx: tx}
	if tx.Stream != "" {
		s.add(tx, StreamFile, tx.Path(FileName))
	}
	s.add(tx, RootFile, tx.Shared(FileName))
	if len(s.layers) == 0 && !tx.Exists() {
		s.addUser()
	}
	for i := len(s.layers) - 1; i >= 0; i-- {
		s.merged = merge(s.merged, s.layers[i].tree)
	}
	return s
}

func (s *Settings) add(tx *plan.Tx, kind, rel string) {
	b, err := tx.ReadBytes(rel)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	s.layers = append(s.layers, parse(kind, rel, b, err))
}

// addUser reads the defaults the old tool kept per user.
func (s *Settings) addUser() {
	home, err := os.UserHomeDir()
	if err != nil {
		return
	}
	file := filepath.Join(home, ".gsd", "defaults.json")
	if b, err := plan.ReadFile(file); err == nil {
		s.layers = append(s.layers, parse(UserFile, file, b, nil))
	}
}

func parse(kind, file string, b []byte, err error) layer {
	l := layer{kind: kind, file: file, err: err}
	if err != nil {
		return l
	}
	l.doc, err = jsonc.Parse(b)
	if err != nil {
		l.err = &plan.InputError{Path: file, What: "is not JSON: " + err.Error()}
		var at *jsonc.SyntaxError
		if errors.As(err, &at) {
			l.err = &plan.InputError{Path: file, Line: at.Line, What: at.Err.Error()}
		}
		return l
	}
	root, _ := l.doc.Value(nil)
	l.tree = root.(jsonc.Object) // Parse takes nothing else
	return l
}

// merge returns base with the members of over, object by object.
func merge(base, over jsonc.Object) jsonc.Object {
	if len(base) == 0 {
		return over
	}
	out := slices.Clone(base)
	at := map[string]int{}
	for i, m := range slices.Backward(out) {
		at[m.Name] = i
	}
	for _, m := range over {
		i, ok := at[m.Name]
		if !ok {
			at[m.Name] = len(out)
			out = append(out, m)
			continue
		}
		b, ok := out[i].Value.(jsonc.Object)
		if o, also := m.Value.(jsonc.Object); ok && also {
			m.Value = merge(b, o)
		}
		out[i].Value = m.Value
	}
	return out
}

// Exists reports whether the workspace has a file of settings.
func (s *Settings) Exists() bool {
	return len(s.layers) > 0 && s.layers[0].kind != UserFile
}

// Err is the first thing that keeps a file of settings from being read, or
// nil: a *plan.InputError where the file is at fault.
func (s *Settings) Err() error {
	for _, l := range s.layers {
		if l.err != nil {
			return l.err
		}
	}
	return nil
}
