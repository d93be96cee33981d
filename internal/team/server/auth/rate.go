package auth

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"cairn/internal/team/server/api"
)

// A pace is how often something may be done: burst at once, then one each interval.
type pace struct {
	name     string
	burst    int
	interval time.Duration
}

// What is limited. By address and mail address together wherever there is
// one, so that a guesser does not lock out whom it guesses at.
var (
	anyRequest = pace{"any", 300, 100 * time.Millisecond} // of one address
	guessing   = pace{"guess", 30, 10 * time.Second}      // wrong passwords and codes of one address for one user
	spraying   = pace{"spray", 300, 2 * time.Second}      // wrong ones of one address for anybody
	noting     = pace{"note", 5, 10 * time.Minute}        // wrong ones of one address for one user that the audit log has
	notingAll  = pace{"notes", 200, 2 * time.Minute}      // and of everybody: no stranger may fill it
	mailing    = pace{"mail", 10, 6 * time.Minute}        // mails to one mail address, whoever asks: each has a code of six digits
	asking     = pace{"ask", 30, 10 * time.Second}        // mails that one address asks for
	joining    = pace{"join", 30, 10 * time.Second}       // new accounts, invitations and claims of one address
)

// limits are the paces of strangers by name. The zero value is ready but for now.
type limits struct {
	now    func() time.Time
	paces  api.Paces[string]
	mu     sync.Mutex
	trying map[string]int // between start and end
}

func (l *limits) bucket(p pace, key string) *rate.Limiter {
	return l.paces.Of(p.name+"\x00"+key, rate.Every(p.interval), p.burst)
}

// take uses up one of a pace, or says after which time there is one again.
func (l *limits) take(p pace, key string) error {
	b, now := l.bucket(p, key), l.now()
	if b.AllowN(now, 1) {
		return nil
	}
	return tooFast(b, now)
}

// start lets somebody try what may be wrong, if that and all that is being
// tried now can be wrong: of tries side by side, too, no more than the pace are.
// It uses up nothing; end must follow, and says whether it was wrong.
func (l *limits) start(p pace, key string) error {
	b, now := l.bucket(p, key), l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	key = p.name + "\x00" + key
	if b.TokensAt(now)-float64(l.trying[key]) < 1 {
		return tooFast(b, now)
	}
	if l.trying == nil {
		l.trying = map[string]int{}
	}
	l.trying[key]++
	return nil
}

func (l *limits) end(p pace, key string, wrong bool) {
	if wrong {
		l.bucket(p, key).AllowN(l.now(), 1)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key = p.name + "\x00" + key
	if l.trying[key]--; l.trying[key] == 0 {
		delete(l.trying, key)
	}
}

func tooFast(b *rate.Limiter, now time.Time) error {
	missing := max(1-b.TokensAt(now), 0) // 0: others are being tried
	return failure{status: http.StatusTooManyRequests, code: "over_request_rate_limit", message: "Request rate limit reached",
		retry: time.Duration(missing / float64(b.Limit()) * float64(time.Second))}
}

// network is the address that a request is limited by.
func (s *server) network(r *http.Request) string { return api.Network(s.ip(r)).String() }

// mostHashing is how many requests wait to hash a password: each has one of the
// server's slots, and strangers must not get all of them.
const mostHashing = 64

// hashing lets no more passwords be hashed at once than there are processors.
// Addresses take turns. When too many wait, the one that has most of them loses
// its newest to one that has fewer.
type hashing struct {
	mu      sync.Mutex
	free    int
	total   int
	waiting map[string][]chan error
	turns   []string // addresses that wait, the next one first
}

func newHashing(atOnce int) *hashing {
	return &hashing{free: atOnce, waiting: map[string][]chan error{}}
}

var errHashing = failure{status: http.StatusServiceUnavailable, code: "over_capacity", message: "Too many passwords are checked at the moment: try again", retry: 2 * time.Second}

// hashed runs what hashes a password when it is its address's turn.
func (s *server) hashed(r *http.Request, fn func() error) error {
	if err := s.hashing.enter(r.Context(), s.network(r)); err != nil {
		return err
	}
	defer s.hashing.leave()
	return fn()
}

// enter waits for a turn; leave must follow, unless it is an error.
func (h *hashing) enter(ctx context.Context, from string) error {
	h.mu.Lock()
	if h.free > 0 {
		h.free--
		h.mu.Unlock()
		return nil
	}
	if h.total >= mostHashing && !h.makeRoom(from) {
		h.mu.Unlock()
		return errHashing
	}
	mine := make(chan error, 1)
	if len(h.waiting[from]) == 0 {
		h.turns = append(h.turns, from)
	}
	h.waiting[from] = append(h.waiting[from], mine)
	h.total++
	h.mu.Unlock()
	select {
	case err := <-mine:
		return err
	case <-ctx.Done():
	}
	h.mu.Lock()
	i := slices.Index(h.waiting[from], mine)
	if i >= 0 {
		h.remove(from, i)
	}
	h.mu.Unlock()
	if i < 0 && <-mine == nil { // its turn came in this moment
		h.leave()
	}
	return ctx.Err()
}

// makeRoom ends the newest wait of the address that has most, if that is more
// than another one would have with one more.
func (h *hashing) makeRoom(from string) bool {
	most := from
	for _, one := range h.turns {
		if len(h.waiting[one]) > len(h.waiting[most]) {
			most = one
		}
	}
	last := len(h.waiting[most]) - 1
	if last <= len(h.waiting[from]) {
		return false
	}
	h.waiting[most][last] <- errHashing
	h.remove(most, last)
	return true
}

// remove takes a wait out.
func (h *hashing) remove(from string, i int) {
	h.total--
	if h.waiting[from] = slices.Delete(h.waiting[from], i, i+1); len(h.waiting[from]) == 0 {
		delete(h.waiting, from)
		h.turns = slices.DeleteFunc(h.turns, func(one string) bool { return one == from })
	}
}

// leave gives the turn to the oldest wait of the next address.
func (h *hashing) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.total == 0 {
		h.free++
		return
	}
	from := h.turns[0]
	h.waiting[from][0] <- nil
	h.remove(from, 0)
	if len(h.waiting[from]) > 0 {
		h.turns = append(h.turns[1:], from)
	}
}
