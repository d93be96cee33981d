package plan

import (
	"fmt"
	"path"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Unfinished is what keeps a phase from being complete; the zero value is
// nothing.
type Unfinished struct {
	Phase   string   `json:"phase"`
	Plans   []string `json:"plans"`          // those without a summary
	NoPlans bool     `json:"no_plans"`       // there is none at all
	Gaps    string   `json:"gaps"`           // the verification that found gaps, or ""
	Open    []string `json:"open,omitempty"` // all of it and what else is open, a phrase each, where that is known
}

// Any reports whether there is something.
func (u Unfinished) Any() bool {
	return len(u.Plans) > 0 || u.NoPlans || u.Gaps != "" || len(u.Open) > 0
}

// String names what is missing, such as "no summary of 02-02".
func (u Unfinished) String() string {
	var parts []string
	if u.NoPlans {
		parts = append(parts, "it has no plans")
	}
	if len(u.Plans) > 0 {
		parts = append(parts, "no summary of "+strings.Join(u.Plans, ", "))
	}
	if u.Gaps != "" {
		parts = append(parts, u.Gaps+" found gaps")
	}
	parts = append(parts, u.Open...)
	return strings.Join(parts, "; ")
}

// UnfinishedError refuses to complete a phase.
type UnfinishedError struct{ Unfinished }

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("phase %s is not complete: %s", e.Phase, e.Unfinished)
}

// Unfinished returns what the phase's directory still lacks.
func (tx *Tx) Unfinished(p *Phase) Unfinished {
	u := Unfinished{Phase: p.ID.String(), Plans: []string{}, NoPlans: len(p.Plans) == 0}
	for _, f := range p.Plans {
		if f.Summary == "" {
			u.Plans = append(u.Plans, f.ID)
		}
	}
	if tx.Verification(p).Gaps() {
		u.Gaps = p.File("VERIFICATION")
	}
	return u
}

// OpenChecks returns a sentence for everything in the phase's acceptance tests
// and verification that somebody still has to look at.
func (tx *Tx) OpenChecks(p *Phase) []string {
	out := []string{}
	for _, name := range p.Files {
		isUAT := IsDocument(name, "UAT")
		if !isUAT && !IsDocument(name, "VERIFICATION") {
			continue
		}
		t := must.Get(tx.Read(path.Join(p.Dir, name)))
		v := doc.ReadVerification(t)
		add := func(what string) { out = append(out, name+": "+what) }
		switch {
		case isUAT:
			results := map[string]bool{}
			for _, f := range t.Fields(t.Body(), t.Len()) {
				if strings.EqualFold(f.Name, "result") {
					results[strings.ToLower(strings.Trim(f.Value, "[]* "))] = true
				}
			}
			if results["pending"] {
				add("has pending tests")
			}
			if results["blocked"] {
				add("has blocked tests")
			}
			if v.Status == "partial" {
				add("testing incomplete (partial)")
			}
			if v.Status == "diagnosed" {
				add("has diagnosed gaps")
			}
		case v.Waits():
			add("needs human verification (" + v.Status + ")")
		case v.Gaps():
			add("has unresolved gaps (" + v.Status + ")")
		}
	}
	return out
}
