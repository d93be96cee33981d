// Package hook answers the events of an agent: one call of Run for one event.
//
// cli imports it. It is a star: host decodes and encodes, compact cuts, calls
// has the shell block and the notes, plan/guard knows what a plan has to say;
// none of them knows another. How a host spells an event belongs to host, what
// is cut to compact, what is advised to plan/guard. One event gets one answer,
// whoever had something to say.
//
// A hook fails open. Whatever goes wrong, nothing is printed and the agent
// has the original output; the caller logs the error and exits 0.
package hook

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"cairn/internal/calls"
	"cairn/internal/compact"
	"cairn/internal/compact/reads"
	"cairn/internal/host"
	"cairn/internal/plan/guard"
)

// Settings are what the answers depend on.
type Settings struct {
	Compact func(dir string) compact.Options // for a call in this directory; nil: nothing is cut
	Plan    *guard.Guard                     // what a plan has to say; nil: nothing
	Shell   func() *calls.Shell              // the agent's shell; nil: nothing of ours in it
	Limit   time.Duration                    // for the whole answer; 0: 5 s
	GiveUp  func()                           // called when it is over, while Run goes on: ends the process
	Notice  func(dir string) string          // said when a session begins, "" for nothing; nil: never
	Alert   func() string                    // said to the user when a session begins, "" for nothing; nil: never
	Warn    func(warning string)             // what went wrong without costing the answer; nil: nobody is told

	Now func() time.Time // nil: time.Now

	// Mark is told where a session and its calls are, at times when that may have
	// changed; nil: nobody is.
	Mark func(session, subagent, dir string)

	// Used is told what came of a finished call's output, whose text is not
	// in the envelope; nil: nobody is.
	Used func(session string, e compact.Envelope, m compact.Meta)
	// Back is told that the agent got so many tokens after all, of what Used
	// was told with this TeeID; nil: nobody is.
	Back func(session, id string, tokens int)
}

// ErrTimedOut is returned when an answer took longer than the limit.
var ErrTimedOut = errors.New("the hook took too long; the output stays as it was")

const (
	maxEvent   = 64 << 20  // bytes of an event that are read; hosts send less
	usualEvent = 256 << 10 // most fit; what is not needed of it is never touched

	// stdinLimit is how long an event may take to arrive: a host that leaves
	// its end of the pipe open would keep us for as long as it grants.
	stdinLimit = 3 * time.Second
)

// Run reads one event of h from in and prints the answer, if there is one, to
// out. On an error nothing was printed. The work is done on the caller's
// goroutine, since another one would cost a hook the start of a thread.
func Run(h host.Host, in io.Reader, out io.Writer, set Settings) error {
	limit := set.Limit
	if limit <= 0 {
		limit = 5 * time.Second
	}
	var decided atomic.Bool // either to answer or to give up
	begin := time.Now()
	late := time.AfterFunc(min(limit, stdinLimit), func() {
		if decided.CompareAndSwap(false, true) && set.GiveUp != nil {
			set.GiveUp()
		}
	})
	defer late.Stop()
	data, err := set.answer(h, in, func() { late.Reset(limit - time.Since(begin)) })
	if !decided.CompareAndSwap(false, true) {
		return ErrTimedOut
	}
	if err != nil || len(data) == 0 {
		return err
	}
	_, err = out.Write(append(data, '\n'))
	return err
}

func (set Settings) shell() *calls.Shell {
	if set.Shell == nil {
		return nil
	}
	return set.Shell()
}

// answer calls arrived when it has read the event.
func (set Settings) answer(h host.Host, in io.Reader, arrived func()) (answer []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			answer, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	data := bytes.NewBuffer(make([]byte, 0, usualEvent)) // Grow would touch all of it
	if _, err := data.ReadFrom(io.LimitReader(in, maxEvent+1)); err != nil {
		return nil, err
	}
	if data.Len() > maxEvent {
		return nil, fmt.Errorf("the event is larger than %d bytes", maxEvent)
	}
	arrived()
	ev, err := h.Decode(data.Bytes())
	if err != nil {
		return nil, err
	}
	if set.Mark != nil && ev.Session != "" && (ev.Kind == host.SessionBegan || ev.Kind == host.CallEnded && ev.Command != "") {
		set.Mark(ev.Session, ev.Agent, ev.Cwd)
	}
	if set.Compact != nil {
		answer, err = set.compacted(ev)
	}
	notice := ""
	if answer == nil && err == nil && ev.Kind == host.SessionBegan {
		notice = set.notice(ev)
		if set.Alert != nil && ev.Advise != nil {
			notice = strings.TrimSpace(notice + "\n" + set.Alert())
		}
	}
	if set.Plan == nil && notice != "" && ev.Advise != nil {
		return ev.Advise(nil, notice)
	}
	if set.Plan == nil {
		return answer, err
	}
	advised, perr := set.advised(h, ev, answer, notice)
	if advised != nil {
		answer = advised
	}
	if err = errors.Join(err, perr); err == nil || answer == nil {
		return answer, err
	}
	if set.Warn != nil {
		set.Warn(err.Error()) // one part failed, the other has an answer
	}
	return answer, nil
}

// notice is what is said at the beginning of a session of what is ignored. It is
// in the log as well.
func (set Settings) notice(ev host.Event) string {
	if set.Notice == nil {
		return ""
	}
	text := set.Notice(ev.Cwd)
	if text != "" && set.Warn != nil {
		set.Warn(text)
	}
	return text
}

// ours reports whether a tool is one of `cairn mcp`, whose answers are as short
// as they may be. Agents join the server's name and the tool's by __, _ or -.
func ours(tool string) bool {
	rest, ok := strings.CutPrefix(tool, "mcp__cairn")
	return ok && strings.HasPrefix(strings.Replace(rest, "-", "_", 1), "_")
}

// compacted is the answer that has less of an output, nil without one.
func (set Settings) compacted(ev host.Event) ([]byte, error) {
	switch ev.Kind {
	case host.SessionBegan:
		err := set.shell().WriteBlock()
		set.begin(ev)
		return nil, err
	case host.ContextGoes:
		set.begin(ev)
	case host.CallBegins:
		return nil, set.shell().Note(ev.Session, calls.Call{Command: ev.Command, Background: ev.Background})
	case host.CallEnded:
		if ev.Task != "" {
			return nil, set.shell().Note(ev.Session, calls.Call{Task: ev.Task, Background: true})
		}
		if ours(ev.Tool) || ev.Output == nil && ev.Change == nil {
			return nil, nil
		}
		opt := set.Compact(ev.Cwd)
		seen := reads.Open(opt.Reads, ev.Session, ev.Agent, set.now())
		if ev.Output == nil {
			set.changed(ev, seen)
			return nil, nil
		}
		opt.Verify.Quota.Call(ev.Session)
		opt.Tee.Session = strings.Trim(ev.Session+"/"+ev.Agent, "/") // a subagent sees nothing of the others'
		return set.replace(ev, opt, seen)
	}
	return nil, nil
}
