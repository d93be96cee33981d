package server

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"golang.org/x/time/rate"

	"cairn/internal/team/server/access"
	"cairn/internal/team/server/api"
)

// mostAtOnce is how many requests are worked on at a time, mostOfOne how many of
// them may be of one address, and mostOfToken of one session or token: most
// of these wait for the database, which has fewer connections.
const (
	mostAtOnce  = 256
	mostOfOne   = mostAtOnce / 4
	mostOfToken = 16
)

// limits are shared by all routes.
type limits struct {
	paces api.Paces[bucket]
	held  *held
	slots chan struct{}
	lanes lanes
	long  chan struct{} // answers that are too long to be kept
	queue time.Duration // how long a request waits for its turn
	pack  func(http.Handler) http.HandlerFunc
}

func newLimits() *limits {
	pack, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestSpeed))
	if err != nil {
		panic(err) // the options are constants
	}
	return &limits{held: newHeld(heldBytes), slots: make(chan struct{}, mostAtOnce), long: make(chan struct{}, longAtOnce), queue: 5 * time.Second, pack: pack}
}

// limited puts a route behind its limits: how often, how much, how many at once.
// A request waits for its client twice, for the body before it has a slot and
// with the answer when it has none any more; between the two it waits for
// nobody outside, and only there does it have a transaction.
func (s *Server) limited(l *limits, rt route) http.Handler {
	work := rt.handler
	if rt.pace != strict { // how well a secret packs beside a stranger's text would tell of it
		work = l.pack(work)
	}
	if rt.pace == free {
		return work
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wait := s.wait(l, rt.pace, r); wait > 0 {
			of(r).reason = "rate"
			refuse(w, r, refusal{http.StatusTooManyRequests, "over_request_rate_limit", "too many requests", wait})
			return
		}
		h, err := l.held.take(r.Context(), api.Network(of(r).from.ip), heldEach+headerBytes(r), l.queue)
		defer h.shrink(0)
		if err != nil {
			s.overloaded(w, r, err)
			return
		}
		in, ok := s.receive(w, r, l, h, rt.body)
		if !ok {
			return
		}
		k := s.keep(w, r, l, h)
		defer k.release()
		if s.serve(k, in, work) {
			k.send()
		}
	})
}

// serve has a request worked on when it is its turn. It answers where that is never.
func (s *Server) serve(k *kept, in *body, work http.Handler) bool {
	done, ok := k.limits.enter(k.r.Context(), s.lanesOf(k.r))
	if !ok {
		if k.r.Context().Err() == nil {
			of(k.r).reason = "slots"
			refuse(k.w, k.r, refusal{http.StatusServiceUnavailable, "over_capacity", "the server has too much to do", time.Second})
		}
		return false
	}
	k.done = sync.OnceFunc(done)
	defer k.done()
	work.ServeHTTP(k, k.r)
	if in.packed != nil && in.packed.err == errNoMemory && !k.long {
		k.err = errNoMemory // what the handler made of half a body is no answer
	}
	in.chunks = nil
	k.hold.shrink(heldEach + k.taken)
	return true
}

// overloaded refuses a request that got no memory, or lost it.
func (s *Server) overloaded(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return
	}
	of(r).reason = "memory"
	if err == errCut {
		of(r).reason = "cut"
	}
	refuse(w, r, refusal{http.StatusServiceUnavailable, "over_capacity", "the server has too much to do", time.Second + rand.N(4*time.Second)}) // not all at once again
}

// headerBytes is about how much a request's head has beyond what heldEach is for.
func headerBytes(r *http.Request) int64 {
	n := len(r.RequestURI)
	for name, values := range r.Header {
		n += len(name)
		for _, v := range values {
			n += len(v)
		}
	}
	return max(0, int64(n)-heldEach/2)
}

