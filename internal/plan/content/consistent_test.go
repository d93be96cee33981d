package content_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"cairn/internal/plan/content"
)

// A told is a command with everything its words can send a reader to, but for
// other commands: its own text, its parts, the references, as they were
// written and as they are read.
type told struct {
	*content.Piece
	raw, text string
	own       string // of text, without references
}

func commandsAsTold(t *testing.T) []told {
	t.Helper()
	commands, err := content.Of(content.Command)
	if err != nil {
		t.Fatal(err)
	}
	var all []told
	for _, c := range commands {
		w := told{Piece: c}
		w.read(t, c, map[string]bool{})
		all = append(all, w)
	}
	return all
}

func (w *told) read(t *testing.T, p *content.Piece, seen map[string]bool) {
	t.Helper()
	seen[p.Path()] = true
	text, err := content.Expand(p, content.Plain())
	if err != nil {
		t.Fatal(err)
	}
	w.raw, w.text = w.raw+"\n"+p.Body, w.text+"\n"+text
	if p.Kind != content.Reference {
		w.own += "\n" + text
	}
	for _, name := range regexp.MustCompile(`include "([a-z-]+)"`).FindAllStringSubmatch(p.Body, -1) {
		partial, err := content.Find("partials/" + name[1])
		if err != nil {
			t.Fatal(err)
		}
		w.raw += "\n" + partial.Body
	}
	for _, name := range regexp.MustCompile(`plan content show ([a-z/-]*[a-z])(?:[^A-Za-z/]|$)`).FindAllStringSubmatch(text, -1) {
		to, err := content.Find(name[1])
		if err != nil {
			t.Fatal(err)
		}
		if !seen[to.Path()] && (to.Kind == content.Workflow || to.Kind == content.Reference) {
			w.read(t, to, seen)
		}
	}
}

var role = regexp.MustCompile(`{{agent "([a-z-]+)"}}`)

func rolesIn(raw string) []string {
	var out []string
	for _, m := range role.FindAllStringSubmatch(raw, -1) {
		out = append(out, m[1])
	}
	return out
}

// conditional are words of a sentence about an agent that not every run needs.
var conditional = regexp.MustCompile("(?i)\\b(if|when|with|on|offer|red|issues)\\b|No `files|`--|fact|refresh")

// A role that a command's own words name is in its head, where its cost is
// counted, or its line says when it is needed; one of the head is spawned.
func TestRolesOfHeads(t *testing.T) {
	for _, c := range commandsAsTold(t) {
		named := rolesIn(c.raw)
		for _, line := range strings.Split(c.Body, "\n") {
			for _, r := range rolesIn(line) {
				before, _, _ := strings.Cut(line, `{{agent "`+r+`"}}`)
				if !slices.Contains(c.Agents, r) && !conditional.MatchString(before) {
					t.Errorf("%s: it spawns %s in every run, and its head does not name it", c.Name, r)
				}
			}
		}
		for _, r := range c.Agents {
			if !slices.Contains(named, r) && !managed(c.Piece, r) {
				t.Errorf("%s: its head names %s, and no word of it spawns that", c.Name, r)
			}
		}
	}
}

// managed: a role of the command spawns it.
func managed(c *content.Piece, r string) bool {
	return slices.ContainsFunc(c.Agents, func(by string) bool {
		p, err := content.Find("agents/" + by)
		return err == nil && by != r && slices.Contains(rolesIn(p.Body), r)
	})
}

// result is a way to end that a role's own words promise, and a status that
// comes with it: issues, gaps_found.
var result = regexp.MustCompile("RESULT: (issues|checkpoint)(?: — ([a-z]+_[a-z]+))?")

// Whoever spawns a role says what to do when it ends with issues or at a
// checkpoint. A role that is blocked is what partials/rules speaks of.
func TestResultsAreHandled(t *testing.T) {
	commands := commandsAsTold(t)
	agents, err := content.Of(content.Agent)
	if err != nil {
		t.Fatal(err)
	}
	kinds := 0
	for _, a := range agents {
		for _, m := range result.FindAllStringSubmatch(a.Body, -1) {
			kinds++
			handled := func(raw string) bool {
				return slices.Contains(rolesIn(raw), a.Name) &&
					(strings.Contains(raw, "RESULT: "+m[1]) || m[2] != "" && strings.Contains(raw, m[2]))
			}
			if !slices.ContainsFunc(commands, func(c told) bool { return handled(c.raw) }) &&
				!slices.ContainsFunc(agents, func(by *content.Piece) bool { return by != a && handled(by.Body) }) {
				t.Errorf("%s ends with %s, and nothing that spawns it says what then", a.Name, m[0])
			}
		}
	}
	if kinds < 10 {
		t.Errorf("%d results: are they still written as RESULT: kind?", kinds)
	}
	rules, err := content.Find("partials/rules")
	if err != nil || !strings.Contains(rules.Body, "the step does not mention") {
		t.Errorf("rules no longer say what to do with a result that a step is silent about: %v", err)
	}
}

var (
	mention  = regexp.MustCompile("/cairn-[a-z-]+`?( (N|--[a-z-]+|[A-Z]+))*")
	flag     = regexp.MustCompile(`--[a-z][a-z-]*`)
	ownSpan  = regexp.MustCompile("`(--[a-z][a-z-]*)[^`]*`")
	modeWord = regexp.MustCompile(`[a-z][a-z-]+`)
)

// foreign are flags that stand alone in prompts and belong to something else:
// a call of cairn or git beside them, the command that is run next.
var foreign = []string{"--no-verify", "--force", "--dry-run", "--id", "--no-migrate", "--allow-deletions", "--help", "--requirement", "--text", "--ws", "--gaps"}

// What a command's arguments promise is in its words, and a flag that its
// words explain is in its arguments.
func TestArgumentsAreExplained(t *testing.T) {
	for _, c := range commandsAsTold(t) {
		words := mention.ReplaceAllString(c.text, "")
		promised := flag.FindAllString(c.Arguments, -1)
		for _, f := range promised {
			if !regexp.MustCompile(regexp.QuoteMeta(f) + `\b(?:[^-]|$)`).MatchString(words) {
				t.Errorf("%s: its arguments have %s, and no word of it says what that does", c.Name, f)
			}
		}
		for _, w := range modeWord.FindAllString(flag.ReplaceAllString(c.Arguments, ""), -1) {
			if !strings.Contains(words, w) {
				t.Errorf("%s: its arguments have %s, and no word of it says what that does", c.Name, w)
			}
		}
		var inCalls []string
		for _, call := range content.CallsOf(c.text) {
			inCalls = append(inCalls, call...)
		}
		for _, line := range strings.Split(c.own, "\n") {
			if strings.Contains(line, "/cairn-") {
				continue // the flag is of the command that it mentions
			}
			for _, m := range ownSpan.FindAllStringSubmatch(line, -1) {
				if f := m[1]; !slices.Contains(promised, f) && !slices.Contains(inCalls, f) && !slices.Contains(foreign, f) {
					t.Errorf("%s: its words have %s, and its arguments do not", c.Name, f)
				}
			}
		}
	}
}
