package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"cairn/internal/jsonc"
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
	Key    string
	File   string
	Before any  // what stood there, masked; nil without Had
	Had    bool // something stood there
	After  any  // masked; nil after Unset
}

// Set writes a value, as it was typed, into the workspace's config.json,
// which is made if need be. Only the value's own bytes change, or a member is
// added where it belongs. The errors are ErrUnknown, ErrValue, or a
// *plan.InputError about the file.
func Set(tx *plan.Tx, key, text string) (Edited, error) {
	r, ok := Find(key)
	if !ok {
		return Edited{}, Unknown(key)
	}
	v, err := r.Parse(text)
	if err == nil {
		err = r.complete(v)
	}
	if err != nil {
		return Edited{}, fmt.Errorf("%s: %w: %w", key, ErrValue, err)
	}
	return Put(tx, key, v)
}

// Unknown is the error about a key that the table lacks.
func Unknown(key string) error {
	err := fmt.Errorf("%s: %w", key, ErrUnknown)
	if near := Near(key); near != "" {
		return term.Hint(err, "did you mean %s?", near)
	}
	return term.Hint(err, "cairn plan config list shows every setting")
}

// complete checks what a branch's name needs to tell one phase from another.
func (r *Row) complete(v any) error {
	name, _ := v.(string)
	switch {
	case r.Key == "git.phase_branch_template" && !strings.Contains(name, "{phase}"):
		return errors.New("{phase} has to be in it")
	case r.Key == "git.milestone_branch_template" && !strings.Contains(name, "{milestone}"):
		return errors.New("{milestone} has to be in it")
	}
	return nil
}

// Put is Set for a value that was read and checked already; nil is null.
func Put(tx *plan.Tx, key string, v any) (Edited, error) {
	rel, d, err := open(tx)
	if err != nil {
		return Edited{}, err
	}
	e := edited(rel, d, key)
	e.After = Mask(key, v)
	names := strings.Split(key, ".")
	for i := range names {
		p := pathOf(strings.Join(names[:i+1], "."))
		last := i == len(names)-1
		kind := d.Kind(p)
		if kind == '{' && !last {
			continue
		}
		if kind != 0 && kind != 'n' && !last {
			return Edited{}, &plan.InputError{Path: rel, Line: d.Line(p), What: strings.Join(names[:i+1], ".") + " is not an object"}
		}
		value := v
		for _, name := range slices.Backward(names[i+1:]) {
			value = jsonc.Object{{Name: name, Value: value}}
		}
		if kind != 0 {
			d, err = d.Replace(p, value)
		} else {
			d, err = d.Set(p[:i], names[i], value)
		}
		if err != nil {
			return Edited{}, fmt.Errorf("%s: %w", rel, err)
		}
		break
	}
	return e, tx.Write(rel, d.Bytes())
}

// Unset takes a key out of the workspace's config.json. A key that is not
// there is no error; the object around it stays.
func Unset(tx *plan.Tx, key string) (Edited, error) {
	rel, d, err := open(tx)
	if err != nil {
		return Edited{}, err
	}
	e := edited(rel, d, key)
	if !e.Had {
		if rowOf(key) == nil {
			return Edited{}, Unknown(key)
		}
		return e, nil
	}
	if d, err = d.Remove(pathOf(key)); err != nil {
		return Edited{}, fmt.Errorf("%s: %w", rel, err)
	}
	return e, tx.Write(rel, d.Bytes())
}

// open reads the config.json that edits go to.
func open(tx *plan.Tx) (rel string, d *jsonc.Doc, err error) {
	rel = tx.Path(FileName)
	b, err := tx.ReadBytes(rel)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = []byte("{}\n"), nil
	}
	l := parse("", rel, b, err)
	return rel, l.doc, l.err
}

func edited(rel string, d *jsonc.Doc, key string) Edited {
	v, had := d.Value(pathOf(key))
	return Edited{Key: key, File: rel, Before: Mask(key, v), Had: had}
}
