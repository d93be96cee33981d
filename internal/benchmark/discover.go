package benchmark

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/compact/propose"
	"cairn/internal/compact/rule"
	"cairn/internal/redact"
	"cairn/internal/transcript"
)

// A Found is a kind of call whose output reaches the model although nobody
// needs all of it: no rule is for it, or the rule hardly cuts it, or cairn
// does not get to see it when it fails.
type Found struct {
	Command string  `json:"command"` // the name and verb, or the tool
	Tool    string  `json:"tool"`
	Rule    string  `json:"rule,omitempty"`  // "" when no rule is for it
	Unseen  bool    `json:"noShellFunction"` // failed, and cairn did not see it
	Calls   int     `json:"calls"`
	Before  int     `json:"tokensBefore"`
	Passed  int     `json:"tokensPassed"` // what the model gets of it
	Percent float64 `json:"percent"`      // saved
	Example string  `json:"example"`
	// Dollars is what the passed tokens cost: written once, read again by each
	// later request. nil where not for all calls is known what was billed.
	Dollars *float64 `json:"dollars,omitempty"`

	cluster int
}

// littleSaved is what a rule cuts, in percent, that is hardly anything.
const littleSaved = 10

// ErrNotFound is returned for a command that no transcript has.
var ErrNotFound = errors.New("no transcript has such a call with an output worth a rule")

// Discover returns what a rule could be written for, the most tokens first.
// Short results are left out: an agent reads them whole.
func Discover(opt Options) ([]Found, error) {
	s, err := newScan(opt)
	if err != nil {
		return nil, err
	}
	return s.found(), nil
}

func (s *scan) found() []Found {
	type key struct {
		cluster int
		rule    string
		unseen  bool
	}
	sums := map[key]*Found{}
	for _, m := range s.calls {
		if m.why != Touched && m.why != NoShim || m.short {
			continue
		}
		k := key{cluster: m.cluster, unseen: m.why == NoShim}
		if !m.unmatched {
			k.rule = m.rule
		}
		f := sums[k]
		if f == nil {
			name := s.names[m.cluster]
			f = &Found{Dollars: new(float64), Command: name.String(), Tool: name.tool, Rule: k.rule, Unseen: k.unseen, Example: s.examples[m.cluster], cluster: m.cluster}
			sums[k] = f
		}
		f.Calls++
		f.Before += m.before
		f.Passed += m.after
		f.Percent = saved(f.Before, f.Passed)
		if f.Dollars != nil && m.priced {
			*f.Dollars += float64(m.after) * m.usd
		} else {
			f.Dollars = nil
		}
	}
	out := []Found{}
	for _, f := range sums {
		if f.Rule == "" || f.Percent < littleSaved {
			out = append(out, *f)
		}
	}
	slices.SortFunc(out, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Passed, a.Passed), strings.Compare(a.Command, b.Command))
	})
	return out
}

// Skeleton drafts a rule for a command that Discover found, from the largest
// of its outputs.
func Skeleton(opt Options, cmd string) (rule.Rule, error) {
	s, err := newScan(opt)
	if err != nil {
		return rule.Rule{}, err
	}
	all := s.found()
	i := slices.IndexFunc(all, func(f Found) bool { return !f.Unseen && (f.Command == cmd || f.Command == commandPattern(cmd)) })
	if i < 0 {
		return rule.Rule{}, fmt.Errorf("%s: %w", cmd, ErrNotFound)
	}
	want, sample := all[i], &transcript.Call{}
	s.again(nil, func(_ int, c *transcript.Call) {
		if clusterOf(c) == s.names[want.cluster] && len(c.Body) > len(sample.Body) {
			sample = c
		}
	})
	if want.Tool == bash {
		return propose.Rule(redact.Text(sample.Command), redact.Text(sample.Body)), nil
	}
	r := propose.Rule(want.Tool, redact.Text(sample.Body))
	r.Match = rule.Match{Tools: []string{want.Tool}}
	return r, nil
}
