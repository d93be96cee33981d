package record

import "strings"

// rustRun is the parser for cargo build and cargo run: what rustc says, and the
// panic of the program that runs then.
type rustRun struct {
	rustc
	panic cargoTest
}

func (p *rustRun) Line(l Line, emit Emit) {
	s := strings.TrimSpace(l.Text)
	switch {
	case p.panic.failure == nil && strings.HasPrefix(s, "thread '") && strings.Contains(s, " panicked at "):
		p.rustc.Close(emit)
		p.panic.Line(l, emit)
	case p.panic.failure != nil:
		emit.hold(&p.panic.failure, rustTestMax, Noise, l)
		if hasPrefix(s, "note: run with `RUST_BACKTRACE=", "note: Some details are omitted") {
			p.panic.flush(emit)
		}
	default:
		p.rustc.Line(l, emit)
	}
}

func (p *rustRun) Close(emit Emit) {
	p.panic.flush(emit)
	p.rustc.Close(emit)
}
