package record

import (
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/text"
)

// jsonText is the parser for JSON: a document over many lines, one on a
// single line, or one a line (NDJSON). Of a list or a map the first entries
// stay whole; of each further one a row of what identifies it is kept, the
// rows of alike entries under one header of their keys.
type jsonText struct {
	stack  []*jsonNode // the open containers; empty before the first
	roots  jsonNode    // documents one after another count as a list
	last   Record      // the last kept line, which may still get a note
	single int         // documents on a line of their own
	deep   int         // containers open beyond jsonDepth
}

// A jsonNode is an open container.
type jsonNode struct {
	list    bool
	objects int // entries that are containers
	scalars int
	left    int      // entries left out and not shown as a row
	item    *jsonRow // set where the entries of a skipped entry are collected
}

const (
	jsonItems   = 2   // entries of a list that stay whole when they are containers
	jsonSection = 8   // the same of an object: its sections
	jsonValues  = 10  // scalars of a list
	jsonKeys    = 40  // scalars of an object
	jsonDepth   = 500 // containers within one another
	jsonLines   = 3   // NDJSON documents that stay whatever they say
)

func (*jsonText) wide() {}

func (p *jsonText) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	switch {
	case len(p.stack) > 0:
		p.inside(l, t, emit)
	case t == "":
		emit.line(Folded, l)
	case t == "{" || t == "[":
		p.roots.list = true
		p.entry(l, t, &p.roots, emit)
	case (t[0] == '{' || t[0] == '[') && !jsonOpens(t):
		p.document(l, t, emit)
	case toolSays(t):
		emit.line(Keep, l)
	case p.single > 0:
		l.Text = width(l.Text) // a piece of a document
		emit.line(Body, l)
	default:
		l.Text = lines.Clip(l.Text)
		emit.line(Body, l)
	}
}

// document takes JSON that stands on one line.
func (p *jsonText) document(l Line, t string, emit Emit) {
	cut := l.Text
	if len(t) > cutSmall {
		cut = cutJSON(t)
	}
	class, key := Body, ""
	if p.single++; p.single <= jsonLines {
		class = Keep
	}
	l.Text, t = cut, l.Text
	if faulty(t) {
		class, key = Keep, lines.Template(cut)
		l.Text = lines.Clip(t) // with its stack
	}
	emit(Record{Class: class, Key: key, Lines: []Line{l}})
}

// faulty reports whether a log line in JSON is of level error or worse.
func faulty(t string) bool {
	for _, key := range [...]string{`"level":`, `"severity":`, `"lvl":`} {
		_, value, _ := strings.Cut(t, key)
		if hasPrefix(strings.ToLower(strings.TrimLeft(value, " ")), `"err`, `"fatal`, `"crit`, `"panic`, "50", "60") {
			return true
		}
	}
	return false
}

// inside takes a line of a document over many lines.
func (p *jsonText) inside(l Line, t string, emit Emit) {
	top := p.stack[len(p.stack)-1]
	switch {
	case t == "":
		emit.line(Folded, l)
	case p.deep > 0 || len(p.stack) > jsonDepth && jsonOpens(t):
		if jsonOpens(t) {
			p.deep++
		} else if t[0] == '}' || t[0] == ']' {
			p.deep--
		}
		emit.line(Good, l)
	case t[0] == '}' || t[0] == ']':
		p.shut(l, top, emit)
		if len(t) > 1 && jsonOpens(t) { // "}, {"
			p.push(t, top.item)
		}
	default:
		p.entry(l, t, top, emit)
	}
}

// entry takes the line that begins an entry of node.
func (p *jsonText) entry(l Line, t string, node *jsonNode, emit Emit) {
	key, value := jsonKey(t)
	opened := jsonOpens(t)
	switch {
	case node.item != nil:
		if !opened {
			node.item.scalar(key, value)
		}
		emit.line(Folded, l)
		if opened {
			p.push(t, node.item.under(key, strings.HasSuffix(t, "[")))
		}
	case node.full(opened):
		row := &jsonRow{line: l}
		if key != "" {
			row.add("key", key)
		}
		if !opened {
			node.left++
			emit.line(Folded, l)
			return
		}
		row.owner = node
		p.push(t, row)
	default:
		l.Text = width(l.Text)
		p.keep(l, emit)
		if opened {
			p.push(t, nil)
		}
	}
}

// full counts an entry and reports whether it is one too many.
func (n *jsonNode) full(container bool) bool {
	if container {
		n.objects++
		return n.objects > jsonSection || n.list && n.objects > jsonItems
	}
	n.scalars++
	return n.scalars > jsonKeys || n.list && n.scalars > jsonValues
}

func (p *jsonText) push(t string, item *jsonRow) {
	p.stack = append(p.stack, &jsonNode{list: strings.HasSuffix(t, "["), item: item})
}

