package drive

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
)

// accept has a person try the phase: what the verification left to one, and what the
// roadmap promises, are tests of UAT.md and a question each. It returns false for an
// acceptance that somebody began otherwise.
func (d *Driver) accept() bool {
	if d.DryRun {
		d.did("ask for the acceptance tests")
		return d.say(Ask, "a person has to try the phase")
	}
	of, id := d.brief("verify-work"), d.step.phase.ID
	var open []doc.UATTest
	d.change(func(tx *plan.Tx) {
		p := tx.Phase(id)
		rel, made := tx.ScaffoldFile(p, "uat", "")
		t := must.Get(tx.Read(rel))
		if made {
			Draft(tx, p, "uat", rel)
			d.tests(tx, p, of, t)
		}
		d.retry(tx, p, t)
		for _, test := range doc.ReadUAT(t).Waiting() {
			if h := d.journal.of(uatID(test)); h.Answer != "" {
				answered(t, test, h.Answer)
				*h = handed{}
			}
		}
		d.settle(tx, p, t)
		open = doc.ReadUAT(t).Waiting()
	})
	d.keep()
	d.commit("test("+id.Padded()+"): acceptance", plan.Planning)
	for _, test := range open {
		q := Question{ID: uatID(test), Type: "human-verify", Question: test.Name, Options: []string{"pass", "skip: WHY", "what is wrong, in your words"}}
		if test.Expected != "" && test.Expected != test.Name {
			q.Question += ": " + test.Expected
		}
		d.step.Ask = append(d.step.Ask, q)
	}
	if len(open) > 0 {
		return d.say(Ask, "every plan is executed; a person has to try what was built")
	}
	if d.accepted {
		return false
	}
	d.accepted = true
	*d.step = *d.afterPlans(id, d.look(id))
	return true
}

func uatID(t doc.UATTest) string { return "uat-" + strconv.Itoa(t.Number) }

// tests writes the tests of a UAT.md that was just made.
func (d *Driver) tests(tx *plan.Tx, p *plan.Phase, of *brief.Brief, t *doc.Text) {
	type test struct{ name, expected string }
	var all []test
	if name := p.File("VERIFICATION"); name != "" {
		v := must.Get(tx.Read(path.Join(p.Dir, name)))
		for _, it := range doc.ReadVerification(v).Human {
			all = append(all, test{it.Name, strings.Trim(it.Test+"; "+it.Expected, "; ")})
		}
	}
	for _, text := range of.Phase.Criteria {
		all = append(all, test{text, ""})
	}
	if len(all) == 0 {
		all = []test{{cmp.Or(of.Phase.Goal, p.Name), ""}}
	}
	var lines []string
	for i, one := range all {
		name := doc.OneLine(one.name)
		lines = append(lines, fmt.Sprintf("### %d. %s", i+1, name), "expected: "+cmp.Or(doc.OneLine(one.expected), name), "result: [pending]", "")
	}
	replace(t, "Tests", lines)
	must.OK(t.SetFront(p.Summaries(), "source"))
}

// replace puts lines into a section instead of what it has.
func replace(t *doc.Text, section string, lines []string) {
	s, ok := t.Section(section)
	if !ok {
		t.Insert(t.Len(), "", "## "+section)
		s, _ = t.Section(section)
	}
	t.Delete(s.Start, s.End)
	t.Insert(s.Start, append([]string{""}, lines...)...)
}

// retry has tests that found an issue tried again once a verification, made after the gaps
// were closed, finds none.
func (d *Driver) retry(tx *plan.Tx, p *plan.Phase, t *doc.Text) {
	if name := p.File("VERIFICATION"); name != "" && doc.ReadVerification(must.Get(tx.Read(path.Join(p.Dir, name)))).Gaps() {
		return
	}
	for _, test := range doc.ReadUAT(t).Issues() {
		set(t, test, "result", "[pending]")
	}
	if s, ok := t.Section("Gaps"); ok {
		for i := s.Start; i < s.End; i++ {
			if strings.TrimSpace(t.Line(i)) == "status: failed" || strings.TrimSpace(t.Line(i)) == "status: diagnosed" {
				t.SetLine(i, "  status: closed")
			}
		}
	}
}

// set writes a field of a test, below its last one where it has none of that name.
func set(t *doc.Text, test doc.UATTest, name, value string) {
	for _, s := range t.Sections() {
		if s.Line != test.Line {
			continue
		}
		if f, ok := t.Field(s.Start, s.End, name); ok {
			t.SetField(f, value)
			return
		}
		at := s.Start
		for _, f := range t.Fields(s.Start, s.End) {
			at = f.Line + 1
		}
		t.Insert(at, name+": "+value)
		return
	}
}

