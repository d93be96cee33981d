// Package proof proves what a phase claims by running it: each <verify> before the
// work and after, the tests against code that does nothing, and what the phase's own
// commits, documents and changed lines say of themselves. What is proven rests on
// commands, exit codes and lines of code; words of a plan or a summary are claims.
//
// The command of the plan imports it. What the claims are is read from documents in
// a view of the plan (see [Read]); what runs, runs outside of it (see [Prove]).
package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan/proof/record"
)

// Claim and what became of it, as they are kept.
type (
	Claim   = record.Claim
	Verdict = record.Word
)

const (
	Proven    = record.Proven
	Guard     = record.Guard
	Accepted  = record.Accepted
	Unchecked = record.Unchecked
	Unproven  = record.Unproven
)

// Report is the proof of a phase or a plan.
type Report struct {
	Phase   string  `json:"phase"`
	Plan    string  `json:"plan,omitempty"` // when only this one was asked for
	Commit  string  `json:"commit"`         // that was judged: HEAD
	Tree    string  `json:"tree"`           // a hash of the project's files without the plan
	Proven  bool    `json:"proven"`
	Claims  []Claim `json:"claims"`
	Ran     int     `json:"ran"`    // commands that ran now
	Reused  int     `json:"reused"` // results of earlier runs
	Seconds float64 `json:"seconds"`
	File    string  `json:"file"`                  // where the results are kept
	Late    bool    `json:"out_of_time,omitempty"` // more would have run: the next proof goes on from here
}

// Of returns the claims with a verdict.
func (r *Report) Of(v Verdict) (out []Claim) {
	for _, c := range r.Claims {
		if c.Verdict == v {
			out = append(out, c)
		}
	}
	return out
}

func (j *judge) claim(c Claim) {
	if j.only != "" && c.Plan != "" && c.Plan != j.only {
		return
	}
	if a, ok := j.answers[c.ID]; ok && c.Verdict == Unproven {
		first, rest, _ := strings.Cut(c.What, "\n")
		c.Verdict, c.What = Accepted, strings.TrimSpace(first+" (accepted: "+a+")\n"+rest)
	}
	if !slices.ContainsFunc(j.claims, func(o Claim) bool { return o.ID == c.ID && o.Kind == c.Kind && o.What == c.What }) {
		j.claims = append(j.claims, c)
	}
}

func (j *judge) unproven(kind, plan, id, what, remedy string) {
	j.claim(Claim{ID: id, Kind: kind, Plan: plan, Verdict: Unproven, What: what, Remedy: remedy})
}

func (j *judge) unprovenAt(kind, plan, file string, line int, what, remedy string) {
	id := file
	if line > 0 {
		id = fmt.Sprintf("%s:%d", file, line)
	}
	j.claim(Claim{ID: id, Kind: kind, Plan: plan, Verdict: Unproven, What: what, File: file, Line: line, Remedy: remedy})
}

func (j *judge) unchecked(kind, plan, id, what string) {
	j.claim(Claim{ID: id, Kind: kind, Plan: plan, Verdict: Unchecked, What: what})
}

func (j *judge) proven(kind, plan, id, what string) {
	j.claim(Claim{ID: id, Kind: kind, Plan: plan, Verdict: Proven, What: what})
}

// order puts claims as a reader wants them: by verdict, what is unproven last.
func order(claims []Claim) []Claim {
	rank := map[Verdict]int{Proven: 0, Guard: 1, Accepted: 2, Unchecked: 3, Unproven: 4}
	slices.SortStableFunc(claims, func(a, b Claim) int { return cmp.Compare(rank[a.Verdict], rank[b.Verdict]) })
	return claims
}
