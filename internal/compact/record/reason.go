package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// reasons gives failures their keys. Two failures with the same text are the
// same; of those that differ only in numbers and paths the first few are kept
// apart, since a value that differs may be the point, and later ones share
// the key of the last kept.
type reasons struct {
	seen   map[string]*similar
	places map[string]string // of each key, where its first failure was
}

// similar are failures with one template.
type similar struct {
	keys set
	last string
}

const (
	similarKept = 6    // distinct texts of one template that are kept whole
	similarMax  = 1024 // templates remembered
)

// key returns the key of a failure that says text.
func (r *reasons) key(text string) string {
	if r.seen == nil {
		r.seen = map[string]*similar{}
	}
	t := lines.Template(text)
	s := r.seen[t]
	if s == nil {
		if len(r.seen) >= similarMax {
			return text
		}
		s = &similar{}
		r.seen[t] = s
	}
	if !s.keys[text] && len(s.keys) >= similarKept {
		return s.last
	}
	if !s.keys[text] {
		s.last = text
	}
	s.keys.add(text, similarKept)
	return text
}

// where is the Site of a failure with a key: its name, and its place unless
// the failure that is kept for the key has the same one.
func (r *reasons) where(key, name, place string) string {
	first, known := r.places[key]
	switch {
	case !known && len(r.places) < similarMax:
		if r.places == nil {
			r.places = map[string]string{}
		}
		r.places[key] = place
		return name
	case place == "" || place == first:
		return name
	case name == "":
		return place
	}
	return name + " " + place[strings.LastIndexByte(place, '/')+1:]
}
