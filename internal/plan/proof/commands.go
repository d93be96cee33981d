package proof

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"cairn/internal/plan/doc"
)

// commandsOf returns the command lines of a task's <verify>: those in <automated>
// elements or in fences, else what stands in backquotes in a sentence, else all of
// it.
func commandsOf(verify string) (out []string) {
	add := func(line string) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	for _, b := range doc.Elements(verify, "automated") {
		add(b.Text)
	}
	if len(out) > 0 {
		return out
	}
	text := strings.TrimSpace(verify)
	if text == "" {
		return nil
	}
	if parts := strings.Split(text, "```"); len(parts) > 2 {
		for i := 1; i < len(parts); i += 2 {
			_, code, _ := strings.Cut(parts[i], "\n")
			add(code)
		}
		return out
	}
	if spans := backquoted().FindAllStringSubmatch(text, -1); spans != nil && sentence(text) {
		for _, m := range spans {
			add(m[1])
		}
		return out
	}
	add(text)
	return out
}

var backquoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([^`\n]+)`") })

// sentence: the text begins with a backquote or with a word that no command has.
func sentence(text string) bool {
	return text[0] == '`' || text[0] >= 'A' && text[0] <= 'Z' && !strings.Contains(strings.Fields(text)[0], "=")
}

// inert are commands that no change of a project turns red, or that only show it.
var inert = map[string]bool{
	"true": true, ":": true, "echo": true, "printf": true, "pwd": true, "date": true, "which": true, "type": true, "sleep": true, "env": true,
	"whoami": true, "uname": true, "hostname": true, "id": true, "ls": true, "cat": true, "head": true, "tail": true, "wc": true, "git": true, "cd": true,
	"test": true, "[": true, "stat": true, "file": true, "command": true, "exit": true, "set": true, "export": true, "mkdir": true, "touch": true,
}

// cannotFail reports whether a line succeeds whatever the project is like.
func cannotFail(line string) bool {
	f, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil || len(f.Stmts) == 0 {
		return false
	}
	if rewrites().MatchString(line) || trapped(f) {
		return true
	}
	strict := pipefail().MatchString(line)
	if stopsAtOnce().MatchString(line) { // each of them counts
		return !slices.ContainsFunc(f.Stmts, func(s *syntax.Stmt) bool { return !sets(s) && !succeeds(s, strict) })
	}
	return succeeds(f.Stmts[len(f.Stmts)-1], strict)
}

// rewrites: the tests write down what they then compare with, or nothing asserts.
var rewrites = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:vitest|jest)\b[^;&|]*\s(?:-u|--update|--updateSnapshot)(?:\s|$|=true)|\bgo test\b[^;&|]*\s-{1,2}update(?:\s|$|=true)|\bpytest\b[^;&|]*\s--(?:snapshot-update|inline-snapshot=fix|force-regen)\b|--test-update-snapshots\b|\bUPDATE_(?:GOLDEN|SNAPSHOTS?)=|\bINSTA_UPDATE=always\b|\bPYTHONOPTIMIZE=[12]\b|\bpython[\d.]*\s+(?:-\w+\s+)*-OO?\s`)
})

// lists: the tests are named or built, and do not run.
var lists = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bgo test\b[^;&|]*\s-{1,2}(?:list|c)(?:\s|=|$)|\bgo test\b[^;&|]*\s-{1,2}(?:count=0\b|exec[ =]['"]?(?:true|:|echo)\b|n(?:\s|$))|\bpytest\b[^;&|]*\s--(?:collect-only|co|setup-plan|fixtures|markers|help|version)\b|\bnode\s+(?:--check|-c)\s|\bjest\b[^;&|]*\s--listTests\b|\bvitest\s+list\b|\bcargo test\b[^;&|]*\s(?:--no-run|--list)\b`)
})

var pipefail = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bset\s+[^;&|\n]*pipefail`) })

var stopsAtOnce = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bset\s+(?:-\w+\s+)*-\w*e\w*\b|\bset\s+-o\s+errexit`)
})

// sets: it changes how the shell works.
func sets(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && c.Args[0].Lit() == "set"
}

// trapped: however the line ends, a trap says that all is well.
func trapped(f *syntax.File) (yes bool) {
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 2 && c.Args[0].Lit() == "trap" {
			yes = yes || strings.Contains(plainWord(c.Args[1]), "exit 0") && plainWord(c.Args[2]) == "EXIT"
		}
		return true
	})
	return yes
}

// filters pass on what they read, and end well whatever it says.
var filters = map[string]bool{"cat": true, "tee": true, "tail": true, "head": true, "uniq": true, "wc": true, "sed": true, "tr": true, "cut": true, "less": true, "nl": true, "fold": true}

func succeeds(s *syntax.Stmt, pipefail bool) bool {
	if s.Background {
		return true
	}
	all := func(list []*syntax.Stmt) bool { return len(list) > 0 && succeeds(list[len(list)-1], pipefail) }
	if s.Negated {
		call, ok := s.Cmd.(*syntax.CallExpr)
		return ok && len(call.Args) > 0 && call.Args[0].Lit() == "false"
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return true
		}
		words := make([]string, len(c.Args))
		for i, a := range c.Args {
			words[i] = plainWord(a)
		}
		return always(words)
	case *syntax.BinaryCmd:
		if c.Op == syntax.OrStmt {
			return succeeds(c.X, pipefail) || succeeds(c.Y, pipefail)
		}
		if c.Op == syntax.AndStmt {
			return succeeds(c.X, pipefail) && succeeds(c.Y, pipefail)
		}
		if pipefail && !succeeds(c.X, pipefail) {
			return false
		}
		if call, ok := c.Y.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 && filters[plainWord(call.Args[0])] {
			return true
		}
		return succeeds(c.Y, pipefail)
	case *syntax.Block:
		return all(c.Stmts)
	case *syntax.Subshell:
		return all(c.Stmts)
	case *syntax.IfClause: // without an else nothing is done, and that is well
		for part := c; part != nil; part = part.Else {
			if !all(part.Then) {
				return false
			}
		}
		return true
	case *syntax.ForClause:
		return all(c.Do)
	case *syntax.WhileClause:
		return all(c.Do)
	case *syntax.TimeClause:
		return c.Stmt == nil || succeeds(c.Stmt, pipefail)
	}
	return false
}

