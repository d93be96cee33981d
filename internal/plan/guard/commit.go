package guard

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"cairn/internal/text"
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
			text.Shorten(subject, maxSubject), strings.Join(commitTypes[:], ", "))
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
