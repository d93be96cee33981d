package zstd

import (
	"encoding/binary"
	"math/bits"
)

// fse is a table of states: what each says, and how many bits lead to the next
// (4.1).
type fse struct {
	bits  int
	table []fseState
}

type fseState struct {
	base   uint16
	symbol uint8
	bits   uint8
}

// newFSE reads the description of a table and returns its length.
func newFSE(b []byte, mostBits, mostSymbols int) (*fse, int, error) {
	at := 0 // in bits
	read := func(n int) int {
		v := 0
		for i := range n {
			if k := at + i; k>>3 < len(b) {
				v |= int(b[k>>3]>>(k&7)&1) << i
			}
		}
		at += n
		return v
	}
	accuracy := read(4) + 5
	if accuracy > mostBits {
		return nil, 0, ErrCorrupt
	}
	var freq [256]int16
	n := 0
	for left := 1 << accuracy; left > 0; {
		if n >= mostSymbols || at > 8*len(b) {
			return nil, 0, ErrCorrupt
		}
		width := bits.Len(uint(left + 1))
		v := read(width)
		low := 1<<(width-1) - 1
		threshold := 1<<width - 1 - (left + 1)
		if v&low < threshold {
			at--
			v &= low
		} else if v > low {
			v -= threshold
		}
		p := v - 1
		freq[n] = int16(p)
		n++
		if left -= max(p, -p); left < 0 {
			return nil, 0, ErrCorrupt
		}
		for repeat := 3; p == 0 && repeat == 3; {
			repeat = read(2)
			n += repeat
			if n > mostSymbols || at > 8*len(b) {
				return nil, 0, ErrCorrupt
			}
		}
	}
	used := (at + 7) / 8
	if used > len(b) {
		return nil, 0, ErrCorrupt
	}
	return buildFSE(freq[:n], accuracy), used, nil
}

// buildFSE spreads the symbols over the states, as 4.1.1 says. The frequencies
// add up to the size of the table; -1 is less than one.
func buildFSE(freq []int16, accuracy int) *fse {
	size := 1 << accuracy
	t := &fse{bits: accuracy, table: make([]fseState, size)}
	var next [256]int
	high := size
	for s, p := range freq {
		if p < 0 {
			high--
			t.table[high].symbol = uint8(s)
			next[s] = 1
		}
	}
	at, step := 0, size>>1+size>>3+3
	for s, p := range freq {
		if p <= 0 {
			continue
		}
		next[s] = int(p)
		for range p {
			t.table[at].symbol = uint8(s)
			for at = (at + step) & (size - 1); at >= high; {
				at = (at + step) & (size - 1)
			}
		}
	}
	for i := range t.table {
		e := &t.table[i]
		k := next[e.symbol]
		next[e.symbol]++
		e.bits = uint8(accuracy - (bits.Len(uint(k)) - 1))
		e.base = uint16(k<<e.bits - size)
	}
	return t
}

// reverse reads bits from the end of a stream to its beginning (4.1). Beyond
// the beginning there are zeros, and left is negative.
type reverse struct {
	b    []byte
	left int // bits
}

// newReverse looks for the one that marks the end of the bits.
func newReverse(b []byte) (reverse, error) {
	if len(b) == 0 || b[len(b)-1] == 0 {
		return reverse{}, ErrCorrupt
	}
	return reverse{b, 8*len(b) - 9 + bits.Len8(b[len(b)-1])}, nil
}

func (r *reverse) read(n int) int {
	v := r.peek(n)
	r.left -= n
	return v
}

// peek returns the next n bits, at most 32.
func (r *reverse) peek(n int) int {
	from := r.left - n
	if from < 0 { // zeros beyond the beginning
		if r.left <= 0 {
			return 0
		}
		return int(r.bits(0)&(1<<r.left-1)) << -from
	}
	return int(r.bits(from) & (1<<n - 1))
}

// bits returns 57 bits or more from a place on.
func (r *reverse) bits(from int) uint64 {
	i := from >> 3
	if i+8 <= len(r.b) {
		return binary.LittleEndian.Uint64(r.b[i:]) >> (from & 7)
	}
	var v uint64
	for k := len(r.b) - 1; k >= i; k-- {
		v = v<<8 | uint64(r.b[k])
	}
	return v >> (from & 7)
}
