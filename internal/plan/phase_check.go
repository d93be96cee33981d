package plan

import (
	"fmt"
	"strings"
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
