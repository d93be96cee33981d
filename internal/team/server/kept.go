package server

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

// mostKept is how large an answer may be that is kept whole until the handler
// has returned. A longer one is written while it is made; longAtOnce of them
// are at a time.
const (
	mostKept   = 16 << 20
	longAtOnce = 4
)

// A kept answer is written when the handler has returned: while a client reads
// it, or does not, it has no slot and no transaction.
type kept struct {
	w      http.ResponseWriter
	r      *http.Request
	server *Server
	limits *limits
	hold   *hold

	header http.Header
	status int
	chunks net.Buffers
	size   int64
	taken  int64  // bytes that hold has for it
	err    error  // why it cannot be kept, or written
	long   bool   // it is written already
	done   func() // gives up the slot
	began  time.Time
	sent   int64
}

func (s *Server) keep(w http.ResponseWriter, r *http.Request, l *limits, h *hold) *kept {
	return &kept{w: w, r: r, server: s, limits: l, hold: h, header: w.Header().Clone()}
}

func (k *kept) Header() http.Header { return k.header }

func (k *kept) WriteHeader(status int) {
	if k.status == 0 && status >= 200 {
		k.status = status
	}
}

func (k *kept) Write(p []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	switch {
	case k.err != nil:
	case k.r.Method == http.MethodHead:
	case k.long:
		k.push(p)
	case k.size+int64(len(p)) > mostKept:
		select {
		case k.limits.long <- struct{}{}:
			k.long = true
			k.done()
			k.begin()
			k.push(p)
		default:
			k.err = errNoMemory
		}
	default:
		k.store(p)
	}
	if k.err != nil {
		return 0, k.err
	}
	return len(p), nil
}

func (k *kept) store(p []byte) {
	k.size += int64(len(p))
	if more := k.size - k.taken; more > 0 {
		more = max(more, min(k.taken, 1<<20), 4<<10)
		if k.err = k.hold.grow(context.Background(), more, 0); k.err != nil {
			return
		}
		k.taken += more
	}
	if last := len(k.chunks) - 1; last >= 0 {
		c := k.chunks[last]
		n := min(len(p), cap(c)-len(c))
		k.chunks[last], p = append(c, p[:n]...), p[n:]
	}
	if len(p) > 0 {
		k.chunks = append(k.chunks, append(make([]byte, 0, max(int64(len(p)), min(k.size, 256<<10))), p...))
	}
}

// release gives up what a long answer has.
func (k *kept) release() {
	if k.long {
		<-k.limits.long
	}
}

// begin writes the header and what is kept so far.
func (k *kept) begin() {
	head := k.w.Header()
	clear(head)
	maps.Copy(head, k.header)
	k.began = time.Now()
	k.w.WriteHeader(k.status)
	k.hold.waits(func() { _ = http.NewResponseController(k.w).SetWriteDeadline(time.Unix(1, 0)) })
	for i, c := range k.chunks {
		k.push(c)
		k.chunks[i] = nil
	}
	k.chunks = nil
}

// push writes in pieces, each of which a client has to take in time.
func (k *kept) push(p []byte) {
	control := http.NewResponseController(k.w)
	for len(p) > 0 && k.err == nil {
		piece := p[:min(len(p), 64<<10)]
		_ = control.SetWriteDeadline(k.server.timeouts.due(k.began, k.sent))
		if k.hold.cut.Load() { // behind the deadline, which replaces the one that cut it off
			k.err = errCut
			return
		}
		var n int
		n, k.err = k.w.Write(piece)
		k.sent += int64(n)
		k.hold.progress(k.sent)
		p = p[n:]
	}
}

// send writes what is kept, when the handler is done. An answer that did not
// reach the client ends the connection: half of it must not look like a whole one.
func (k *kept) send() {
	if !k.long {
		if k.err != nil { // nothing was written yet
			k.server.overloaded(k.w, k.r, k.err)
			return
		}
		k.WriteHeader(http.StatusOK)
		if k.size > 0 && k.header.Get("Content-Length") == "" {
			k.header.Set("Content-Length", strconv.FormatInt(k.size, 10))
		}
		k.begin()
	}
	if k.err == nil && k.sent > 0 {
		k.err = http.NewResponseController(k.w).Flush()
	}
	k.hold.waits(nil)
	if k.err == nil || k.err == http.ErrNotSupported {
		return
	}
	q := of(k.r)
	switch q.unsent = k.err; {
	case k.hold.cut.Load():
		q.reason = "cut"
	case errors.Is(k.err, os.ErrDeadlineExceeded):
		q.reason = "slow_reader"
	}
	panic(http.ErrAbortHandler)
}
