package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cairn/internal/git"
	"cairn/internal/plan/proof/record"
	"cairn/internal/plan/proof/tree"
)

// Options are how a proof is made.
type Options struct {
	Only   string        // a plan's id, "" for all
	Trees  string        // where working trees are kept
	Budget time.Duration // for what runs; the rest is left unproven
	Again  bool          // what ran before runs again
	Step   func(what string)
	DryRun bool // nothing is written
	brief  bool // of tests: those of the project are not asked
}

// judge makes one proof.
type judge struct {
	Subject
	Options
	*history
	ctx     context.Context
	only    string
	claims  []Claim
	known   map[string]record.Line
	fresh   map[string]bool   // of known: what ran now
	counted map[string]bool   // of known: what is in reused
	lock    sync.Mutex        // of what two trees share while both run
	answers map[string]string // by claim: who and why
	trees   *tree.Trees
	until   time.Time
	late    atomic.Bool // something was left out because the time was over
	last    *record.Verdict
	ran     int
	reused  int
	tests   map[string][]string // by plan: lines that turned green at HEAD

	firstTests map[string]change // by plan of type tdd: the commit of its test
}

// Prove judges every claim of a phase at HEAD.
func Prove(ctx context.Context, s Subject, o Options) (_ *Report, err error) {
	began := time.Now()
	j := &judge{Subject: s, Options: o, ctx: ctx, only: o.Only, known: map[string]record.Line{}, fresh: map[string]bool{}, counted: map[string]bool{}, answers: map[string]string{}, until: began.Add(o.Budget), tests: map[string][]string{}, firstTests: map[string]change{}}
	if j.Step == nil {
		j.Step = func(string) {}
	}
	j.Step("commits")
	if !git.Repo(s.Root) {
		return nil, fmt.Errorf("a proof needs commits: %s is in no git repository", s.Root)
	}
	if _, err := git.Run(ctx, s.Root, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return nil, fmt.Errorf("a proof needs commits: the repository of %s has none", s.Root)
	}
	if j.history, err = readHistory(ctx, s); err != nil {
		return nil, err
	}
	j.readKnown()
	defer func() {
		if j.trees != nil {
			closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), git.Timeout) // also when it was stopped
			defer cancel()
			j.trees.Close(closing)
		}
	}()
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"commits", j.commits}, {"changed lines", j.marks}, {"tests that are gone", j.deleted}, {"verify", j.verify},
		{"tests", j.testing}, {"documents", j.documents}, {"decisions", j.evidence},
	} {
		j.Step(step.what)
		if err := step.do(); err != nil {
			return nil, err
		}
	}
	r := &Report{Phase: s.Phase, Plan: o.Only, Commit: j.head, Tree: j.tree, Claims: order(j.claims), Ran: j.ran, Reused: j.reused, File: s.File}
	r.Proven, r.Late = len(r.Of(Unproven)) == 0, j.late.Load()
	r.Seconds = float64(time.Since(began).Milliseconds()) / 1000
	v := verdict(r, record.Key(j.tree, j.Claims))
	if j.last != nil { // a proof that says the same again leaves no line
		was := *j.last
		was.Commit = v.Commit
		a, _ := json.Marshal(was)
		if b, err := json.Marshal(v); err == nil && bytes.Equal(a, b) {
			return r, nil
		}
	}
	return r, j.keep(record.Line{Verdict: v})
}

func verdict(r *Report, key string) *record.Verdict {
	v := &record.Verdict{For: key, Plan: r.Plan, Commit: r.Commit, Proven: r.Proven, Counts: map[string]int{}, Unproven: []string{}}
	for _, c := range r.Claims {
		runs := slices.Clone(c.Runs)
		for i := range runs {
			runs[i].Said, runs[i].Reused = "", false // its own line has it
		}
		c.Runs = runs
		v.Claims = append(v.Claims, c)
		v.Counts[string(c.Verdict)]++
		if c.Verdict == Unproven {
			v.Unproven = append(v.Unproven, c.Kind+": "+c.ID)
		}
	}
	return v
}

func (j *judge) readKnown() {
	b, err := os.ReadFile(filepath.Join(j.Root, filepath.FromSlash(j.File)))
	if err != nil {
		return
	}
	for _, l := range record.Parse(b) {
		if l.Verdict != nil && l.Verdict.Plan == j.only {
			j.last = l.Verdict // one that was edited differs from every other
		}
		if l.Accepted != nil {
			j.answers[l.Accepted.ID] = strings.TrimSpace(l.Accepted.By + ": " + l.Accepted.Reason)
		}
		if l.Key != "" && !j.Again {
			j.known[l.Key] = l
		}
	}
}

// keep adds a line to the file of results, at once: what a killed proof found stays.
func (j *judge) keep(l record.Line) error {
	if j.DryRun {
		return nil
	}
	l.Time = now()
	return record.Append(filepath.Join(j.Root, filepath.FromSlash(j.File)), l)
}

// at returns the project in a tree, which is made now if nothing ran before.
func (j *judge) at(name, commit string) (string, error) {
	if j.trees == nil {
		var err error
		if j.trees, err = tree.Open(j.ctx, j.Root, j.Trees); err != nil {
			return "", err
		}
	}
	return j.trees.At(j.ctx, name, commit)
}

// left is how long something may run, 0 when the time is over.
func (j *judge) left(most time.Duration) time.Duration {
	left := max(0, min(most, time.Until(j.until)))
	if left == 0 {
		j.late.Store(true)
	}
	return left
}

// sample returns at most n of the items, the same for the same tree.
func sample[T any](tree string, items []T, n int, name func(T) string) []T {
	if len(items) <= n {
		return items
	}
	sorted := slices.Clone(items)
	slices.SortFunc(sorted, func(a, b T) int { return strings.Compare(record.Hash(tree, name(a)), record.Hash(tree, name(b))) })
	return sorted[:n]
}
