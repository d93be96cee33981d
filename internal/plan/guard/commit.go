package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"cairn/internal/term"
)

const (
	maxSubject = 72 // characters of a commit's subject

	// What is longer or may be nested deeper than this is not looked at: the
	// parser would need too much time, and each level takes some KB of stack.
	maxCommand = 64 << 10 // bytes
	maxNested  = 500      // parentheses
)

// commit refuses a commit whose message is not as the project wants them.
func (l *look) commit(ev Event) string {
	if !strings.Contains(ev.Command, "git") || !strings.Contains(ev.Command, "commit") || !l.on("hooks.community") {
		return ""
	}
	for _, subject := range subjects(ev.Command) {
		if why := badSubject(subject); why != "" {
			return why
		}
	}
	return ""
}

// commitTypes are the types of a conventional commit.
var commitTypes = [...]string{"feat", "fix", "docs", "style", "refactor", "perf", "test", "build", "ci", "chore", "revert"}

// badSubject says what is wrong with a commit's subject, or "".
func badSubject(subject string) string {
	for _, auto := range [...]string{"fixup! ", "squash! ", "amend! "} { // git puts these into the commit they name
		if strings.HasPrefix(subject, auto) {
			return ""
		}
	}
	if !isConventional(subject) {
		return fmt.Sprintf("CONVENTIONAL_COMMITS_VIOLATION: the subject %q must be TYPE(SCOPE): TEXT, the scope optional, and TYPE one of %s",
			term.Shorten(subject, maxSubject), strings.Join(commitTypes[:], ", "))
	}
	if n := utf8.RuneCountInString(subject); n > maxSubject {
		return fmt.Sprintf("COMMIT_SUBJECT_TOO_LONG: the subject has %d characters, %d are allowed: say the rest in the body", n, maxSubject)
	}
	return ""
}

// isConventional reports whether a subject is `type(scope)!: text`.
func isConventional(subject string) bool {
	head, text, ok := strings.Cut(subject, ": ")
	if !ok || strings.TrimSpace(text) == "" {
		return false
	}
	head = strings.TrimSuffix(head, "!")
	kind, scope, scoped := strings.Cut(head, "(")
	return slices.Contains(commitTypes[:], kind) && (!scoped || len(scope) > 1 && strings.HasSuffix(scope, ")"))
}

// subjects returns the subject of every `git commit -m` in a command line,
// those left out that only running it would tell.
func subjects(command string) []string {
	if len(command) > maxCommand || strings.Count(command, "(") > maxNested {
		return nil
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return nil
	}
	var all []string
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) < 2 {
			return true
		}
		args := texts(call.Args)
		if i := shellCommand(args); i > 0 {
			all = append(all, subjects(args[i].text)...)
		} else if subject, ok := messageOf(commitArgs(args)); ok {
			all = append(all, subject)
		}
		return true
	})
	return all
}

// A word is an argument as the command will get it; known is false when only
// the shell knows it.
type word struct {
	text  string
	known bool
}

func texts(words []*syntax.Word) []word {
	all := make([]word, len(words))
	for i, w := range words {
		all[i].text, all[i].known = literal(w.Parts)
	}
	return all
}

// literal is the text of a word without expansions, but for a here-document
// that cat prints, by which agents write messages of several lines.
func literal(parts []syntax.WordPart) (string, bool) {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value))
		case *syntax.SglQuoted:
			b.WriteString(quoted(p))
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if lit, ok := q.(*syntax.Lit); ok {
					b.WriteString(unescapeQuoted(lit.Value))
				} else if text, ok := printed(q); ok {
					b.WriteString(text)
				} else {
					return b.String(), false
				}
			}
		default:
			text, ok := printed(p)
			if !ok {
				return b.String(), false
			}
			b.WriteString(text)
		}
	}
	return b.String(), true
}

