package content

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"cairn/internal/plan/agent"
	"cairn/internal/plan/settings"
	"cairn/internal/plan/template"
)

// A Call is a command line of cairn that exists.
type Call struct {
	Words []string        // behind cairn: plan, gate, decisions
	Min   int             // how many arguments it needs
	Max   int             // how many it takes; -1: any number
	Flags map[string]bool // --name and -n → whether it takes a value
}

// A Finding is something that a piece names and that does not exist.
type Finding struct {
	Piece string `json:"piece"` // its path
	Line  int    `json:"line"`  // of the expanded text, from 1; 0: of the whole
	What  string `json:"what"`
}

// Check looks through every piece, as it is shown, for what does not exist:
// command lines, roles, settings, documents. What the template's functions
// name is checked by Expand.
func Check(calls []Call) ([]Finding, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	var found []Finding
	for _, p := range all {
		if p.Kind == Partial {
			continue // it is looked at where it is included
		}
		text, err := Expand(p, Plain())
		if err != nil {
			found = append(found, Finding{p.Path(), 0, err.Error()})
			continue
		}
		c := checker{piece: p, calls: calls}
		c.head()
		c.text(text)
		found = append(found, c.found...)
	}
	return found, nil
}

type checker struct {
	piece *Piece
	calls []Call
	line  int
	found []Finding
}

func (c *checker) add(format string, args ...any) {
	c.found = append(c.found, Finding{c.piece.Path(), c.line, fmt.Sprintf(format, args...)})
}

// head checks what the frontmatter names, and that names in the body are
// written with the template's functions, so that each runtime gets its own.
func (c *checker) head() {
	for _, role := range c.piece.Agents {
		if _, err := Find(string(Agent) + "/" + role); err != nil {
			c.add("there is no agent %q", role)
		}
	}
	for _, name := range c.piece.Loads {
		if _, err := Find(name); err != nil {
			c.add("there is no piece %q to load", name)
		}
	}
	for _, word := range strings.FieldsFunc(c.piece.Body, func(r rune) bool { return strings.ContainsRune(" \n\t`(),.;:\"'", r) }) {
		name, ok := strings.CutPrefix(strings.TrimLeft(word, "/$@"), "cairn-")
		if !ok {
			continue
		}
		if _, is := agent.Find(name); is {
			c.add("write %s with the function agent", word)
		} else if _, err := Find(string(Command) + "/" + name); err == nil {
			c.add("write %s with the function command", word)
		}
	}
}

