package zstd

import "math/bits"

// literals reads the first section of a block into f.literal and returns the
// rest (3.1.1.3.1).
func (f *frame) literals(b []byte) ([]byte, error) {
	if len(b) == 0 {
		return nil, ErrCorrupt
	}
	kind, format := b[0]&3, b[0]>>2&3
	if kind < 2 { // as they are, or one byte repeated
		head, shift := 1, 3
		if format&1 != 0 {
			head, shift = 2+int(format>>1), 4
		}
		if len(b) < head {
			return nil, ErrCorrupt
		}
		size := le(b[:head]) >> shift
		b = b[head:]
		switch {
		case size > maxBlock, kind == 0 && size > len(b), kind == 1 && len(b) == 0:
			return nil, ErrCorrupt
		case kind == 0:
			f.literal = b[:size]
			return b[size:], nil
		}
		f.literal = make([]byte, size)
		for i := range f.literal {
			f.literal[i] = b[0]
		}
		return b[1:], nil
	}
	head, width := 3, 10
	switch format {
	case 2:
		head, width = 4, 14
	case 3:
		head, width = 5, 18
	}
	if len(b) < head {
		return nil, ErrCorrupt
	}
	v := le(b[:head])
	size, packed := v>>4&(1<<width-1), v>>(4+width)&(1<<width-1)
	b = b[head:]
	if size > maxBlock || packed > len(b) {
		return nil, ErrCorrupt
	}
	in, rest := b[:packed], b[packed:]
	if kind == 2 {
		h, n, err := newHuffman(in)
		if err != nil {
			return nil, err
		}
		f.huffman, in = h, in[n:]
	}
	if f.huffman == nil {
		return nil, ErrCorrupt
	}
	f.literal = make([]byte, size)
	if format == 0 {
		return rest, f.huffman.decode(in, f.literal)
	}
	if len(in) < 6 {
		return nil, ErrCorrupt
	}
	jump, in := in[:6], in[6:]
	out, each := f.literal, (size+3)/4
	for i := range 4 {
		n := len(in)
		if i < 3 {
			n = le(jump[2*i : 2*i+2])
		}
		m := min(each, len(out))
		if i == 3 {
			m = len(out)
		}
		if n > len(in) || i < 3 && m < each {
			return nil, ErrCorrupt
		}
		if err := f.huffman.decode(in[:n], out[:m]); err != nil {
			return nil, err
		}
		in, out = in[n:], out[m:]
	}
	return rest, nil
}

// huffman is a table from the next bits to a byte (4.2.1).
type huffman struct {
	bits  int
	table []struct{ symbol, bits uint8 }
}

const maxHuffmanBits = 11

// newHuffman reads a table's description and returns its length.
func newHuffman(b []byte) (*huffman, int, error) {
	if len(b) == 0 {
		return nil, 0, ErrCorrupt
	}
	var weights [256]uint8
	n, used := 0, 1
	if b[0] >= 128 {
		n = int(b[0]) - 127
		used += (n + 1) / 2
		if len(b) < used {
			return nil, 0, ErrCorrupt
		}
		for i := range n {
			weights[i] = b[1+i/2] >> (4 * (1 - i%2)) & 15
		}
	} else {
		used += int(b[0])
		if len(b) < used {
			return nil, 0, ErrCorrupt
		}
		var err error
		if n, err = packedWeights(b[1:used], &weights); err != nil {
			return nil, 0, err
		}
	}
	sum := 0
	for _, w := range weights[:n] {
		if w > maxHuffmanBits {
			return nil, 0, ErrCorrupt
		}
		if w > 0 {
			sum += 1 << (w - 1)
		}
	}
	if sum == 0 {
		return nil, 0, ErrCorrupt
	}
	h := &huffman{bits: bits.Len(uint(sum))}
	left := 1<<h.bits - sum // what the last weight, which is not said, makes full
	if h.bits > maxHuffmanBits || left&(left-1) != 0 {
		return nil, 0, ErrCorrupt
	}
	weights[n] = uint8(bits.Len(uint(left)))
	h.table = make([]struct{ symbol, bits uint8 }, 0, 1<<h.bits)
	for w := 1; w <= h.bits; w++ {
		for s, has := range weights[:n+1] {
			if int(has) != w {
				continue
			}
			for range 1 << (w - 1) {
				h.table = append(h.table, struct{ symbol, bits uint8 }{uint8(s), uint8(h.bits + 1 - w)})
			}
		}
	}
	if len(h.table) != 1<<h.bits {
		return nil, 0, ErrCorrupt
	}
	return h, used, nil
}

// packedWeights reads weights that two states of one table give in turn.
func packedWeights(b []byte, weights *[256]uint8) (int, error) {
	t, used, err := newFSE(b, 6, 12)
	if err != nil {
		return 0, err
	}
	r, err := newReverse(b[used:])
	if err != nil {
		return 0, err
	}
	states := [2]int{r.read(t.bits), r.read(t.bits)}
	if r.left < 0 {
		return 0, ErrCorrupt
	}
	n := 0
	for turn := 0; ; turn ^= 1 {
		if n >= 254 {
			return 0, ErrCorrupt
		}
		e := t.table[states[turn]]
		weights[n] = e.symbol
		n++
		states[turn] = int(e.base) + r.read(int(e.bits))
		if r.left < 0 {
			weights[n] = t.table[states[turn^1]].symbol
			return n + 1, nil
		}
	}
}

// decode fills out from a stream, which has to end with it.
func (h *huffman) decode(b, out []byte) error {
	r, err := newReverse(b)
	if err != nil {
		return err
	}
	for i := range out {
		e := h.table[r.peek(h.bits)]
		out[i] = e.symbol
		r.left -= int(e.bits)
		if r.left < 0 {
			return ErrCorrupt
		}
	}
	if r.left != 0 {
		return ErrCorrupt
	}
	return nil
}

// le is a little-endian number of up to 5 bytes.
func le(b []byte) (v int) {
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | int(b[i])
	}
	return v
}
