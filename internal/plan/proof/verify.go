package proof

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"cairn/internal/plan/doc"
	"cairn/internal/plan/proof/record"
	"cairn/internal/plan/proof/tree"
	"cairn/internal/text"
)

// mostOf is how long one command may take.
const mostOf = 5 * time.Minute

// verify runs the <verify> of each task before its plan's first commit and at HEAD.
func (j *judge) verify() error {
	if err := j.ahead(); err != nil {
		return err
	}
	for _, p := range j.Plans {
		if j.only != "" && p.ID != j.only {
			continue
		}
		own := j.own(p.ID)
		base, known := "", len(own) > 0
		if known {
			base = own[0].Parent
			j.sameVerify(p, base)
		}
		for i, t := range p.Doc.Tasks {
			id := fmt.Sprintf("%s/%d", p.ID, i+1)
			if t.Checkpoint() {
				j.unchecked("verify", p.ID, id, "task "+id+" is a person's: "+short(t.Name))
				continue
			}
			if err := j.verifyTask(p, t, id, base, known); err != nil {
				return err
			}
		}
		if err := j.wasRed(p); err != nil {
			return err
		}
	}
	return nil
}

func (j *judge) verifyTask(p Plan, t doc.Task, id, base string, known bool) error {
	if strings.TrimSpace(t.Verify) == "" {
		j.unproven("verify", p.ID, id, "task "+id+" has no <verify>", "write the command that fails without its work")
		return nil
	}
	type tried struct {
		command string
		before  *record.Run
		after   record.Run
	}
	var all []tried
	lines := commandsOf(t.Verify)
	for _, line := range lines {
		one := tried{command: line}
		if cannotFail(line) {
			j.unproven("verify", p.ID, id, fmt.Sprintf("task %s: `%s` cannot fail", id, short(line)), "verify it by a command that fails without its work")
			return nil
		}
		if lists().MatchString(line) {
			j.unproven("verify", p.ID, id, fmt.Sprintf("task %s: `%s` runs no test", id, short(line)), "have the tests run")
			return nil
		}
		after, err := j.run("after", "head", j.head, line)
		if err != nil {
			return err
		}
		one.after = after
		if after.Exit == 0 && !after.Nothing && known {
			before, err := j.run("before", "base", base, line)
			if err != nil {
				return err
			}
			one.before = &before
		}
		all = append(all, one)
	}
	var runs []record.Run
	guards, working := 0, 0
	for _, one := range all {
		if one.before != nil {
			runs = append(runs, *one.before)
		}
		runs = append(runs, one.after)
		claim := Claim{ID: id, Kind: "verify", Plan: p.ID, Verdict: Unproven, Runs: runs}
		switch r := one.after; {
		case r.Timeout:
			claim.What, claim.Remedy = fmt.Sprintf("task %s: `%s` did not end", id, short(one.command)), "make it end, or give the proof more time with --budget"
		case r.Exit != 0 && r.Exit < 0:
			claim.What, claim.Remedy = fmt.Sprintf("task %s: `%s` was not run: the time of the proof is over", id, short(one.command)), "run it again with a larger --budget; what ran is kept"
		case r.Exit == 127 || r.Exit == 126:
			claim.What, claim.Remedy = fmt.Sprintf("task %s: `%s` is not a command here: %s", id, short(one.command), short(lastLines(r.Said, 1))), "write in <verify> the line that the shell can run, and nothing else"
		case r.Exit != 0:
			claim.What, claim.Remedy = fmt.Sprintf("task %s: `%s` is red at HEAD (exit %d)\n%s", id, short(one.command), r.Exit, r.Said), "find why, and mend it"
		case r.Nothing:
			claim.What, claim.Remedy = fmt.Sprintf("task %s: `%s` runs no test", id, short(one.command)), "name tests that are there"
		case one.before != nil && one.before.Exit < 0:
			claim.What, claim.Remedy = fmt.Sprintf("task %s: `%s` was not run before the work: the time of the proof is over", id, short(one.command)), "run it again with a larger --budget; what ran is kept"
		default:
			if one.before != nil && one.before.Exit == 0 && !one.before.Nothing {
				guards++
				if exercises(one.command) {
					working++
				}
			}
			j.green(p, one.after)
			continue
		}
		j.claim(claim)
		return nil
	}
	c := Claim{ID: id, Kind: "verify", Plan: p.ID, Runs: runs}
	switch {
	case !known:
		return nil // that there is no commit is said
	case guards < len(all):
		c.Verdict, c.What = Proven, fmt.Sprintf("task %s: red before, green at HEAD: `%s`", id, short(strings.Join(lines, "; ")))
	case working > 0:
		c.Verdict, c.What = Guard, fmt.Sprintf("task %s: held before and after: guards, proves nothing new: `%s`", id, short(strings.Join(lines, "; ")))
	default:
		c.Verdict, c.What, c.Remedy = Unproven, fmt.Sprintf("task %s: `%s` held before the work, and runs nothing of the project", id, short(strings.Join(lines, "; "))), "verify it by a command that fails without its work"
	}
	j.claim(c)
	return nil
}

