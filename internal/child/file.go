package child

import (
	"cmp"
	"os"
	"time"
)

// File runs c with stdout, and stderr unless c.Stderr is set, written straight
// to f, and returns when the tool has ended and all it wrote was followed.
//
// f is a regular file of the caller opened for reading and appending (O_APPEND
// makes the order of all writers exact). follow gets each new chunk in order,
// and an empty one every 2 to 20 ms when there is nothing new, so that it can
// act on silence without a clock of its own. Descendants may go on writing to
// f after File has returned.
func File(c Command, f *os.File, follow func(chunk []byte)) (Status, error) {
	p, err := start(c, f, cmp.Or(c.Stderr, f), outlivesUs)
	if err != nil {
		return Status{}, err
	}
	ended := make(chan Status, 1)
	go func() { ended <- p.wait(nil, nil) }()

	const shortest, longest = 2 * time.Millisecond, 20 * time.Millisecond
	tail := tail{f: f, buf: make([]byte, chunk), follow: follow}
	nap := shortest
	timer := time.NewTimer(nap)
	defer timer.Stop()
	for {
		select {
		case status := <-ended:
			_, err := tail.read()
			return status, err
		case <-timer.C:
		}
		n, err := tail.read()
		if err != nil {
			// The file is lost to us, not to the tool.
			return <-ended, err
		}
		nap = min(2*nap, longest)
		if n > 0 {
			nap = shortest
		} else {
			follow(nil)
		}
		timer.Reset(nap)
	}
}

// tail is how far a growing file has been followed.
type tail struct {
	f      *os.File
	at     int64
	buf    []byte
	follow func([]byte)
}

// read passes on what is new and returns how much it was.
func (t *tail) read() (total int, err error) {
	info, err := t.f.Stat()
	if err != nil {
		return 0, err
	}
	// The end is fixed first: a descendant that never stops writing must not
	// keep us here.
	for size := info.Size(); t.at < size; {
		n, err := t.f.ReadAt(t.buf[:min(int64(len(t.buf)), size-t.at)], t.at)
		if n == 0 {
			return total, err
		}
		t.at += int64(n)
		total += n
		t.follow(t.buf[:n])
	}
	return total, nil
}
