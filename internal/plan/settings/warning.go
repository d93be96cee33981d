package settings

import (
	"fmt"
	"slices"

	"cairn/internal/jsonc"
)

// maxWarnings is how many warnings of a file are told: where there are more it
// is not a file of settings.
const maxWarnings = 50

// A Warning is about a key of a file: it is unknown, or its value is not one
// for it and so the default counts.
type Warning struct {
	File string
	Line int
	Key  string
	Text string
	// Unknown is true when no row is for the key.
	Unknown bool
}

func (w Warning) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", w.File, w.Line, w.Key, w.Text)
}

// Warnings returns what is wrong with the files, in their order. A file that
// cannot be read at all is Err's.
func (s *Settings) Warnings() []Warning {
	var all []Warning
	for _, l := range s.layers {
		if l.doc != nil {
			all = append(all, l.warn(nil, l.tree, "")...)
		}
	}
	return all
}

func (l layer) warn(all []Warning, tree jsonc.Object, prefix string) []Warning {
	for _, m := range tree {
		if len(all) >= maxWarnings {
			break
		}
		key := join(prefix, m.Name)
		r := rowOf(key)
		sub, isObject := m.Value.(jsonc.Object)
		switch {
		case key == "phase_id_convention" && m.Value != nil: // the one key of gsd-core's that changes what the documents mean
			all = append(all, l.warning(key, "cairn reads phases such as 2, 2.1 and CK-02, not ids that a milestone begins"))
		case Retired(key), Successors(key):
		case r == nil && isObject && above(key):
			all = l.warn(all, sub, key)
		case m.Value == nil && (r != nil || above(key)):
		case r == nil && above(key):
			all = append(all, l.warning(key, literal(Mask(key, m.Value))+" is not an object"))
		case r == nil:
			w := l.warning(key, "there is no such setting")
			if near := Near(key); near != "" {
				w.Text += "; " + near + " is one"
			}
			w.Unknown = true
			all = append(all, w)
		default:
			if _, err := r.check(modern(key, m.Value)); err != nil {
				all = append(all, l.warning(key, err.Error()+"; its default counts"))
			}
		}
	}
	return all
}

func (l layer) warning(key, text string) Warning {
	return Warning{File: l.file, Line: l.doc.Line(pathOf(key)), Key: key, Text: text}
}

// rowOf returns the row of a key or of an older name of one, or nil.
func rowOf(key string) *Row {
	if r, ok := Find(key); ok {
		return r
	}
	if key == multiRepo {
		return &Row{Key: key, Kind: Bool}
	}
	r, _ := FindOlder(key)
	return r
}

// FindOlder returns the row that a key is an older name of.
func FindOlder(key string) (*Row, bool) {
	return find(func(r *Row) bool { return slices.Contains(r.Names, key) })
}
