package server

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"cairn/internal/team/server/access"
)

// mostAtOnce is how many requests are worked on at a time, and mostOfOne how
// many of them may be of one address: whoever sends slowly stops only himself.
const (
	mostAtOnce = 256
	mostOfOne  = mostAtOnce / 4
)

// mostDrained is how much of a body that is too large is read and thrown away,
// so that a program which reads no answer before it has sent all gets it.
const mostDrained = 64 << 20

// limits are shared by all routes.
type limits struct {
	buckets buckets
	slots   chan struct{}
	lanes   lanes
	queue   time.Duration // how long a request waits for its turn
	pack    func(http.Handler) http.HandlerFunc
}

func newLimits() *limits {
	pack, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestSpeed))
	if err != nil {
		panic(err) // the options are constants
	}
	return &limits{slots: make(chan struct{}, mostAtOnce), queue: 5 * time.Second, pack: pack}
}

// limited puts a route behind its limits: how often, how many at once, how
// much, and packs what is long.
func (s *Server) limited(l *limits, rt route) http.Handler {
	work := http.Handler(bounded(rt.body, rt.handler))
	if rt.pace != strict { // how well a secret packs beside a stranger's text would tell of it
		work = l.pack(work)
	}
	if rt.pace == free {
		return work
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wait := s.wait(l, rt.pace, r); wait > 0 {
			refuse(w, r, refusal{http.StatusTooManyRequests, "over_request_rate_limit", "too many requests", wait})
			return
		}
		done, ok := l.enter(r)
		if !ok {
			refuse(w, r, refusal{http.StatusServiceUnavailable, "over_capacity", "the server has too much to do", time.Second})
			return
		}
		defer done()
		work.ServeHTTP(w, r)
	})
}

// wait says how long a client has to: by its address, and by its token where
// it has one of its own.
func (s *Server) wait(l *limits, p pace, r *http.Request) time.Duration {
	from, now := of(r).from, time.Now()
	q := quotaOf(p, from.local)
	wait := l.buckets.take(bucket{pace: p, ip: network(from.ip)}, q, now)
	if token := access.Bearer(r); wait == 0 && token != "" && token != s.anon {
		wait = l.buckets.take(bucket{pace: p, token: digest(token)}, q, now)
	}
	return wait
}

// bounded limits a body to so many bytes, and unpacks it where it is packed.
// A handler that reads more gets an *http.MaxBytesError.
func bounded(most int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tooLarge := refusal{status: http.StatusRequestEntityTooLarge, code: "request_too_large", message: fmt.Sprintf("the body is larger than %d bytes", most)}
		if r.ContentLength > most {
			w.Header().Set("Connection", "close")
			if r.Header.Get("Expect") == "" {
				_, _ = io.CopyN(io.Discard, r.Body, mostDrained)
			}
			refuse(w, r, tooLarge)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, most)
		switch coding := r.Header.Get("Content-Encoding"); {
		case coding == "" || strings.EqualFold(coding, "identity"):
		case strings.EqualFold(coding, "gzip"):
			r.Body = &unpacked{packed: r.Body, left: most, most: most}
			r.ContentLength = -1
			r.Header.Del("Content-Encoding")
			r.Header.Del("Content-Length")
		default:
			w.Header().Set("Accept-Encoding", "gzip")
			refuse(w, r, refusal{status: http.StatusUnsupportedMediaType, code: "unsupported_encoding", message: "only gzip is unpacked"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// unpacked reads a packed body, and no more than a limit of what is in it: a
// small body can be packed gigabytes.
type unpacked struct {
	packed io.ReadCloser
	gzip   *gzip.Reader
	left   int64
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
	if int64(len(p)) > u.left+1 {
		p = p[:u.left+1]
	}
	n, err = u.gzip.Read(p)
	if int64(n) > u.left {
		n, err = int(u.left), &http.MaxBytesError{Limit: u.most}
	}
	u.left -= int64(n)
	if err != nil {
		u.err = err
	}
	return n, err
}

func (u *unpacked) Close() error {
	if u.err == nil {
		u.err = errors.New("the body is closed")
	}
	return u.packed.Close()
}
