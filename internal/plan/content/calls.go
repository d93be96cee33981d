package content

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Call is a command line of cairn that exists.
type Call struct {
	Words []string        // behind cairn: plan, gate, decisions
	Min   int             // how many arguments it needs
	Max   int             // how many it takes; -1: any number
	Flags map[string]bool // --name and -n → whether it takes a value
}

// Wrong returns what is wrong with a call of cairn, or "".
func Wrong(calls []Call, words []string) string {
	best := -1
	for i, d := range calls {
		if len(words) >= len(d.Words) && slices.Equal(words[:len(d.Words)], d.Words) && (best < 0 || len(d.Words) > len(calls[best].Words)) {
			best = i
		}
	}
	if best < 0 {
		return "there is no such command"
	}
	d, args := calls[best], 0
	for rest := words[len(d.Words):]; len(rest) > 0; rest = rest[1:] {
		word := rest[0]
		if !strings.HasPrefix(word, "-") || word == "-" {
			args++
			continue
		}
		name, _, joined := strings.Cut(word, "=")
		takes, ok := d.Flags[name]
		switch {
		case !ok:
			return "there is no flag " + name
		case takes && !joined && len(rest) == 1:
			return name + " needs a value"
		case takes && !joined:
			rest = rest[1:]
		}
	}
	switch {
	case args < d.Min:
		return fmt.Sprintf("%d arguments, it needs %d", args, d.Min)
	case d.Max >= 0 && args > d.Max:
		return fmt.Sprintf("%d arguments, it takes %d", args, d.Max)
	}
	return ""
}

// walk calls fn for each piece of code in a Markdown text, a fence's whole or
// what stands in backquotes, and for each line that is not in a fence as prose.
func walk(text string, fn func(line int, code, prose string)) {
	var fence strings.Builder
	inFence := false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			if inFence {
				fn(i+1, fence.String(), "")
			}
			inFence = !inFence
			fence.Reset()
		case inFence:
			fence.WriteString(line + "\n")
		default:
			for _, span := range codeSpans(line) {
				fn(i+1, span, "")
			}
			fn(i+1, "", line)
		}
	}
}

// CallsOf returns the calls of cairn that a prompt tells its reader to make:
// those in fences and in backquotes.
func CallsOf(text string) [][]string {
	var all [][]string
	walk(text, func(_ int, code, _ string) {
		calls, _ := CallsIn(code)
		all = append(all, calls...)
	})
	return all
}

func isCall(code string) bool { return code == "cairn" || strings.HasPrefix(code, "cairn ") }

// codeSpans returns what stands in backquotes in a line.
func codeSpans(line string) []string {
	parts := strings.Split(line, "`")
	var out []string
	for i := 1; i < len(parts)-1; i += 2 {
		out = append(out, parts[i])
	}
	return out
}

// CallsIn returns the calls of cairn in a script: the words behind its name.
func CallsIn(script string) (calls [][]string, err error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(script), "")
	if err != nil {
		return nil, err
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == "cairn" {
			var words []string
			for _, w := range call.Args[1:] {
				words = append(words, wordText(w))
			}
			calls = append(calls, words)
		}
		return true
	})
	return calls, nil
}

// wordText is a word without its quotes; what the shell would compute stands
// for itself.
func wordText(w *syntax.Word) string {
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, in := range p.Parts {
				if lit, ok := in.(*syntax.Lit); ok {
					b.WriteString(lit.Value)
				} else {
					b.WriteByte('$')
				}
			}
		default:
			b.WriteByte('$')
		}
	}
	return b.String()
}
