package record

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
)

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
		p.end(emit)
	}
	if p.doc == nil {
		p.skip, p.row = -1, manifestRow{}
	}
	p.row.read(s)
	if p.doc = append(p.doc, l); len(p.doc) > manifestDoc { // one object that is very long
		p.show(emit)
	}
}

// end takes the object that is complete.
func (p *manifest) end(emit Emit) {
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
	p.lines += len(p.doc)
	p.doc = nil
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
	case !entry && (manifestAdded(key) || p.gone && manifestDefault(key)): // a marker alone would be no shorter
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
	if p.item == nil {
		return
	}
	p.gone = slices.ContainsFunc(p.item, func(l Line) bool {
		return hasAny(l.Text, "kube-api-access-", "key: node.kubernetes.io/not-ready", "key: node.kubernetes.io/unreachable")
	})
	emit.block(Keep.unless(p.gone, Good), &p.item)
}

func (p *manifest) Close(emit Emit) { p.end(emit) }

// manifestAdded reports whether a key is one that the cluster adds to every
// object and nobody reads.
func manifestAdded(key string) bool {
	return oneOf(key, "managedFields", "uid", "containerID", "imageID", "podIPs", "hostIPs", "kubectl.kubernetes.io/last-applied-configuration", "terminationMessagePath")
}

// manifestDefault reports whether a key has the same value in most objects.
func manifestDefault(key string) bool {
	return oneOf(key, "resourceVersion", "creationTimestamp", "selfLink", "terminationMessagePolicy", "dnsPolicy", "schedulerName", "enableServiceLinks", "preemptionPolicy", "qosClass",
		"lastProbeTime", "observedGeneration", "progressDeadlineSeconds", "revisionHistoryLimit")
}

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
