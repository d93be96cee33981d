package item

import (
	"path"
	"strconv"
	"strings"
	"time"

	"cairn/internal/plan"
)

// Close stages that an item is done: its status, the day, and where its kind
// has a place for what is done, its move there. Nothing else of its file
// changes. One that is closed already is left alone, and already is true; a
// quick task is still entered in STATE.md.
func Close(tx *plan.Tx, k Kind, name string, at time.Time) (it Item, already bool, err error) {
	it, err = Find(tx, k, name)
	if err != nil {
		return it, false, err
	}
	date := at.Format(time.DateOnly)
	if !it.Open {
		if k == Quick { // its summary says so, and STATE.md may not know
			err = logQuick(tx, it, date)
		}
		return it, err == nil, err
	}
	if k == Quick {
		if err := closeQuick(tx, it, date); err != nil {
			return it, false, err
		}
		it, err = readQuick(tx, it.Path)
		return it, false, err
	}
	t, err := tx.Read(it.Path)
	if err != nil {
		return it, false, err
	}
	h := readHeader(t)
	switch k {
	case Todo:
		err = h.set("completed", date)
	case Seed, Note:
		err = h.set("status", k.shelf().end)
	default:
		if err = setStatus(h, k.shelf().end); err == nil && readHeader(t).get("updated") != "" {
			err = readHeader(t).set("updated", date)
		}
	}
	if err != nil {
		return it, false, err
	}
	to := it.Path
	if dir := k.Closed(tx.Workspace); dir != "" {
		to = freeIn(tx, dir, it.Name)
		if err := tx.Move(it.Path, to); err != nil {
			return it, false, err
		}
	}
	it, err = read(tx, k, to, to != it.Path)
	return it, false, err
}

// TriggerSeed stages that a seed's time has come.
func TriggerSeed(tx *plan.Tx, name string) (Item, error) {
	it, err := Find(tx, Seed, name)
	if err != nil {
		return it, err
	}
	if !it.Open {
		return it, &plan.InputError{Path: it.Path, What: "is " + it.Status + ": it cannot be triggered any more"}
	}
	t, err := tx.Read(it.Path)
	if err != nil {
		return it, err
	}
	if err := readHeader(t).set("status", "triggered"); err != nil {
		return it, err
	}
	return read(tx, Seed, it.Path, false)
}

// setStatus writes the status where it stands: a field, or a heading such as
// `## Status: OPEN`, in whose case it is kept.
func setStatus(h header, value string) error {
	i := statusHeading(h.t)
	if i < 0 || h.get("status") != "" {
		return h.set("status", value)
	}
	name, old, _ := strings.Cut(h.t.Line(i), ":")
	if old == strings.ToUpper(old) {
		value = strings.ToUpper(value)
	}
	h.t.SetLine(i, name+": "+value)
	return nil
}

// freeIn returns a path in dir for a file of that name; nothing that is there
// is written over.
func freeIn(tx *plan.Tx, dir, name string) string {
	rel := path.Join(dir, name+".md")
	for n := 2; tx.Has(rel); n++ {
		rel = path.Join(dir, name+"-"+strconv.Itoa(n)+".md")
	}
	return rel
}
