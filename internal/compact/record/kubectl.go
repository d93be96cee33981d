package record

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
)

// kubectl is the parser for what kubectl lists: the first line tells whether
// that is a table of objects, events, a description, a manifest or JSON.
type kubectl struct {
	chosen // when the output is no table of objects
	table  columns
	head   bool // the table's head was seen
	api    noAPI
}

func (*kubectl) wide() {}

func (p *kubectl) Line(l Line, emit Emit) {
	s := l.Text
	if p.api.take(l, emit) {
		return
	}
	switch {
	case p.as != nil:
		p.as.Line(l, emit)
		return
	case klog(s):
		emit(Record{Class: Failure, Key: lines.Template(s), Lines: []Line{l}})
		return
	case hasPrefix(s, "Error from server", "error: ", "The connection to the server ", "Unable to connect to the server"):
		emit.line(Failure, l)
		return
	case hasPrefix(s, "Warning: "):
		emit(Record{Class: Warn, Key: s, Lines: []Line{l}})
		return
	case !p.head && !lines.Blank(s):
		p.head = true
		if p.as = kubectlFormat(s); p.as != nil {
			p.as.Line(l, emit)
			return
		}
	}
	p.table.brief = true
	p.table.Line(l, emit)
}

// kubectlFormat returns the parser for an output that begins with s, or nil
// for a table.
func kubectlFormat(s string) Parser {
	switch {
	case hasPrefix(s, "apiVersion:", "---", "# Source: "):
		return &manifest{}
	case hasPrefix(s, "LAST SEEN ", "NAMESPACE     LAST SEEN ") || strings.HasPrefix(s, "NAMESPACE ") && strings.Contains(s, " LAST SEEN "):
		return &events{}
	case hasPrefix(s, "Name:  "):
		return &describe{}
	}
	return columnsFormat(s)
}

func (p *kubectl) Close(emit Emit) {
	emit.held(Failure, &p.api.first)
	if p.as != nil {
		p.as.Close(emit)
		return
	}
	p.table.Close(emit)
}

// firstColumns returns the first n columns of a squeezed row, with a mark where
// it has more.
func firstColumns(row string, n int) string {
	cols := strings.SplitN(row, "  ", n+1)
	if len(cols) <= n {
		return row
	}
	return strings.Join(cols[:n], "  ") + " …"
}

// events is the parser for the table of events of kubectl. Those of type
// Warning stay; of the others the first for each reason, the rest under it.
type events struct {
	reason, kind int // where the columns begin
	seen         tally
}

const eventRows = 3 // events of type Normal shown for each reason

func (p *events) Line(l Line, emit Emit) {
	s := l.Text
	switch {
	case hasPrefix(s, "LAST SEEN", "NAMESPACE"):
		p.reason, p.kind = strings.Index(s, "REASON"), strings.Index(s, "TYPE")
		l.Text = squeezed(s, false)
		emit.line(Keep, l)
	case p.kind <= 0 || len(s) <= p.reason || !strings.HasPrefix(s[p.kind:], "Normal "):
		l.Text = lines.Clip(squeezed(s, false))
		class := Keep.unless(p.kind > 0 && len(s) > p.reason && strings.HasPrefix(s[p.kind:], "Warning "), Failure) // of the cluster: every one that says something else
		emit(Record{Class: class, Key: lines.Template(s[min(max(p.kind, 0), len(s)):]), Lines: []Line{l}})
	default:
		reason := word(s[p.reason:])
		l.Text = squeezed(s, false)
		emit(Record{Group: reason, Lines: []Line{l}, Tally: p.seen.next(reason) > eventRows})
	}
}

