// Package item is the small things a plan keeps beside its phases, a file
// each: todos, notes, seeds (ideas with a trigger), threads, debug sessions;
// and quick tasks, a directory each. It reads what people and older tools
// wrote in every form that is common, and writes one.
//
// The verbs, the queries and package brief import it. It knows nothing of
// phases, except for what a todo has in common with one (see Match).
package item

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/plan"
)

// Kind is what an item is.
type Kind string

const (
	Todo   Kind = "todo"
	Note   Kind = "note"
	Seed   Kind = "seed"
	Thread Kind = "thread"
	Debug  Kind = "debug"
	Quick  Kind = "quick"
)

// Item is one of them. Which fields a kind has is up to its file; dates are
// as they stand there.
type Item struct {
	Kind     Kind     `json:"kind"`
	Name     string   `json:"name"` // of the file, without .md, or of the directory
	Path     string   `json:"path"`
	ID       string   `json:"id,omitempty"` // SEED-001, or of a quick task 260131-abc
	Title    string   `json:"title"`        // "" when the file has none
	Status   string   `json:"status"`       // lower case
	Open     bool     `json:"open"`
	Created  string   `json:"created,omitempty"`
	Updated  string   `json:"updated,omitempty"`
	Area     string   `json:"area,omitempty"`
	Priority string   `json:"priority,omitempty"`
	Trigger  string   `json:"trigger,omitempty"` // of a seed when, of a debug session what
	Scope    string   `json:"scope,omitempty"`
	Next     string   `json:"next,omitempty"` // what a debug session does next
	Files    []string `json:"files,omitempty"`
	Body     string   `json:"-"` // the text after the fields
}

// Statuses that more than one kind has.
const (
	open     = "open"
	done     = "done"
	resolved = "resolved"
)

// shelf is where a kind is kept and what its statuses mean.
type shelf struct {
	dir     string   // under the planning directory
	pending string   // where in it the open ones are, "" for dir itself
	closed  []string // where in it the closed ones are; the first is written
	fresh   string   // the status of a new one
	end     string   // the status of a closed one
	ended   []string // every status that means closed
}

func (k Kind) shelf() shelf {
	switch k {
	case Todo:
		return shelf{dir: "todos", pending: "pending", closed: []string{"completed", "done"}, fresh: open, end: done}
	case Note:
		return shelf{dir: "notes", fresh: open}
	case Seed:
		return shelf{dir: "seeds", fresh: "dormant", end: "implemented", ended: []string{"implemented", done, "discarded"}}
	case Thread:
		return shelf{dir: "threads", fresh: open, end: resolved, ended: []string{resolved, "closed", done}}
	case Debug:
		return shelf{dir: "debug", closed: []string{"resolved"}, fresh: "gathering", end: resolved, ended: []string{resolved, "complete", done}}
	default:
		return shelf{dir: "quick", fresh: open, end: "complete", ended: []string{"complete", "completed", done}}
	}
}

// Dir returns where the open items of a kind are.
func (k Kind) Dir(w *plan.Workspace) string {
	s := k.shelf()
	return w.Path(s.dir, s.pending)
}

// Closed returns where the closed items of a kind go; "" when they stay.
func (k Kind) Closed(w *plan.Workspace) string {
	s := k.shelf()
	if len(s.closed) == 0 {
		return ""
	}
	return w.Path(s.dir, s.closed[0])
}

// isFile reports whether a file in a kind's directory is an item of it.
func (k Kind) isFile(name string) bool {
	if !strings.HasSuffix(name, ".md") || strings.HasPrefix(name, ".") {
		return false
	}
	return k != Debug || name != "knowledge-base.md"
}

// CheckName refuses what is not the plain name of a file: an item is chosen
// by its name, never by a path.
func CheckName(k Kind, name string) error {
	plain := name == path.Base(name) && !strings.ContainsAny(name, "\\/:\x00") && !strings.HasPrefix(name, ".")
	if name == "" || !plain {
		return &plan.InputError{Path: string(k) + " " + printable(name), What: "is a path, and not the name of a " + string(k)}
	}
	return nil
}

func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return '?'
		}
		return r
	}, name)
}

func (s shelf) isOpen(status string) bool { return !slices.Contains(s.ended, status) }

// Words returns the kind as people call it.
func (k Kind) Words() string {
	switch k {
	case Debug:
		return "debug session"
	case Quick:
		return "quick task"
	}
	return string(k)
}