// text checks every line of an expanded piece.
func (c *checker) text(text string) {
	walk(text, func(line int, code, prose string) {
		c.line = line
		switch {
		case prose != "":
			c.documents(prose)
			c.mentions(prose)
		case strings.Contains(code, "\n") || isCall(code):
			c.shell(code)
		default:
			c.setting(code)
		}
	})
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

// setting checks a word in backquotes that looks like a setting.
func (c *checker) setting(code string) {
	key, _, _ := strings.Cut(code, " ")
	section, _, dotted := strings.Cut(key, ".")
	if dotted && slices.Contains(sections(), section) && !strings.HasSuffix(key, ".md") {
		if _, ok := settings.Find(key); !ok {
			c.add("there is no setting %q", key)
		}
	}
}

// sections are the first words of settings that are not also something else
// in a prompt.
func sections() []string {
	return []string{"workflow", "git", "planning", "models", "dynamic_routing", "hooks", "statusline", "learnings", "executor", "manager", "intel"}
}

// shell checks every call of cairn in a script.
func (c *checker) shell(script string) {
	calls, err := CallsIn(script)
	if err != nil && strings.Contains(script, "cairn ") {
		c.add("not a shell command: %v", err)
	}
	for _, words := range calls {
		problem := c.call(words)
		if problem == "" {
			problem = named(words)
		}
		if problem != "" {
			c.add("cairn %s: %s", strings.Join(words, " "), problem)
		}
	}
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

// call returns what is wrong with a call of cairn, or "".
func (c *checker) call(words []string) string {
	best := -1
	for i, d := range c.calls {
		if len(words) >= len(d.Words) && slices.Equal(words[:len(d.Words)], d.Words) && (best < 0 || len(d.Words) > len(c.calls[best].Words)) {
			best = i
		}
	}
	if best < 0 {
		return "there is no such command"
	}
	d, args := c.calls[best], 0
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

// mentions checks the flags that stand behind a command of ours, as in
// /cairn-plan-phase N --gaps.
func (c *checker) mentions(line string) {
	words := strings.Fields(strings.ReplaceAll(line, "`", " "))
	for i, word := range words {
		name, ok := strings.CutPrefix(strings.TrimLeft(word, "("), "/cairn-")
		if !ok {
			continue
		}
		p, err := Find(string(Command) + "/" + strings.TrimRight(name, ",.;:)"))
		if err != nil || name != p.Name {
			continue // what ends a sentence has no flags behind it
		}
		for _, arg := range words[i+1:] {
			flag := strings.TrimRight(arg, ",.;:)")
			if strings.HasPrefix(flag, "--") && !p.takes(flag) {
				c.add("/cairn-%s takes no %s", name, flag)
			}
			if flag != arg || !strings.HasPrefix(arg, "--") && arg != strings.ToUpper(arg) {
				break
			}
		}
	}
}

// takes reports whether a command says that it takes a flag.
func (p *Piece) takes(flag string) bool {
	return slices.Contains(strings.FieldsFunc(p.Arguments, func(r rune) bool { return strings.ContainsRune(" []|", r) }), flag)
}

// named returns what a call names in its arguments that does not exist, or "":
// a template, a role. A word in capitals stands for one.
func named(words []string) string {
	for i, word := range words[1:] {
		switch before := words[i]; {
		case word == strings.ToUpper(word):
		case before == "fill" && i > 0 && words[i-1] == "template" && !slices.Contains(template.Names(), word):
			return "there is no template " + word
		case before == "--agent":
			if _, ok := agent.Find(word); !ok {
				return "there is no role " + word
			}
		}
	}
	return ""
}

// documents checks the names of documents: NAME.md in capitals.
func (c *checker) documents(line string) {
	for _, word := range strings.FieldsFunc(line, func(r rune) bool {
		return !('A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '.' || r == '_' || r == '/')
	}) {
		name := strings.TrimRight(word[strings.LastIndexByte(word, '/')+1:], ".")
		base, ok := strings.CutSuffix(name, ".md")
		if !ok || base == "" || base != strings.ToUpper(base) {
			continue
		}
		base = strings.TrimPrefix(strings.TrimLeft(base, "N0123456789-"), "VERSION-")
		if base != "" && !slices.Contains(documents(), base) {
			c.add("there is no document %s", name)
		}
	}
}

// documents are the documents of a project that prompts may speak of, without
// phase and suffix.
func documents() []string {
	return []string{
		"PROJECT", "REQUIREMENTS", "ROADMAP", "STATE", "MILESTONES", "MILESTONE-AUDIT", "RETROSPECTIVE", "HANDOFF", "LEARNINGS", "USER-PROFILE",
		"SPEC", "CONTEXT", "DISCUSSION-LOG", "RESEARCH", "PATTERNS", "PLAN", "SUMMARY", "VALIDATION", "VERIFICATION", "UAT",
		"UI-SPEC", "AI-SPEC", "SECURITY", "REVIEW", "REVIEWS", "REVIEW-FIX", "UI-REVIEW", "EVAL-REVIEW",
		"STACK", "FEATURES", "ARCHITECTURE", "PITFALLS", "INTEGRATIONS", "STRUCTURE", "CONVENTIONS", "TESTING", "CONCERNS",
		"AGENTS", "CLAUDE", "GEMINI", "QWEN", "CODEBUDDY", "SKILL", "README", "MANIFEST", "WORKSPACE", "CHANGELOG", "CONTRIBUTING",
	}
}
