package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// describe is the parser for kubectl describe. What tells what an object is
// and how it fares stays; identifiers, defaults, empty values and what every
// pod gets mounted goes, and so does the padding.
type describe struct {
	skip    int // lines indented deeper belong to what was left out; -1: none
	begun   bool
	events  bool
	normal  int  // events of type Normal shown
	dropped bool // and that key was left out
	gone    bool // so was the last line with a key
}

const (
	describeNormal = 12
	describeMargin = 12 // an indentation beyond this goes on with the value above
)

func (p *describe) Line(l Line, emit Emit) {
	s := l.Text
	t := strings.TrimLeft(s, " ")
	indent := len(s) - len(t)
	if !p.begun {
		p.begun, p.skip = true, -1
	}
	switch {
	case lines.Blank(s), strings.Trim(s, " -") == "":
		emit.line(Folded, l)
		return
	case indent > describeMargin:
		if p.dropped || describeLabel(t) {
			emit.line(Good, l)
			return
		}
		l.Text = "    " + squeezed(t, false)
		emit.line(Keep, l)
		return
	case p.skip >= 0 && indent > p.skip:
		emit.line(Good, l)
		return
	}
	p.skip = -1
	key, value, _ := strings.Cut(t, ":")
	value = strings.TrimSpace(value)
	if indent == 0 {
		p.events = key == "Events"
	}
	p.dropped = describeAdded(key, value) || strings.Contains(t, " from kube-api-access-") || strings.HasPrefix(t, "kube-api-access-") ||
		p.gone && describeDefault(key, value) // a marker alone would be no shorter
	if p.events && strings.HasPrefix(t, "Normal ") {
		p.normal++
		p.dropped = p.normal > describeNormal
	}
	if p.gone = p.dropped; p.dropped {
		p.skip = indent
		emit.line(Good, l)
		return
	}
	l.Text = lines.Clip(squeezed(s, false))
	emit.line(Keep, l)
}

func (p *describe) Close(Emit) {}

// describeAdded reports whether a key is one that the cluster adds and nobody
// reads.
func describeAdded(key, value string) bool {
	return key == "Annotations" && describeLabel(value) ||
		value != "<none>" && oneOf(key, "Container ID", "Image ID", "IPs", "Tolerations", "UID", "Managed Fields", "Machine ID", "System UUID", "Boot ID")
}

// describeDefault reports whether a line says no more than that something is
// as it is in most objects.
func describeDefault(key, value string) bool {
	if oneOf(value, "<none>", "<unset>", "<nil>", "0/TCP", "0/TCP, 0/TCP") {
		return !oneOf(key, "Events", "Endpoints", "External-IP")
	}
	return oneOf(key, "Host Port", "Host Ports", "Priority", "Priority Class Name", "QoS Class", "Node-Selectors", "Session Affinity", "IP Family Policy", "IP Families", "Optional",
		"Resource Version", "Generation", "Creation Timestamp", "ephemeral-storage", "hugepages-1Gi", "hugepages-2Mi", "Internal Traffic Policy", "Service Account")
}

// describeLabel reports whether a label or annotation is of the machinery.
func describeLabel(t string) bool {
	return hasPrefix(t, "checksum/", "kubectl.kubernetes.io/last-applied", "pod-template-hash", "controller-revision-hash", "deployment.kubernetes.io/revision:", "cni.projectcalico.org/", "node.alpha.kubernetes.io/", "volumes.kubernetes.io/", "beta.kubernetes.io/")
}
