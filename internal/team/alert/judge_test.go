package alert

import (
	"math"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/stats"
)

// runOf is a run of cases: of each how its repeats went, as p, f, e (error), s (skip).
func runOf(cases ...string) Run {
	r := Run{At: time.Unix(0, 0)}
	for i, c := range cases {
		r.Cases = append(r.Cases, Tally{Case: int64(i), Passed: strings.Count(c, "p"), Failed: strings.Count(c, "f")})
	}
	return r
}

func times(n int, r Run) (all []Run) {
	for range n {
		all = append(all, r)
	}
	return all
}

func all(n int, c string) (cases []string) {
	for range n {
		cases = append(cases, c)
	}
	return cases
}

func TestJudge(t *testing.T) {
	perfect := times(20, runOf(all(12, "p")...))
	for _, c := range []struct {
		name    string
		run     Run
		history []Run
		series  int
		verdict Verdict
		cases   int
		why     string
	}{
		{"all pass", runOf(all(12, "p")...), perfect, 1, Good, 12, ""},
		{"two of twelve fail", runOf(append(all(2, "f"), all(10, "p")...)...), perfect, 1, Doubtful, 12, ""},
		{"three", runOf(append(all(3, "f"), all(9, "p")...)...), perfect, 1, Bad, 12, ""},
		{"five", runOf(append(all(5, "f"), all(7, "p")...)...), perfect, 1, Bad, 12, ""},
		{"six", runOf(append(all(6, "f"), all(6, "p")...)...), perfect, 1, Severe, 12, ""},
		{"three, in one of five hundred series", runOf(append(all(3, "f"), all(9, "p")...)...), perfect, 500, Doubtful, 12, ""},
		{"errors are no failures", runOf(append(all(6, "e"), all(6, "p")...)...), perfect, 1, Good, 6, ""},
		{"skips neither", runOf(append(all(6, "s"), all(6, "p")...)...), perfect, 1, Good, 6, ""},
		{"everything broke", runOf(all(12, "e")...), perfect, 1, Unknown, 0, "no case of it passed or failed"},
		{"repeats are one case", runOf(append(all(3, "pff"), all(9, "ppp")...)...), perfect, 1, Doubtful, 12, ""},
		{"and all of them failed", runOf(append(all(3, "fff"), all(9, "ppp")...)...), perfect, 1, Bad, 12, ""},
		{"four runs", runOf(all(12, "f")...), perfect[:4], 1, Unknown, 0, "4 runs on the main branch, 5 are needed"},
		{"five runs", runOf(all(12, "f")...), perfect[:5], 1, Severe, 12, ""},
		{"new cases only", Run{Cases: []Tally{{Case: 99, Failed: 1}}}, perfect, 1, Unknown, 0, "no case of it was judged before"},
		{"a new case beside", Run{Cases: []Tally{{Case: 99, Failed: 1}, {Case: 1, Passed: 1}}}, perfect, 1, Good, 1, ""},
		{"one case alone can show nothing", runOf("f"), times(20, runOf("p")), 1, Doubtful, 1, ""},
		{"always failed", runOf(all(12, "f")...), times(20, runOf(all(12, "f")...)), 1, Good, 12, ""},
	} {
		j := Judge(c.run, c.history, c.series)
		if j.Verdict != c.verdict || j.Cases != c.cases || j.Why != c.why || math.IsNaN(j.P) || j.P < 0 || j.P > 1 {
			t.Errorf("%s: %+v", c.name, j)
		}
	}
	j := Judge(runOf(append(all(3, "f"), all(9, "p")...)...), perfect, 1)
	var rates []float64
	for range 12 {
		rates = append(rates, 20.5/21)
	}
	if want := stats.FailureTail(rates, 3); math.Abs(j.P-want) > 1e-15 || j.Observed != .75 || len(j.Worst) != 3 || j.Worst[0].Case != 0 {
		t.Errorf("p %g, want %g; %+v", j.P, want, j)
	}
}

// Where whole runs have good and bad days, a bad day is no alarm.
func TestSpread(t *testing.T) {
	var history []Run
	for i := range 20 { // 2, 10, 2, 10 … of 50 fail, not always the same ones
		n := 2 + 8*(i%2)
		r := Run{}
		for k := range 50 {
			r.Cases = append(r.Cases, Tally{Case: int64(k), Passed: 1})
			if (k+7*i)%50 < n {
				r.Cases[k] = Tally{Case: int64(k), Failed: 1}
			}
		}
		history = append(history, r)
	}
	day := runOf(append(all(15, "f"), all(35, "p")...)...)
	j := Judge(day, history, 1)
	if j.Spread < 3 || j.Verdict != Doubtful && j.Verdict != Good {
		t.Errorf("%+v", j)
	}
	var rates []float64
	past := pastOf(history)
	for k := range int64(50) {
		rates = append(rates, past[k].smoothed())
	}
	if p := stats.FailureTail(rates, 15); p > pendingLevel || j.P < 10*p {
		t.Errorf("by chance alone %g, with the spread %g", p, j.P)
	}
}

