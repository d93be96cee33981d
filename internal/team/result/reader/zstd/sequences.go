package zstd

// A code stands for a range of lengths: a first one, and bits to add (3.1.1.3.2.1.1).
type code struct {
	base uint32
	bits uint8
}

var literalCodes = [...]code{
	{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}, {8, 0}, {9, 0}, {10, 0}, {11, 0}, {12, 0}, {13, 0}, {14, 0}, {15, 0},
	{16, 1}, {18, 1}, {20, 1}, {22, 1}, {24, 2}, {28, 2}, {32, 3}, {40, 3}, {48, 4}, {64, 6}, {128, 7}, {256, 8}, {512, 9}, {1024, 10},
	{2048, 11}, {4096, 12}, {8192, 13}, {16384, 14}, {32768, 15}, {65536, 16},
}

var matchCodes = [...]code{
	{3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}, {8, 0}, {9, 0}, {10, 0}, {11, 0}, {12, 0}, {13, 0}, {14, 0}, {15, 0}, {16, 0}, {17, 0}, {18, 0},
	{19, 0}, {20, 0}, {21, 0}, {22, 0}, {23, 0}, {24, 0}, {25, 0}, {26, 0}, {27, 0}, {28, 0}, {29, 0}, {30, 0}, {31, 0}, {32, 0}, {33, 0}, {34, 0},
	{35, 1}, {37, 1}, {39, 1}, {41, 1}, {43, 2}, {47, 2}, {51, 3}, {59, 3}, {67, 4}, {83, 4}, {99, 5}, {131, 7}, {259, 8}, {515, 9}, {1027, 10},
	{2051, 11}, {4099, 12}, {8195, 13}, {16387, 14}, {32771, 15}, {65539, 16},
}

// kinds are what a sequence has three of, with their limits and the tables that
// are used where a block brings none (3.1.1.3.2.2).
var kinds = [3]struct {
	symbols, mostBits, bits int
	freq                    []int16
}{
	{36, 9, 6, []int16{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}},
	{32, 8, 5, []int16{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}},
	{53, 9, 6, []int16{1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}},
}

const (
	literalLength = iota
	offset
	matchLength
)

// sequences reads the second section of a block and carries it out.
func (f *frame) sequences(b []byte) error {
	if len(b) == 0 {
		return ErrCorrupt
	}
	count, head := int(b[0]), 1
	switch {
	case count == 0:
		if len(b) > 1 {
			return ErrCorrupt
		}
		return f.append(f.literal, len(f.out))
	case count == 255:
		head = 3
	case count >= 128:
		head = 2
	}
	if len(b) <= head {
		return ErrCorrupt
	}
	switch head {
	case 2:
		count = (count-128)<<8 + int(b[1])
	case 3:
		count = int(b[1]) + int(b[2])<<8 + 0x7F00
	}
	modes := b[head]
	if modes&3 != 0 {
		return ErrCorrupt
	}
	b = b[head+1:]
	for i := range kinds {
		n, err := f.table(i, modes>>(6-2*i)&3, b)
		if err != nil {
			return err
		}
		b = b[n:]
	}
	r, err := newReverse(b)
	if err != nil {
		return err
	}
	return f.run(&r, count)
}

// table settles which table codes of a kind are read by.
func (f *frame) table(i int, mode uint8, b []byte) (used int, err error) {
	k := &kinds[i]
	switch mode {
	case 0:
		f.tables[i] = buildFSE(k.freq, k.bits)
	case 1:
		if len(b) == 0 || int(b[0]) >= k.symbols {
			return 0, ErrCorrupt
		}
		f.tables[i] = &fse{table: []fseState{{symbol: b[0]}}}
		return 1, nil
	case 2:
		f.tables[i], used, err = newFSE(b, k.mostBits, k.symbols)
		return used, err
	}
	if f.tables[i] == nil {
		return 0, ErrCorrupt
	}
	return 0, nil
}

// run carries out sequences: some literals, then a copy of earlier output.
func (f *frame) run(r *reverse, count int) error {
	begin, literal := len(f.out), f.literal
	var states [3]int
	for i := range states {
		states[i] = r.read(f.tables[i].bits)
	}
	for n := range count {
		ofs := f.tables[offset].table[states[offset]].symbol
		ml := matchCodes[f.tables[matchLength].table[states[matchLength]].symbol]
		ll := literalCodes[f.tables[literalLength].table[states[literalLength]].symbol]
		far := 1<<ofs + r.read(int(ofs))
		length := int(ml.base) + r.read(int(ml.bits))
		lits := int(ll.base) + r.read(int(ll.bits))
		if n < count-1 {
			for _, i := range [...]int{literalLength, matchLength, offset} {
				e := f.tables[i].table[states[i]]
				states[i] = int(e.base) + r.read(int(e.bits))
			}
		}
		if r.left < 0 || lits > len(literal) {
			return ErrCorrupt
		}
		far = f.repeat(far, lits)
		if err := f.append(literal[:lits], begin); err != nil {
			return err
		}
		literal = literal[lits:]
		if far <= 0 || far > len(f.out)-f.start || len(f.out)-begin+length > maxBlock {
			return ErrCorrupt
		}
		for from := len(f.out) - far; length > 0; { // what is copied may be what the copy writes
			n := min(length, len(f.out)-from)
			f.out = append(f.out, f.out[from:from+n]...)
			from, length = from+n, length-n
		}
	}
	if r.left != 0 {
		return ErrCorrupt
	}
	return f.append(literal, begin)
}

// append adds literals to a block that begins at begin.
func (f *frame) append(literal []byte, begin int) error {
	if len(f.out)-begin+len(literal) > maxBlock {
		return ErrCorrupt
	}
	f.out = append(f.out, literal...)
	return nil
}

// repeat turns an offset's value into the offset: 1 to 3 are the last ones
// (3.1.2.5).
func (f *frame) repeat(value, literals int) int {
	r := &f.reps
	if value > 3 {
		r[2], r[1], r[0] = r[1], r[0], value-3
		return r[0]
	}
	i := value - 1
	if literals == 0 {
		i++
	}
	switch i {
	case 0:
	case 1:
		r[0], r[1] = r[1], r[0]
	case 2:
		r[2], r[1], r[0] = r[1], r[0], r[2]
	default:
		r[2], r[1], r[0] = r[1], r[0], r[0]-1
	}
	return r[0]
}
