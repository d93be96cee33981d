package record

import (
	"cmp"
	"strconv"
	"strings"

	"cairn/internal/text"
)

// gitlog is the parser for git log in its formats and for git show. A commit
// becomes one line, its hash and its subject; author and day head the commits
// that share them. The summary of what changed stays; the bodies of messages
// go, except when there is but one commit. Patches are left to diff.
//
// Formats: git-log(1), "pretty formats", with --stat, --name-status,
// --numstat, --graph, --oneline, -p.
type gitlog struct {
	diff   diff
	state  logState
	graph  bool
	commit int    // commits so far
	room   int    // bytes of commits that are kept; 0: logRoom
	bytes  int    // of those kept so far
	full   bool   // there is no room for this commit or a later one
	hash   *Line  // the line with it, until the subject comes that it stands before
	by     []Line // and those with author and day, if they are others than before
	says   string // what they say
	seen   bool   // the subject of this commit
	rows   int    // files listed of this commit
	body   []Line // the first commit's message, kept if it stays the only one
	author string // of the commit before
	date   string
	year   string // of the last heading
	units  string // what summaries spelled out: "1 file changed, 2 insertions(+)"
	at     int    // the line of the last subject
	lines  int    // of messages that were left out
	before string // the subject above
	signed signing
	one    Record // the first file of this commit, until it is known whether it is the only one
	show   bool   // git show: messages are kept
	exact  bool   // git show REV:PATH: a file, which is not touched
}

type logState uint8

const (
	logStart   logState = iota // no commit yet, or only lines
	logHead                    // Author, Date
	logMessage                 // subject and body
	logSigned                  // what is said of a signature before a subject that stands alone
	logFiles                   // stat, name-status or a patch
)

const (
	logRoom = 8000 // bytes of the headers and subjects of the commits that are kept
	logRows = 40   // files listed of each
	logBody = 40   // lines of the message of an only commit

	logWhole = 20 // commits whose hash stays whole
	logShort = 10 // digits of the others'
)

func (p *gitlog) Line(l Line, emit Emit) {
	s := l.Text
	if p.show && p.state == logStart && p.diff.files == nil && !isCommit(s) && !strings.HasPrefix(s, "diff ") && !oneline(s) {
		p.exact = true
	}
	if p.exact {
		emit.line(Keep, l)
		return
	}
	if p.diff.file != nil && p.diff.take(l, emit) {
		return
	}
	t := p.bare(s)
	if p.one.Lines != nil && !statSummary(t) {
		emit.open(&p.one)
	}
	switch {
	case p.state == logSigned:
		p.signature(l, t, emit)
	case isCommit(t):
		p.begin(l, false, emit)
		p.state = logHead
	case p.state == logHead:
		p.head(l, t, emit)
	case p.state == logMessage && (t == "" || p.graph && !statLine(t) || strings.HasPrefix(s, "    ")):
		p.message(l, t, emit)
	case oneline(t) && (p.state != logMessage || p.graph):
		p.state = logFiles
		p.begin(l, true, emit)
	case p.diff.take(l, emit):
		p.state = logFiles
	default:
		p.file(l, t, emit)
	}
}

// bare takes the graph off a line: "| * commit 1f".
func (p *gitlog) bare(s string) string {
	if s == "" || !strings.ContainsRune("*|/\\_", rune(s[0])) && !(p.graph && s[0] == ' ') {
		return strings.TrimSpace(s)
	}
	p.graph = true
	t := strings.TrimLeft(s, "*|/\\_- ")
	if strings.HasPrefix(t, ". ") && strings.Contains(s, "-. ") { // an octopus: "*-.   1f"
		t = strings.TrimLeft(t, ". ")
	}
	return t
}

// drawn is the graph before a commit, of which the column stays that it is in:
// "| | * |   1f" is "||* 1f".
func drawn(s, t string) string {
	lead, _, ok := strings.Cut(s[:len(s)-len(t)], "*")
	if !ok {
		return ""
	}
	return strings.ReplaceAll(lead, " ", "") + "* "
}

// outdent takes off what git indents a message or a list of files by.
func (p *gitlog) outdent(s, by string) string {
	if p.graph {
		return s
	}
	return strings.TrimPrefix(s, by)
}

