// Package hook answers the events of an agent: one call of Run for one event.
//
// cli imports it. It is a star: host decodes and encodes, compact cuts, shim
// has the shell block and the notes; none of them knows another. How a host
// spells an event belongs to host, what is cut to compact.
//
// A hook fails open. Whatever goes wrong, nothing is printed and the agent
// has the original output; the caller logs the error and exits 0.
package hook

import (
	"errors"
	"fmt"
	"io"
	"time"

	"cairn/internal/compact"
	"cairn/internal/host"
	"cairn/internal/shim"
)

// Settings are what the answers depend on.
type Settings struct {
	Compact func(dir string) compact.Options // for a call in this directory
	Shell   *shim.Shell                      // nil: no shell functions here
	Limit   time.Duration                    // for the whole answer; 0: 5 s
	Warn    func(warning string)             // what went wrong without costing the answer; nil: nobody is told
}

// ErrTimedOut is returned when an answer took longer than the limit.
var ErrTimedOut = errors.New("the hook took too long; the output stays as it was")

// maxEvent is how many bytes of an envelope are read. Hosts send less.
const maxEvent = 64 << 20

// Run reads one event of h from in and prints the answer, if there is one, to
// out. On an error nothing was printed.
func Run(h host.Host, in io.Reader, out io.Writer, set Settings) error {
	limit := set.Limit
	if limit <= 0 {
		limit = 5 * time.Second
	}
	type result struct {
		answer []byte
		err    error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r = result{err: fmt.Errorf("panic: %v", p)}
			}
			done <- r
		}()
		r.answer, r.err = answer(h, in, set)
	}()
	select {
	case r := <-done:
		if r.err != nil || len(r.answer) == 0 {
			return r.err
		}
		_, err := out.Write(append(r.answer, '\n'))
		return err
	case <-time.After(limit):
		return ErrTimedOut
	}
}

func answer(h host.Host, in io.Reader, set Settings) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxEvent+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxEvent {
		return nil, fmt.Errorf("the event is larger than %d bytes", maxEvent)
	}
	ev, err := h.Decode(data)
	if err != nil {
		return nil, err
	}
	switch ev.Kind {
	case host.SessionBegan:
		return nil, set.Shell.WriteBlock()
	case host.CallBegins:
		return nil, set.Shell.Note(ev.Session, shim.Call{Command: ev.Command, Background: ev.Background, Timeout: ev.Timeout})
	case host.CallEnded:
		if ev.Output != nil {
			return set.replace(ev, set.Compact(ev.Cwd))
		}
	}
	return nil, nil
}
