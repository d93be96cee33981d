// Package zstd unpacks Zstandard, as RFC 8878 describes it: whole frames from
// memory into memory. Inspect AI packs its logs with it.
//
// It knows no dictionaries and does not look at the checksum of a frame: a zip
// file has one of its own. Nothing in it is done before main. Only the readers
// of results import it; packing is done in tests, by another library.
package zstd

import (
	"encoding/binary"
	"errors"
)

const (
	frameMagic    = 0xFD2FB528
	skippable     = 0x184D2A50 // to …5F
	maxBlock      = 128 << 10
	maxWindowBits = 41
)

// Errors of Decode.
var (
	ErrCorrupt = errors.New("not Zstandard, or damaged")
	ErrTooLong = errors.New("unpacks to more than is allowed")
)

// Decode unpacks the frames in src, to at most most bytes.
func Decode(src []byte, most int) ([]byte, error) {
	var out []byte
	for len(src) > 0 {
		if len(src) < 8 {
			return nil, ErrCorrupt
		}
		magic := binary.LittleEndian.Uint32(src)
		if magic&^0xF == skippable {
			n := int64(binary.LittleEndian.Uint32(src[4:])) + 8
			if n > int64(len(src)) {
				return nil, ErrCorrupt
			}
			src = src[n:]
			continue
		}
		if magic != frameMagic {
			return nil, ErrCorrupt
		}
		f := frame{in: src[4:], out: out, start: len(out), most: most, reps: [3]int{1, 4, 8}}
		if err := f.decode(); err != nil {
			return nil, err
		}
		src, out = f.in, f.out
	}
	return out, nil
}

// A frame is unpacked block by block; tables and offsets of one block may be
// used again by the next.
type frame struct {
	in      []byte // what is left of the source
	out     []byte
	start   int // of this frame in out
	most    int
	reps    [3]int // the last three offsets
	huffman *huffman
	tables  [3]*fse // of literal lengths, offsets, match lengths
	literal []byte
}

func (f *frame) take(n int) ([]byte, error) {
	if n < 0 || n > len(f.in) {
		return nil, ErrCorrupt
	}
	b := f.in[:n]
	f.in = f.in[n:]
	return b, nil
}

// header reads RFC 8878 3.1.1.1. The size of the content is not needed.
func (f *frame) header() (checksum bool, err error) {
	b, err := f.take(1)
	if err != nil {
		return false, err
	}
	d := b[0]
	single := d&0x20 != 0
	if d&0x08 != 0 {
		return false, ErrCorrupt
	}
	if !single {
		if b, err = f.take(1); err != nil {
			return false, err
		}
		if 10+int(b[0]>>3) > maxWindowBits {
			return false, ErrCorrupt
		}
	}
	dict, err := f.take([...]int{0, 1, 2, 4}[d&3])
	if err != nil {
		return false, err
	}
	for _, b := range dict {
		if b != 0 {
			return false, ErrCorrupt // a dictionary that we do not have
		}
	}
	size := [...]int{0, 2, 4, 8}[d>>6]
	if single && size == 0 {
		size = 1
	}
	_, err = f.take(size)
	return d&0x04 != 0, err
}

func (f *frame) decode() error {
	checksum, err := f.header()
	if err != nil {
		return err
	}
	for last := false; !last; {
		b, err := f.take(3)
		if err != nil {
			return err
		}
		h := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
		last = h&1 != 0
		size := h >> 3
		if size > maxBlock {
			return ErrCorrupt
		}
		switch h >> 1 & 3 {
		case 0:
			if b, err = f.take(size); err == nil {
				f.out = append(f.out, b...)
			}
		case 1:
			if b, err = f.take(1); err == nil {
				for range size {
					f.out = append(f.out, b[0])
				}
			}
		case 2:
			if b, err = f.take(size); err == nil {
				err = f.block(b)
			}
		default:
			err = ErrCorrupt
		}
		if err != nil {
			return err
		}
		if len(f.out) > f.most {
			return ErrTooLong
		}
	}
	if checksum {
		_, err = f.take(4)
	}
	return err
}

// block unpacks a compressed block: literals, then sequences that say how they
// and earlier output become the block (3.1.1.3).
func (f *frame) block(b []byte) error {
	rest, err := f.literals(b)
	if err != nil {
		return err
	}
	return f.sequences(rest)
}
