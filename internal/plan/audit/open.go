// Package audit finds what a plan leaves open: items nobody closed, user
// acceptance tests nobody ran, reports that ask for a person, questions
// nobody answered; and from these whether a milestone can be completed.
//
// The verbs and the queries import it. It only reads.
package audit

import (
	"path"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/item"
)

// Open is everything that is open, by kind.
type Open struct {
	Debug, Quick, Threads, Todos, Seeds []item.Item
	UAT                                 []PhaseFile // not complete or resolved
	Verifications                       []PhaseFile // with gaps, or for a person
	Questions                           []PhaseFile // of the phases' CONTEXT files
}

// PhaseFile is a phase's document with something open in it.
type PhaseFile struct {
	Phase  *plan.Phase
	Name   string   // in the phase's directory
	Status string   // of its frontmatter
	Open   []string // what is open, a line each
}

// Path returns where the document is.
func (f PhaseFile) Path() string { return path.Join(f.Phase.Dir, f.Name) }

// Count returns how many things are open: a document counts once.
func (o *Open) Count() int {
	return len(o.Debug) + len(o.Quick) + len(o.Threads) + len(o.Todos) + len(o.Seeds) +
		len(o.UAT) + len(o.Verifications) + len(o.Questions)
}

// Find reads the items and the documents of the milestone's phases.
func Find(tx *plan.Tx) *Open {
	o := &Open{}
	for _, kind := range []struct {
		kind item.Kind
		into *[]item.Item
	}{{item.Debug, &o.Debug}, {item.Quick, &o.Quick}, {item.Thread, &o.Threads}, {item.Todo, &o.Todos}, {item.Seed, &o.Seeds}} {
		items := item.Open(tx, kind.kind)
		*kind.into = items
	}
	for _, p := range tx.Phases(plan.Current) {
		o.addPhase(tx, p)
	}
	return o
}

func (o *Open) addPhase(tx *plan.Tx, p *plan.Phase) {
	for _, name := range p.Files {
		kind := documentKind(name)
		if kind == "" {
			continue
		}
		t := must.Get(tx.Read(path.Join(p.Dir, name)))
		f := PhaseFile{Phase: p, Name: name, Status: strings.ToLower(t.Front().Get("status").Text())}
		switch kind {
		case uat:
			if f.Open = openTests(doc.ReadUAT(t)); f.Status != "complete" && f.Status != "resolved" || len(f.Open) > 0 {
				o.UAT = append(o.UAT, f)
			}
		case verification:
			if v := doc.ReadVerification(t); v.Gaps() || v.Waits() {
				for _, it := range v.Human {
					f.Open = append(f.Open, it.Name)
				}
				o.Verifications = append(o.Verifications, f)
			}
		case questions:
			if f.Open = openQuestions(t); len(f.Open) > 0 {
				o.Questions = append(o.Questions, f)
			}
		}
	}
}

// Kinds of documents that can leave something open.
const (
	uat          = "UAT"
	verification = "VERIFICATION"
	questions    = "CONTEXT"
)

func documentKind(name string) string {
	for _, kind := range []string{uat, verification, questions} {
		if plan.IsDocument(name, kind) {
			return kind
		}
	}
	return ""
}

func openTests(u doc.UAT) []string {
	var out []string
	for _, test := range u.Tests {
		if test.Open() || test.Failed() && u.Status != "resolved" {
			out = append(out, test.Name)
		}
	}
	return out
}

// openQuestions returns the questions of the frontmatter and those of the
// section that are not resolved.
func openQuestions(t *doc.Text) []string {
	out := t.Front().Get("open_questions").Strings()
	for _, q := range t.OpenQuestions() {
		if !q.Resolved {
			out = append(out, q.Text)
		}
	}
	return out
}
