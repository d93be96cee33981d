package compact

// A bitmap is a set of line numbers: one bit a line.
type bitmap []uint64

func (b *bitmap) set(n int) {
	for n/64 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}

func (b bitmap) has(n int) bool { return n/64 < len(b) && b[n/64]&(1<<(n%64)) != 0 }

// clear counts the numbers in [from, to) that are not in the set.
func (b bitmap) clear(from, to int) int {
	n := 0
	for ; from < to; from++ {
		if from%64 == 0 && from/64 < len(b) && b[from/64] == ^uint64(0) && from+64 <= to {
			from += 63
			continue
		}
		if !b.has(from) {
			n++
		}
	}
	return n
}

// except counts the numbers in [from, to) that are in the set and not in the other.
func (b bitmap) except(other bitmap, from, to int) int {
	n := 0
	for from, to = max(from, 0), min(to, len(b)*64); from < to; from++ {
		if b.has(from) && !other.has(from) {
			n++
		}
	}
	return n
}
