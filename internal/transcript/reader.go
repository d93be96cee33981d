package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"hash/maphash"
	"io"
	"os"
	"time"
)

const (
	maxLine    = 16 << 20 // bytes of a line; only images are larger, and no result is
	maxPending = 4096     // calls of one file that wait for their result
)

// A Reader goes through transcripts one after the other. Its memory is that
// of one line, of the calls that wait for a result, and 8 bytes for each call
// so far: a result that was seen in an earlier line is left out.
type Reader struct {
	Since time.Time // calls before are left out
	// Progress is told now and then how many bytes were read; nil is fine.
	Progress func(bytes int64)
	Stats    Stats
	// Requests is given those of each file at its end, in their order; nil where
	// they are not wanted, and then most lines need not be decoded.
	Requests func([]Request)
	// Said is given what people wrote, with the session, subagent and context in
	// a Call that has nothing else. It needs Requests; nil is fine.
	Said func(where *Call, text string)
	// Entered is given the other texts that a context got, each before the request
	// that sends it first. It needs Requests; nil is fine.
	Entered func(Entry)

	billed map[string]struct{} // requests of all files so far
	seed   maphash.Seed
	seen   map[uint64]struct{}
}

// Read gives every finished call of f to each, in the order of their results.
// The Call is each's to keep.
func (r *Reader) Read(f File, each func(*Call)) error {
	file, err := os.Open(f.Path)
	if err != nil {
		r.Stats.Unreadable++
		return err
	}
	defer file.Close()
	err = r.read(f.Path, io.LimitReader(file, f.Size), each)
	if err != nil {
		r.Stats.Unreadable++
	}
	return err
}

// read reads the transcript that is at path.
func (r *Reader) read(path string, from io.Reader, each func(*Call)) error {
	if r.seen == nil {
		r.seed, r.seen = maphash.MakeSeed(), map[uint64]struct{}{}
	}
	r.Stats.Files++
	if r.billed == nil {
		r.billed = map[string]struct{}{}
	}
	s := &session{reader: r, path: path, each: each, waiting: map[string]*Call{}, numbers: map[string]int{}}
	if r.Requests != nil {
		defer func() { r.Requests(s.requests) }()
	}
	in := NewLines(from)
	told := int64(0)
	for {
		line, err := in.Next()
		if len(line) > 0 {
			r.Stats.Lines++
			s.line(line)
		} else if in.Long {
			r.Stats.Lines++
			r.Stats.Long++
		}
		if n := in.Read - told; r.Progress != nil && (n >= 1<<20 || err != nil) {
			r.Progress(n)
			told = in.Read
		}
		if err != nil {
			r.Stats.Bytes += in.Read
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// fresh reports whether this result was not seen before.
func (r *Reader) fresh(id, output string) bool {
	var h maphash.Hash
	h.SetSeed(r.seed)
	h.WriteString(id)
	h.WriteByte(0)
	h.WriteString(output)
	key := h.Sum64()
	if _, had := r.seen[key]; had {
		r.Stats.Duplicates++
		return false
	}
	r.seen[key] = struct{}{}
	return true
}

// Lines cuts a file into lines, leaving out those that are too long.
type Lines struct {
	Read int64 // bytes so far
	Long bool  // the line just passed was too long
	Ends bool  // the line just passed had an end

	r   *bufio.Reader
	buf []byte
}

// NewLines begins to read a file.
func NewLines(from io.Reader) *Lines { return &Lines{r: bufio.NewReaderSize(from, 256<<10)} }

// Next returns a line without its end; it is valid until the next call. The
// last line may come with io.EOF.
func (l *Lines) Next() ([]byte, error) {
	if cap(l.buf) > 1<<20 {
		l.buf = nil
	}
	l.buf, l.Long = l.buf[:0], false
	for {
		part, err := l.r.ReadSlice('\n')
		l.Read += int64(len(part))
		if !l.Long && len(l.buf)+len(part) > maxLine {
			l.buf, l.Long = nil, true
		}
		l.Ends = err == nil
		switch {
		case l.Long:
		case len(l.buf) == 0 && err == nil:
			return bytes.TrimSpace(part), nil
		default:
			l.buf = append(l.buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(l.buf), err
		}
	}
}
