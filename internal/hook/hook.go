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
	"bytes"
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
	Shell   func() *shim.Shell               // the agent's shell; nil: no shell functions here
	Limit   time.Duration                    // for the whole answer; 0: 5 s
	Warn    func(warning string)             // what went wrong without costing the answer; nil: nobody is told

	// Used is told what came of a finished call's output, whose text is not
	// in the envelope; nil: nobody is.
	Used func(session string, e compact.Envelope, m compact.Meta)
}

// ErrTimedOut is returned when an answer took longer than the limit.
var ErrTimedOut = errors.New("the hook took too long; the output stays as it was")

const (
	maxEvent   = 64 << 20 // bytes of an event that are read; hosts send less
	usualEvent = 64 << 10 // most fit
)

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

func (set Settings) shell() *shim.Shell {
	if set.Shell == nil {
		return nil
	}
	return set.Shell()
}

func answer(h host.Host, in io.Reader, set Settings) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(usualEvent)
	if _, err := data.ReadFrom(io.LimitReader(in, maxEvent+1)); err != nil {
		return nil, err
	}
	if data.Len() > maxEvent {
		return nil, fmt.Errorf("the event is larger than %d bytes", maxEvent)
	}
	ev, err := h.Decode(data.Bytes())
	if err != nil {
		return nil, err
	}
	switch ev.Kind {
	case host.SessionBegan:
		return nil, set.shell().WriteBlock()
	case host.CallBegins:
		return nil, set.shell().Note(ev.Session, shim.Call{Command: ev.Command, Background: ev.Background, Timeout: ev.Timeout})
	case host.CallEnded:
		if ev.Output != nil {
			opt := set.Compact(ev.Cwd)
			opt.Verify.Quota.Call(ev.Session)
			return set.replace(ev, opt)
		}
	}
	return nil, nil
}
