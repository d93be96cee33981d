package item

import (
	"path"
	"strconv"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
)

// Close stages that an item is done: its status, the day, and where its kind
// has a place for what is done, its move there. Nothing else of its file
// changes. One that is closed already is left alone, and already is true; a
// quick task is still entered in STATE.md.
func Close(tx *plan.Tx, k Kind, name string, at time.Time) (it Item, already bool) {
	it = Find(tx, k, name)
	date := at.Format(time.DateOnly)
	if !it.Open {
		if k == Quick { // its summary says so, and STATE.md may not know
			logQuick(tx, it, date)
		}
		return it, true
	}
	if k == Quick {
		closeQuick(tx, it, date)
		return readQuick(tx, it.Path), false
	}
	t := must.Get(tx.Read(it.Path))
	h := readHeader(t)
	switch k {
	case Todo:
		must.OK(h.set("completed", date))
	case Seed, Note:
		must.OK(h.set("status", k.shelf().end))
	default:
		must.OK(setStatus(h, k.shelf().end))
		if readHeader(t).get("updated") != "" {
			must.OK(readHeader(t).set("updated", date))
		}
	}
	to := it.Path
	if dir := k.Closed(tx.Workspace); dir != "" {
		to = freeIn(tx, dir, it.Name)
		tx.Move(it.Path, to)
	}
	return read(tx, k, to, to != it.Path), false
}

// TriggerSeed stages that a seed's time has come.
func TriggerSeed(tx *plan.Tx, name string) Item {
	it := Find(tx, Seed, name)
	if !it.Open {
		must.Fail(&plan.InputError{Path: it.Path, What: "is " + it.Status + ": it cannot be triggered any more"})
	}
	must.OK(readHeader(must.Get(tx.Read(it.Path))).set("status", "triggered"))
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
