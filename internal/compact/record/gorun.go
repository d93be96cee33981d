package record

// goRun is the parser for go build, vet and run: the compiler's messages, and the
// stacks of a program that runs then.
type goRun struct {
	diag
	stack goStack
}

func (p *goRun) Line(l Line, emit Emit) {
	if p.stack.state == goIdle && (hasPrefix(l.Text, goDies...) || goHeader(l.Text) || l.Text == "WARNING: DATA RACE") {
		p.diag.Close(emit)
	}
	if !p.stack.line(l, emit) {
		p.diag.Line(l, emit)
	}
}

func (p *goRun) Close(emit Emit) {
	p.stack.close(emit)
	p.diag.Close(emit)
}