// severities are what an answer may begin with: `cosmetic: the columns are not aligned`.
var severities = []string{"blocker", "major", "minor", "cosmetic"}

// answered writes what a person said of a test, and a gap where it is not right.
func answered(t *doc.Text, test doc.UATTest, answer string) {
	head, rest, _ := strings.Cut(answer, ":")
	head, rest = strings.ToLower(strings.TrimSpace(head)), doc.OneLine(strings.TrimSpace(rest))
	switch {
	case agrees(answer):
		set(t, test, "result", "pass")
	case (head == "skip" || head == "skipped") && rest != "":
		set(t, test, "result", "skipped")
		set(t, test, "reason", strconv.Quote(rest))
	case head == "blocked" && rest != "":
		set(t, test, "result", "blocked")
		set(t, test, "blocked_by", strconv.Quote(rest))
	default:
		said, severity := doc.OneLine(answer), "major"
		if slices.Contains(severities, head) && rest != "" {
			said, severity = rest, head
		}
		set(t, test, "result", "issue")
		set(t, test, "reported", strconv.Quote(said))
		set(t, test, "severity", severity)
		gap := []string{"- truth: " + strconv.Quote(cmp.Or(test.Expected, test.Name)), "  status: failed", "  reason: " + strconv.Quote(said), "  severity: " + severity, "  test: " + strconv.Itoa(test.Number)}
		if s, ok := t.Section("Gaps"); ok && !doc.Placeholder(strings.TrimSpace(t.Span(s.Start, s.End))) {
			t.AppendTo(s, gap...)
		} else {
			replace(t, "Gaps", gap)
		}
	}
}

// settle writes what follows from the results: the counts, the status, and in the
// verification what a person has judged.
func (d *Driver) settle(tx *plan.Tx, p *plan.Phase, t *doc.Text) {
	u := doc.ReadUAT(t)
	count := map[string]int{}
	for _, test := range u.Tests {
		count[cmp.Or(test.Result, "pending")]++
	}
	waiting, issues := u.Waiting(), 0
	for _, test := range u.Tests {
		if test.Failed() {
			issues++
		}
	}
	replace(t, "Summary", []string{
		"total: " + itoa(len(u.Tests)), "passed: " + itoa(count["pass"]), "issues: " + itoa(issues), "pending: " + itoa(count["pending"]),
		"skipped: " + itoa(count["skipped"]), "blocked: " + itoa(count["blocked"]), "",
	})
	status, current := "complete", []string{"[testing complete]", ""}
	switch {
	case len(waiting) > 0:
		status = "testing"
		current = []string{"number: " + itoa(waiting[0].Number), "name: " + waiting[0].Name, "expected: " + waiting[0].Expected, "awaiting: user response", ""}
	case issues > 0:
		status = "diagnosed" // by whoever plans what closes them
	}
	replace(t, "Current Test", current)
	must.OK(t.SetFront(status, "status"))
	must.OK(t.SetFront(d.Now.UTC().Format(time.RFC3339), "updated"))
	if name := p.File("VERIFICATION"); name != "" && len(waiting) == 0 {
		judge(must.Get(tx.Read(path.Join(p.Dir, name))), u, issues > 0)
	}
}

// judge writes into a verification what a person found.
func judge(v *doc.Text, u doc.UAT, gaps bool) {
	if gaps {
		must.OK(v.SetFront("gaps_found", "status"))
		var lines []string
		for _, test := range u.Tests {
			if test.Failed() {
				lines = append(lines, "- "+cmp.Or(test.Expected, test.Name)+" ("+test.Severity+"): "+test.Reported+" (a person, test "+itoa(test.Number)+" of the acceptance)")
			}
		}
		replace(v, "Gaps", append(lines, ""))
		return
	}
	for _, it := range slices.Backward(doc.ReadVerification(v).Human) {
		for _, test := range u.Tests { // one that somebody took out was not tried
			if test.Name != doc.OneLine(it.Name) {
				continue
			}
			said := "passed"
			if test.Result == "skipped" {
				said = "skipped by a person: " + test.Reason
			}
			set(v, doc.UATTest{Line: it.Line}, "result", said)
			break
		}
	}
	if doc.ReadVerification(v).Waits() {
		must.OK(v.SetFront("passed", "status"))
	}
}
