package reads

import "slices"

// align finds the lines of next among those that were known: for each, its
// place in old, or -1. Places go up, so that what moved counts as changed. A
// line that occurs once on both sides is an anchor (patience diff); the others
// are found beside one, or at either end.
func align(old []line, next []uint64) []int {
	place := make([]int, len(next))
	for i := range place {
		place[i] = -1
	}
	top := 0
	for top < len(old) && top < len(next) && old[top].hash == next[top] {
		place[top] = top
		top++
	}
	o, n := len(old), len(next)
	for o > top && n > top && old[o-1].hash == next[n-1] {
		o--
		n--
		place[n] = o
	}
	from := top // of old: what lies before is taken
	for _, a := range anchors(old[top:o], next[top:n]) {
		i, p := a.next+top, a.old+top
		if place[i] >= 0 {
			continue // taken by the one before it
		}
		for q, j := p, i; q >= from && j >= top && place[j] < 0 && old[q].hash == next[j]; q, j = q-1, j-1 {
			place[j] = q
		}
		for p, i = p+1, i+1; p < o && i < n && old[p].hash == next[i]; p, i = p+1, i+1 {
			place[i] = p
		}
		from = p
	}
	return place
}

type anchor struct{ old, next int }

// anchors are lines that occur once in old and once in next, the most of them
// that stand in the same order.
func anchors(old []line, next []uint64) []anchor {
	type count struct{ old, next, at int }
	seen := make(map[uint64]*count, len(old))
	for i, ln := range old {
		if ln.hash == 0 {
			continue
		}
		if c := seen[ln.hash]; c != nil {
			c.old++
		} else {
			seen[ln.hash] = &count{old: 1, at: i}
		}
	}
	for _, h := range next {
		if c := seen[h]; c != nil {
			c.next++
		}
	}
	// The longest run of rising places, by patience: piles of the lowest end.
	var all []anchor
	var piles, before []int
	for i, h := range next {
		c := seen[h]
		if c == nil || c.old != 1 || c.next != 1 {
			continue
		}
		all = append(all, anchor{c.at, i})
		k, _ := slices.BinarySearchFunc(piles, c.at, func(p, at int) int { return all[p].old - at })
		if k == len(piles) {
			piles = append(piles, 0)
		}
		piles[k] = len(all) - 1
		prev := -1
		if k > 0 {
			prev = piles[k-1]
		}
		before = append(before, prev)
	}
	if len(piles) == 0 {
		return nil
	}
	var best []anchor
	for p := piles[len(piles)-1]; p >= 0; p = before[p] {
		best = append(best, all[p])
	}
	slices.Reverse(best)
	return best
}
