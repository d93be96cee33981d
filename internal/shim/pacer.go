package shim

import (
	"time"

	"cairn/internal/compact"
	"cairn/internal/compact/shell"
)

// A pacer decides when the agent sees what. The output of a tool that ends
// soon is held to the end; whatever takes longer is shown in parts, since the
// host may move the call to the background and the agent read on from there.
type pacer struct {
	o        Options
	now      func() time.Time
	seq      *compact.Sequence
	hold     time.Duration // nothing is shown before, unless the tool is silent
	patient  bool          // silence alone shows nothing before hold is over
	start    time.Time
	last     time.Time // the tool wrote
	shown    time.Time // the last part was shown; zero before the first
	pending  bool      // something is not shown yet
	overdue  bool      // hold is over: parts from now on
	hardship error     // stdout failed; the tool goes on
}

const (
	holdFinite = 30 * time.Second // at most, of a tool that ends soon
	holdShare  = 80               // percent of the call's timeout, at most
	quiet      = 2 * time.Second  // silence after which a part is shown
	partEvery  = 10 * time.Second // of a tool that is never silent
)

func newPacer(o Options, call Call) *pacer {
	timeout := call.Timeout
	if timeout <= 0 {
		timeout = o.Timeout
	}
	hold := min(holdFinite, timeout*holdShare/100)
	env := compact.Envelope{Command: shell.Join(o.Args)}
	o.Compact.Passthrough = o.Stdout
	o.Compact.Verify.Until = time.Now().Add(timeout * holdShare / 100)
	p := &pacer{o: o, now: time.Now, seq: compact.NewSequence(env, o.Compact), hold: hold, patient: o.finite()}
	p.begin()
	return p
}

// begin starts the clock.
func (p *pacer) begin() {
	p.start = p.now()
	p.last = p.start
}

// follow takes a chunk of output, or none when there is nothing new.
func (p *pacer) follow(chunk []byte) {
	now := p.now()
	if len(chunk) > 0 {
		p.seq.Write(chunk)
		p.last, p.pending = now, true
	}
	idle := now.Sub(p.last) >= quiet
	p.overdue = p.overdue || now.Sub(p.start) >= p.hold
	switch {
	case !p.pending:
	case p.patient && !p.overdue:
	case idle, p.overdue && now.Sub(p.shown) >= partEvery:
		p.show(p.seq.Part(idle))
		p.pending, p.shown = !idle, now
	}
}

func (p *pacer) finish(exit int) {
	res := p.seq.Finish(&exit)
	p.show(res.Reduced)
	if p.o.Used != nil {
		p.o.Used(compact.Envelope{Tool: "Bash", Command: shell.Join(p.o.Args), ExitCode: &exit}, res.Meta)
	}
}

func (p *pacer) show(text string) {
	if text != "" && p.hardship == nil {
		_, p.hardship = p.o.Stdout.WriteString(text)
	}
}
