package record

import (
	"cmp"
	"strings"

	"cairn/internal/compact/lines"
)

// Tasks reads the runners of a monorepo, which print what many tasks print:
// turbo, nx, pnpm -r, lerna. Every task has a parser of its own, by what it
// prints, so that the lines of others between its own do no harm. A task's
// lines are known by the name in front of them, or they follow a heading.
type Tasks struct {
	// Find returns the parser for a task's output, nil when it is not known.
	Find func(sample string) Parser

	tasks   map[string]*task
	order   []*task
	names   set   // projects and tasks that the runner announced
	section *task // of the last heading
	rest    *task // lines without a name: those of a runner that was told to leave it out
	listing bool  // in the list of failed tasks
	naming  bool  // in nx's list of projects
}

// A task is the output of one of the things that are run.
type task struct {
	prefix string // in front of each of its lines
	head   *Line  // its heading, until a fault stands below
	held   []Line // until enough is known to choose
	parser Parser
	runs   []span // where its lines are: the last ones
}

type span struct{ from, to int }

const (
	taskLook = 200  // lines by which a task's parser is chosen
	tasksMax = 300  // tasks told apart; of those beyond, every line is ordinary
	taskRuns = 1000 // places remembered of one
)

func (p *Tasks) Line(l Line, emit Emit) {
	if name, rest, ok := p.prefixed(l.Text); ok {
		if class, told := taskForms.class(rest); told {
			emit.line(class, l)
		} else {
			p.feed(p.task(name), Line{N: l.N, Text: rest, Keep: l.Keep}, emit)
		}
		return
	}
	t := strings.TrimSpace(l.Text)
	if p.section != nil && !sectionEnds(t) {
		p.feed(p.section, l, emit)
		return
	}
	p.closeSection(emit)
	if name, ok := heading(t); ok {
		p.section = &task{head: &l}
		p.names[name] = true
		return
	}
	switch class, told := p.runnerLine(l.Text, t); {
	case told:
		emit.line(class, l)
	case p.rest == nil && t == "":
		emit.line(Folded, l)
	default:
		p.rest = cmp.Or(p.rest, &task{})
		p.feed(p.rest, l, emit)
	}
}

// prefixed splits a line of a task into the name in front and the rest: turbo
// prints "@scope/name:task: text", nx "name: text", pnpm "dir task: text".
func (p *Tasks) prefixed(s string) (prefix, rest string, ok bool) {
	if p.names == nil {
		p.names, p.tasks = map[string]bool{}, map[string]*task{}
	}
	end := strings.Index(s, ": ")
	if end < 0 {
		if end = len(s) - 1; end < 0 || s[end] != ':' {
			return "", "", false
		}
	}
	name := s[:end]
	if !p.names[name] && !turboName(name) {
		return "", "", false
	}
	return s[:min(len(s), end+2)], s[min(len(s), end+2):], true
}

// task returns the task of this name.
func (p *Tasks) task(prefix string) *task {
	t := p.tasks[prefix]
	if t == nil {
		t = &task{prefix: prefix}
		if len(p.order) >= tasksMax {
			t.parser = &windowed{}
		}
		p.tasks[prefix] = t
		p.order = append(p.order, t)
	}
	return t
}

// feed gives a line to a task.
func (p *Tasks) feed(t *task, l Line, emit Emit) {
	t.at(l.N)
	if t.parser == nil {
		if t.held = append(t.held, l); len(t.held) >= taskLook {
			p.choose(t, emit)
		}
		return
	}
	t.parser.Line(l, t.emitTo(emit))
}

// choose finds the parser of a task by what it has printed so far.
func (p *Tasks) choose(t *task, emit Emit) {
	if p.Find != nil {
		t.parser = p.Find(joined(t.held))
	}
	if t.parser == nil {
		t.parser = &script{}
	}
	replay(t.parser, &t.held, t.emitTo(emit))
}

// emitTo gives out the records of a task with its name, by which equal ones of
// two tasks stay apart.
func (t *task) emitTo(emit Emit) func(Record) {
	return func(r Record) {
		if r.Class >= Warn {
			emit.held(Keep, &t.head)
		}
		if t.prefix == "" {
			emit(r)
			return
		}
		r.Lines = t.named(r)
		if r.Class == Keep && r.Key == "" && len(r.Lines) == 1 {
			// A total that several tasks have: once, with their names.
			r.Key, r.Site = "total "+r.Lines[0].Text[len(t.prefix):], strings.TrimRight(t.prefix, ": ")
		} else if r.Key != "" {
			r.Key = t.prefix + r.Key
		}
		if r.Says != "" {
			r.Site = t.prefix + r.Site
		}
		if r.Group != "" {
			r.Group = t.prefix + r.Group
		}
		emit(r)
	}
}

// named returns the lines of a record with the task's name in front: only of
// the first one, when no other task speaks in between.
func (t *task) named(r Record) []Line {
	ls := make([]Line, len(r.Lines))
	for i, l := range r.Lines {
		if lines.Blank(l.Text) {
			l.Text = ""
		} else if i == 0 || !t.together(r.Lines[i-1].N, l.N) {
			l.Text = t.prefix + l.Text
		}
		ls[i] = l
	}
	return ls
}

// together reports whether lines a to b are all of this task.
func (t *task) together(a, b int) bool {
	for i := len(t.runs) - 1; i >= 0 && t.runs[i].to >= b; i-- {
		if t.runs[i].from <= a {
			return true
		}
	}
	return false
}