// begin takes the first line of a commit, which may be alone: --oneline.
func (p *gitlog) begin(l Line, alone bool, emit Emit) {
	p.bareHash(emit)
	p.commit++
	room := cmp.Or(p.room, logRoom)
	if alone {
		most := room / 3                                                                // of a graph, which also takes the eye: the newest tell where they came from
		if room -= room * 7 / 15 / 40 * max(0, min(p.bytes/p.commit-24, 40)); p.graph { // long rows have less than short ones, as in any list
			room = min(room, most)
		}
		p.full = p.full || p.bytes+len(l.Text) > room
	}
	p.full = p.full || p.bytes > room
	if p.show || p.commit == 2 {
		p.flushBody(Folded.unless(p.show, Keep), emit)
	}
	if p.seen, p.rows = false, 0; p.commit > 1 {
		p.diff.room = diffLog
	}
	t := p.bare(l.Text)
	if !p.full && !alone {
		p.hash = &l
		return
	}
	if n := hexLen(t); alone && !p.full {
		head := p.short(t[:n])
		if p.graph {
			head = drawn(l.Text, t) + head
		}
		if strings.HasPrefix(t[n:], " error: gpg") || p.signed.take(strings.TrimSpace(t[n:])) {
			p.hash, p.state = &Line{N: l.N, Text: head, Keep: l.Keep}, logSigned
			return
		}
		if n < len(t) {
			names, subject := decorated(t[n:])
			l.Text = head + names + p.subjectOf(subject)
		}
	}
	emit(Record{Class: p.weigh(Keep.unless(p.full, Good), l), Lines: []Line{l}, Count: "commits", Rest: p.full})
}

// short is the hash of a commit; of one far down as many digits stay as tell it
// from the others. What git has shortened stays.
func (p *gitlog) short(hash string) string {
	if len(hash) < len("1f2e3d4c5b6a79880706050403020100ffeeddcc") || p.commit <= logWhole {
		return hash
	}
	return hash[:logShort]
}

// subjectOf is a subject, unless it is that of the commit above: a merge has often
// that of what it merges, and its number.
func (p *gitlog) subjectOf(t string) string {
	number := ""
	if i := strings.LastIndex(t, " (#"); i > 0 && strings.HasSuffix(t, ")") && digitsOnly(t[i+3:len(t)-1]) {
		t, number = t[:i], t[i:]
	}
	if t == p.before && len(t) > len(sameSubject) {
		return sameSubject + number
	}
	p.before = t
	return t + number
}

const sameSubject = "[same subject]"

// decorated parts the names of branches, with the spaces around them, from a
// subject: " (HEAD -> main) Subject".
func decorated(s string) (names, subject string) {
	end := 1
	if i := strings.Index(s, ") "); strings.HasPrefix(s, " (") && i > 0 {
		end = i + len(") ")
	}
	return s[:end], s[end:]
}

// signature takes a line of a commit that --oneline shows with its signature.
func (p *gitlog) signature(l Line, t string, emit Emit) {
	if strings.HasPrefix(t, "error: gpg") || p.signed.take(t) {
		emit.line(Folded, l)
		return
	}
	p.state = logFiles
	p.subject(l, emit)
}

// bareHash gives a commit that has no subject.
func (p *gitlog) bareHash(emit Emit) {
	head := take(&p.hash)
	if head == nil {
		return
	}
	emit(Record{Class: Folded, Lines: []Line{{N: head.N}}, Count: "commits"})
	s := head.Text
	if p.by != nil {
		s += " (" + p.says + ")"
	}
	emit.all(Folded, &p.by)
	emit(Record{Class: Keep, Instead: true, Lines: []Line{{N: head.N, Text: s}}})
	p.bytes += len(s) + 1
}

// subject puts the line with the hash before the subject.
func (p *gitlog) subject(l Line, emit Emit) {
	p.heading(emit)
	t := p.outdent(l.Text, "    ")
	if p.graph {
		_, after, ok := strings.Cut(t, "    ")
		if t = p.bare(t); ok {
			t = strings.TrimSpace(after)
		}
	}
	t = p.subjectOf(t) + p.signed.of()
	head := *take(&p.hash)
	emit(Record{Class: Folded, Lines: []Line{{N: head.N}}, Count: "commits"})
	if before, rest, ok := strings.Cut(head.Text, "commit "); ok {
		if p.graph {
			before = drawn(head.Text, "commit "+rest)
		}
		if p.commit == 1 || p.diff.files != nil { // below a patch it must tell itself from one
			before += "commit "
		}
		n := hexLen(rest)
		head.Text = before + p.short(rest[:n]) + rest[n:]
	}
	emit.instead(Keep, head.Text+" "+t, l)
	p.bytes += len(head.Text) + len(t) + 2
	p.at = l.N
}

