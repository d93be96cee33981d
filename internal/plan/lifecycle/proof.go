package lifecycle

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/template"
	"cairn/internal/text"
)

// What has to hold before a phase is complete.

func (l *Look) document(p *plan.Phase, kind string) *doc.Text {
	name := p.File(kind)
	if name == "" {
		return nil
	}
	return must.Get(l.Read(path.Join(p.Dir, name)))
}

// empty reports whether a document says no more than the one that a scaffold
// or a template begins with.
func (l *Look) empty(p *plan.Phase, kind string) bool {
	t := l.document(p, kind)
	return t != nil && template.Unwritten(t, kind)
}

// verified: the report is there, is filled in, passed, and is not older than
// the plans that close its gaps.
func verified(l *Look, p *plan.Phase) []gate.Missing {
	name := p.File("VERIFICATION")
	if name == "" && !l.settings.Bool("workflow.verifier") {
		return nil
	}
	again := "verify the phase"
	if name == "" {
		return want("verification", "nobody verified it: there is no VERIFICATION.md", p.Dir, again, "go without: cairn plan config set workflow.verifier false")
	}
	file := path.Join(p.Dir, name)
	switch v := l.Verification(p); {
	case l.outdated(p):
		return want("verification", "plans that close its gaps were executed since", file, "verify the phase again")
	case v.Passed():
		return nil
	case v.Gaps():
		return want("verification", "it found gaps (status "+v.Status+")", file, "plan what closes them: plan-phase "+p.ID.String()+" --gaps")
	case v.Waits():
		return want("verification", "it waits for a person (status "+v.Status+")", file, "have a person try it: verify-work "+p.ID.String())
	default:
		return want("verification", "it says "+cmp.Or(v.Status, "nothing of a status")+", not passed", file, again)
	}
}

// outdated reports whether a report that found gaps is from before the plans
// that close them: one of these is executed, and the report is either the
// first, or older than its summary.
func (l *Look) outdated(p *plan.Phase) bool {
	t := l.document(p, "VERIFICATION")
	if t == nil || !doc.ReadVerification(t).Gaps() {
		return false
	}
	front := t.Front()
	seen := front.Get("plans_verified").Strings()
	when := front.Get("verified").Text()
	for _, f := range p.Plans {
		if f.Summary == "" || !doc.ReadPlan(must.Get(l.Read(path.Join(p.Dir, f.Path)))).GapClosure {
			continue
		}
		if len(seen) > 0 {
			if !slices.ContainsFunc(seen, func(id string) bool { return plan.CanonicalPlanID(id) == plan.CanonicalPlanID(f.ID) }) {
				return true
			}
			continue
		}
		if front.Get("re_verification") == nil {
			return true
		}
		done := must.Get(l.Read(path.Join(p.Dir, f.Summary))).Front().Get("completed").Text()
		if day(when) != "" && day(done) > day(when) {
			return true
		}
	}
	return false
}

// day returns the date with which a time begins, "" for another text.
func day(when string) string {
	const form = "2006-01-02"
	if len(when) < len(form) || when[4] != '-' || when[7] != '-' {
		return ""
	}
	return when[:len(form)]
}

// accepted: the tests that people carry out are there, done, and none found an
// issue that is still open.
func accepted(l *Look, p *plan.Phase) []gate.Missing {
	name := p.File("UAT")
	if name == "" {
		if !l.settings.Bool("workflow.uat") {
			return nil
		}
		return want("uat", "nobody tried it: there is no UAT.md", p.Dir, "have a person try it: verify-work "+p.ID.String(), "go without: cairn plan config set workflow.uat false")
	}
	t := l.document(p, "UAT")
	u := doc.ReadUAT(t)
	file := path.Join(p.Dir, name)
	settled := u.Status == "complete" || u.Status == "resolved" || u.Status == "passed"
	var out []gate.Missing
	add := func(id, text string, line int, remedy string) {
		out = append(out, gate.Missing{ID: id, Category: "precondition", Text: text, File: file, Line: line + 1, Remedies: []string{remedy}})
	}
	for _, test := range u.Issues() {
		add("test "+strconv.Itoa(test.Number), strings.TrimSpace(test.Name+": found an issue "+test.Severity), test.Line,
			"plan what mends it, then try it again: verify-work "+p.ID.String())
	}
	for _, test := range u.Waiting() {
		add("test "+strconv.Itoa(test.Number), test.Name+": "+cmp.Or(test.Result, "no result"), test.Line, "try it: verify-work "+p.ID.String())
	}
	for _, line := range openGaps(t) {
		add("gap", strings.TrimSpace(t.Line(line)), line, "plan what closes it: plan-phase "+p.ID.String()+" --gaps")
	}
	if !settled { // also beside tests: once they pass, it would be the next refusal
		add("uat", "its status is "+cmp.Or(u.Status, "not said")+", not complete", 0, "finish it: verify-work "+p.ID.String())
	}
	return out
}

// openGaps returns the lines of a section Gaps that say of a gap that it is
// open.
func openGaps(t *doc.Text) []int {
	s, ok := t.Section("Gaps")
	if !ok {
		return nil
	}
	var out []int
	for i := s.Start; i < s.End; i++ {
		key, value, _ := strings.Cut(strings.Trim(strings.TrimSpace(t.Line(i)), "-* "), ":")
		switch strings.ToLower(strings.Trim(value, ` "'*`)) {
		case "failed", "open", "diagnosed", "partial":
			if strings.EqualFold(strings.Trim(key, "* "), "status") {
				out = append(out, i)
			}
		}
	}
	return out
}

// reviewed: critical findings of a review are fixed, or somebody said why not.
func reviewed(l *Look, p *plan.Phase) []gate.Missing {
	t := l.document(p, "REVIEW")
	if t == nil {
		return nil
	}
	front := t.Front()
	n := max(front.Get("critical").Int(0), front.Get("findings").Get("critical").Int(0), front.Get("findings").Get("blocker").Int(0))
	if fix := l.document(p, "REVIEW-FIX"); doc.Settled(t) || n == 0 || fix != nil && fix.Front().Get("skipped").Int(0) == 0 && !strings.EqualFold(fix.Front().Get("status").Text(), "partial") {
		return nil
	}
	return want("review", text.Count(n, "critical finding")+" of the review open", path.Join(p.Dir, p.File("REVIEW")), "fix them: code-review "+p.ID.String()+" --fix", "say in its status why not: accepted")
}

func validated(l *Look, p *plan.Phase) []gate.Missing {
	t := l.document(p, "VALIDATION")
	if t == nil || !l.settings.Bool("workflow.nyquist_validation") {
		return nil
	}
	front := t.Front()
	status := strings.ToLower(front.Get("status").Text())
	if status != "draft" || front.Get("nyquist_compliant").Bool(false) {
		return nil
	}
	return want("validation", "it is a draft", path.Join(p.Dir, p.File("VALIDATION")), "fill the gaps of the tests: validate-phase "+p.ID.String())
}
