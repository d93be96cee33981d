package eval

import (
	"cmp"
	"slices"
	"strings"
)

// seriesKey is what runs have in common that can be set side by side.
type seriesKey struct{ repo, suite, kind, tier string }

// members are a series with its entries, the newest first.
type members struct {
	seriesKey
	entries []Entry
}

// seriesOf sorts entries, the newest first, into series by name: of each the
// newest so many, 0 for all, and of one suite only where that is not "".
func seriesOf(entries []Entry, suite string, most int) []members {
	at := map[seriesKey]int{}
	var all []members
	for _, e := range entries {
		for _, s := range e.suites() {
			if suite != "" && s != suite {
				continue
			}
			k := seriesKey{e.Repo, s, e.Kind, e.JudgeTier}
			i, ok := at[k]
			if !ok {
				i = len(all)
				at[k] = i
				all = append(all, members{seriesKey: k})
			}
			if most == 0 || len(all[i].entries) < most {
				all[i].entries = append(all[i].entries, e)
			}
		}
	}
	slices.SortFunc(all, func(a, b members) int {
		return cmp.Or(strings.Compare(a.suite, b.suite), strings.Compare(a.repo, b.repo), strings.Compare(a.kind, b.kind), strings.Compare(a.tier, b.tier))
	})
	return all
}
