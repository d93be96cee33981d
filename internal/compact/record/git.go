package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// gitstatus is the parser for git status, long and short. The hints on what
// to type next go, but for those that lead out of a merge, a rebase and the like; the files of one state stand on one line, and of many those
// of one directory with the same state are put together.
//
// Format: git-status(1); "XY path" of -s and --porcelain=v1, and the sections
// of the long form, whose rows begin with a tab.
type gitstatus struct {
	branch  []Line // "On branch main", until it is known how it stands to the other
	section string
	rows    []statusRow // held, to know whether they are many
	many    bool
}

const statusFew = 12 // rows that are not put together by directory

func (p *gitstatus) Line(l Line, emit Emit) {
	s := l.Text
	if stands, ok := strings.CutPrefix(s, "Your branch is "); ok && p.branch != nil && strings.HasSuffix(s, ".") {
		branch := take(&p.branch)
		emit.instead(Keep, branch[0].Text+", "+stands, append(branch, l)...)
		return
	}
	emit.all(Keep, &p.branch)
	switch {
	case strings.HasPrefix(s, "\t"):
		at := 1
		if i := strings.Index(s, ":   "); i > 0 {
			at = len(s) - len(strings.TrimLeft(s[i+1:], " "))
		}
		p.row(l, s[1:at], s[at:], emit)
	case shortStatus(s):
		p.row(l, s[:3], s[3:], emit)
	case strings.HasPrefix(s, `  (use "git `) && hasAny(s, waysOn...):
		emit.line(Keep, l)
	case hasPrefix(s, `  (use "git `, `  (commit or discard`, "  (see more in file "), s == "You have unmerged paths.", strings.TrimSpace(s) == "":
		emit.line(Folded, l)
	case fatal(s):
		emit.line(Failure, l)
	case s[0] == ' ' && statLine(strings.TrimSpace(s)): // of a command after it
		emit(changed(l))
	case hasPrefix(s, "no changes added to commit (use ", "nothing added to commit but untracked files present (use "):
		l.Text = s[:strings.Index(s, " (use ")]
		emit.line(Keep, l)
	case strings.HasPrefix(s, "On branch "):
		p.branch = []Line{l}
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

// A statusRow is a file and its state, with the section it stands in.
type statusRow struct {
	Record
	state, name string
}

func (p *gitstatus) row(l Line, state, name string, emit Emit) {
	r := Record{List: ListRow, Lines: []Line{l}}
	if !strings.Contains(name, " -> ") {
		r = named(l, state, name, "")
		r.Group += "\x00" + p.section
	}
	if p.rows = append(p.rows, statusRow{r, p.section + "\t" + state, name}); p.many || len(p.rows) > statusFew {
		p.many = true
		p.flush(emit)
	}
}

func (p *gitstatus) Close(emit Emit) {
	emit.all(Keep, &p.branch)
	p.flush(emit)
}

// flush gives the rows held: many for a list, of a few those with one state
// beside each other, but for those in conflict.
func (p *gitstatus) flush(emit Emit) {
	if p.many {
		for _, r := range take(&p.rows) {
			emit(r.Record)
		}
	}
	rows := take(&p.rows)
	for len(rows) > 0 {
		first, n := rows[0], 1
		l := first.Lines[0]
		if l.Text[0] == '\t' {
			_, state, _ := strings.Cut(first.state, "\t")
			l.Text = "\t" + strings.TrimLeft(strings.TrimRight(state, " ")+" ", " ") + first.name
			for !first.unmerged() && n < len(rows) && rows[n].state == first.state && !strings.Contains(first.name+rows[n].name, " ") {
				l.Text += " " + rows[n].name
				n++
			}
		}
		if n == 1 {
			emit.line(Keep, l)
		} else {
			var ls []Line
			for _, r := range rows[:n] {
				ls = append(ls, r.Lines...)
			}
			emit.instead(Keep, l.Text, ls...)
		}
		rows = rows[n:]
	}
}

func (r statusRow) unmerged() bool { return strings.HasPrefix(r.state, "Unmerged paths:") }

// gitsync is the parser for what git says while it moves things: clone,
// fetch, pull, push, checkout, merge, rebase, commit. Progress goes, and files
// that merged where others did not. Of advice its first line stays, or the
// lines that name the commands to go on with; refs, conflicts and errors stay.
//
// Formats: git-fetch(1) and git-push(1), "output"; git-merge(1).
type gitsync struct {
	advice   *Line // the first line of it, until one that names a command
	hint     bool  // the line before was advice
	wayOn    bool  // and of it one line or more is shown
	conflict bool
	merged   []Line // "Auto-merging f", until it is known whether another file is in conflict
	failed   string // "could not apply 1f2e3d4...", which git says twice
	detached bool   // within what it says whenever no branch is checked out
	last     string // the line before
}

func (p *gitsync) Line(l Line, emit Emit) {
	s := strings.TrimPrefix(l.Text, "remote: ")
	t := strings.TrimSpace(s)
	r := Record{Lines: []Line{l}}
	if strings.HasPrefix(t, "hint:") {
		p.hints(l, t, emit)
		return
	}
	p.advised(emit)
	p.conflict = p.conflict || strings.HasPrefix(t, "CONFLICT (")
	p.detached = (p.detached || strings.HasPrefix(t, "You are in 'detached HEAD' state.")) && !strings.HasPrefix(t, "HEAD is now at ")
	again := p.last == t
	p.last = t
	switch {
	case strings.HasPrefix(t, "Auto-merging "):
		emit.hold(&p.merged, mergedMost, Good, l)
		return
	case strings.HasPrefix(t, "(use \"git ") && hasAny(t, waysOn...):
		r.Class = Keep
	case p.detached, t == "" || t == "remote:", hasPrefix(t, "(use \"git ", "Rebasing (", "[STARTED] "), again && strings.HasPrefix(t, "[FAILED] "),
		p.failed != "" && strings.EqualFold(strings.Replace(t, "... # ", "... ", 1), p.failed):
		r.Class = Folded
	case hasPrefix(t, transfer...), hasPrefix(t, "Please make sure you have the correct access rights", "and the repository exists."):
		r.Class = Good
	case hasPrefix(t, conflict...) || fatal(t):
		r.Class, r.Key = Failure, t
		p.failed = strings.TrimPrefix(t, "error: ")
	case strings.HasPrefix(t, "! ["):
		r.Class = Failure
		r.Lines[0].Text = squeezed(l.Text, true)
	case strings.HasPrefix(t, "warning: "):
		r.Class, r.Key = Warn, lines.Template(t)
	case hasPrefix(t, "* [", "- ["):
		r = moved(l, t)
	case strings.HasPrefix(t, "+ ["), strings.Contains(t, " -> ") && strings.Contains(t, ".."):
		r.List = ListRow
		r.Lines[0].Text = squeezed(l.Text, true)
	case statSummary(t):
		r.Class = Keep
	case statLine(t):
		r = changed(l)
	case hasPrefix(t, ownSteps...):
		r.Class = Folded
	case hasPrefix(t, "[COMPLETED] ", "[SKIPPED] "): // of a hook: a run of them is one line
	case hasPrefix(l.Text, "To ", "From "), hasPrefix(t, "[", "Updating ", "HEAD is now at "):
		r.Class = Keep
	}
	emit(r)
}

// moved is the record of a ref that is new or gone, "* [new branch] x -> origin/x":
// of many the names stand beside each other.
func moved(l Line, t string) Record {
	flag, rest, _ := strings.Cut(t, "]")
	f := strings.Fields(rest)
	r := Record{List: ListRow, Lines: []Line{l}}
	if len(f) == 3 && f[1] == "->" {
		name := f[0]
		if name == "(none)" {
			_, name, _ = strings.Cut(f[2], "/")
		}
		if remote, ok := strings.CutSuffix(f[2], "/"+name); ok && name != "" {
			r.List, r.Group, r.Row = ListName, flag+"] -> "+remote+"/", name
			return r
		}
		if name == f[2] && strings.HasSuffix(flag, "tag") {
			r.List, r.Group, r.Row = ListName, flag+"]", name
			return r
		}
	}
	r.Lines[0].Text = squeezed(l.Text, true)
	return r
}

// hints takes a line of advice.
func (p *gitsync) hints(l Line, t string, emit Emit) {
	first := !p.hint
	switch p.hint = true; {
	case hasAny(t, waysOn...):
		if emit.held(Folded, &p.advice); p.wayOn {
			l.Text = strings.TrimPrefix(t, "hint: ")
		}
		p.wayOn = true
		emit.line(Keep, l)
	case first:
		p.advice = &l
	default:
		emit.line(Folded, l)
	}
}

// advised ends a piece of advice.
func (p *gitsync) advised(emit Emit) {
	emit.held(Keep, &p.advice)
	p.hint, p.wayOn = false, false
}

// waysOn are in the hints that name how to go on from where git stopped.
var waysOn = words{" --continue", " --skip", " --abort", " --quit", " --amend", " --edit-todo", " --show-current-patch", "git bisect "}

// mergedMost is how many lines about files that merged are held.
const mergedMost = 1000

func (p *gitsync) Close(emit Emit) {
	p.advised(emit)
	emit.all(Good.unless(p.conflict, Folded), &p.merged)
}

// transfer begins a count of objects or files while they are moved.
var transfer = words{"Enumerating objects", "Counting objects", "Compressing objects", "Receiving objects", "Resolving deltas", "Writing objects",
	"Unpacking objects", "Updating files", "Checking out files", "Delta compression using", "Total ", "Filtering content",
	"Finding sources", "Auto packing", "Checking connectivity"}

// ownSteps are those of lint-staged around the tasks of a project.
var ownSteps = words{"[COMPLETED] Back", "[COMPLETED] Prepar", "[COMPLETED] Running tasks", "[COMPLETED] Applying modifications", "[COMPLETED] Reverting to original state",
	"[COMPLETED] Cleaning up temporary files", "[COMPLETED] Hiding unstaged changes", "[COMPLETED] Restoring unstaged changes", "[COMPLETED] Updating Git index", "[SKIPPED] Skipped because of errors"}

// conflict begins what says that something stands in the way.
var conflict = words{"CONFLICT (", "Automatic merge failed", "error: ", "Could not apply ", "could not apply ", "Aborting", "Merge conflict", "Patch failed at"}