// Scale also has authors and days left out.
func (p *gitlog) Scale(parts int) { p.diff.Scale(parts) }

// Room says how many bytes the commits may take.
func (p *gitlog) Room(n int) { p.room = n }

// weigh adds a line that is kept to the room that is used.
func (p *gitlog) weigh(c Class, l Line) Class {
	if c == Keep {
		p.bytes += len(l.Text) + 1
	}
	return c
}

// head takes a line of a commit's header.
func (p *gitlog) head(l Line, t string, emit Emit) {
	class := Folded
	switch {
	case t == "" && (l.Text == "" || p.graph): // a signature has a line that is a space
		p.state = logMessage
	case strings.HasPrefix(t, "error: gpg"): // why no signature is looked at
		emit(Record{Class: Keep, Key: t, Lines: []Line{l}})
		return
	case p.signed.take(t):
	case p.full:
		class = Good
	case p.diff.less() && !p.show:
	case hasPrefix(t, "Author:", "author ", "Tagger:"):
		_, name, _ := strings.Cut(t, " ")
		name, _, _ = strings.Cut(strings.TrimLeft(name, " "), " <")
		if p.author != name {
			if p.author, p.by, p.says = name, []Line{l}, name; p.diff.files != nil {
				p.date = ""
			}
			return
		}
	case hasPrefix(t, "Date:", "AuthorDate:"):
		date := shortDate(t)
		if date == p.date || date == "" {
			break
		}
		if p.date = date; p.by == nil {
			p.says = ""
		} else {
			p.says += ", "
		}
		p.by = append(p.by, l)
		if day, ok := strings.CutSuffix(date, p.year); ok && p.year != "" {
			date = day
		} else if i := strings.LastIndexByte(date, ' '); i > 0 && len(date)-i == len(" 2026") {
			p.year = date[i:]
		}
		p.says += date
		return
	}
	emit.line(class, l)
}

// heading says whom the commits below are by, and of which day. The year
// stands where it is another.
func (p *gitlog) heading(emit Emit) {
	if p.by != nil {
		p.bytes += len(p.says) + 2
		emit.instead(Keep, p.says+":", take(&p.by)...)
	}
}

// shortDate leaves "Aug 20 2026" of "Date:   Thu Aug 20 09:12:10 2026 -0700"
// and the day of any other form.
func shortDate(t string) string {
	f := strings.Fields(t)[1:]
	switch {
	case len(f) == 6 && len(f[0]) == 3:
		return strings.Join([]string{f[1], f[2], f[4]}, " ")
	case len(f) > 0 && len(f[0]) >= 10 && strings.Count(f[0][:10], "-") == 2:
		return f[0][:10]
	}
	return strings.Join(f, " ")
}

// message takes a line of the subject or the body.
func (p *gitlog) message(l Line, t string, emit Emit) {
	switch {
	case t == "":
		emit.line(Folded, l)
	case !p.seen:
		p.seen = true
		if p.full || p.hash == nil {
			emit.line(Good.unless(!p.full, Keep), l)
			return
		}
		p.subject(l, emit)
	case (p.show || p.commit == 1) && len(p.body) < logBody:
		l.Text = p.outdent(l.Text, "    ")
		p.body = append(p.body, l)
	case p.full:
		emit.line(Good, l)
	default:
		p.lines++
		emit.line(Folded, l)
	}
}

func (p *gitlog) flushBody(class Class, emit Emit) {
	if class == Folded {
		p.lines += len(p.body)
	}
	emit.block(class, &p.body)
}

// file takes a line on the files of a commit, or one that is not known.
func (p *gitlog) file(l Line, t string, emit Emit) {
	if p.state == logMessage {
		p.state = logFiles
	}
	switch {
	case t == "", t == "---":
		emit.line(Folded, l)
	case p.state == logStart:
		p.diff.outside(l, emit)
	case statSummary(t):
		p.summary(l, emit)
	case statLine(t) || !strings.ContainsAny(t, " "):
		p.changed(l, t, emit)
	default:
		p.diff.outside(l, emit)
	}
}

