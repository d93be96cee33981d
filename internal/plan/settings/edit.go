package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/term"
)

// ErrUnknown says that there is no setting of that key, and ErrValue that a
// value is not one for the setting.
var (
	ErrUnknown = errors.New("there is no such setting")
	ErrValue   = errors.New("not a value for this setting")
)

// Edited is what Set or Unset did.
type Edited struct {
	Key    string `json:"key"`
	File   string `json:"file"`
	Before any    `json:"before"` // what stood there, masked; nil without Had
	Had    bool   `json:"-"`      // something stood there
	After  any    `json:"after"`  // masked; nil after Unset
}

// Set writes a value, as it was typed, into the workspace's config.json,
// which is made if need be. Only the value's own bytes change, or a member is
// added where it belongs. The errors are ErrUnknown, ErrValue, or a
// *plan.InputError about the file.
func Set(tx *plan.Tx, key, text string) Edited {
	r, ok := Find(key)
	if !ok {
		must.Fail(Unknown(key))
	}
	v, err := r.Parse(text)
	if err == nil {
		err = r.Complete(v)
	}
	if err != nil {
		must.Fail(fmt.Errorf("%s: %w: %w", key, ErrValue, err))
	}
	return Put(tx, key, v)
}

// Unknown is the error about a key that the table lacks.
func Unknown(key string) error {
	err := fmt.Errorf("%s: %w", key, ErrUnknown)
	if Retired(key) {
		return term.Hint(fmt.Errorf("%w any more: it has no effect", err), "cairn plan config unset %s removes it from the file", key)
	}
	if Successors(key) {
		return term.Hint(fmt.Errorf("%w in cairn: it is one of gsd-core's", err), "cairn leaves it in the file; edit that by hand if gsd-core is to read it")
	}
	if near := Near(key); near != "" {
		return term.Hint(err, "did you mean %s?", near)
	}
	return term.Hint(err, "cairn plan config list shows every setting")
}

// Complete checks what a value needs beyond its kind to do its work. A file may have
// it otherwise; it is not written so.
func (r *Row) Complete(v any) error {
	name, _ := v.(string)
	switch {
	case r.Key == "ship.pr_body_sections":
		return checkSections(v)
	case r.Key == "review.default_reviewers":
		if list, _ := v.([]string); v != nil && len(list) == 0 {
			return errors.New("an empty list names nobody: cairn plan config unset leaves it to who is there")
		}
	case r.Key == "git.phase_branch_template" && !strings.Contains(name, "{phase}"):
		return errors.New("{phase} has to be in it")
	case r.Key == "git.milestone_branch_template" && !strings.Contains(name, "{milestone}"):
		return errors.New("{milestone} has to be in it")
	}
	return nil
}

// Put is Set for a value that was read and checked already; nil is null.
func Put(tx *plan.Tx, key string, v any) Edited {
	rel := tx.Path(FileName)
	d := open(tx, rel)
	e := edited(rel, d, key)
	e.After = Mask(key, v)
	d = must.Get(assign(rel, d, key, v))
	tx.Write(rel, d.Bytes())
	return e
}

// assign puts v where key stands, or adds it with the objects around it that
// are missing.
func assign(rel string, d *jsonc.Doc, key string, v any) (*jsonc.Doc, error) {
	names := strings.Split(key, ".")
	for i := range names {
		p := pathOf(strings.Join(names[:i+1], "."))
		last, kind := i == len(names)-1, d.Kind(p)
		switch {
		case kind == '{' && !last:
			continue
		case kind != 0 && kind != 'n' && !last:
			return nil, &plan.InputError{Path: rel, Line: d.Line(p), What: strings.Join(names[:i+1], ".") + " is not an object"}
		}
		for _, name := range slices.Backward(names[i+1:]) {
			v = jsonc.Object{{Name: name, Value: v}}
		}
		if kind != 0 {
			return d.Replace(p, v)
		}
		return d.Set(p[:i], names[i], v)
	}
	return d, nil
}

// Unset takes a key out of the workspace's config.json. A key that is not
// there is no error; the object around it stays.
func Unset(tx *plan.Tx, key string) Edited {
	rel := tx.Path(FileName)
	d := open(tx, rel)
	e := edited(rel, d, key)
	if !e.Had {
		if rowOf(key) == nil && !Retired(key) && !Successors(key) {
			must.Fail(Unknown(key))
		}
		return e
	}
	d, err := d.Remove(pathOf(key))
	if err != nil {
		must.Fail(fmt.Errorf("%s: %w", rel, err))
	}
	tx.Write(rel, d.Bytes())
	return e
}

// open reads a config.json for an edit; one that is not there is empty.
func open(tx *plan.Tx, rel string) *jsonc.Doc {
	b, err := tx.ReadBytes(rel)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = []byte("{}\n"), nil
	}
	l := parse("", rel, b, err)
	must.OK(l.err)
	return l.doc
}

func edited(rel string, d *jsonc.Doc, key string) Edited {
	e := Edited{Key: key, File: rel}
	if v, ok := d.Value(pathOf(key)); ok {
		e.Before, e.Had = Mask(key, v), true
	}
	return e
}