// plainWord is a word without its quotes, "$" for one that only the shell knows.
func plainWord(w *syntax.Word) string {
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				lit, ok := q.(*syntax.Lit)
				if !ok {
					return "$"
				}
				b.WriteString(lit.Value)
			}
		default:
			return "$"
		}
	}
	return b.String()
}

func always(words []string) bool {
	switch words[0] {
	case "command", "exec", "nohup", "time", "eval", "builtin":
		return len(words) > 1 && words[1] != "-v" && always(words[1:])
	case "timeout", "nice":
		return len(words) > 2 && always(words[2:])
	case "wait":
		return len(words) == 1
	case "true", ":", "echo", "printf", "pwd", "date", "sleep", "env", "whoami", "uname", "hostname", "id":
		return true
	case "exit", "return":
		return len(words) == 1 || words[1] == "0"
	case "test", "[":
		args := words[1:]
		if len(args) > 0 && args[len(args)-1] == "]" {
			args = args[:len(args)-1]
		}
		switch len(args) {
		case 1:
			return args[0] != "" && args[0] != "$"
		case 2:
			return args[0] == "-n" && args[1] != "" && args[1] != "$" || args[0] == "-e" && args[1] == "."
		case 3:
			return args[0] != "$" && args[0] == args[2] && (args[1] == "=" || args[1] == "==" || args[1] == "-eq")
		}
	case "sh", "bash", "dash", "zsh":
		if len(words) == 3 && words[1] == "-c" && words[2] != "$" {
			return cannotFail(words[2])
		}
		return asksVersion(words)
	case "python", "python3", "node", "perl", "ruby":
		return len(words) == 3 && (words[1] == "-c" || words[1] == "-e") && trivial(words[2]) || asksVersion(words)
	}
	return asksVersion(words)
}

// trivial: a program of one statement that does nothing.
func trivial(program string) bool {
	switch strings.TrimRight(strings.TrimSpace(program), "; ") {
	case "", "pass", "true", ":", "exit 0", "exit(0)", "0", "1", "process.exit(0)", "import sys", "assert True":
		return true
	}
	return printed().MatchString(program)
}

// printed: all that the program does is print what is written down.
var printed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:(?:print|console\.(?:log|info)|puts)\s*\(?\s*(?:"[^"$]*"|'[^'$]*'|\x60[^\x60$]*\x60)\s*\)?\s*;?\s*)+$`)
})

func asksVersion(words []string) bool {
	return len(words) == 2 && (words[1] == "--version" || words[1] == "-v" || words[1] == "-V" || words[1] == "version" || words[1] == "--help")
}

// exercises reports whether a line starts a program that may look at the project's
// code: tests, a build, a linter, the program itself.
func exercises(line string) bool {
	f, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return true
	}
	found := false
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			words := make([]string, len(c.Args))
			for i, a := range c.Args {
				words[i] = plainWord(a)
			}
			found = found || !inert[path.Base(words[0])] && !always(words)
		}
		return true
	})
	return found
}

var ranNothingRE = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"go none": regexp.MustCompile(`\[no tests to run\]|testing: warning: no tests to run|\[no test files\]`),
		"go some": regexp.MustCompile(`(?m)^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?:\s+coverage:.*)?$|^(?:--- |=== RUN|PASS: )`),
		"none":    regexp.MustCompile(`(?m)^Ran 0 tests in|^(?:# |ℹ )(?:tests|pass) 0$|no tests ran in|collected 0 items|No tests found|No test files found|^running 0 tests$|0 passing \(|NO TESTS RAN|^=* *\d+ (?:skipped|deselected)[^\n]* in [\d.]+s|^\s*Tests\s+\d+ (?:skipped|todo)(?: \| \d+ (?:skipped|todo))* \(\d+\)|^Tests: +\d+ (?:skipped|todo), \d+ total`),
		"some":    regexp.MustCompile(`(?m)^(?:# |ℹ )(?:pass|fail) [1-9]|[1-9]\d* (?:passed|failed)|[1-9]\d* passing \(`),
		"unit":    regexp.MustCompile(`(?m)^Ran ([1-9]\d*) tests? in`),
		"skipped": regexp.MustCompile(`(?m)^OK \(skipped=(\d+)`),
	}
})

// ranNothing reports whether what a runner of tests printed says that it ran none.
func ranNothing(said string) bool {
	re := ranNothingRE()
	if unit := re["unit"].FindStringSubmatch(said); unit != nil {
		skipped := re["skipped"].FindStringSubmatch(said)
		return skipped != nil && skipped[1] == unit[1]
	}
	return re["go none"].MatchString(said) && !re["go some"].MatchString(said) || re["none"].MatchString(said) && !re["some"].MatchString(said)
}
