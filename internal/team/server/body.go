package server

import (
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// mostDrained is how much of a body that is refused is read and thrown away,
// so that a program which reads no answer before it has sent all gets it.
const mostDrained = 64 << 20

// due is until when a client must have moved more than so many bytes.
func (t timeouts) due(began time.Time, moved int64) time.Time {
	return began.Add(t.grace + time.Duration(moved)*time.Second/time.Duration(t.rate))
}

// A body is what a client sent, whole, in memory.
type body struct {
	chunks net.Buffers // the last one of packed bytes ends with their size
	size   int64
	err    error // what reading it ends with, nil is io.EOF
	packed *unpacked
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.chunks.Read(p)
	if err == io.EOF && b.err != nil {
		err = b.err
	}
	return n, err
}

func (b *body) Close() error { b.chunks = nil; return nil }

// receive reads a request's body before the request takes a slot: who sends
// slowly takes nothing but the memory that h has. It answers where that fails;
// a handler that reads more than most bytes gets an *http.MaxBytesError.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, l *limits, h *hold, most int64) (*body, bool) {
	b := &body{}
	if r.ContentLength > most {
		s.drain(w, r)
		refuse(w, r, refusal{status: http.StatusRequestEntityTooLarge, code: "request_too_large", message: fmt.Sprintf("the body is larger than %d bytes", most)})
		return nil, false
	}
	packed := false
	switch coding := r.Header.Get("Content-Encoding"); {
	case coding == "" || strings.EqualFold(coding, "identity"):
	case strings.EqualFold(coding, "gzip"):
		packed = true
	default:
		w.Header().Set("Accept-Encoding", "gzip")
		refuse(w, r, refusal{status: http.StatusUnsupportedMediaType, code: "unsupported_encoding", message: "only gzip is unpacked"})
		return nil, false
	}
	if r.Body == nil || r.Body == http.NoBody {
		return b, true
	}
	err := h.grow(r.Context(), max(r.ContentLength, 0), l.queue)
	if err == nil {
		err = s.read(w, r, h, b, most)
	}
	if err == nil && h.cut.Load() {
		err = errCut
	}
	if err == nil && packed && b.err == nil {
		err = b.unpack(r, l, h, most)
	}
	switch {
	case err == nil:
		r.Body = b
		if b.packed != nil {
			r.Body = b.packed
		}
		return b, true
	case errors.Is(err, errNoMemory):
		s.drain(w, r)
		s.overloaded(w, r, err)
	case errors.Is(err, errCut):
		w.Header().Set("Connection", "close")
		s.overloaded(w, r, err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		of(r).reason = "slow_body"
		w.Header().Set("Connection", "close")
		refuse(w, r, refusal{status: http.StatusRequestTimeout, code: "request_timeout", message: fmt.Sprintf("the body arrived too slowly: send at least %d bytes a second", s.timeouts.rate)})
	case r.Context().Err() == nil:
		w.Header().Set("Connection", "close")
		refuse(w, r, refusal{status: http.StatusBadRequest, code: "bad_request", message: "the body ends before its end"})
	}
	return nil, false
}

// drain throws a body away that is not wanted, and ends the connection after the answer.
func (s *Server) drain(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	if r.Header.Get("Expect") == "" {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.timeouts.grace))
		_, _ = io.CopyN(io.Discard, r.Body, mostDrained)
	}
}

// read reads a body into memory, as fast as a client may send.
func (s *Server) read(w http.ResponseWriter, r *http.Request, h *hold, b *body, most int64) error {
	control := http.NewResponseController(w)
	began, declared := time.Now(), r.ContentLength >= 0
	h.waits(func() { _ = control.SetReadDeadline(time.Unix(1, 0)) })
	defer h.waits(nil)
	defer control.SetReadDeadline(time.Time{})
	var chunk []byte
	for {
		if len(chunk) == cap(chunk) {
			if len(chunk) > 0 {
				b.chunks = append(b.chunks, chunk)
			}
			size := min(max(b.size, 4<<10), 1<<20)
			if left := most - b.size + 1; declared {
				size = min(size, max(r.ContentLength-b.size, 0)+1)
			} else if size = min(size, left); size > 0 {
				if err := h.grow(r.Context(), size, 0); err != nil {
					return err
				}
			}
			chunk = make([]byte, 0, size)
		}
		_ = control.SetReadDeadline(s.timeouts.due(began, b.size))
		if h.cut.Load() { // behind the deadline, which replaces the one that cut it off
			return errCut
		}
		n, err := r.Body.Read(chunk[len(chunk):cap(chunk)])
		chunk = chunk[:len(chunk)+n]
		b.size += int64(n)
		h.progress(b.size)
		switch {
		case b.size > most:
			over := int(b.size - most)
			b.chunks, b.size, b.err = append(b.chunks, chunk[:len(chunk)-over]), most, &http.MaxBytesError{Limit: most}
			return nil
		case err == io.EOF:
			b.chunks = append(b.chunks, chunk)
			return nil
		case h.cut.Load():
			return errCut
		case err != nil:
			return err
		}
	}
}

// unpack makes a packed body's bytes come unpacked when the handler reads them.
// What they will need is taken before: the last four bytes say how many they
// are. If that is not true, the rest is taken as it comes.
func (b *body) unpack(r *http.Request, l *limits, h *hold, most int64) error {
	size := int64(0)
	if last := b.chunks[len(b.chunks)-1]; len(last) >= 4 {
		size = min(int64(binary.LittleEndian.Uint32(last[len(last)-4:])), most)
	}
	if err := h.grow(r.Context(), size, l.queue); err != nil {
		return err
	}
	b.packed = &unpacked{packed: b, hold: h, taken: size, most: most}
	r.ContentLength = -1
	r.Header.Del("Content-Encoding")
	r.Header.Del("Content-Length")
	return nil
}

// unpacked reads a packed body, and no more than a limit of what is in it: a
// small body can be packed gigabytes.
type unpacked struct {
	packed io.ReadCloser
	gzip   *gzip.Reader
	hold   *hold
	taken  int64 // bytes that hold has for it
	size   int64
	most   int64
	err    error
}

func (u *unpacked) Read(p []byte) (n int, err error) {
	if u.err != nil {
		return 0, u.err
	}
	if u.gzip == nil {
		if u.gzip, u.err = gzip.NewReader(u.packed); u.err != nil {
			return 0, u.err
		}
	}
	if left := u.most - u.size; int64(len(p)) > left+1 {
		p = p[:left+1]
	}
	n, err = u.gzip.Read(p)
	if u.size += int64(n); u.size > u.most {
		n, err = n-int(u.size-u.most), &http.MaxBytesError{Limit: u.most}
	}
	if more := u.size - u.taken; more > 0 {
		more = max(more, 64<<10)
		if none := u.hold.grow(context.Background(), more, 0); none != nil {
			n, err = 0, none
		}
		u.taken += more
	}
	u.err = err
	return n, err
}

func (u *unpacked) Close() error {
	if u.err == nil {
		u.err = errors.New("the body is closed")
	}
	return u.packed.Close()
}
