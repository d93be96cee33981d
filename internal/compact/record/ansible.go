package record

import "strings"

// ansible reads what ansible-playbook and ansible print: of a task what it
// changed and where it failed, below the task's name; of the recap the hosts
// that failed, or all if none did. Tasks of which nothing is shown go.
//
// Formats, by its default callback: "TASK [name] ***", "ok: [host]",
// "fatal: [host]: FAILED! => {…}", "host : ok=1 changed=0 …"; a fault of a
// playbook is "ERROR! text" with the place and a frame, since 2.19 "[ERROR]:
// text" with "Origin: path:line:column".
type ansible struct {
	play, task *Line  // headings of which nothing is shown yet
	changed    Line   // the hosts that the task changed, on one line
	fault      []Line // an open failure
	frame      []Line // of the playbook, behind its place
	framed     bool   // we are in it
	idle       bool   // in a warning that tells nothing, which goes on over lines
	shown      bool   // what a task printed
	recap      bool
	rows       []Line // hosts of the recap that did not fail
	bad        bool   // one did
	text       plainText
}

const (
	ansibleFault = 60 // lines of one failure
	ansibleFrame = 12 // lines of a frame
	ansibleHosts = 6  // hosts of a recap in which none failed
)

func (p *ansible) Line(l Line, emit Emit) {
	if bare := strings.TrimRight(l.Text, "*"); len(l.Text)-len(bare) > 2 || strings.HasSuffix(bare, "]") {
		l.Text = bare
	}
	l.Text = strings.TrimRight(l.Text, " ")
	s := l.Text
	t := strings.TrimSpace(s)
	if p.framed {
		p.inFrame(l, t, emit)
		return
	}
	status, rest, _ := strings.Cut(s, ": [")
	switch {
	case t == "":
		p.idle = p.idle && p.recap
		if len(p.fault) > 0 && strings.HasPrefix(p.fault[0].Text, "ERROR!") {
			p.fault = append(p.fault, l)
			return
		}
		p.end(emit)
		emit.line(Folded, l)
	case hasPrefix(s, "PLAY RECAP"):
		p.end(emit)
		p.head(emit, Folded)
		p.recap = true
		emit.line(Keep, l)
	case p.recap && strings.Contains(s, " : ok="):
		p.host(l, emit)
	case hasPrefix(s, "PLAY [", "TASK [", "RUNNING HANDLER [", "HANDLER [", "PLAY"):
		p.heading(l, emit)
	case hasPrefix(s, "ok: [", "skipping: [") && strings.HasSuffix(s, "{"), p.shown:
		p.end(emit)
		p.head(emit, Keep)
		p.shown = s != "}"
		p.text.Line(l, emit)
	case oneOf(status, "ok", "skipping", "included", "rescued"), hasPrefix(s, "included: ", "FAILED - RETRYING: ", "task path: ", "Using ", "NO MORE HOSTS LEFT"):
		p.end(emit)
		emit.line(Folded, l)
	case status == "changed" && strings.HasSuffix(rest, "]"):
		p.changes(l, rest, emit)
	case hasPrefix(s, "fatal: [", "failed: [", "unreachable: [", "ERROR! ", "[ERROR]: "):
		p.end(emit)
		p.head(emit, Keep)
		p.fault = []Line{l}
	case hasPrefix(s, "[WARNING]: No inventory was parsed", "[WARNING]: provided hosts list is empty", "Deprecation warnings can be disabled"):
		p.end(emit)
		p.idle = true
		emit.line(Folded, l)
	case hasPrefix(s, "[WARNING]", "[DEPRECATION WARNING]"):
		p.end(emit)
		p.idle = false
		p.text.Line(l, emit)
	case len(p.fault) > 0:
		p.inFault(l, t, emit)
	case p.idle:
		emit.line(Folded, l)
	default:
		p.end(emit)
		p.head(emit, Keep)
		p.text.Line(l, emit)
	}
}

// inFault takes a line below the first of a failure.
func (p *ansible) inFault(l Line, t string, emit Emit) {
	switch {
	case t == "be elsewhere in the file depending on the exact syntax problem.":
		emit.line(Folded, l)
	case t == "The offending line appears to be:":
		p.framed = true
		emit.line(Folded, l)
	case strings.HasPrefix(t, "Origin: "):
		p.framed = true
		fallthrough
	default:
		emit.hold(&p.fault, ansibleFault, Body, l)
	}
}

// inFrame takes a line of a frame, which says no more than its place if it
// ends with the pointer at it.
func (p *ansible) inFrame(l Line, t string, emit Emit) {
	p.frame = append(p.frame, l)
	if strings.HasPrefix(t, "^ ") {
		p.framed = false
		emit.all(Folded, &p.frame)
	} else if len(p.frame) >= ansibleFrame {
		p.framed = false
		p.fault = append(p.fault, take(&p.frame)...)
	}
}

// heading takes the name of a play or a task: it is shown with what is below.
func (p *ansible) heading(l Line, emit Emit) {
	p.end(emit)
	emit.held(Folded, &p.task)
	if strings.HasPrefix(l.Text, "PLAY") {
		emit.held(Folded, &p.play)
		p.play = &l
		return
	}
	p.task = &l
}

// head gives out the headings that are held.
func (p *ansible) head(emit Emit, c Class) {
	emit.held(c, &p.play)
	emit.held(c, &p.task)
}

// changes takes a host that a task changed: the hosts stand on one line.
func (p *ansible) changes(l Line, rest string, emit Emit) {
	p.endFault(emit)
	p.head(emit, Keep)
	if p.changed.Text == "" {
		p.changed = l
		return
	}
	p.changed.Text += ", [" + rest
	emit.line(Folded, l)
}

// host takes a row of the recap.
func (p *ansible) host(l Line, emit Emit) {
	name, counts, _ := strings.Cut(l.Text, " : ")
	if good := strings.Contains(counts, "unreachable=0 ") && strings.Contains(counts, "failed=0 "); good {
		p.rows = append(p.rows, l)
		if len(p.rows) > ansibleHosts {
			emit.line(Good, p.rows[len(p.rows)-1])
			p.rows = p.rows[:ansibleHosts]
		}
		return
	}
	p.bad = true
	emit(Record{Class: Failure, Key: "recap " + name, Lines: []Line{l}})
}

func (p *ansible) endFault(emit Emit) {
	if fault := take(&p.fault); fault != nil {
		first := fault[0].Text
		host, said, ok := strings.Cut(first, "]: ")
		if _, name, named := strings.Cut(host, ": ["); ok && named {
			emit(Record{Class: Failure, Key: said, Site: name, Lines: fault})
			return
		}
		emit(Record{Class: Failure, Key: first, Lines: fault})
	}
}

// end ends what is open but for the headings.
func (p *ansible) end(emit Emit) {
	if p.changed.Text != "" {
		emit.line(Keep, take(&p.changed))
	}
	p.endFault(emit)
	p.text.Close(emit)
}

func (p *ansible) Close(emit Emit) {
	p.fault = append(p.fault, take(&p.frame)...)
	p.end(emit)
	p.head(emit, Folded)
	emit.all(Folded.unless(!p.bad, Keep), &p.rows)
}
