package eval

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"cairn/internal/team/result"
	"cairn/internal/team/stats"
)

// A Person is what one author's commits did to the suites.
type Person struct {
	Name   string   `json:"name"`
	Better []Step   `json:"better,omitempty"` // steps that are more than noise
	Worse  []Step   `json:"worse,omitempty"`
	Green  []string `json:"green,omitempty"` // suites in which all of the author's runs passed
	Runs   int      `json:"runs"`
	Streak int      `json:"streak"` // most days in a row with a run
}

// A Step is the way from one run of a suite to the next with the same label on
// the same branch.
type Step struct {
	Suite    string    `json:"suite"`
	Branch   string    `json:"git_branch,omitzero"`
	From     string    `json:"from"` // ids
	To       string    `json:"to"`
	SHA      string    `json:"git_sha"`
	Time     time.Time `json:"timestamp"`
	Pairing            // of the cases
	Adjusted float64   `json:"p_holm"` // by Holm, for all steps that were looked at
}

// Standings are the persons, the first with the most steps up less steps down.
type Standings struct {
	People []Person `json:"people"`
	Steps  int      `json:"steps"`   // that were tested
	Nobody int      `json:"nobodys"` // runs without a commit of a known author, or with uncommitted changes
}

// Leaders reads the runs of entries, the newest first, that are not older than
// since, and each one's run before, of one suite or of all for "". author gives the author of a commit, ""
// for one that is not known. Days are those of loc.
func (s *Store) Leaders(entries []Entry, suite string, since time.Time, author func(sha string) string, loc *time.Location) Standings {
	people := map[string]*Person{}
	days, failed, ran := map[string][]time.Time{}, map[string]bool{}, map[string][]string{}
	var all Standings
	for _, e := range entries {
		if e.Time.Before(since) {
			break
		}
		name := e.author(author)
		if name == "" {
			all.Nobody++
			continue
		}
		p := people[name]
		if p == nil {
			p = &Person{Name: name}
			people[name] = p
		}
		p.Runs++
		days[name] = append(days[name], e.Time.In(loc))
		for _, s := range e.suites() {
			if suite != "" && s != suite {
				continue
			}
			ran[name] = append(ran[name], s)
			if e.Failed+e.Errored > 0 || e.Passed == 0 {
				failed[name+"\x00"+s] = true
			}
		}
	}
	steps, names := s.steps(entries, suite, since, author)
	all.Steps = len(steps)
	for i, step := range steps {
		switch p := people[names[i]]; {
		case !(step.Adjusted < Alpha):
		case step.Better > step.Worse:
			p.Better = append(p.Better, step)
		default:
			p.Worse = append(p.Worse, step)
		}
	}
	for name, p := range people {
		p.Streak = streak(days[name])
		slices.Sort(ran[name])
		for _, s := range slices.Compact(ran[name]) {
			if !failed[name+"\x00"+s] {
				p.Green = append(p.Green, s)
			}
		}
		all.People = append(all.People, *p)
	}
	slices.SortFunc(all.People, func(a, b Person) int {
		return cmp.Or(cmp.Compare(len(b.Better)-len(b.Worse), len(a.Better)-len(a.Worse)), cmp.Compare(len(b.Green), len(a.Green)),
			cmp.Compare(b.Runs, a.Runs), strings.Compare(a.Name, b.Name))
	})
	return all
}

// author is "" for a run whose code is not that of its commit.
func (e *Entry) author(author func(string) string) string {
	if e.SHA == "" || e.Dirty {
		return ""
	}
	return author(e.SHA)
}

// steps lists the steps to runs since a time, and whose each is. Runs of the
// same commit as the one before are repeats and no step.
func (s *Store) steps(entries []Entry, suite string, since time.Time, author func(string) string) (steps []Step, names []string) {
	type line struct {
		seriesKey
		label, branch string
	}
	type last struct {
		Entry
		run     *result.Run
		tallies []*Tally
	}
	before := map[line]*last{}
	need := neededSince(entries, since)
	for i, e := range slices.Backward(entries) {
		if e.Dirty || e.SHA == "" || !need[i] {
			continue
		}
		run, err := s.Load(e)
		if err != nil {
			continue
		}
		suites := bySuite(run)
		for _, name := range e.suites() {
			if suite != "" && name != suite {
				continue
			}
			k := line{seriesKey{e.Repo, name, e.Kind, e.JudgeTier}, e.Label, e.Branch}
			now := &last{e, run, suites[name]}
			was := before[k]
			before[k] = now
			who := e.author(author)
			if was == nil || who == "" || e.Time.Before(since) || sameCommit(was.SHA, e.SHA) {
				continue
			}
			tallies := was.tallies
			if aligned, _ := result.Aligned([]*result.Run{was.run, run}); aligned[0] != was.run { // prompts moved
				tallies = bySuite(aligned[0])[name]
			}
			if pairing := Pair(tallies, now.tallies); pairing.Cases > 0 {
				steps = append(steps, Step{Suite: name, Branch: e.Branch, From: was.ID, To: e.ID, SHA: e.SHA, Time: e.Time.Time, Pairing: pairing})
				names = append(names, who)
			}
		}
	}
	p := make([]float64, len(steps))
	for i := range steps {
		p[i] = steps[i].P
	}
	for i, adjusted := range stats.Holm(p) {
		steps[i].Adjusted = adjusted
	}
	return steps, names
}

// neededSince marks the entries since a time and, of each line in time, the
// one before them.
func neededSince(entries []Entry, since time.Time) []bool {
	need, have := make([]bool, len(entries)), map[string]bool{}
	for i, e := range entries {
		if !e.Time.Before(since) {
			need[i] = true
			continue
		}
		for _, suite := range e.suites() {
			k := strings.Join([]string{e.Repo, suite, e.Kind, e.JudgeTier, e.Label, e.Branch}, "\x00")
			if !e.Dirty && e.SHA != "" && !have[k] {
				have[k], need[i] = true, true
			}
		}
	}
	return need
}

// streak is the most days in a row among times.
func streak(times []time.Time) (most int) {
	var days []int64
	for _, t := range times {
		y, m, d := t.Date()
		days = append(days, time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix()/86400)
	}
	slices.Sort(days)
	n := 0
	for i, day := range slices.Compact(days) {
		if n++; i > 0 && day != days[i-1]+1 {
			n = 1
		}
		most = max(most, n)
	}
	return most
}

// Commits lists the commits of entries, each once.
func Commits(entries []Entry) (commits []string) {
	asked := map[string]bool{}
	for _, e := range entries {
		if len(e.SHA) >= leastSHA && strings.Trim(e.SHA, "0123456789abcdefABCDEF") == "" && !asked[e.SHA] {
			asked[e.SHA] = true
			commits = append(commits, e.SHA)
		}
	}
	return commits
}