// run runs a line in a tree, or gives what it gave before. One for which there is no
// time left has the exit code -1.
func (j *judge) run(what, name, commit, line string) (record.Run, error) {
	state := j.tree
	if commit != j.head {
		state = commit
	}
	if strings.Contains(line, ".planning") { // it reads what is left out of the tree's hash
		state = commit
	}
	key := record.Hash(what, state, line)
	j.lock.Lock()
	defer j.lock.Unlock()
	if l, ok := j.known[key]; ok && l.Run != nil {
		out := *l.Run
		if out.Reused = !j.fresh[key]; out.Reused && !j.counted[key] {
			j.counted[key] = true
			j.reused++
		}
		return out, nil
	}
	limit := j.left(mostOf)
	if limit == 0 {
		return record.Run{For: what, Command: line, Commit: commit, Exit: -1}, nil
	}
	j.Step(line)
	dir, err := j.at(name, commit)
	if err != nil {
		return record.Run{}, err
	}
	j.lock.Unlock()
	r, err := tree.Run(j.ctx, dir, j.trees.Environ(dir), line, limit)
	j.lock.Lock()
	if err != nil {
		return record.Run{}, stopped(err)
	}
	j.ran++
	out := made(what, line, commit, r)
	if out.Timeout && limit < mostOf { // more time may change it
		j.late.Store(true)
		return out, nil
	}
	kept := out
	j.known[key], j.fresh[key] = record.Line{Key: key, Run: &kept}, true
	return out, j.keep(record.Line{Key: key, Run: &kept})
}

// ahead runs the lines that have to run in both trees at once.
func (j *judge) ahead() error {
	var lanes errgroup.Group
	lane := func(what, name string, commit func(Plan) (string, bool)) {
		lanes.Go(func() error {
			for _, p := range j.Plans {
				at, ok := commit(p)
				if !ok || j.only != "" && p.ID != j.only {
					continue
				}
				for _, t := range p.Doc.Tasks {
					for _, line := range commandsOf(t.Verify) {
						if t.Checkpoint() || cannotFail(line) {
							continue
						}
						if _, err := j.run(what, name, at, line); err != nil {
							return err
						}
					}
				}
			}
			return nil
		})
	}
	lane("after", "head", func(Plan) (string, bool) { return j.head, true })
	lane("before", "base", func(p Plan) (string, bool) {
		own := j.own(p.ID)
		if len(own) == 0 {
			return "", false
		}
		return own[0].Parent, true
	})
	return lanes.Wait()
}

func stopped(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped; what ran is kept, and the next proof goes on from there")
	}
	return err
}

// sameVerify: the verify lines are those of before the work.
func (j *judge) sameVerify(p Plan, base string) {
	spec := base + ":" + j.prefix + p.Path
	if base == "" || j.load(j.ctx, []string{spec}) != nil {
		return
	}
	was, ok := j.blobs[spec]
	if !ok {
		j.unchecked("verify", p.ID, p.ID, "plan "+p.ID+" was not committed before its work: whether its verify lines are those of then is not known")
		return
	}
	var before []string
	for _, t := range doc.ReadPlan(doc.Parse([]byte(was))).Tasks {
		before = append(before, t.Verify)
	}
	same, n := true, 0
	for i, t := range p.Doc.Tasks {
		if i < len(before) && before[i] != t.Verify {
			same = false
			n++
			j.unproven("changed verify", p.ID, fmt.Sprintf("%s/%d verify", p.ID, i+1), fmt.Sprintf("task %s/%d was verified by `%s` when its work began, and is now by `%s`", p.ID, i+1, short(before[i]), short(t.Verify)), "put the line back, or have a person accept the new one")
		}
	}
	if len(before) > len(p.Doc.Tasks) {
		same = false
		j.unproven("changed verify", p.ID, p.ID+" tasks", fmt.Sprintf("plan %s had %s when its work began, and has %d now", p.ID, text.Count(len(before), "task"), len(p.Doc.Tasks)), "put them back, or have a person accept it")
	}
	if same {
		j.proven("plan", p.ID, p.ID+" plan", "its verify lines are those of before the work")
	}
}
