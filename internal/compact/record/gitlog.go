package record

import (
	"cmp"
	"strconv"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/text"
)

// gitlog is the parser for git log in its formats and for git show. Of each
// commit it keeps the hash, the subject, the author and the day unless they
// are those of the commit before, and the summary of what changed; the bodies
// of messages go, except when there is but one commit. Patches are left to
// diff.
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
	seen   bool   // the subject of this commit
	rows   int    // files listed of this commit
	body   []Line // the first commit's message, kept if it stays the only one
	author string // of the commit before
	date   string
	above  bool   // one of them was left out
	said   bool   // and a note has said so
	last   Record // the last subject, for the note on messages
	lines  int    // of messages that were left out
	show   bool   // git show: messages are kept
	exact  bool   // git show REV:PATH: a file, which is not touched
}

type logState uint8

const (
	logStart   logState = iota // no commit yet, or only lines
	logHead                    // Author, Date
	logMessage                 // subject and body
	logFiles                   // stat, name-status or a patch
)

const (
	logRoom = 8000 // bytes of the headers and subjects of the commits that are kept
	logRows = 40   // files listed of each
	logBody = 40   // lines of the message of an only commit
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
	switch {
	case isCommit(t):
		p.begin(l, emit)
		p.state = logHead
	case p.state == logHead:
		p.head(l, t, emit)
	case p.state == logMessage && (t == "" || p.graph && !statLine(t) || strings.HasPrefix(s, "    ")):
		p.message(l, t, emit)
	case oneline(t) && (p.state != logMessage || p.graph):
		p.begin(l, emit)
		p.state = logFiles
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
	return strings.TrimLeft(s, "*|/\\_- ")
}

// outdent takes off what git indents a message or a list of files by.
func (p *gitlog) outdent(s, by string) string {
	if p.graph {
		return s
	}
	return strings.TrimPrefix(s, by)
}

func (p *gitlog) begin(l Line, emit Emit) {
	p.commit++
	p.full = p.full || p.bytes > cmp.Or(p.room, logRoom)
	class := p.weigh(Keep.unless(p.full, Good), l)
	if p.show || p.commit == 2 {
		p.flushBody(Folded.unless(p.show, Keep), emit)
	}
	p.seen, p.rows = false, 0
	emit(Record{Class: class, Lines: []Line{l}, Count: "commits", Rest: p.full})
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
	case t == "":
		p.state = logMessage
	case p.full:
		class = Good
	case p.diff.less() && !p.show:
	case hasPrefix(t, "Author:", "author ", "Tagger:"):
		if i := strings.LastIndex(l.Text, " <"); i > 0 {
			l.Text = l.Text[:i]
		}
		name, _, _ := strings.Cut(t, " <")
		class = p.unlike(&p.author, name)
	case hasPrefix(t, "Date:", "AuthorDate:"):
		l.Text = l.Text[:min(strings.Index(l.Text, "Date:")+len("Date: "), len(l.Text))] + shortDate(t)
		class = p.unlike(&p.date, shortDate(t))
	}
	emit.line(p.weigh(class, l), l)
}

// unlike keeps what is not as in the commit before.
func (p *gitlog) unlike(before *string, s string) Class {
	same := s == *before
	p.above, *before = p.above || same, s
	return Keep.unless(same, Folded)
}

// note says once that what a commit does not show stands above.
func (p *gitlog) note() string {
	if !p.above || p.said {
		return ""
	}
	p.said = true
	return "[… author or day not shown: as above …]"
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
		l.Text = p.outdent(l.Text, "    ")
		if p.full {
			emit.line(Good, l)
			return
		}
		emit.open(&p.last)
		p.bytes += len(l.Text) + 1
		p.last = Record{Class: Keep, Lines: []Line{l}, Note: p.note()}
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
		l.Text = p.outdent(l.Text, " ")
		emit.line(Keep, l)
	case statLine(t) || !strings.ContainsAny(t, " "):
		p.changed(l, t, emit)
	default:
		p.diff.outside(l, emit)
	}
}

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
	emit(r)
}