// shut takes the line that closes top.
func (p *jsonText) shut(l Line, top *jsonNode, emit Emit) {
	p.stack = p.stack[:len(p.stack)-1]
	if top.item == nil {
		if top.left > 0 {
			p.last.Note = "[… " + text.Thousands(top.left) + " more …]"
		}
		p.keep(l, emit)
		return
	}
	emit.line(Folded, l)
	if top.item.owner != nil && (len(p.stack) == 0 || p.stack[len(p.stack)-1].item == nil) {
		top.item.emit(emit)
	}
}

// keep emits the line before l; l itself may still get a note.
func (p *jsonText) keep(l Line, emit Emit) {
	emit.open(&p.last)
	p.last = Record{Class: Keep, Lines: []Line{l}}
}

func (p *jsonText) Close(emit Emit) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		n := p.stack[i]
		if n.item != nil && n.item.owner != nil && (i == 0 || p.stack[i-1].item == nil) {
			n.item.emit(emit)
		} else if n.left > 0 && p.last.Lines != nil {
			p.last.Note = "[… " + text.Thousands(n.left) + " more …]"
		}
	}
	emit.open(&p.last)
	p.stack = nil
}

// jsonOpens reports whether a container begins at the end of t.
func jsonOpens(t string) bool { return t[len(t)-1] == '{' || t[len(t)-1] == '[' }

// jsonKey cuts `"key": value,`; the key is "" for an entry of a list.
func jsonKey(t string) (key, value string) {
	value = strings.TrimSuffix(t, ",")
	if t[0] != '"' {
		return "", value
	}
	end := stringEnd(t)
	if end < len(t) && strings.HasPrefix(strings.TrimLeft(t[end:], " "), ":") {
		value = strings.TrimSpace(strings.TrimLeft(t[end:], " ")[1:])
		return strings.Trim(t[:end], `"`), strings.TrimSuffix(value, ",")
	}
	return "", value
}

// stringEnd returns where the string ends that s begins with.
func stringEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// A jsonRow collects what identifies one entry of a list or a map.
type jsonRow struct {
	line   Line
	owner  *jsonNode // the list or map; nil where the row is of a part of an entry
	deaf   bool      // its values say nothing about the entry
	keys   []string
	values []string
	prefix string   // of keys in a part: "State "
	left   bool     // there is more in the entry
	root   *jsonRow // the row that a part belongs to
	tags   bool     // a list of {"Key": …, "Value": …}
	tag    string   // the key of the present one
}

const jsonColumns = 6

func (r *jsonRow) add(key, value string) {
	if len(r.keys) < jsonColumns && value != "" && value != "null" && value != `""` {
		value = strings.Trim(value, `"`)
		if strings.HasPrefix(value, "https://www.googleapis.com/") { // a resource by its address: its name tells it
			value = value[strings.LastIndexByte(value, '/')+1:]
		}
		r.keys = append(r.keys, key)
		r.values = append(r.values, width(value))
	}
}

// top is the row that r is a part of, or r.
func (r *jsonRow) top() *jsonRow {
	if r.root != nil {
		return r.root
	}
	return r
}

// scalar takes a value of the entry, if it tells which or how the entry is.
func (r *jsonRow) scalar(key, value string) {
	root := r.top()
	switch {
	case r.deaf || !identifies(key) || len(value) > 120:
		root.left = root.left || value != "null"
	case r.tags: // of the tags only the name
		switch {
		case key == "Key":
			r.tag = value
		case r.tag == `"Name"`:
			root.add("Name", value)
		}
	default:
		root.add(r.prefix+key, value)
	}
}

// under returns the row for a part of the entry. Of an object in it only the
// state and the like count; of a list the first entries do.
func (r *jsonRow) under(key string, list bool) *jsonRow {
	root := r.top()
	part := &jsonRow{root: root, deaf: r.deaf, tags: r.tags || key == "Tags"}
	switch key {
	case "networkInterfaces", "NetworkInterfaces", "accessConfigs", "disks", "BlockDeviceMappings", "SecurityGroups": // an entry's own parts
		part.deaf = true
	case "", "State", "state", "Status", "status", "metadata", "owner", "user", "author":
	default:
		part.deaf = part.deaf || !list
	}
	if key != "" {
		part.prefix = key + " "
	}
	return part
}

// emit gives the row. Its only line opens the entry; the others are folded.
func (r *jsonRow) emit(emit Emit) {
	if len(r.keys) == 0 {
		r.owner.left++
		emit.line(Folded, r.line)
		return
	}
	keys := strings.Join(r.keys, " · ")
	if r.left {
		keys += " [… more …]"
	}
	emit(Record{Lines: []Line{r.line}, Group: keys, Row: strings.Join(r.values, " · ")})
}