// wait says how long a client has to: by its address, and by its token where
// it has one of its own.
func (s *Server) wait(l *limits, p pace, r *http.Request) time.Duration {
	from, now := of(r).from, time.Now()
	q := allowanceOf(p, from.local)
	wait := take(l.paces.Of(bucket{pace: p, ip: api.Network(from.ip)}, q.perSecond, q.burst), now)
	if token := access.Bearer(r); wait == 0 && token != "" && token != s.anonKey() {
		wait = take(l.paces.Of(bucket{pace: p, token: digest(token)}, q.perSecond, q.burst), now)
	}
	return wait
}

// A pace is how often one client may ask.
type pace uint8

const (
	free   pace = iota // health and figures
	easy               // reads, writes
	strict             // sign-in, which has finer limits of its own
)

// An allowance is a bucket of tokens that fills by so many a second.
type allowance struct {
	perSecond rate.Limit
	burst     int
}

// allowanceOf is what an address or a token may do. This machine itself gets so
// much that only a loop without end comes up against it.
func allowanceOf(p pace, local bool) allowance {
	switch {
	case local && p == strict:
		return allowance{2000, 4000}
	case local:
		return allowance{20_000, 40_000}
	case p == strict:
		return allowance{20, 300}
	}
	return allowance{100, 1000}
}

// A bucket is whose asking is counted: an address or a token.
type bucket struct {
	pace  pace
	ip    netip.Prefix
	token [16]byte // the beginning of a SHA-256
}

// take uses up one of a pace, or says how long to wait for it.
func take(l *rate.Limiter, now time.Time) (wait time.Duration) {
	res := l.ReserveN(now, 1)
	if wait = res.DelayFrom(now); wait > 0 {
		res.CancelAt(now)
	}
	return wait
}

func digest(token string) (out [16]byte) {
	sum := sha256.Sum256([]byte(token))
	copy(out[:], sum[:])
	return out
}

// lanes are the slots of one client each, for as long as it has requests.
type lanes struct {
	mu sync.Mutex
	of map[bucket]*lane
}

type lane struct {
	slots    chan struct{}
	requests int // that have one or wait for one
}

func (l *lanes) enter(key bucket, most int) *lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[bucket]*lane{}
	}
	one := l.of[key]
	if one == nil {
		one = &lane{slots: make(chan struct{}, most)}
		l.of[key] = one
	}
	one.requests++
	return one
}

func (l *lanes) leave(key bucket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.of[key]
	if one.requests--; one.requests == 0 {
		delete(l.of, key)
	}
}

// lanesOf are the lanes that a request goes through: that of its token and that
// of its address. This machine needs no protection from itself.
func (s *Server) lanesOf(r *http.Request) []bucket {
	var keys []bucket
	if token := access.Bearer(r); token != "" && token != s.anonKey() {
		keys = append(keys, bucket{token: digest(token)})
	}
	if from := of(r).from; !from.local {
		keys = append(keys, bucket{ip: api.Network(from.ip)})
	}
	return keys
}

// enter waits for a request's turn: in each of its lanes, then among all. It is
// false where that takes too long or the client goes away, else done must follow.
func (l *limits) enter(ctx context.Context, keys []bucket) (done func(), ok bool) {
	timer := time.NewTimer(l.queue)
	defer timer.Stop()
	var undo []func()
	done = func() {
		for i := len(undo) - 1; i >= 0; i-- {
			undo[i]()
		}
	}
	wait := func(slots chan struct{}) bool {
		select {
		case slots <- struct{}{}:
		default:
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return false
			case <-timer.C:
				return false
			}
		}
		undo = append(undo, func() { <-slots })
		return true
	}
	ok = true
	for _, key := range keys {
		most := mostOfOne
		if key.ip == (netip.Prefix{}) {
			most = mostOfToken
		}
		one := l.lanes.enter(key, most)
		undo = append(undo, func() { l.lanes.leave(key) })
		if ok = wait(one.slots); !ok {
			break
		}
	}
	if ok = ok && wait(l.slots); !ok {
		done()
	}
	return done, ok
}
