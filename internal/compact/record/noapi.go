package record

import "strings"

// noAPI holds what the library of kubectl and helm logs, several times, of a
// cluster that does not answer: the tool says so itself in its last line.
type noAPI struct{ first *Line }

// take reports whether a line is such an entry of the log.
func (p *noAPI) take(l Line, emit Emit) bool {
	if len(l.Text) > 0 && l.Text[0] == 'E' && klog(l.Text) && strings.Contains(l.Text, "couldn't get current server API group list") {
		if p.first == nil {
			p.first = &l
		} else {
			emit.line(Folded, l)
		}
		return true
	}
	if p.first != nil && strings.TrimSpace(l.Text) != "" {
		emit.held(Failure.unless(hasAny(l.Text, "The connection to the server ", "Unable to connect to the server", "Kubernetes cluster unreachable", "failed to download openapi"), Folded), &p.first)
	}
	return false
}