func (p *gitlog) Close(emit Emit) {
	p.flushBody(Keep, emit)
	if p.lines > 0 {
		p.last.Note = strings.TrimPrefix(p.last.Note+"\n[… "+text.Thousands(p.lines)+" more lines of messages …]", "\n")
	}
	emit.open(&p.last)
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

// gitstatus is the parser for git status, long and short. The hints on what
// to type next go; of many files those of one directory with the same state
// are put together.
//
// Format: git-status(1); "XY path" of -s and --porcelain=v1, and the sections
// of the long form, whose rows begin with a tab.
type gitstatus struct {
	section string
	rows    []Record // held, to know whether they are many
	many    bool
}

const statusFew = 12 // rows that stay as they are

func (p *gitstatus) Line(l Line, emit Emit) {
	s := l.Text
	switch {
	case strings.HasPrefix(s, "\t"):
		at := 1
		if i := strings.Index(s, ":   "); i > 0 {
			at = len(s) - len(strings.TrimLeft(s[i+1:], " "))
		}
		p.row(l, s[1:at], s[at:], emit)
	case shortStatus(s):
		p.row(l, s[:3], s[3:], emit)
	case hasPrefix(s, `  (use "git `, `  (commit or discard`), strings.TrimSpace(s) == "":
		emit.line(Folded, l)
	case fatal(s):
		emit.line(Failure, l)
	default:
		if strings.HasSuffix(s, ":") {
			p.section = s
		}
		emit.line(Keep, l)
	}
}

// shortStatus reports whether s is "XY path".
func shortStatus(s string) bool {
	const states = " MTADRCU?!"
	return len(s) > 3 && s[2] == ' ' && s[3] != ' ' && strings.IndexByte(states, s[0]) >= 0 && strings.IndexByte(states, s[1]) >= 0 && s[:2] != "  "
}

func (p *gitstatus) row(l Line, state, name string, emit Emit) {
	r := Record{List: ListRow, Lines: []Line{l}}
	if !strings.Contains(name, " -> ") {
		r = named(l, state, name, "")
		r.Group += "\x00" + p.section
	}
	if p.rows = append(p.rows, r); p.many || len(p.rows) > statusFew {
		p.many = true
		p.Close(emit)
	}
}

func (p *gitstatus) Close(emit Emit) {
	for _, r := range take(&p.rows) {
		if !p.many {
			r = Record{Class: Keep, Lines: r.Lines}
		}
		emit(r)
	}
}

// gitsync is the parser for what git says while it moves things: clone,
// fetch, pull, push, checkout, merge, rebase, commit. Progress goes, and of
// advice all but its first line; refs, conflicts and errors stay.
//
// Formats: git-fetch(1) and git-push(1), "output"; git-merge(1).
type gitsync struct {
	hint bool // the line before was advice
	auto Line // "Auto-merging f", until it is known whether f is in conflict
}

func (p *gitsync) Line(l Line, emit Emit) {
	s := strings.TrimPrefix(l.Text, "remote: ")
	t := strings.TrimSpace(s)
	r := Record{Lines: []Line{l}}
	p.merging(t, emit)
	told := p.hint
	p.hint = strings.HasPrefix(t, "hint:")
	switch {
	case strings.HasPrefix(t, "Auto-merging "):
		p.auto = l
		return
	case t == "" || t == "remote:", hasPrefix(t, "hint: Disable this message", "(use \"git "), t == "hint:":
		r.Class = Folded
	case hasPrefix(t, transfer...), told && p.hint && !hasAny(t, waysOn...), hasPrefix(t, "Please make sure you have the correct access rights", "and the repository exists."):
		r.Class = Good
	case hasPrefix(t, conflict...) || fatal(t):
		r.Class, r.Key = Failure, t
	case strings.HasPrefix(t, "! ["):
		r.Class = Failure
		r.Lines[0].Text = squeezed(l.Text, true)
	case strings.HasPrefix(t, "warning: "):
		r.Class, r.Key = Warn, lines.Template(t)
	case hasPrefix(t, "* [", "- [", "+ ["), strings.Contains(t, " -> ") && strings.Contains(t, ".."):
		r.List = ListRow
		r.Lines[0].Text = squeezed(l.Text, true)
	case statSummary(t):
		r.Class = Keep
	case statLine(t):
		r = changed(l)
	case hasPrefix(t, "[COMPLETED] ", "[SKIPPED] "): // of a hook: a run of them is one line
	case strings.HasPrefix(t, "hint: "), hasPrefix(l.Text, "To ", "From "), hasPrefix(t, "[", "Updating ", "HEAD is now at "):
		r.Class = Keep
	}
	emit(r)
}

// waysOn are in the hints that name how to go on from where git stopped.
var waysOn = words{" --continue", " --skip", " --abort"}

func (p *gitsync) Close(emit Emit) { p.merging("", emit) }

// merging gives a held line about a file that is merged: the conflict below
// it says as much.
func (p *gitsync) merging(next string, emit Emit) {
	if auto := take(&p.auto); auto.Text != "" {
		_, file, ok := strings.Cut(auto.Text, "Auto-merging ")
		emit.line(Good.unless(ok && hasPrefix(next, conflict...) && strings.Contains(next, file), Folded), auto)
	}
}

// transfer begins a count of objects or files while they are moved.
var transfer = words{"Enumerating objects", "Counting objects", "Compressing objects", "Receiving objects", "Resolving deltas", "Writing objects",
	"Unpacking objects", "Updating files", "Checking out files", "Delta compression using", "Total ", "Filtering content",
	"Rebasing (", "Finding sources", "Auto packing", "Checking connectivity"}

// conflict begins what says that something stands in the way.
var conflict = words{"CONFLICT (", "Automatic merge failed", "error: ", "Could not apply ", "could not apply ", "Aborting", "Merge conflict", "Patch failed at"}
