package child

import (
	"cmp"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	chunk   = 128 << 10 // more than a pipe holds, so that one read empties it
	largest = 1 << 20   // unless the tool made it larger (pipe(7))

	// After the tool has ended, what its descendants still say is waited for
	// as long as it comes without pauses, and not for ever.
	pause    = 100 * time.Millisecond
	patience = time.Second
)

// Pipe runs c with stdout and stderr on one pipe and passes every chunk to
// out as it comes. It returns when the tool has ended and the pipe is empty.
//
// If out fails because its reader is gone, the pipe is closed and the tool is
// waited for: it usually dies of SIGPIPE, and so should we. Any other error of
// out is returned with the status, after the tool has had its way.
func Pipe(c Command, out io.Writer) (Status, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return Status{}, err
	}
	p, err := start(c, w, cmp.Or(c.Stderr, w))
	w.Close()
	if err != nil {
		r.Close()
		return Status{}, err
	}

	t := &tap{out: out, last: time.Now()}
	dry := make(chan struct{})
	go func() {
		defer close(dry)
		t.run(r)
	}()
	status := p.wait(c.Reader, func() { r.Close() })
	if !t.settle(dry) {
		handOver(c, r, dry)
	}
	return status, t.stop()
}

// tap moves what the tool says from the pipe to out.
type tap struct {
	mu    sync.Mutex
	out   io.Writer // nil: nobody listens any more
	last  time.Time // when something came
	moved int       // bytes
	dried int       // reads that emptied the pipe
	err   error     // the first one of out
}

func (t *tap) run(r *os.File) {
	buf := make([]byte, chunk)
	for {
		n, err := r.Read(buf)
		if n > 0 && !t.write(buf[:n]) {
			break // the tool gets SIGPIPE, as it would from our reader
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return // the pipe is handed over
		}
		if err != nil {
			break
		}
	}
	r.Close()
}

// write reports whether it makes sense to go on.
func (t *tap) write(b []byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.moved += len(b)
	if len(b) < chunk {
		t.dried++
	}
	t.last = time.Now()
	if t.out == nil || t.err != nil {
		return true
	}
	_, t.err = t.out.Write(b)
	if brokenPipe(t.err) {
		t.out, t.err = nil, nil
		return false
	}
	return true
}

// stop cuts out off and returns its error.
func (t *tap) stop() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out = nil
	return t.err
}

// settle waits until the pipe has ended, which is at once unless descendants
// of the tool hold it open, and reports whether it has. It gives up after a
// pause, or, when they never pause, once all that the tool itself can have left
// in the pipe has passed: a read that began after its end left nothing, or
// more than the largest pipe has come.
func (t *tap) settle(dry <-chan struct{}) bool {
	ended := time.Now()
	t.mu.Lock()
	t.last, t.moved, t.dried = ended, 0, 0
	t.mu.Unlock()
	tick := time.NewTicker(pause / 10)
	defer tick.Stop()
	for {
		select {
		case <-dry:
			return true
		case <-tick.C:
		}
		t.mu.Lock()
		quiet := time.Since(t.last) > pause
		enough := time.Since(ended) > patience && (t.dried > 1 || t.moved > largest)
		t.mu.Unlock()
		if quiet || enough {
			return false
		}
	}
}

// handOver leaves r to a process that reads on. A descendant that outlives
// the tool, such as a server started in the background, must be able to write:
// if nobody held the read end it would die of SIGPIPE, if nobody read it would
// stand still with a full pipe, and if we stayed, whoever waits for us would.
func handOver(c Command, r *os.File, dry <-chan struct{}) {
	if r.SetReadDeadline(time.Now()) != nil {
		return // Windows: the read under way cannot be taken back
	}
	<-dry
	defer r.Close()
	if len(c.Copier) == 0 {
		return
	}
	copier := exec.Command(c.Copier[0], c.Copier[1:]...)
	copier.Dir = string(os.PathSeparator) // keeps no directory busy
	copier.Stdin = r
	if c.Late != nil {
		copier.Stdout = c.Late
	}
	copier.SysProcAttr = detached()
	if copier.Start() == nil {
		copier.Process.Release()
	}
}

// Copy copies stdin to stdout until its end; when stdout fails it reads on and
// discards. It is what a Command's Copier runs.
func Copy() {
	if _, err := io.Copy(os.Stdout, os.Stdin); err != nil {
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
}

// CopyWord is the word that this program, called with it alone, runs [Copy] for.
const CopyWord = "__copy"

// Copier is a Command's Copier that is this program.
func Copier() []string {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{self, CopyWord}
}
