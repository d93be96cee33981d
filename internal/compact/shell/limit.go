package shell

import (
	"strconv"
	"strings"
)

// limitFlags are the flags by which a tool is told how many lines or entries
// to print. "-" is a number by itself, as in git log -20.
var limitFlags = []struct {
	tool  string
	words string // of which one must stand first among its arguments; "": any
	flags string
}{
	{"git", "log shortlog reflog rev-list show whatchanged stash", "-n --max-count -"},
	{"git", "for-each-ref", "--count"},
	{"git", "grep", "-m --max-count"},
	{"grep", "", "-m --max-count"},
	{"rg", "", "-m --max-count"},
	{"ag", "", "-m --max-count"},
	{"fd", "", "--max-results"},
	{"fdfind", "", "--max-results"},
	{"head", "", "-n --lines -"},
	{"tail", "", "-n --lines -"},
	{"gh", "", "-L --limit"},
	{"journalctl", "", "-n --lines"},
	{"docker", "", "-n --last --tail"},
	{"kubectl", "", "--tail"},
}

// usualLimit is what head and tail show when no number is given.
const usualLimit = 10

// limit returns how many lines or entries the call was asked for, or 0.
func (c Call) limit() int {
	for _, f := range limitFlags {
		if f.tool != c.Name || f.words != "" && (len(c.Words()) < 2 || !listed(f.words, c.Words()[1])) {
			continue
		}
		if n := limitIn(c.Args, f.flags); n > 0 {
			return n
		}
	}
	switch c.Name {
	case "head", "tail":
		for _, a := range c.Args {
			if strings.HasPrefix(a, "-") && len(a) > 1 && a != "-q" || strings.HasPrefix(a, "+") { // bytes, all but some, from a line on
				return 0
			}
		}
		return usualLimit
	case "sed": // 50q, 1,50p
		expr := ""
		for _, a := range c.Args {
			if strings.Trim(a, "0123456789,pq") == "" {
				expr = a
			}
		}
		from, to, _ := strings.Cut(strings.TrimRight(expr, "pq"), ",")
		first, _ := strconv.Atoi(from)
		last, _ := strconv.Atoi(to)
		if strings.HasSuffix(expr, "q") {
			return first
		}
		return max(last-first+1, 0)
	}
	return 0
}

// limitIn reads the number that one of the flags has: -n 20, -n20, -20,
// --lines=20.
func limitIn(args []string, flags string) int {
	for i := 0; i < len(args); i++ {
		for flag := range strings.FieldsSeq(flags) {
			rest, ok := strings.CutPrefix(args[i], flag)
			if !ok {
				continue
			}
			if rest == "" && i+1 < len(args) {
				i++
				rest = args[i]
			}
			rest = strings.TrimPrefix(rest, "=")
			if n, err := strconv.Atoi(rest); err == nil && isNumber(rest) && n > 0 {
				return n
			}
			break
		}
	}
	return 0
}
