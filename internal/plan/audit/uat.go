package audit

import (
	"cmp"
	"path"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Kinds of an Outstanding.
const (
	UAT          = "uat"
	Verification = "verification"
)

// Outstanding is a document of a phase that waits for a person.
type Outstanding struct {
	Phase  *plan.Phase
	Name   string // in the phase's directory
	Kind   string // UAT or Verification
	Status string // of its frontmatter, "unknown" without one
	Tests  []Test
}

// Path returns where the document is.
func (o Outstanding) Path() string { return path.Join(o.Phase.Dir, o.Name) }

// Test is something that a person still has to try.
type Test struct {
	Line     int // counted from 1
	Number   int
	Name     string
	Expected string
	Result   string // pending, skipped, blocked; of a report human_needed
	Category Category
	Reason   string
	Blocked  string // what by
}

// Category says what a test waits for.
type Category string

const (
	Pending    Category = "pending"
	ThirdParty Category = "third_party"
	Device     Category = "device_needed"
	Server     Category = "server_blocked"
	Build      Category = "build_needed"
	Blocked    Category = "blocked"
	Skipped    Category = "skipped_unresolved"
	Human      Category = "human_uat"
)

// FindUAT returns the documents of the milestone's phases with tests that
// nobody ran yet, by phase.
func FindUAT(tx *plan.Tx) []Outstanding {
	phases := tx.Phases(plan.Current)
	var out []Outstanding
	for _, p := range phases {
		for _, name := range p.Files {
			kind := documentKind(name)
			if kind != uat && kind != verification {
				continue
			}
			t := must.Get(tx.Read(path.Join(p.Dir, name)))
			o := Outstanding{Phase: p, Name: name}
			if kind == uat {
				o.readUAT(doc.ReadUAT(t))
			} else {
				o.readVerification(doc.ReadVerification(t))
			}
			if len(o.Tests) > 0 {
				out = append(out, o)
			}
		}
	}
	return out
}

func (o *Outstanding) readUAT(u doc.UAT) {
	o.Kind, o.Status = UAT, cmp.Or(u.Status, "unknown")
	for _, t := range u.Tests {
		if !t.Open() {
			continue
		}
		result := cmp.Or(t.Result, "pending")
		o.Tests = append(o.Tests, Test{
			Line: t.Line + 1, Number: t.Number, Name: t.Name, Expected: t.Expected, Result: result,
			Category: categoryOf(result, t.Blocked, t.Reason), Reason: t.Reason, Blocked: t.Blocked,
		})
	}
}

func (o *Outstanding) readVerification(v doc.Verification) {
	o.Kind, o.Status = Verification, cmp.Or(v.Status, "unknown")
	if !v.Waits() && !v.Gaps() {
		return
	}
	for i, it := range v.Human {
		o.Tests = append(o.Tests, Test{Line: it.Line + 1, Number: i + 1, Name: it.Name, Result: "human_needed", Category: Human})
	}
}

// categoryOf says what a test waits for by the words of what blocks it.
func categoryOf(result, blocked, reason string) Category {
	why := strings.ToLower(blocked + " " + reason)
	says := func(words ...string) bool {
		for _, word := range words {
			if strings.Contains(why, word) {
				return true
			}
		}
		return false
	}
	switch {
	case result == "pending":
		return Pending
	case says("third-party", "third party", "stripe", "twilio", "external"):
		return ThirdParty
	case says("device", "simulator", "emulator", "hardware"):
		return Device
	case says("server", "not running", "not available", "backend"):
		return Server
	case says("build", "release", "preview", "deploy"):
		return Build
	case result == "blocked":
		return Blocked
	}
	return Skipped
}
