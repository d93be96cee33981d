package compact

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
)

// findings are diagnostics that name a place: a compiler's, a linter's. Those
// that say the same, or the same of another name, are one message with all its
// places.
type findings struct {
	messages []*message
	byForm   map[string]*message
	spots    int
}

// A message is what some findings say: before, their own name, after.
type message struct {
	n             int           // the line of the first
	lines         []record.Line // as the tool printed it
	class         record.Class
	code, apart   string
	before, after string
	varies        []bool // of the numbers before and after, which differ
	below, source []string
	spots         []spotted
	more          places // those that are not held
	room          int    // bytes for its places
	alone         bool   // the only one stands as the tool printed it
	count         int
}

// A spotted is where a finding is, and the name that it is about.
type spotted struct{ file, at, name string }

const (
	maxMessages   = 300    // told apart; of later ones the numbers are not, and then nothing but the code
	maxSpots      = 20_000 // places held, of all messages
	spotsRoom     = 2 << 10
	warnSpotsRoom = 700 // half of it where something fails
	allSpotsRoom  = 6 << 10
	namesRoom     = 700 // bytes of the names that they are about
	sourceFew     = 3   // so many failures show the source that they are about
	sourceLines   = 5
	timesShown    = 12
	dirLong       = 16 // bytes of a directory that is written once above its files
	mergeShort    = 16 // bytes that messages must share
	codeMessages  = 60 // failures with one code that are told apart
	mergeLook     = 12 // messages of one code that another is compared with
	warnMessages  = 40 // warnings that are shown
	warnCode      = 4  // and of these with one code
)

func (s *store) addFinding(r record.Record) {
	f := &s.found
	brief := max(1, min(r.Brief, len(r.Lines)))
	before, name, after := quotedName(r.Says)
	numbers := r.Class == record.Warn || len(f.messages) >= maxMessages
	form := before + "\x00" + after
	if numbers {
		form = lines.Template(before) + "\x00" + lines.Template(after)
	}
	form += "\x00" + r.Kind + "\x00" + r.Apart
	if len(f.messages) >= 2*maxMessages && f.byForm[form] == nil {
		before, name, after, form = r.Kind, "", "", r.Kind
	}
	m := f.byForm[form]
	if m == nil {
		says := slices.DeleteFunc(slices.Clone(r.Lines[:brief]), func(l record.Line) bool { return l.Code })
		if len(says) == 0 {
			says = r.Lines[:1]
		}
		m = &message{n: r.Lines[0].N, lines: says, class: r.Class, alone: r.Alone, code: r.Kind, apart: r.Apart, before: before, after: after}
		m.below = texts(r.Lines, func(i int, l record.Line) bool { return !l.Code && i >= r.Brief })
		m.source = texts(r.Lines, func(_ int, l record.Line) bool { return l.Code && strings.Trim(l.Text, " \t^~|-`'") != "" })
		if f.byForm == nil {
			f.byForm = map[string]*message{}
		}
		f.byForm[form] = m
		f.messages = append(f.messages, m)
	} else if numbers {
		m.note(before + "\x00" + after)
	}
	if m.class == record.Warn {
		m.class = r.Class
	}
	m.count++
	file, at := splitPlace(r.Site)
	switch {
	case f.spots >= maxSpots:
		m.more.add(r.Site)
	case !slices.Contains(m.spots[max(0, len(m.spots)-mergeLook):], spotted{file, at, name}):
		m.spots = append(m.spots, spotted{file, at, name})
		f.spots++
	}
	for _, l := range r.Lines[:brief] {
		if l.Code { // among the source may stand what another program said
			s.guard.second(l)
		}
	}
	s.fold(r.Lines, brief)
}

// said are the lines that the messages stand for.
func (f *findings) said() (out []*item) {
	for _, m := range f.messages {
		for _, l := range m.lines {
			out = append(out, &item{n: l.N, text: l.Text})
		}
	}
	return out
}

// texts returns the lines that wanted selects and replaces the indentation they
// share by two spaces.
func texts(ls []record.Line, wanted func(int, record.Line) bool) (out []string) {
	least := len(ls[0].Text)
	for i, l := range ls {
		if wanted(i, l) {
			least = min(least, leadingSpace(l.Text))
			out = append(out, l.Text)
		}
	}
	for i := range out {
		out[i] = "  " + out[i][min(least, leadingSpace(out[i])):]
	}
	return out
}

// note compares the numbers of another text with those of the message.
func (m *message) note(other string) {
	if m.varies != nil && !slices.Contains(m.varies, false) {
		return
	}
	a, b := numbersIn(m.before+"\x00"+m.after), numbersIn(other)
	for len(m.varies) < len(a) {
		m.varies = append(m.varies, false)
	}
	for i := range min(len(a), len(b)) {
		m.varies[i] = m.varies[i] || a[i] != b[i]
	}
}

// numbersIn are the runs of digits in s.
func numbersIn(s string) (all []string) {
	for i := 0; i < len(s); i++ {
		if n := len(s[i:]) - len(strings.TrimLeft(s[i:], "0123456789")); n > 0 {
			all = append(all, s[i:i+n])
			i += n
		}
	}
	return all
}