// summary takes what is said of all files of a commit. Of the only one it says how
// many lines, which --stat has as one figure.
func (p *gitlog) summary(l Line, emit Emit) {
	l.Text = p.sum(p.outdent(l.Text, " "))
	one := take(&p.one)
	_, lines, ok := strings.Cut(l.Text, "1 file, ")
	name, figure, bar := strings.Cut(one.Row, " ")
	if one.Lines != nil && ok && bar && digitsOnly(figure) && !l.Keep {
		one.Row = name + " " + lines
		l.Text = ""
		emit(one)
		emit.line(Folded, l)
		return
	}
	emit.open(&one)
	emit.line(Keep, l)
}

// sum is the summary of a commit without the words that one above has:
// "4 files, 378(+), 6(-)".
func (p *gitlog) sum(s string) string {
	for _, w := range strings.Fields(s) {
		if !isDigit(w[0]) && !strings.Contains(p.units, strings.TrimRight(w, "(+-),")) {
			p.units += s
			return s
		}
	}
	return summing.Replace(s)
}

var summing = strings.NewReplacer(" changed", "", " insertions", "", " insertion", "", " deletions", "", " deletion", "")

// changed takes a file of a commit: those of one directory are folded.
func (p *gitlog) changed(l Line, t string, emit Emit) {
	l.Text = p.outdent(l.Text, " ")
	if p.rows++; p.rows > logRows || p.full || p.graph {
		l.Text = statBar(l.Text)
		over := p.rows > logRows || p.full
		emit(Record{Class: p.weigh(Keep.unless(over, Good), l), Lines: []Line{l}, Rest: over})
		return
	}
	r := changed(l)
	if !statLine(t) {
		r = named(l, "", t, "")
	}
	r.Group += "\x00" + strconv.Itoa(p.commit)
	p.bytes += len(r.Row) + 2
	if p.rows == 1 {
		p.one = r
		return
	}
	emit(r)
}

func (p *gitlog) Close(emit Emit) {
	emit.open(&p.one)
	p.bareHash(emit)
	p.flushBody(Keep, emit)
	if p.lines > 0 {
		emit(Record{Class: Keep, Instead: true, Lines: []Line{{N: p.at, Text: "[… " + text.Thousands(p.lines) + " more " + text.Plural(p.lines, "line") + " of messages …]"}}})
	}
	p.diff.Close(emit)
}

// isCommit reports whether s is "commit 1f2e3d4… (HEAD -> main)", or the
// first line of a tag.
func isCommit(s string) bool {
	if rest, ok := strings.CutPrefix(s, "commit "); ok {
		return hexLen(strings.TrimLeft(rest, "<>-^ ")) >= 7
	}
	return strings.HasPrefix(s, "tag ") && !strings.Contains(s[4:], " ")
}

// oneline reports whether s begins with a short hash.
func oneline(s string) bool {
	n := hexLen(s)
	return n >= 7 && (len(s) == n || s[n] == ' ')
}

// hexLen returns how long the hash is that s begins with.
func hexLen(s string) int {
	n := 0
	for n < len(s) && n < 64 && (s[n] >= '0' && s[n] <= '9' || s[n] >= 'a' && s[n] <= 'f') {
		n++
	}
	return n
}

// statLine reports whether s is a row about one file of --stat, --numstat,
// --name-status or --raw, or one of --summary.
func statLine(s string) bool {
	if i := strings.LastIndex(s, " | "); i > 0 {
		rest := strings.TrimLeft(s[i+3:], " ")
		return strings.HasPrefix(rest, "Bin") || rest != "" && isDigit(rest[0]) || rest == "Unmerged"
	}
	f, rest, tab := strings.Cut(s, "\t")
	if tab && rest != "" {
		return len(f) > 0 && (strings.ContainsRune("ACDMRTUX", rune(f[0])) && len(f) <= 4 || f == "-" || isDigit(f[0]) || f[0] == ':')
	}
	return hasPrefix(s, "create mode ", "delete mode ", "rename ", "copy ", "mode change ", "rewrite ")
}

// statSummary reports whether s is "4 files changed, 378 insertions(+)".
func statSummary(s string) bool {
	return s != "" && isDigit(s[0]) && hasAny(s, " files changed", " file changed")
}

// statBar takes the bar and the padding out of " a/b.go    | 12 +++---".
func statBar(s string) string {
	i := strings.LastIndex(s, " | ")
	if i < 0 {
		return s
	}
	return strings.TrimRight(s[:i], " ") + " | " + strings.TrimLeft(strings.TrimRight(s[i+3:], "+- "), " ")
}
