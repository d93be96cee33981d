package proof

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan/proof/mark"
	"cairn/internal/text"
)

// commits judges what the history says: that each plan has commits of its own, one a
// task, in the order that it promises, and that nothing took them back or changed
// their files beside them.
func (j *judge) commits() error {
	if len(j.Plans) == 0 {
		j.unproven("plan", "", j.Phase, "the phase has no plan", "plan it: plan-phase "+j.Phase)
	}
	for _, p := range j.Plans {
		j.commitsOf(p)
	}
	for _, c := range j.outside {
		j.unproven("commit", "", "commit "+c.short(), fmt.Sprintf("%s %q changes %s of the phase and names no plan", c.short(), c.Subject, named(c.Files)),
			"name the plan in its subject, such as fix("+j.Phase+"-01): …, so that it is judged with it")
	}
	for _, c := range j.own("") {
		if by, ok := j.reverted[c.ID]; ok {
			j.unproven("commit", c.Plan, "commit "+c.short(), fmt.Sprintf("%s %q was reverted by %s", c.short(), c.Subject, by.short()), "do the work again, or take it out of the plan")
		}
	}
	return j.uncommitted()
}

func named(files []string) string {
	if len(files) > 3 {
		return strings.Join(files[:3], ", ") + fmt.Sprintf(" and %d more", len(files)-3)
	}
	return strings.Join(files, ", ")
}

func (j *judge) commitsOf(p Plan) {
	own := j.own(p.ID)
	code := slices.DeleteFunc(slices.Clone(own), func(c change) bool { return len(c.Files) == 0 })
	tasks := p.Doc.Built()
	switch {
	case len(own) == 0:
		j.unproven("commit", p.ID, p.ID, "plan "+p.ID+" has no commit of its own", "commit its work as feat("+p.ID+"): …")
		return
	case len(code) == 0 && tasks > 0:
		j.unproven("commit", p.ID, p.ID, "the commits of plan "+p.ID+" change no file of the project", "commit its work as feat("+p.ID+"): …")
		return
	case len(code) < tasks:
		j.unproven("commit", p.ID, p.ID, fmt.Sprintf("plan %s has %s and %s", p.ID, text.Count(tasks, "task"), text.Count(len(code), "commit")), "commit each task by itself, so that each can be judged and taken back")
	default:
		j.proven("commit", p.ID, p.ID, text.Count(len(code), "commit")+" of its own")
	}
	if p.Doc.Type == "tdd" {
		j.tdd(p, code)
	}
}

// tdd: the first commit with tests is before the first one with the feature, and has
// no code of it.
func (j *judge) tdd(p Plan, code []change) {
	test := slices.IndexFunc(code, func(c change) bool { return c.Kind == "test" && slices.ContainsFunc(c.Files, j.hasTests) })
	feat := slices.IndexFunc(code, func(c change) bool { return c.Kind == "feat" || c.Kind == "fix" })
	switch {
	case test < 0:
		j.unproven("tdd", p.ID, "tdd "+p.ID, "plan "+p.ID+" is of type tdd and has no commit test("+p.ID+") that changes a test", "commit the failing test first")
	case feat >= 0 && feat < test:
		j.unproven("tdd", p.ID, "tdd "+p.ID, fmt.Sprintf("%s %q is before the test %s", code[feat].short(), code[feat].Subject, code[test].short()), "write the failing test first, in a commit before the code")
	default:
		j.proven("tdd", p.ID, "tdd "+p.ID, "its test was committed before its code")
		if feat >= 0 {
			j.firstTests[p.ID] = code[test]
		}
	}
}

// wasRed: what verifies a plan of type tdd failed when only its test was there.
func (j *judge) wasRed(p Plan) error {
	at, ok := j.firstTests[p.ID]
	if !ok {
		return nil
	}
	asked := 0
	for _, line := range j.tests[p.ID] {
		if before, err := j.run("before", "base", j.own(p.ID)[0].Parent, line); err != nil || before.Exit == 0 && !before.Nothing {
			if err != nil {
				return err
			}
			continue // it held before any work: it asks for no test
		}
		r, err := j.run("first test", "base", at.ID, line)
		if err != nil {
			return err
		}
		if r.Exit != 0 || r.Nothing {
			return nil
		}
		asked++
	}
	if asked > 0 {
		j.unproven("tdd", p.ID, "tdd "+p.ID+" red", fmt.Sprintf("the tests of plan %s passed already at %s %q, before its code", p.ID, at.short(), at.Subject), "commit the failing test by itself, then the code")
	}
	return nil
}

// hasTests reports whether a file has tests: by its name, or of Rust by what is in it.
func (j *judge) hasTests(name string) bool {
	if mark.IsTest(name) {
		return true
	}
	s := j.sources[name]
	return s != nil && len(s.Tests()) > 0
}

// uncommitted: what is judged is HEAD. A file of the phase that is different in the
// working tree is not.
func (j *judge) uncommitted() error {
	out, err := git.Output(j.ctx, j.top, "status", "--porcelain", "-z", "--untracked-files=no")
	if err != nil {
		return err
	}
	for _, entry := range git.Fields(out) {
		if len(entry) < 4 {
			continue
		}
		if _, ok := j.sources[entry[3:]]; ok {
			j.unproven("commit", "", entry[3:], entry[3:]+" has changes that are not committed: they are not judged", "commit them, or take them back")
		}
	}
	return nil
}
