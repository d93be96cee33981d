package result

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Problem is one thing wrong with a file of results.
type Problem struct {
	Path string // such as all_results[3].duration_ms, "" is the whole
	Line int    // 0 is not known
	What string
}

func (p Problem) Error() string {
	text := p.What
	if p.Path != "" {
		text = p.Path + ": " + text
	}
	if p.Line > 0 {
		text = "line " + strconv.Itoa(p.Line) + ": " + text
	}
	return text
}

// Problems is what makes a file no result, the first one first. It is never
// empty.
type Problems []Problem

func (p Problems) Error() string {
	if len(p) == 1 {
		return p[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", p[0].Error(), len(p)-1)
}

// checker collects problems.
type checker struct{ problems Problems }

func (c *checker) say(path, format string, args ...any) {
	c.problems = append(c.problems, Problem{Path: path, What: fmt.Sprintf(format, args...)})
}

func at(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// listed is a result's place in all_results.
type listed int

func (i listed) at(member string) string { return at("all_results", int(i)) + member }

// Check looks for what no run may hold. A nil error means that the run can be
// stored and compared.
func (run *Run) Check() error {
	var c checker
	c.run(run)
	if len(c.problems) > 0 {
		return c.problems
	}
	return nil
}

func (c *checker) run(run *Run) {
	c.oneOf("scope", run.Scope, "quick", "standard", "full")
	c.oneOf("judge_tier", run.JudgeTier, "fast", "standard", "full")
	c.figure("duration_seconds", run.DurationSeconds)
	c.figure("wall_clock_ms", run.WallClockMS)
	c.figure("total_cost_usd", run.TotalCostUSD)
	if len(run.Results) > MaxResults {
		c.say("all_results", "%d results; at most %d are read, split the run", len(run.Results), MaxResults)
		return
	}
	seen := newAttempts(run)
	for i := range run.Results {
		r := &run.Results[i]
		c.result(i, r)
		if j, ok := seen.put(i); ok && r.Name != "" {
			c.say(at("all_results", i)+".name", `%q was already in %s; number repeats with "attempt"`, Shown(r.Title()), at("all_results", j))
		}
	}
	models := map[string]int{}
	for i, cost := range run.Costs {
		where := at("costs", i)
		if cost.Model == "" {
			c.say(where+".model", "missing")
		} else if j, ok := models[cost.Model]; ok {
			c.say(where+".model", "%q was already in %s", Shown(cost.Model), at("costs", j))
		}
		models[cost.Model] = i
		c.count(where+".calls", cost.Calls)
		c.count(where+".input_tokens", cost.InputTokens)
		c.count(where+".output_tokens", cost.OutputTokens)
		c.count(where+".cache_read_tokens", cost.CacheReadTokens)
		c.count(where+".cache_write_tokens", cost.CacheWriteTokens)
		c.figure(where+".cost_usd", cost.CostUSD)
	}
}

// attempts finds the result of a run with the case and attempt of another, without a
// copy of what they are called: of a hundred thousand that would take longer than the
// rest of the check.
type attempts struct {
	run   *Run
	seed  maphash.Seed
	table []uint64 // half of a hash, and 1 + the place in Results: where the hash says or behind it
}

func newAttempts(run *Run) *attempts {
	size := 16
	for size < 2*len(run.Results) {
		size *= 2
	}
	return &attempts{run, maphash.MakeSeed(), make([]uint64, size)}
}

// put notes a result, and returns the last one before it that is the same attempt.
func (a *attempts) put(i int) (before int, found bool) {
	r := &a.run.Results[i]
	hash := maphash.String(a.seed, cmp.Or(r.Suite, a.run.Suite))
	if hash = hash*31 + uint64(r.Try()); r.CaseID != "" {
		hash = hash*31 + maphash.String(a.seed, r.CaseID)
	} else {
		hash = hash*31 + maphash.String(a.seed, r.Name)
		hash = hash*31 + maphash.String(a.seed, r.Variant)
	}
	const half = 1<<32 - 1
	own, mask := hash&^half|uint64(i+1), uint64(len(a.table)-1)
	for at := hash & mask; ; at = (at + 1) & mask {
		other := a.table[at]
		if other == 0 {
			a.table[at] = own
			return 0, false
		}
		if other&^half != own&^half {
			continue
		}
		before = int(other&half) - 1
		if s := &a.run.Results[before]; s.Try() == r.Try() && a.run.Key(s) == a.run.Key(r) {
			a.table[at] = own
			return before, true
		}
	}
}

func (c *checker) result(i int, r *Result) {
	where := listed(i) // written out only where something is wrong with it
	if strings.TrimSpace(r.Name) == "" {
		c.say(where.at(".name"), "missing")
	}
	if r.Attempt < 0 {
		c.say(where.at(".attempt"), "%d is below 1", r.Attempt)
	}
	if !figure(r.DurationMS) {
		c.figure(where.at(".duration_ms"), r.DurationMS)
	}
	if !figure(r.CostUSD) {
		c.figure(where.at(".cost_usd"), r.CostUSD)
	}
	if r.Scale == "" && r.Score == nil && len(r.JudgeScores) == 0 && r.Output == nil {
		return
	}
	lo, hi, err := r.Scale.Bounds()
	if err != nil {
		c.say(where.at(".scale"), "%s", err)
		lo, hi = math.Inf(-1), math.Inf(1)
	}
	score := func(name string, s float64) {
		if !(s >= lo && s <= hi) {
			c.say(where.at(name), `%v is outside %v to %v; say "scale" where another is meant`, s, lo, hi)
		}
	}
	if r.Score != nil {
		score(".score", *r.Score)
	}
	if len(r.JudgeScores) > 0 {
		for _, name := range slices.Sorted(maps.Keys(r.JudgeScores)) {
			score(".judge_scores."+Shown(name), r.JudgeScores[name])
		}
	}
	if r.Output != nil && r.Output.Kind() != '{' && r.Output.Kind() != 'n' {
		c.say(where.at(".output"), "must be an object, not %s", KindName(r.Output.Kind()))
	}
}

func (c *checker) oneOf(path, value string, allowed ...string) {
	if value != "" && !slices.Contains(allowed, value) {
		c.say(path, "%q is not known; %s is wanted", Shown(value), strings.Join(allowed, ", "))
	}
}

// figure reports whether a number can be a time or a cost.
func figure(v float64) bool { return v >= 0 && v <= math.MaxInt64 }

func (c *checker) figure(path string, v float64) {
	if !figure(v) {
		c.say(path, "%v is negative or too large", v)
	}
}

func (c *checker) count(path string, v int64) {
	if v < 0 {
		c.say(path, "%d is negative", v)
	}
}

// counts compares what the file says of its results with its results.
func (c *checker) counts(run *Run, in *incoming) (warnings []string) {
	var listed Counts
	for i := range run.Results {
		listed.Count(run.Results[i].Status)
	}
	given := in.Run.Counts
	declared := in.Total != nil || in.Passed != nil || in.Failed != nil
	for _, n := range []struct {
		name string
		in   *int
		to   *int
		own  int
	}{{"total", in.Total, &given.Total, listed.Total}, {"passed", in.Passed, &given.Passed, listed.Passed}, {"failed", in.Failed, &given.Failed, listed.Failed}} {
		if *n.to = n.own; n.in != nil {
			*n.to = *n.in
		}
		if *n.to < 0 {
			c.say(n.name, "%d is negative", *n.to)
		}
	}
	c.count("skipped", int64(given.Skipped))
	c.count("errored", int64(given.Errored))
	for _, name := range slices.Sorted(maps.Keys(run.ByCategory)) {
		n, where := run.ByCategory[name], "by_category."+Shown(name)
		c.count(where+".passed", int64(n.Passed))
		c.count(where+".skipped", int64(n.Skipped))
		c.count(where+".errored", int64(n.Errored))
		switch own := in.ByCategory[name]; { // what is absent was made of the others
		case own.Total != nil && n.Total < 0:
			c.count(where+".total", int64(n.Total))
		case own.Failed != nil && n.Failed < 0:
			c.count(where+".failed", int64(n.Failed))
		case n.Failed < 0:
			c.say(where+".total", "%d, but the other counts are more", n.Total)
		}
	}
	sum := given.Passed + given.Failed + given.Skipped + given.Errored
	switch {
	case !declared || given.Total == listed.Total:
		// what is listed decides; a runner that knows no errors counts them as failures
		if declared && given.Passed != listed.Passed {
			c.say("passed", "%d, but %d of all_results passed", given.Passed, listed.Passed)
		}
		given = listed
	case given.Total < listed.Total:
		c.say("total", "%d, but all_results holds %d", given.Total, listed.Total)
	case sum != given.Total:
		c.say("total", "%d, but passed, failed, skipped and errored add up to %d", given.Total, sum)
	default:
		warnings = append(warnings, fmt.Sprintf("total says %d results, %d are listed: the others are counted and cannot be compared", given.Total, listed.Total))
	}
	run.Counts = given
	return warnings
}
