package reads

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"

	"cairn/internal/home"
)

// A file is what is known of one: its lines as the agent last knew them.
type file struct {
	lines  []line
	edited bool // by the agent, since it was last shown any of it
	// from and to are the lines of the last call that got less than it asked
	// for, 0 when the last call got all.
	from, to int
}

// A line is one of a file. The zero line was never shown.
type line struct {
	hash uint64
	at   uint32 // tokens that the model had got by then
}

const format = "cairn reads 1\n"

var errForm = errors.New("not a file of the ledger, or not whole")

// load returns what is known of a file, nil for nothing.
func (l *Ledger) load(path string) *file {
	if l == nil {
		return nil
	}
	data, err := os.ReadFile(l.file(path))
	if err != nil {
		return nil
	}
	f, err := decode(data)
	if err != nil {
		return nil
	}
	return f
}

// save replaces what is known of a file. It need not last: a file that is not
// whole is none.
func (l *Ledger) save(path string, f *file) error {
	if len(f.lines) > mostLines {
		return l.forget(path)
	}
	if err := os.Mkdir(l.dir, home.PrivateDir); err != nil && !errors.Is(err, os.ErrExist) {
		return err // the session's directory is gone: nobody starts it but Begin
	}
	temp, err := os.CreateTemp(l.dir, ".")
	if err != nil {
		return err
	}
	_, err = temp.Write(f.encode())
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), filepath.Join(l.dir, name(path)))
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}

func (l *Ledger) forget(path string) error {
	if err := os.Remove(l.file(path)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// encode writes runs of lines that were shown at once, and a checksum.
func (f *file) encode() []byte {
	b := []byte(format)
	edited := 0
	if f.edited {
		edited = 1
	}
	for _, n := range []int{len(f.lines), edited, f.from, f.to} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for i := 0; i < len(f.lines); {
		first, to := f.lines[i], i+1
		for to < len(f.lines) && f.lines[to].at == first.at && (f.lines[to].hash == 0) == (first.hash == 0) {
			to++
		}
		shown := 0
		if first.hash != 0 {
			shown = 1
		}
		b = binary.AppendUvarint(b, uint64(to-i)<<1|uint64(shown))
		if first.hash != 0 {
			b = binary.AppendUvarint(b, uint64(first.at))
			for _, ln := range f.lines[i:to] {
				b = binary.LittleEndian.AppendUint64(b, ln.hash)
			}
		}
		i = to
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:8]...)
}

func decode(data []byte) (*file, error) {
	if len(data) < len(format)+8 || string(data[:len(format)]) != format {
		return nil, errForm
	}
	body, end := data[:len(data)-8], data[len(data)-8:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:8], end) {
		return nil, errForm
	}
	body = body[len(format):]
	bad := false
	next := func() int {
		n, size := binary.Uvarint(body)
		if size <= 0 || n > 1<<33 {
			bad = true
			return 0
		}
		body = body[size:]
		return int(n)
	}
	count := next()
	f := &file{edited: next() == 1, from: next(), to: next()}
	if bad || count > mostLines {
		return nil, errForm
	}
	for f.lines = make([]line, 0, count); len(f.lines) < count; {
		run := next()
		n, shown := run>>1, run&1 == 1
		if bad || n == 0 || n > count-len(f.lines) {
			return nil, errForm
		}
		if !shown {
			f.lines = append(f.lines, make([]line, n)...)
			continue
		}
		at := next()
		if bad || len(body) < 8*n {
			return nil, errForm
		}
		for range n {
			f.lines = append(f.lines, line{binary.LittleEndian.Uint64(body), uint32(at)})
			body = body[8:]
		}
	}
	return f, nil
}
