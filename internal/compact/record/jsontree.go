package record

import "strings"

// A jsonNode is a value of a document: a scalar as it is written, or a
// container with those of its entries that are held.
type jsonNode struct {
	kind   byte        // '{', '[', '"', '0' for a number, 't' for true and false, 'n' for null
	text   string      // of a scalar, with its quotes
	key    string      // in an object, without its quotes
	at     int         // which entry of its container it is, from 0
	line   int         // where it begins in the output
	kids   []*jsonNode // entries that are held
	n      int         // entries that came
	open   bool        // its end has not come yet
	docs   bool        // its entries are documents
	first  bool        // the first of its column with its value
	known  bool        // its values are counted in its column
	size   int         // bytes of it on one line
	listed int         // of how many findings in it are written elsewhere
	odd    float64     // how far it, or what is in it, is from the usual; 0 is usual
	self   float64     // the same of it alone
}

func (n *jsonNode) container() bool { return n.kind == '{' || n.kind == '[' }

// A jsonReader reads documents, line by line, as entries of one list. A string
// has no line feed in it, so that a line always has whole tokens.
type jsonReader struct {
	root   jsonNode
	stack  []*jsonNode // the open containers of the present document
	want   byte        // what comes next: 'v'alue, 'f'irst value or end, 'k'ey, 'K'ey or end, 'c'olon, 'n'ext
	key    string
	keys   map[string]string // every key once, so that lines are not held for them
	leaves int               // scalars read
	spaced bool              // a space follows each colon
	more   bool              // the line goes on: its last token may
	cut    string            // the beginning of that token
}

// reading reports whether a document has begun and not ended.
func (r *jsonReader) reading() bool { return len(r.stack) > 0 }

// read takes as much of s as belongs to the present document, or to the one
// that begins in s. What is no JSON is returned with ok false.
func (r *jsonReader) read(s string, line int) (rest string, ok bool) {
	if !r.reading() {
		r.want = 'v'
	}
	if r.cut != "" {
		s, r.cut = r.cut+s, ""
	}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '"':
			n := stringEnd(s[i:])
			if n < 2 || s[i+n-1] != '"' || n > 2 && i+n == len(s) && !closes(s[i:]) {
				if r.more && r.reading() {
					r.cut = s[i:]
					return "", true
				}
				return s[i:], false
			}
			switch r.want {
			case 'k', 'K':
				r.key, r.want = r.intern(s[i+1:i+n-1]), 'c'
			case 'v', 'f':
				r.add('"', s[i:i+n], line)
			default:
				return s[i:], false
			}
			i += n
		case c == ':' && r.want == 'c':
			r.want = 'v'
			i++
			r.spaced = i < len(s) && s[i] == ' '
		case c == ',' && r.want == 'n':
			r.want = 'v'
			if r.stack[len(r.stack)-1].kind == '{' {
				r.want = 'k'
			}
			i++
		case (c == '{' || c == '[') && (r.want == 'v' || r.want == 'f') && len(r.stack) < jsonDepth:
			r.add(c, "", line)
			i++
		case c == '}' && (r.want == 'K' || r.want == 'n') && r.top() == '{', c == ']' && (r.want == 'f' || r.want == 'n') && r.top() == '[':
			i++
			if r.shut(); !r.reading() {
				return s[i:], true
			}
		default:
			n := scalarEnd(s[i:])
			kind := scalarKind(s[i : i+n])
			if kind == 0 || r.want != 'v' && r.want != 'f' || !r.reading() {
				return s[i:], false
			}
			r.add(kind, s[i:i+n], line)
			i += n
		}
	}
	return "", true
}

const jsonDepth = 500 // containers within one another

func (r *jsonReader) top() byte {
	if !r.reading() {
		return 0
	}
	return r.stack[len(r.stack)-1].kind
}

func (r *jsonReader) intern(key string) string {
	if k, ok := r.keys[key]; ok {
		return k
	}
	if r.keys == nil {
		r.keys = map[string]string{}
	}
	key = strings.Clone(key)
	if len(r.keys) < 4096 {
		r.keys[key] = key
	}
	return key
}

func (r *jsonReader) add(kind byte, text string, line int) {
	in := &r.root
	if r.reading() {
		in = r.stack[len(r.stack)-1]
	}
	n := &jsonNode{kind: kind, text: text, at: in.n, line: line, size: len(text)}
	if in.kind == '{' {
		n.key = r.key
	}
	in.n++
	in.kids = append(in.kids, n)
	r.want = 'n'
	if !n.container() {
		r.leaves++
		return
	}
	n.open, n.size = true, 2
	r.stack = append(r.stack, n)
	if r.want = 'f'; kind == '{' {
		r.want = 'K'
	}
}

// shut ends the innermost container.
func (r *jsonReader) shut() {
	n := r.stack[len(r.stack)-1]
	n.open = false
	for _, kid := range n.kids {
		n.size += kid.size + 1
		if n.kind == '{' {
			n.size += len(kid.key) + 3
		}
	}
	r.stack = r.stack[:len(r.stack)-1]
	r.want = 'n'
}

// abandon ends a document that breaks off.
func (r *jsonReader) abandon() {
	for r.reading() {
		n := r.stack[len(r.stack)-1]
		r.shut()
		n.open = true
	}
}

// forget takes the last document back.
func (r *jsonReader) forget() {
	r.stack = nil
	if n := len(r.root.kids); n > 0 {
		r.root.kids = r.root.kids[:n-1]
		r.root.n--
	}
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

// closes reports whether the string that is all of s has an end.
func closes(s string) bool {
	slashes := len(s) - 1 - len(strings.TrimRight(s[:len(s)-1], `\`))
	return s[len(s)-1] == '"' && slashes%2 == 0
}

// scalarEnd returns where a number or a word ends that s begins with.
func scalarEnd(s string) int {
	if i := strings.IndexAny(s, ",]} \t\r:{[\""); i >= 0 {
		return max(i, 1)
	}
	return len(s)
}

// scalarKind tells a number from true, false and null; 0 is none of these.
func scalarKind(s string) byte {
	switch s {
	case "true", "false":
		return 't'
	case "null":
		return 'n'
	case "NaN", "Infinity", "-Infinity": // as Python writes them
		return '0'
	}
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || !isDigit(digits[0]) || strings.Trim(digits, "0123456789.eE+-") != "" {
		return 0
	}
	return '0'
}