func (p *events) Close(Emit) {}

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
		if p.dropped || hasPrefix(t, describeLabel...) {
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
	return key == "Annotations" && hasPrefix(value, describeLabel...) ||
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

// describeLabel begins a label or annotation of the machinery.
var describeLabel = words{"checksum/", "kubectl.kubernetes.io/last-applied", "pod-template-hash", "controller-revision-hash", "deployment.kubernetes.io/revision:", "cni.projectcalico.org/", "node.alpha.kubernetes.io/", "volumes.kubernetes.io/", "beta.kubernetes.io/"}

// manifest is the parser for objects of Kubernetes in YAML: kubectl get -o
// yaml, helm template. What the cluster adds to every object goes; of objects
// beyond the first ones a row is kept: kind, name and images.
type manifest struct {
	lines int // of objects kept whole
	kinds set
	doc   []Line
	row   manifestRow
	skip  int    // lines indented deeper, and its list, belong to what was left out; -1: none
	item  []Line // an entry of a list that may be left out
	at    int    // its indentation
	list  string // the key of the list it is in
	gone  bool   // the last line was left out
}

// A manifestRow is what is told of an object that is not shown.
type manifestRow struct {
	kind, name string
	images     []string
	meta       bool // within metadata
}

const (
	manifestWhole = 80  // lines of objects kept whole
	manifestKinds = 500 // and with the first of each kind
	manifestDoc   = 400 // lines of an object held
	manifestItem  = 60  // lines of an entry held
)

func (p *manifest) Line(l Line, emit Emit) {
	s := l.Text
	if s == "---" || strings.HasPrefix(s, "--- ") {
		p.Close(emit)
	}
	if p.doc == nil {
		p.skip, p.row = -1, manifestRow{}
	}
	p.row.read(s)
	if p.doc = append(p.doc, l); len(p.doc) > manifestDoc { // one object that is very long
		p.show(emit)
	}
}

// Close takes the object that is complete.
func (p *manifest) Close(emit Emit) {
	if p.doc == nil {
		return
	}
	whole := manifestWhole
	if !p.kinds[p.row.kind] && len(p.kinds) < manifestKinds {
		p.kinds.add(p.row.kind, manifestKinds)
		whole = manifestKinds
	}
	if p.lines+len(p.doc) > whole && p.lines > 0 && p.row.kind != "" {
		name := p.row.name
		if len(p.row.images) > 0 {
			name += "  " + strings.Join(p.row.images, ", ")
		}
		emit(Record{Group: p.row.kind, Row: name, Lines: p.doc})
		p.doc = nil
		return
	}
	p.show(emit)
}

// show keeps the lines held of an object.
func (p *manifest) show(emit Emit) {
	for _, l := range p.doc {
		p.line(l, emit)
	}
	p.flush(emit)
	p.lines += len(take(&p.doc))
}

// line takes a line of an object that is shown.
func (p *manifest) line(l Line, emit Emit) {
	t := strings.TrimLeft(l.Text, " ")
	indent := len(l.Text) - len(t)
	entry := strings.HasPrefix(t, "- ")
	if p.item != nil && (indent > p.at || indent == p.at && !entry && t == "") && len(p.item) < manifestItem {
		p.item = append(p.item, l)
		return
	}
	p.flush(emit)
	if p.skip >= 0 && (indent > p.skip || indent == p.skip && entry || t == "") {
		emit.line(Good, l)
		return
	}
	p.skip = -1
	key, value, _ := strings.Cut(strings.TrimPrefix(t, "- "), ":")
	switch {
	case entry && oneOf(p.list, "tolerations", "volumes", "volumeMounts"):
		p.item, p.at = []Line{l}, indent
		return
	case !entry && (oneOf(key, manifestAdded...) || p.gone && oneOf(key, manifestDefault...)): // a marker alone would be no shorter
		p.skip, p.gone = indent, true
		emit.line(Good, l)
		return
	case value == "" && !entry:
		p.list = key
	}
	p.gone = false
	l.Text = lines.Clip(strings.TrimRight(l.Text, " "))
	emit.line(Keep, l)
}

func (p *manifest) flush(emit Emit) {
	if p.item != nil {
		p.gone = slices.ContainsFunc(p.item, func(l Line) bool {
			return hasAny(l.Text, "kube-api-access-", "key: node.kubernetes.io/not-ready", "key: node.kubernetes.io/unreachable")
		})
		emit.block(Keep.unless(p.gone, Good), &p.item)
	}
}

// manifestAdded are keys that the cluster adds to every object and nobody reads.
var manifestAdded = words{"managedFields", "uid", "containerID", "imageID", "podIPs", "hostIPs", "kubectl.kubernetes.io/last-applied-configuration", "terminationMessagePath"}

// manifestDefault are keys that have the same value in most objects.
var manifestDefault = words{"resourceVersion", "creationTimestamp", "selfLink", "terminationMessagePolicy", "dnsPolicy", "schedulerName", "enableServiceLinks", "preemptionPolicy", "qosClass",
	"lastProbeTime", "observedGeneration", "progressDeadlineSeconds", "revisionHistoryLimit"}

// read notes what a line tells for the row of its object.
func (r *manifestRow) read(s string) {
	switch {
	case strings.HasPrefix(s, "kind: "):
		r.kind = strings.TrimSpace(s[len("kind: "):])
	case strings.HasPrefix(s, "metadata:"):
		r.meta = true
	case r.meta && r.name == "" && strings.HasPrefix(s, "  name: "):
		r.name = strings.Trim(s[len("  name: "):], `" `)
	case !indented(s):
		r.meta = false
	}
	if image, ok := strings.CutPrefix(strings.TrimLeft(s, " -"), "image: "); ok && len(r.images) < 5 {
		r.images = append(r.images, strings.Trim(image, `"' `))
	}
}
