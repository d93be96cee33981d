package record

import "strings"

// A tfView writes what changes in a resource of a plan, or all of the outputs:
// a block is on one line if it is short, below its name if not, and gone if
// nothing in it is told.
type tfView struct {
	all     bool // what does not change is told too
	created bool
	deleted bool
	unknown bool // what is known only when it is done is told too: there is nothing else
	out     []Line
	gone    []Line
}

// A tfNode is a line of a block, with those in it and the one that ends it.
type tfNode struct {
	line Line
	sign string // "+", "~", "-", "-/+", "<=" or ""
	text string // without the sign
	kids []tfNode
	end  *Line
}

// blocks writes lines that are depth levels in.
func (v *tfView) blocks(ls []Line, depth int) {
	nodes, rest := tfNodes(ls, -1)
	for len(rest) > 0 { // ends of nothing
		v.gone = append(v.gone, rest[0])
		var more []tfNode
		more, rest = tfNodes(rest[1:], -1)
		nodes = append(nodes, more...)
	}
	for i := range nodes {
		n := &nodes[i]
		if strings.HasPrefix(n.text, "resource ") || strings.HasPrefix(n.text, "data ") { // the header says it
			v.drop(n, false)
			for j := range n.kids {
				v.write(&n.kids[j], depth)
			}
			continue
		}
		v.write(n, depth)
	}
}

// tfNodes reads the lines that stand further in than column.
func tfNodes(ls []Line, column int) (nodes []tfNode, rest []Line) {
	for len(ls) > 0 {
		l := ls[0]
		sign, text := tfSign(l.Text)
		at := len(l.Text) - len(text)
		if text != "" && at <= column {
			break
		}
		ls = ls[1:]
		n := tfNode{line: l, sign: sign, text: text}
		if opens(text) || strings.HasSuffix(text, "(") || strings.Contains(text, "<<") {
			n.kids, ls = tfNodes(ls, at)
			if len(ls) > 0 && (strings.ContainsRune("}])", rune((ls[0].Text + " ")[leading(ls[0].Text)])) || strings.Contains(text, "<<") && strings.TrimSpace(ls[0].Text) == "EOT") {
				n.end, ls = &ls[0], ls[1:]
			}
		} else if strings.ContainsRune("}])", rune((text + " ")[0])) {
			return nodes, append([]Line{l}, ls...)
		}
		nodes = append(nodes, n)
	}
	return nodes, ls
}

// tfSign cuts a line of a plan after the sign that says what becomes of it.
func tfSign(s string) (sign, text string) {
	t := strings.TrimLeft(s, " ")
	for _, sign := range [...]string{"-/+", "+/-", "<=", "+", "-", "~"} {
		if text, ok := strings.CutPrefix(t, sign+" "); ok {
			return sign, text
		}
	}
	return "", t
}

// opens reports whether t opens a block: "~ tags = {", "- ports = [".
func opens(t string) bool { return hasSuffix(t, "{", "[") }

// told reports whether a value is worth a line: it changes, and to something
// that is known before it is done.
func (v *tfView) told(n *tfNode) bool {
	switch {
	case strings.Contains(n.text, "# forces replacement"), strings.HasPrefix(n.text, "# (because "):
		return true
	case v.all:
		return n.text != ""
	case n.sign == "", v.deleted:
		return false
	case n.end != nil:
		return v.unknown || !strings.Contains(n.end.Text, "-> (known after apply)")
	}
	return v.unknown || !strings.Contains(n.text, "(known after apply)")
}

// write writes a value and what is told in it.
func (v *tfView) write(n *tfNode, depth int) {
	if len(n.kids) == 0 && n.end == nil {
		if !v.told(n) {
			v.gone = append(v.gone, n.line)
			return
		}
		v.line(n.line, depth, v.mark(n)+n.text)
		return
	}
	at := len(v.out)
	if v.told(n) {
		for i := range n.kids {
			v.write(&n.kids[i], depth+1)
		}
	} else {
		for i := range n.kids {
			if !v.forces(&n.kids[i]) {
				v.drop(&n.kids[i], true)
				continue
			}
			v.write(&n.kids[i], depth+1)
		}
	}
	below := append([]Line(nil), v.out[at:]...)
	v.out = v.out[:at]
	end := ""
	if n.end != nil {
		end = strings.TrimSpace(n.end.Text)
	}
	if len(below) == 0 && len(n.kids) > 0 && !strings.Contains(n.text, "# forces") {
		v.drop(n, false)
		return
	}
	one := v.mark(n) + n.text
	for i, l := range below {
		if i > 0 {
			one += " "
		}
		one += strings.TrimSuffix(strings.TrimSpace(l.Text), ",")
		if i < len(below)-1 {
			one += ","
		}
	}
	if one += end; len(one) <= tfOneLine && (opens(n.text) || len(n.kids) == 0) {
		v.gone = append(v.gone, below...)
		below = nil
	} else {
		one = v.mark(n) + n.text
	}
	v.line(n.line, depth, one)
	v.out = append(v.out, below...)
	if n.end != nil {
		v.gone = append(v.gone, *n.end)
	}
}

// mark is the sign of a value, which all have in a resource that is new.
func (v *tfView) mark(n *tfNode) string {
	if n.sign == "" || v.created && n.sign == "+" {
		return ""
	}
	return n.sign + " "
}

// forces reports whether something in n makes the resource be replaced.
func (v *tfView) forces(n *tfNode) bool {
	if strings.Contains(n.text, "# forces replacement") || n.end != nil && strings.Contains(n.end.Text, "# forces replacement") {
		return true
	}
	for i := range n.kids {
		if v.forces(&n.kids[i]) {
			return true
		}
	}
	return false
}

func (v *tfView) line(l Line, depth int, text string) {
	if name, value, ok := strings.Cut(text, " = "); ok && !strings.Contains(name, `"`) {
		text = strings.TrimRight(name, " ") + " = " + value
	}
	l.Text = strings.Repeat(" ", depth) + text
	v.out = append(v.out, l)
}

// drop lets a block go, with what is in it or without.
func (v *tfView) drop(n *tfNode, kids bool) {
	v.gone = append(v.gone, n.line)
	if n.end != nil {
		v.gone = append(v.gone, *n.end)
	}
	for i := range n.kids {
		if kids {
			v.drop(&n.kids[i], true)
		}
	}
}
