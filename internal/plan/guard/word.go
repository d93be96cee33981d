package guard

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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