func TestStep(t *testing.T) {
	now := time.Now()
	at := now.Add(-time.Hour)
	names := map[byte]Verdict{'u': Unknown, 'g': Good, 'd': Doubtful, 'b': Bad, 's': Severe}
	for _, c := range []struct {
		pushes, states string // of each push: a verdict; then - (nothing open), p, f, r
		fired, ended   int
	}{
		{"ggg", "---", 0, 0},
		{"dd", "--", 0, 0},
		{"bg", "pr", 0, 0},
		{"bd", "pp", 0, 0},
		{"bdb", "ppf", 1, 0},
		{"bdgb", "pprp", 0, 0},
		{"bddddddddddddddddddd", "pppppppppppppppppppr", 0, 0},
		{"bb", "pf", 1, 0},
		{"bub", "ppf", 1, 0},
		{"s", "f", 1, 0},
		{"sgg", "ffr", 1, 1},
		{"sgbgg", "ffffr", 1, 1},
		{"sgdgg", "ffffr", 1, 1},
		{"sggs", "ffrf", 2, 1},
		{"sddddddddddddddddddd", "fffffffffffffffffffr", 1, 1}, // twenty: the new level
	} {
		var open *Alert
		states := ""
		fired, ended := 0, 0
		for i := range len(c.pushes) {
			next, news := Step(open, Series{}, Run{At: at.Add(time.Duration(i))}, Judgment{Verdict: names[c.pushes[i]], Cases: 1}, now)
			if next != nil {
				open = next
			}
			fired += map[News]int{NewFiring: 1}[news]
			ended += map[News]int{NewResolved: 1}[news]
			switch {
			case open == nil:
				states += "-"
			default:
				states += string(open.State[0])
			}
			if open != nil && open.State == Resolved {
				open = nil
			}
		}
		if states != c.states || fired != c.fired || ended != c.ended {
			t.Errorf("%s: %s, %d fired, %d ended; want %+v", c.pushes, states, fired, ended, c)
		}
	}
	open, _ := Step(nil, Series{}, Run{At: at}, Judgment{Verdict: Bad}, now)
	if next, _ := Step(open, Series{}, Run{At: at.Add(-time.Second)}, Judgment{Verdict: Bad}, now); next != nil {
		t.Error("a late run changed an alert")
	}
	if a, news := Close(*open, now); news != Nothing || a.Outcome != Quiet {
		t.Errorf("a pending one that is closed: %v, %v", a, news)
	}
}

func TestMessage(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	a := &Alert{Series: Series{Repo: "acme/app", Suite: "posts", Branch: "main", Kind: "eval"}, State: Firing, P: 2e-5, Expected: .95, Observed: .7, Cases: 50, Pushes: 2,
		Worst: []Worst{{1, "greets", .976, 0, 1}, {2, "says bye", .9, 1, 3}}, FiredAt: &now}
	m, err := a.Message("acme", now)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"posts of acme/app on main got worse", "70 % of 50 cases passed", "make 95 % likely", "once in 50 thousand pushes",
		"greets: failed, passes 98 % of the time", "says bye: 2 of 3 failed", "cairn eval show "} {
		if !strings.Contains(m.Title+m.Plain(), want) {
			t.Errorf("no %q in %s\n%s", want, m.Title, m.Plain())
		}
	}
	shown := &Since{Shown: true, At: now, SHA: "5100c3c1aa", By: "CI", Before: .95, After: .74, P: 2e-5, Regressed: []string{"greets", "says bye"}}
	for want, s := range map[string]*Since{
		"2 Mar 2026: 95 % → 74 %, p < 0.0001, first bad commit 5100c3c, by CI\n  - cases that make it up: greets, says bye\n": shown,
		"the first bad push: 2 Mar 2026, commit 5100c3c, by bob; no new level is confirmed yet":                               {At: now, SHA: "5100c3c1aa", By: "bob"},
		"the first bad push: 2 Mar 2026; no new level":                                                                        {At: now},
	} {
		a.Since = s
		if m, err := a.Message("acme", now); err != nil || !strings.Contains(m.Plain(), want) || !strings.Contains(string(m.Data), `"since":{"shown":`) {
			t.Errorf("no %q in %s %s %v", want, m.Plain(), m.Data, err)
		}
	}
	for o, want := range map[Outcome]string{Recovered: "Recovered: 70 % of 50 cases passed, two good pushes in a row", Usual: "Accepted as the new level: after 2 pushes 70 %", Quiet: "No data: nothing could be judged for 14 days"} {
		a.State, a.Outcome, a.ResolvedAt = Resolved, o, &now
		if m, err := a.Message("acme", now); err != nil || !strings.Contains(m.Text, want) || strings.Contains(string(m.Data), "worst") || !strings.Contains(string(m.Data), `"why":"`+o.Why()+`"`) {
			t.Errorf("%s: %s %s %v", o, m.Text, m.Data, err)
		}
	}
}
