package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/template"
)

// Draft is a document of a phase that is to be made from its template.
type Draft struct {
	Kind   string // a template: plan, a plan's summary, or one of phaseDocuments
	Phase  doc.PhaseID
	Plan   string            // of a plan or its summary the plan's number: 1 or 01
	Name   string            // what the document is about; "" for the phase's name
	Type   string            // of a plan; "" for execute
	Wave   int               // of a plan; 0 for 1
	Values map[string]string // more values of the template
	Fields jsonc.Object      // more keys of the frontmatter, or other values of its keys
	Today  time.Time
}

// phaseDocuments are the templates of which a phase has one, as NN-KIND.md.
var phaseDocuments = [...]string{
	"spec", "context", "research", "validation", "verification", "uat", "ui-spec", "ai-spec", "review", "review-fix", "reviews",
	"security", "ui-review", "eval-review", "learnings",
}

// Unfilled is a document of the project that still has gaps of its template, such
// as [what]: how many, and the line of the first.
type Unfilled struct {
	Path        string
	Gaps, First int
}

// Unfilled returns the documents that [the template's gaps] were left in.
func (tx *Tx) Unfilled() (out []Unfilled) {
	for _, of := range []struct{ rel, template string }{
		{tx.Shared("PROJECT.md"), "project"}, {tx.Path("REQUIREMENTS.md"), "requirements"}, {tx.Path("ROADMAP.md"), "roadmap"},
	} {
		t, err := tx.Read(of.rel)
		if err != nil {
			continue
		}
		if n, first := template.Gaps(t, of.template); n > 0 {
			out = append(out, Unfilled{of.rel, n, first + 1})
		}
	}
	return out
}

// ErrNoPhase says that a phase has no directory.
var ErrNoPhase = errors.New("the phase has no directory")

// Create makes the document in the phase's directory and returns its path. A
// phase without a directory is [ErrNoPhase], a document that is there already
// [fs.ErrExist].
func (tx *Tx) Create(d Draft) string {
	p := tx.Phase(d.Phase)
	if p == nil || p.Dir == "" {
		must.Fail(ErrNoPhase)
	}
	number := d.Plan
	if n, err := strconv.Atoi(number); err == nil {
		number = fmt.Sprintf("%02d", n)
	}
	name := p.ID.Padded()
	switch d.Kind {
	case "plan", "summary":
		name += "-" + number
	default:
		if !slices.Contains(phaseDocuments[:], d.Kind) {
			must.Fail(fmt.Errorf("%q is no document of a phase: %s are", d.Kind, strings.Join(append([]string{"plan", "summary"}, phaseDocuments[:]...), ", ")))
		}
	}
	if !fs.ValidPath(number) || strings.ContainsAny(number, `/\`) {
		must.Fail(fmt.Errorf("%q is not a plan's number", d.Plan))
	}
	rel := path.Join(p.Dir, name+"-"+strings.ToUpper(d.Kind)+".md")
	// An empty one is what a shell's `> file` made a moment ago.
	if t := tx.ReadIfThere(rel); t != nil && strings.TrimSpace(t.String()) != "" {
		must.Fail(&fs.PathError{Op: "create", Path: rel, Err: fs.ErrExist})
	}
	t := must.Get(template.Fill(d.Kind, d.values(p, number)))
	for _, f := range d.Fields {
		must.OK(t.SetFront(f.Value, f.Name))
	}
	tx.Write(rel, t.Bytes())
	return rel
}

func (d Draft) values(p *Phase, number string) map[string]string {
	v := map[string]string{
		"phase": path.Base(p.Dir), "slug": p.DirSlug(), "phase_number": p.ID.Padded(), "plan": number, "name": d.Name, "type": d.Type,
		"wave": strconv.Itoa(max(d.Wave, 1)), "date": d.Today.Format(time.DateOnly), "timestamp": d.Today.UTC().Format(time.RFC3339),
		"status": "pending", "score": "0/0 must-haves verified",
	}
	if d.Name == "" {
		v["name"] = p.Name
	}
	if d.Type == "" {
		v["type"] = "execute"
	}
	maps.Copy(v, d.Values)
	return v
}