// text is what the message says, with … for the names, and behind a number
// that is not the same in all.
func (m *message) text() string {
	name := ""
	switch {
	case m.one():
		name = m.spots[0].name
	case m.named():
		name = "…"
		if m.after != "" && strings.IndexByte(" .,;:)'\"`", m.after[0]) < 0 {
			name += " "
		}
	}
	if !slices.Contains(m.varies, true) {
		return m.before + name + m.after
	}
	var b strings.Builder
	said, k := m.before+"\x00"+m.after, 0
	for i := 0; i < len(said); i++ {
		n := len(said[i:]) - len(strings.TrimLeft(said[i:], "0123456789"))
		if n == 0 {
			b.WriteByte(said[i])
			continue
		}
		if varies := k < len(m.varies) && m.varies[k]; varies {
			n = len(said[i:]) - len(strings.TrimLeft(said[i:], "0123456789/.%-"))
			k += len(numbersIn(said[i:i+n])) - 1
			b.WriteString(said[i:i+n] + "…")
		} else {
			b.WriteString(said[i : i+n])
		}
		i += n - 1
		k++
	}
	return strings.Replace(b.String(), "\x00", name, 1)
}

// one reports whether all findings say the very same.
func (m *message) one() bool {
	return len(m.spots) > 0 && !slices.ContainsFunc(m.spots, func(s spotted) bool { return s.name != m.spots[0].name })
}

func (m *message) named() bool {
	return slices.ContainsFunc(m.spots, func(s spotted) bool { return s.name != "" })
}

// local reports whether all its places are in one file.
func (m *message) local() bool {
	return len(m.more.files) == 0 && !slices.ContainsFunc(m.spots, func(s spotted) bool { return s.file != m.spots[0].file })
}

// merge takes another message in, if both differ in a few words at one place.
func (m *message) merge(o *message) bool {
	if m.code != o.code || m.apart != o.apart || m.class != o.class || len(m.below)+len(o.below)+len(m.varies)+len(o.varies) > 0 {
		return false
	}
	ends := func(m *message) (before, after string) {
		if m.one() {
			text := m.before + m.spots[0].name + m.after
			return text, text
		}
		return m.before, m.after
	}
	mb, ma := ends(m)
	ob, oa := ends(o)
	most := min(m.size(false), o.size(false))
	pre, post := 0, 0
	for pre < min(len(mb), len(ob), most) && mb[pre] == ob[pre] {
		pre++
	}
	for pre > 0 && !wordEdge(mb, pre) {
		pre--
	}
	for post < min(len(ma), len(oa), most-pre) && ma[len(ma)-1-post] == oa[len(oa)-1-post] {
		post++
	}
	for post > 0 && !wordEdge(ma, len(ma)-post) {
		post--
	}
	name := max(m.size(true), o.size(true)) - pre - post
	longer := (name-m.nameSize())*m.differ() + (name-o.nameSize())*o.differ()
	if name > nameLong || pre+post < max(mergeShort, name) || longer > pre+post+m.shared(o) {
		return false
	}
	m.recut(pre, post)
	o.recut(pre, post)
	m.spots = append(m.spots, o.spots...)
	m.count += o.count
	return true
}

// wordEdge reports whether s may be cut before byte i.
func wordEdge(s string, i int) bool {
	return i >= len(s) || i > 0 && strings.IndexByte(" (", s[i-1]) >= 0 || strings.IndexByte(" ),;", s[i]) >= 0 || s[i] == '.' && (i+1 == len(s) || s[i+1] == ' ')
}

// size is how long the longest or the shortest text is.
func (m *message) size(longest bool) int {
	n := len(m.spots[0].name)
	for _, s := range m.spots {
		if longest == (len(s.name) > n) {
			n = len(s.name)
		}
	}
	return len(m.before) + n + len(m.after)
}

// nameSize is how long the longest name is.
func (m *message) nameSize() int {
	if m.one() {
		return 0
	}
	return m.size(true) - len(m.before) - len(m.after)
}

// differ is how many names there are.
func (m *message) differ() int {
	names := map[string]bool{}
	for _, s := range m.spots {
		names[s.file+"\x00"+s.name] = true
	}
	return len(names)
}

// shared is how long the names of the files are that both are about.
func (m *message) shared(o *message) (n int) {
	files := map[string]bool{}
	for _, s := range m.spots {
		files[s.file] = true
	}
	for _, s := range o.spots {
		if files[s.file] {
			_, base := cutDir(s.file)
			n += len(base) + 2
			delete(files, s.file)
		}
	}
	return n
}

// recut makes what is between the first and the last bytes the names.
func (m *message) recut(pre, post int) {
	before, after := "", ""
	for i := range m.spots {
		text := m.before + m.spots[i].name + m.after
		before, after = text[:pre], text[len(text)-post:]
		m.spots[i].name = text[pre : len(text)-post]
	}
	m.before, m.after = before, after
}
