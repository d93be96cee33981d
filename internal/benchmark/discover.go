package benchmark

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/compact/propose"
	"cairn/internal/compact/rule"
	"cairn/internal/transcript"
)

// A Found is a kind of call whose output reaches the model although nobody
// needs all of it: no rule is for it, or the rule hardly cuts it, or cairn
// does not get to see it when it fails.
type Found struct {
	Command string  `json:"command"` // the name and verb, or the tool
	Tool    string  `json:"tool"`
	Rule    string  `json:"rule,omitempty"`  // "" when no rule is for it
	Unseen  bool    `json:"noShellFunction"` // failed, and no shell function stands for the command
	Calls   int     `json:"calls"`
	Before  int     `json:"tokensBefore"`
	Passed  int     `json:"tokensPassed"` // what the model gets of it
	Percent float64 `json:"percent"`      // saved
	Example string  `json:"example"`

	cluster int
}

// littleSaved is what a rule cuts, in percent, that is hardly anything.
const littleSaved = 10

// ErrNotFound is returned for a command that no transcript has.
var ErrNotFound = errors.New("no transcript has such a call with an output worth a rule")

// Discover returns what a rule could be written for, the most tokens first.
// Short results are left out: an agent reads them whole.
func Discover(opt Options) ([]Found, error) {
	s, _ := discover(opt)
	if len(s.calls) == 0 {
		return nil, ErrNoCalls
	}
	return s.found(), nil
}

func discover(opt Options) (*scan, []transcript.File) {
	files := transcript.Files(opt.Roots, opt.Since, opt.Warn)
	s := newScan(opt)
	opt.Progress("scanning", size(files))
	for i, f := range files {
		s.file(i, f)
	}
	return s, files
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
			f = &Found{Command: name.String(), Tool: name.tool, Rule: k.rule, Unseen: k.unseen, Example: s.examples[m.cluster], cluster: m.cluster}
			sums[k] = f
		}
		f.Calls++
		f.Before += m.before
		f.Passed += m.after
		f.Percent = saved(f.Before, f.Passed)
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
	s, files := discover(opt)
	all := s.found()
	i := slices.IndexFunc(all, func(f Found) bool { return !f.Unseen && (f.Command == cmd || f.Command == commandPattern(cmd)) })
	if i < 0 {
		return rule.Rule{}, fmt.Errorf("%s: %w", cmd, ErrNotFound)
	}
	want, sample := all[i], &transcript.Call{}
	again := transcript.Reader{Since: opt.Since}
	for _, f := range files {
		if err := again.Read(f, func(c *transcript.Call) {
			if clusterOf(c) == s.names[want.cluster] && len(c.Body) > len(sample.Body) {
				sample = c
			}
		}); err != nil {
			opt.Warn(err)
		}
	}
	if want.Tool == shell {
		return propose.Rule(redactText(sample.Command), redactText(sample.Body)), nil
	}
	r := propose.Rule(want.Tool, redactText(sample.Body))
	r.Match = rule.Match{Tools: []string{want.Tool}}
	return r, nil
}