// at notes that line n is this task's.
func (t *task) at(n int) {
	if i := len(t.runs) - 1; i >= 0 && t.runs[i].to == n-1 {
		t.runs[i].to = n
		return
	}
	if len(t.runs) == taskRuns {
		t.runs = append(t.runs[:0], t.runs[taskRuns/2:]...)
	}
	t.runs = append(t.runs, span{n, n})
}

func (p *Tasks) end(t *task, emit Emit) {
	if t.parser == nil {
		p.choose(t, emit)
	}
	t.parser.Close(t.emitTo(emit))
	emit.held(Good, &t.head)
}

func (p *Tasks) closeSection(emit Emit) {
	if t := take(&p.section); t != nil {
		p.end(t, emit)
	}
}

func (p *Tasks) Close(emit Emit) {
	p.closeSection(emit)
	for _, t := range p.order {
		p.end(t, emit)
	}
	p.tasks, p.order = nil, nil
	if rest := take(&p.rest); rest != nil {
		p.end(rest, emit)
	}
}

// turboName reports whether s is "@scope/name:task" or "name:task", and not a
// place in a file.
func turboName(s string) bool {
	name, scoped := strings.CutPrefix(s, "@")
	pkg, what, ok := strings.Cut(name, ":")
	if !ok || pkg == "" || what == "" || what[0]|0x20 < 'a' || what[0]|0x20 > 'z' {
		return false
	}
	slashes := strings.Count(pkg, "/")
	plain := strings.Trim(strings.ToLower(strings.Replace(pkg, "/", "", 1)), "abcdefghijklmnopqrstuvwxyz0123456789._-") == "" &&
		strings.Trim(strings.ToLower(what), "abcdefghijklmnopqrstuvwxyz0123456789._-:") == ""
	return plain && (pkg == "//" || slashes == 0 || scoped && slashes == 1)
}

// heading reads the line above a task's output: of nx "> nx run web:test", of
// turbo in groups "::group::web:test".
func heading(t string) (name string, ok bool) {
	name, ok = strings.CutPrefix(t, "> nx run ")
	if !ok {
		name, ok = strings.CutPrefix(t, "::group::")
	}
	project, _, _ := strings.Cut(name, ":")
	return project, ok
}

// sectionEnds reports whether a line after a heading is the runner's again.
func sectionEnds(t string) bool {
	_, head := heading(t)
	return head || t == "::endgroup::" || hasPrefix(t, "NX   ", "✔  nx run", "✖  nx run")
}

// OfTask knows what a runner says of one task among its lines.
func OfTask(s string) (Class, bool) { return taskForms.class(s) }

// taskForms are what the runner says of a task behind its name.
var taskForms = forms{
	{class: Folded, start: words{"cache miss, executing", "cache bypass, force executing", "cache hit, replaying logs", "cache hit, suppressing logs"}},
	{class: Good, is: words{"Done"}},
	{class: Keep, start: words{"ERROR: command finished with error"}},
	{class: Keep, is: words{"Failed"}},
}

// turboTelemetry begins what turbo says of itself the first time it runs, so each
// time in a fresh checkout.
var turboTelemetry = words{"Turborepo now collects ", "This information is used to shape the Turborepo", "You can learn more, including how to opt-out", "https://turborepo.dev/docs/telemetry", "https://turborepo.com/docs/telemetry", "https://turbo.build/repo/docs/telemetry"}

// runnerLine knows what the runner says of all of them.
func (p *Tasks) runnerLine(s, t string) (Class, bool) {
	p.naming = strings.HasPrefix(t, "NX   Running target") || p.naming && (t == "" || strings.HasPrefix(s, "- "))
	switch {
	case hasPrefix(t, "Tasks: ", "Failed: ", "NX   Successfully ran", "NX   Ran target", "lerna success "):
		p.listing = false
		return Keep, true
	case hasPrefix(t, "NX   ") && strings.Contains(t, "failed"), t == "Failed tasks:", hasPrefix(t, "ERROR  run failed", "lerna ERR!", "✖  nx run", "✖    ", "ERR_PNPM_RECURSIVE_"):
		p.listing = true
		return Keep, true
	case p.listing && strings.HasPrefix(s, "- "):
		return Keep, true
	case p.naming && strings.HasPrefix(s, "- ") && len(t) > 2:
		p.names[t[2:]] = true
		return Good, true
	case hasPrefix(t, "• ", "Cached: ", "Time: ", "NX   Running target", "✔  ", "Run duration: ", "Cache: ", "Critical path: ", "Recoverable time: ", "Output of ", "::endgroup::", "Scope: ", "lerna notice ", "lerna info ", "Hint: run the command with --verbose", "Nx read the output from the cache", "turbo "), strings.Trim(t, "—-─") == "" && t != "", t == "Attention:", hasPrefix(t, turboTelemetry...):
		return Folded, true
	case strings.Contains(t, "$ ") && strings.Count(t[:strings.Index(t, "$ ")], " ") == 1: // pnpm: "packages/db build$ tsc"
		p.names[t[:strings.Index(t, "$ ")]] = true
		return Good, true
	case strings.HasSuffix(t, ")") && strings.Contains(t, ":  ERROR  command ("), strings.Contains(t, ":  WARNING  command finished with error"):
		return Good, true // the end names them as failed
	}
	return Body, false
}
