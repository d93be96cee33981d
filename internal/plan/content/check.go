package content

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan/agent"
	"cairn/internal/plan/settings"
	"cairn/internal/plan/template"
)

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
		problem := Wrong(c.calls, words)
		if problem == "" {
			problem = named(words)
		}
		if problem != "" {
			c.add("cairn %s: %s", strings.Join(words, " "), problem)
		}
	}
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
			if strings.HasPrefix(flag, "--") && !p.Takes(flag) {
				c.add("/cairn-%s takes no %s", name, flag)
			}
			if flag != arg || !strings.HasPrefix(arg, "--") && arg != strings.ToUpper(arg) {
				break
			}
		}
	}
}

// Takes reports whether a command says that it takes a flag.
func (p *Piece) Takes(flag string) bool {
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
