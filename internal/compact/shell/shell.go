// Package shell understands the shell command that produced an output, so
// that a rule can be matched to it: which simple commands wrote what the
// reader sees, under which name, with which words.
//
// Anything in internal/compact may import it; it imports none of ours. It only
// reads: nothing is executed, expanded or looked up on disk, and the text of a
// command that is about to run is never changed. Rules do not belong here.
package shell

// Bounds of the work that one command string may cause. A longer string is
// cut; a deeper one is split into fields instead of parsed, because the
// parser's stack grows by 4 KB for each nested bracket.
const (
	maxBytes   = 64 << 10
	maxNesting = 100
	maxScripts = 3 // bash -c inside bash -c
	maxCalls   = 256
)

// Parsed is what a command string runs.
type Parsed struct {
	Calls      []Call // the simple commands whose output reaches the result, in order
	Background bool   // some part was started with &
	Compound   bool   // more than one call that is not silent
}

// A Call is one simple command. The zero value is a command without a name.
type Call struct {
	Name     string   // base name, lower case, without path, version suffix and .exe
	Args     []string // what follows the name, quotes removed; $x and $(…) as they were written
	Silent   bool     // writes nothing that is worth a rule, or nothing that reaches the result
	Clipped  bool     // head, tail or a pager shows a part of the output
	Filtered bool     // grep, sed, jq and the like, reading another command's output
	Limit    int      // how many lines or entries were asked for: by a flag of its own, head or tail; 0: no such limit
}

// Parse never fails and never runs anything. A string that is not shell
// syntax gives one call made of its first fields.
func Parse(cmd string) Parsed {
	w := &walker{}
	w.script(cmd, stdio, view{})
	loud := 0
	for _, c := range w.calls {
		if !c.Silent {
			loud++
		}
	}
	return Parsed{Calls: w.calls, Background: w.background, Compound: loud > 1}
}

// Last returns the last call that is not silent: the one that decides when an
// output cannot be split among several.
func (p Parsed) Last() (Call, bool) {
	for i := len(p.Calls) - 1; i >= 0; i-- {
		if !p.Calls[i].Silent {
			return p.Calls[i], true
		}
	}
	return Call{}, false
}

// Limit returns how many lines or entries the whole command was asked for, or
// 0 when some part of it has no limit.
func (p Parsed) Limit() int {
	sum := 0
	for _, c := range p.Calls {
		if c.Silent {
			continue
		}
		if c.Limit == 0 {
			return 0
		}
		sum += c.Limit
	}
	return sum
}

// Words returns the name and the arguments that are neither flags nor the
// values of the flags in the table: `git -C dir --no-pager diff x` has the
// words git, diff, x.
func (c Call) Words() []string {
	words := make([]string, 1, len(c.Args)+1)
	words[0] = c.Name
	for i := nextWord(c.Name, c.Args, 0); i < len(c.Args); i = nextWord(c.Name, c.Args, i+1) {
		if c.Args[i] == "--" {
			return append(words, c.Args[i+1:]...)
		}
		words = append(words, c.Args[i])
	}
	return words
}

// HasPrefix reports whether the call's words begin with prefix, as in
// {"git", "diff"}. An element that is a flag, as in {"node", "--test"}, must
// stand anywhere among the arguments.
func (c Call) HasPrefix(prefix []string) bool {
	words := c.Words()
	for _, p := range prefix {
		switch {
		case len(p) > 1 && p[0] == '-':
			if !c.hasFlag(p) {
				return false
			}
		case len(words) == 0 || words[0] != p:
			return false
		default:
			words = words[1:]
		}
	}
	return len(prefix) > 0
}