// identifies reports whether the value of a key tells which of many an entry
// is, or what state it is in.
func identifies(key string) bool {
	if oneOf(key, "OwnerId", "Code", "deviceName", "kind", "RootDeviceName", "RootDeviceType", "DeviceName", "RevisionId", "PackageType", "eventId", "ReservationId", "ImageId") {
		return false // the same in all, or read by nobody
	}
	return oneOf(strings.ToLower(key), "id", "name", "key", "title", "status", "state", "type", "kind", "version", "path", "url", "html_url", "email", "login",
		"number", "phase", "message", "level", "error", "err", "exception", "detail", "conclusion", "severity", "code", "value", "file", "line", "namespace", "arn", "ref", "sha", "tag", "reason") || hasSuffix(key, "Id", "_id", "Name", "_name", "Type", "_type", "State", "Status", "_status", "IpAddress", "Arn", "ID", "Zone")
}

// limits of a document on one line
const (
	cutSmall  = 400 // bytes: as it is
	cutItems  = 3   // entries of a list at least
	cutRoom   = 600 // and as many more as begin within these bytes
	cutKeys   = 30  // of an object
	cutString = 160 // bytes of a string
	cutDepth  = 6
)

// cutJSON shortens a document on one line: of its lists the first entries
// stay, of long strings the beginning. It never fails: what is not JSON is cut
// as text.
func cutJSON(s string) string {
	if len(s) <= cutSmall {
		return s
	}
	c := jsonCutter{in: s}
	c.value(0, true)
	if c.pos < len(s) {
		c.out.WriteString(width(s[c.pos:]))
	}
	return c.out.String()
}

type jsonCutter struct {
	in  string
	pos int
	out strings.Builder
}

// value copies the value at pos, or only passes over it.
func (c *jsonCutter) value(depth int, show bool) {
	c.space(show)
	if c.pos >= len(c.in) {
		return
	}
	switch c.in[c.pos] {
	case '"':
		c.str(show)
	case '{', '[':
		c.container(depth, show)
	default:
		start := c.pos
		for c.pos < len(c.in) && !strings.ContainsRune(",]}", rune(c.in[c.pos])) {
			c.pos++
		}
		c.write(c.in[start:c.pos], show)
	}
}

func (c *jsonCutter) str(show bool) {
	n := stringEnd(c.in[c.pos:])
	s := c.in[c.pos : c.pos+n]
	c.pos += n
	if n > cutString+40 {
		end := cutString
		for s[end]&0xc0 == 0x80 || s[end-1] == '\\' {
			end--
		}
		s = s[:end] + " [… " + text.Thousands(n-end-1) + ` bytes …]"`
	}
	c.write(s, show)
}

// container copies a list or an object and what it has room for.
func (c *jsonCutter) container(depth int, show bool) {
	list := c.in[c.pos] == '['
	limit := cutKeys
	if list {
		limit = cutItems
	}
	if depth >= cutDepth {
		limit = 0
	}
	c.write(c.in[c.pos:c.pos+1], show)
	c.pos++
	n, shown, start := 0, 0, c.out.Len()
	for ; c.pos < len(c.in); n++ {
		in := show && (n < limit || list && depth < 2 && shown == n && c.out.Len()-start < cutRoom)
		c.space(in)
		if c.pos >= len(c.in) {
			break
		}
		if end := c.in[c.pos]; end == '}' || end == ']' {
			c.more(n-shown, show)
			c.write(c.in[c.pos:c.pos+1], show)
			c.pos++
			return
		}
		if in {
			shown++
		}
		before := c.pos
		if !list && c.in[c.pos] == '"' {
			n := stringEnd(c.in[c.pos:])
			c.write(c.in[c.pos:c.pos+n], in)
			c.pos += n
			c.space(in)
			if c.pos < len(c.in) && c.in[c.pos] == ':' {
				c.write(":", in)
				c.pos++
			}
		}
		c.value(depth+1, in)
		c.space(in)
		if c.pos < len(c.in) && c.in[c.pos] == ',' {
			c.write(",", in)
			c.pos++
		}
		if c.pos == before {
			c.pos++ // not JSON: get on
		}
	}
	c.more(n-shown, show)
}

// more says how many entries are left out.
func (c *jsonCutter) more(n int, show bool) {
	if n > 0 && show {
		c.out.WriteString("[… " + text.Thousands(n) + " more …]")
	}
}

func (c *jsonCutter) space(show bool) {
	start := c.pos
	for c.pos < len(c.in) && (c.in[c.pos] == ' ' || c.in[c.pos] == '\t') {
		c.pos++
	}
	c.write(c.in[start:c.pos], show)
}

func (c *jsonCutter) write(s string, show bool) {
	if show {
		c.out.WriteString(s)
	}
}
