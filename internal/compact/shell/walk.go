package shell

import (
	"cmp"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A dest is where the bytes of a file descriptor end.
type dest uint8

const (
	lost   dest = iota // a file, /dev/null, a closed descriptor
	result             // what the reader sees, be it through other commands
)

// fds are the destinations of descriptors 0 to 9. As an array it is copied
// on assignment: a redirect of one command does not touch the next.
type fds [10]dest

var stdio = fds{1: result, 2: result}

// A view is how later stages of a pipeline show what a call wrote.
type view struct {
	clipped, filtered bool
	limit             int
}

type walker struct {
	src        string // what is being parsed now
	depth      int    // of bash -c
	calls      []Call
	background bool
}

// script adds the calls of src, whose output goes to out.
func (w *walker) script(src string, out fds, v view) {
	outer := w.src
	w.depth++
	defer func() { w.src = outer; w.depth-- }()
	cut := len(src) > maxBytes
	src = src[:min(len(src), maxBytes)]
	w.src = src
	if nesting(src) <= maxNesting && w.depth <= maxScripts+1 {
		for _, lang := range []syntax.LangVariant{syntax.LangBash, syntax.LangZsh} {
			stmts, err := parse(src, lang)
			// A cut or odd end does not take away what was understood.
			if err == nil || cut && len(stmts) > 0 {
				w.stmts(stmts, &out, v)
				return
			}
		}
	}
	w.fields(src, out, v)
}

// parse returns the statements before the first error, and that error. The
// iteration must not be left early: after some errors the parser would go on
// and panic. Any other panic of the parser is an error too, since its input
// comes from strangers.
func parse(src string, lang syntax.LangVariant) (stmts []*syntax.Stmt, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("parser: %v", p)
		}
	}()
	for s, e := range syntax.NewParser(syntax.Variant(lang)).StmtsSeq(strings.NewReader(src)) {
		switch {
		case err != nil:
		case e != nil:
			err = e
		default:
			stmts = append(stmts, s)
		}
	}
	return stmts, err
}

