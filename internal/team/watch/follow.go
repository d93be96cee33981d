package watch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/live"
)

// A Source is where a run is told.
type Source interface {
	// Name is how a person knows it.
	Name() string
	// Poll gives the run what is new. news says whether anything was, more
	// whether there is more at once.
	Poll(run *live.Run, now time.Time) (news, more bool, err error)
	// Around says whether nothing can follow, and who writes.
	Around() (over bool, pids []int)
}

const (
	pollBytes = 4 << 20 // read at once
	headBytes = 256     // by which a file that was written anew is known
)

// File follows a file: lines that are added to it, or a whole run of version 1
// that is written again. It need not be there yet.
func File(name string) Source { return &file{name: name} }

type file struct {
	name  string
	info  os.FileInfo
	at    int64
	head  []byte // what the file began with when it was first read
	lines lines
	doc   *document // instead of lines
}

func (f *file) Name() string            { return f.name }
func (f *file) Around() (bool, []int)   { return false, nil }
func (f *file) begin()                  { *f = file{name: f.name} }
func (f *file) same(i os.FileInfo) bool { return f.info != nil && os.SameFile(f.info, i) }

func (f *file) Poll(run *live.Run, now time.Time) (news, more bool, err error) {
	if f.doc != nil {
		return f.doc.poll(run, now)
	}
	in, err := os.Open(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, nil // not yet, or between two
	}
	if err != nil {
		return false, false, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return false, false, err
	}
	if info.IsDir() {
		return false, false, fmt.Errorf("%s is a directory, a file is wanted", f.name)
	}
	first := f.info == nil
	if !first && info.Size() == f.at && f.same(info) && info.ModTime().Equal(f.info.ModTime()) {
		return false, false, nil
	}
	if !first && (info.Size() < f.at || !f.same(info) || !f.beginsAsBefore(in)) {
		f.begin()
		run.Reset()
		news, first = true, true
	}
	if first && now.Sub(info.ModTime()) > time.Minute {
		now = info.ModTime() // of a run that is over
	}
	f.info = info
	chunk := make([]byte, min(pollBytes, max(0, info.Size()-f.at)))
	n, err := in.ReadAt(chunk, f.at)
	if err != nil && !errors.Is(err, io.EOF) {
		return news, false, err
	}
	chunk = chunk[:n]
	if f.at == 0 && n > 0 {
		switch whatIs(chunk) {
		case aDocument:
			f.doc = &document{name: f.name}
			return f.doc.poll(run, now)
		case unclear:
			f.info = nil
			return news, false, nil
		}
	}
	if len(f.head) < headBytes {
		f.head = append(f.head, chunk[:min(n, headBytes-len(f.head))]...)
	}
	f.at += int64(n)
	return f.lines.add(run, chunk, now) || news, f.at < info.Size(), nil
}

func (f *file) beginsAsBefore(in io.ReaderAt) bool {
	now := make([]byte, len(f.head))
	n, err := in.ReadAt(now, 0)
	return (err == nil || errors.Is(err, io.EOF)) && bytes.Equal(now[:n], f.head)
}

type content int

const (
	unclear content = iota
	someLines
	aDocument
)

// whatIs tells lines from a document by how a file begins. A first line that
// is not whole JSON is a document's, if it does not look like an event's.
func whatIs(begin []byte) content {
	begin = bytes.TrimLeft(bytes.TrimPrefix(begin, []byte("\ufeff")), " \t\r\n")
	line, _, whole := bytes.Cut(begin, []byte("\n"))
	var doc struct {
		Version *jsontext.Value `json:"schema_version"`
		Results *jsontext.Value `json:"all_results"`
	}
	err := json.Unmarshal(line, &doc)
	switch {
	case err == nil && (doc.Version != nil || doc.Results != nil):
		return aDocument
	case !whole && len(begin) < pollBytes:
		return unclear
	case errors.Is(err, io.ErrUnexpectedEOF) && line[0] == '{' && !strings.Contains(string(line), `"event"`) && !strings.Contains(string(line), `"Action"`):
		return aDocument
	}
	return someLines
}

// lines cuts what comes in pieces into lines; half a line at the end waits.
type lines struct {
	rest []byte
	skip bool // in a line that is too long
}

func (l *lines) add(run *live.Run, chunk []byte, now time.Time) (news bool) {
	for {
		line, after, whole := bytes.Cut(chunk, []byte("\n"))
		if !whole {
			break
		}
		chunk = after
		if l.skip {
			l.skip = false
			continue
		}
		if len(l.rest) > 0 {
			line = append(l.rest, line...)
			l.rest = nil
		}
		run.Line(line, now)
		news = true
	}
	if !l.skip {
		l.rest = append(l.rest, chunk...)
	}
	if len(l.rest) > live.MaxLine {
		run.Line(l.rest, now) // is noted as too long
		l.rest, l.skip, news = nil, true, true
	}
	return news
}

// end takes what stands after the last line end.
func (l *lines) end(run *live.Run, now time.Time) {
	if len(l.rest) > 0 {
		run.Line(l.rest, now)
		l.rest = nil
	}
}

// Stream follows what comes through a pipe.
func Stream(name string, r io.Reader) Source {
	s := &stream{name: name, chunks: make(chan []byte, 16)}
	go s.read(r)
	return s
}

type stream struct {
	name   string
	chunks chan []byte
	lines  lines
	over   bool
	err    error // set before chunks is closed
}

func (s *stream) read(r io.Reader) {
	defer close(s.chunks)
	for {
		chunk := make([]byte, 64<<10)
		n, err := r.Read(chunk)
		if n > 0 {
			s.chunks <- chunk[:n]
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.err = err
			}
			return
		}
	}
}

func (s *stream) Name() string          { return s.name }
func (s *stream) Around() (bool, []int) { return s.over, nil }

func (s *stream) Poll(run *live.Run, now time.Time) (news, more bool, err error) {
	for size := 0; size < pollBytes && !s.over; {
		select {
		case chunk, ok := <-s.chunks:
			if !ok {
				s.over = true
				s.lines.end(run, now)
				return true, false, s.err
			}
			size += len(chunk)
			news = s.lines.add(run, chunk, now) || news
		default:
			return news, false, nil
		}
	}
	return news, !s.over, s.err
}
