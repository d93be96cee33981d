package record

import "strings"

// coverTable reads the tables of istanbul (jest, vitest, nyc, c8) and of
// node --test: the totals and thresholds that were missed are kept, the rows
// of files are not.
type coverTable struct {
	open bool
	bars int // rules seen; the third ends the table
}

// class tells what a line of such a table is worth.
func (c *coverTable) class(s string) (Class, bool) {
	t := strings.TrimSpace(s)
	if hasAny(t, "coverage", "Coverage") {
		switch {
		case strings.HasPrefix(t, "Jest: ") && strings.Contains(t, " threshold for "),
			hasPrefix(t, "ERROR: Coverage for ", "Error: Coverage for "):
			return Failure, true
		case hasPrefix(t, "% Coverage report from", "Coverage enabled with"),
			hasSuffix(t, "start of coverage report", "end of coverage report"):
			return Folded, true
		}
	}
	t = strings.TrimPrefix(strings.TrimPrefix(t, "# "), "ℹ ")
	if len(t) > 8 && strings.Trim(t, "-|") == "" {
		c.bars++
		if c.open = c.bars%3 != 0; !c.open {
			c.bars = 0
		}
		return Folded, c.open || strings.Contains(t, "|") || c.bars == 0
	}
	if !c.open {
		return Body, false
	}
	cell, _, row := strings.Cut(t, "|")
	if !row {
		c.open, c.bars = false, 0
		return Body, false
	}
	return Good.unless(oneOf(strings.ToLower(strings.TrimSpace(cell)), "file", "all files"), Keep), true
}