// quoted is what stands between single quotes, of which $'…' has escapes.
func quoted(q *syntax.SglQuoted) string {
	if !q.Dollar {
		return q.Value
	}
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\'`, "'", `\"`, `"`, `\t`, "\t").Replace(q.Value)
}

// printed is what $(cat <<'EOF' …) stands for.
func printed(p syntax.WordPart) (string, bool) {
	sub, ok := p.(*syntax.CmdSubst)
	if !ok || len(sub.Stmts) != 1 || len(sub.Stmts[0].Redirs) != 1 {
		return "", false
	}
	call, ok := sub.Stmts[0].Cmd.(*syntax.CallExpr)
	doc := sub.Stmts[0].Redirs[0].Hdoc
	if !ok || len(call.Args) != 1 || call.Args[0].Lit() != "cat" || doc == nil {
		return "", false
	}
	var b strings.Builder
	for _, p := range doc.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			return "", false
		}
		b.WriteString(lit.Value)
	}
	return strings.TrimRight(b.String(), "\n"), true
}

// unescape takes the backslashes out of what stands outside of quotes.
func unescape(s string) string { return unescapeOf(s, "") }

// unescapeQuoted takes out those that mean something between double quotes.
func unescapeQuoted(s string) string { return unescapeOf(s, "$`\"\\\n") }

// unescapeOf takes out the backslashes before these characters; "" is all.
func unescapeOf(s, which string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (which == "" || strings.IndexByte(which, s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// program is the name of a program called by any path.
func program(w word) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(w.text, `\`, "/")), ".exe")
}

// bare takes off what runs another command: env A=1, sudo, command and so on.
func bare(args []word) []word {
	for len(args) > 0 {
		switch program(args[0]) {
		case "env", "command", "exec", "sudo", "nice", "time", "nohup":
			args = args[1:]
			for len(args) > 0 && (strings.HasPrefix(args[0].text, "-") || strings.Contains(args[0].text, "=")) {
				args = args[1:]
			}
		default:
			return args
		}
	}
	return nil
}

// shellCommand returns where in the arguments of a shell the command is that
// it is given, 0 when there is none.
func shellCommand(args []word) int {
	inner := bare(args)
	skipped := len(args) - len(inner)
	if len(inner) == 0 {
		return 0
	}
	switch program(inner[0]) {
	case "sh", "bash", "zsh", "dash":
	default:
		return 0
	}
	for i, a := range inner[:len(inner)-1] {
		if i > 0 && strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--") && strings.Contains(a.text, "c") && inner[i+1].known {
			return skipped + i + 1
		}
	}
	return 0
}

// commitArgs returns the arguments of `git … commit`, nil for anything else.
func commitArgs(args []word) []word {
	args = bare(args)
	if len(args) == 0 || program(args[0]) != "git" {
		return nil
	}
	for i := 1; i < len(args); i++ {
		switch a := args[i].text; {
		case a == "-C", a == "-c", a == "--git-dir", a == "--work-tree", a == "--namespace", a == "--exec-path", a == "--config-env":
			i++
		case strings.HasPrefix(a, "-"):
		case a == "commit":
			return args[i+1:]
		default:
			return nil
		}
	}
	return nil
}

// messageOf returns the subject that the arguments of a commit give.
func messageOf(args []word) (subject string, ok bool) {
	for i, a := range args {
		if a.text == "--" {
			break
		}
		message, given := strings.CutPrefix(a.text, "--message=")
		if isShort(a.text) {
			_, message, given = strings.Cut(a.text, "m")
		}
		known := a.known
		if a.text == "--message" || given && message == "" {
			if i+1 == len(args) {
				break
			}
			message, known, given = args[i+1].text, args[i+1].known, true
		}
		if given {
			subject, _, more := strings.Cut(strings.TrimLeft(message, "\n"), "\n")
			return strings.TrimSpace(subject), known || more // of more lines the first may be known alone
		}
	}
	return "", false
}

// isShort reports whether a is short options: -a, -am. An option that takes a
// value has the rest of the word for it, so that no m in it is one.
func isShort(a string) bool {
	if len(a) < 2 || a[0] != '-' || a[1] == '-' {
		return false
	}
	m := strings.IndexByte(a, 'm')
	value := strings.IndexAny(a, "FCctSu")
	return value < 0 || m >= 0 && m < value
}
