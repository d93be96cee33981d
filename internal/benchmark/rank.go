package benchmark

import (
	"cmp"
	"maps"
	"slices"
)

// heavyShare is the part of the tokens, in percent, whose calls are heavy.
const heavyShare = 80

// A ranking is which calls matter.
type ranking struct {
	heavy     int   // calls
	threshold int   // tokens of the smallest of them
	topTenth  int   // percent of the tokens that the largest tenth of calls holds
	clusters  []int // of heavy calls, most tokens first, at most the cap
	left      int   // clusters beyond the cap
}

// rank marks the heavy calls: the largest ones that together hold most of the
// tokens that cairn may touch, short results left out.
func rank(calls []measured, limit int) ranking {
	var order []int
	total := 0
	for i := range calls {
		if calls[i].why == Touched && !calls[i].short {
			order = append(order, i)
			total += calls[i].before
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(calls[b].before, calls[a].before) })
	var r ranking
	sum, byCluster := 0, map[int]int{}
	for n, i := range order {
		if n == (len(order)+9)/10 {
			r.topTenth = percent(sum, total)
		}
		if sum*100 < total*heavyShare {
			calls[i].heavy = true
			r.heavy++
			r.threshold = calls[i].before
			byCluster[calls[i].cluster] += calls[i].before
		}
		sum += calls[i].before
	}
	r.clusters = slices.SortedFunc(maps.Keys(byCluster), func(a, b int) int {
		return cmp.Or(cmp.Compare(byCluster[b], byCluster[a]), cmp.Compare(a, b))
	})
	if len(r.clusters) > limit {
		r.left = len(r.clusters) - limit
		r.clusters = r.clusters[:limit]
	}
	return r
}

func percent(part, whole int) int {
	if whole == 0 {
		return 0
	}
	return (part*200 + whole) / (2 * whole)
}