// nesting is an upper bound for how deep the brackets of src go.
func nesting(src string) int {
	depth, deepest := 0, 0
	for i := range len(src) {
		switch src[i] {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

// fields takes the first command of something that is not shell syntax.
func (w *walker) fields(src string, out fds, v view) {
	var argv []string
	for f := range strings.FieldsSeq(src) {
		if strings.Trim(f, ";|&(){") == "" {
			if len(argv) > 0 {
				break
			}
			continue
		}
		if len(argv) == 0 && isAssignment(f) {
			continue
		}
		argv = append(argv, strings.Trim(f, `"';`))
		if strings.HasSuffix(f, ";") || len(argv) == 64 {
			break
		}
	}
	if len(argv) > 0 && argv[0] != "" {
		call, _ := unwrap(argv)
		w.add(call, out, v)
	}
}

func (w *walker) add(c Call, out fds, v view) {
	if len(w.calls) == maxCalls {
		return
	}
	c.Clipped, c.Filtered, c.Limit = v.clipped, v.filtered, cmp.Or(v.limit, c.limit())
	c.Silent = listed(silent, c.Name) || out[1] == lost && (out[2] == lost || listed(quiet, c.Name))
	w.calls = append(w.calls, c)
}

func (w *walker) stmts(list []*syntax.Stmt, out *fds, v view) {
	for _, s := range list {
		w.stmt(s, out, v)
	}
}

// stmt adds the calls of s. Only an exec without a command changes out.
func (w *walker) stmt(s *syntax.Stmt, out *fds, v view) {
	w.background = w.background || s.Background || s.Disown || s.Coprocess
	here := *out
	for _, r := range s.Redirs {
		here = w.redirect(here, r)
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 1 && len(s.Redirs) > 0 && c.Args[0].Lit() == "exec" {
			*out = here
			return
		}
		w.simple(c, here, v)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			w.pipeline(c, here, v)
			return
		}
		w.stmt(c.X, &here, v)
		w.stmt(c.Y, &here, v)
	case *syntax.Block:
		w.stmts(c.Stmts, &here, v)
	case *syntax.Subshell:
		w.stmts(c.Stmts, &here, v)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			w.stmts(c.Cond, &here, v)
			w.stmts(c.Then, &here, v)
		}
	case *syntax.WhileClause:
		w.stmts(c.Cond, &here, v)
		w.stmts(c.Do, &here, v)
	case *syntax.ForClause:
		w.stmts(c.Do, &here, v)
	case *syntax.CaseClause:
		for _, item := range c.Items {
			w.stmts(item.Stmts, &here, v)
		}
	case *syntax.TimeClause:
		if c.Stmt != nil {
			w.stmt(c.Stmt, &here, v)
		}
	case *syntax.CoprocClause:
		w.background = true
	case *syntax.DeclClause:
		w.add(Call{Name: c.Variant.Value}, here, v)
	}
}

func (w *walker) simple(c *syntax.CallExpr, out fds, v view) {
	call, script, ok := w.resolve(c)
	switch {
	case !ok: // only assignments
	case script != "":
		w.script(script, out, v)
	default:
		w.add(call, out, v)
	}
}

func (w *walker) resolve(c *syntax.CallExpr) (call Call, script string, ok bool) {
	if len(c.Args) == 0 {
		return Call{}, "", false
	}
	argv := make([]string, len(c.Args))
	for i, a := range c.Args {
		argv[i] = text(w.src, a)
	}
	call, script = unwrap(argv)
	return call, script, true
}

// pipeline adds the stage that decides what the output looks like: the last
// one that does more than pass on what it reads.
func (w *walker) pipeline(p *syntax.BinaryCmd, out fds, v view) {
	stages := flatten(&syntax.Stmt{Cmd: p}, nil)
	for i := len(stages) - 1; i >= 0; i-- {
		s := stages[i]
		w.background = w.background || s.stmt.Background
		to := out
		if i < len(stages)-1 {
			// What is left to see of this stage is what the next shows.
			to[1] = out[1]
			if s.both {
				to[2] = out[1]
			}
		}
		call, last := w.plain(s.stmt)
		if last && i > 0 {
			if through, clipped := call.transparent(); through {
				for _, r := range s.stmt.Redirs {
					to = w.redirect(to, r)
				}
				out[1] = to[1]
				v.clipped = v.clipped || clipped
				v.limit = cmp.Or(v.limit, call.limit())
				continue
			}
			v.filtered = v.filtered || listed(filters, call.Name)
		}
		w.stmt(s.stmt, &to, v)
		return
	}
}

type stage struct {
	stmt *syntax.Stmt
	both bool // |& follows
}

// flatten lists the stages of a pipeline from left to right.
func flatten(s *syntax.Stmt, list []stage) []stage {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll || len(s.Redirs) > 0 {
		return append(list, stage{stmt: s})
	}
	list = flatten(b.X, list)
	list[len(list)-1].both = b.Op == syntax.PipeAll
	return flatten(b.Y, list)
}

// plain returns the call of a statement that is one simple command.
func (w *walker) plain(s *syntax.Stmt) (Call, bool) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return Call{}, false
	}
	call, script, ok := w.resolve(c)
	return call, ok && script == ""
}

func (w *walker) redirect(f fds, r *syntax.Redirect) fds {
	fd := 1
	if r.N != nil {
		if len(r.N.Value) != 1 || r.N.Value[0] < '0' || r.N.Value[0] > '9' {
			return f
		}
		fd = int(r.N.Value[0] - '0')
	}
	to := text(w.src, r.Word)
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob:
		f[fd] = w.file(f, fd, to, r.Word)
	case syntax.DplOut:
		if len(to) == 1 && to[0] >= '0' && to[0] <= '9' {
			f[fd] = f[to[0]-'0']
		} else if to == "-" {
			f[fd] = lost
		} else { // >&file
			f[1], f[2] = lost, lost
		}
	case syntax.RdrAll, syntax.AppAll:
		f[1] = w.file(f, 1, to, r.Word)
		f[2] = f[1]
	}
	return f
}

// file is where a descriptor goes that is redirected to a name. The devices
// stand for descriptors, and > >(tee log) shows what it is given.
func (w *walker) file(f fds, fd int, name string, word *syntax.Word) dest {
	switch name {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return f[1]
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return f[2]
	}
	if len(word.Parts) == 1 {
		if _, ok := word.Parts[0].(*syntax.ProcSubst); ok {
			return f[fd]
		}
	}
	return lost
}
