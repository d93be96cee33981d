package rule

import "regexp/syntax"

// Needs returns sets of texts for a pattern: whatever it matches contains at
// least one text of each set. Looking for them is much cheaper than compiling
// the pattern.
func Needs(pattern string) ([][]string, error) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	return needed(re), nil
}

func needed(re *syntax.Regexp) (sets [][]string) {
	switch re.Op {
	case syntax.OpLiteral:
		if text := string(re.Rune); re.Flags&syntax.FoldCase == 0 && len(text) > 1 {
			return [][]string{{text}}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needed(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			sets = append(sets, needed(sub)...)
		}
	case syntax.OpAlternate:
		var any []string
		for _, sub := range re.Sub {
			one := needed(sub)
			if len(one) == 0 {
				return nil
			}
			any = append(any, rarest(one)...)
		}
		return [][]string{any}
	}
	return sets
}

// rarest returns the set of the longest texts: they are found least often.
func rarest(sets [][]string) (best []string) {
	size := 0
	for _, set := range sets {
		short := len(set[0])
		for _, s := range set {
			short = min(short, len(s))
		}
		if short > size {
			best, size = set, short
		}
	}
	return best
}
