package render

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/host"
	"cairn/internal/plan/content"
	"cairn/internal/tokens"
)

// mostListed is what a full installation may add to each request of an agent: the names and
// descriptions of what its model may call, in tokens.
const mostListed = 300

// listing is what a host tells its model of our files in every request, a line each, as
// Claude Code writes them; others write less of an agent, or the same.
func listing(t *testing.T, h host.Host, files []File) string {
	t.Helper()
	aside := map[string]bool{}
	for _, f := range files {
		if dir, ok := strings.CutSuffix(f.Path, "/agents/openai.yaml"); ok {
			aside[dir+"/SKILL.md"] = true
		}
	}
	pattern, _, _ := strings.Cut(h.Prompts.Agent.Path, "*")
	var b strings.Builder
	for _, f := range files {
		head, err := parse(f)
		if err != nil {
			t.Fatal(f.Path, err)
		}
		role := h.Prompts.Agent.Path != "" && strings.HasPrefix(f.Path, pattern)
		if strings.HasSuffix(f.Path, ".yaml") || !role && (h.Prompts.Command.Told == host.ToldNone || aside[f.Path] || head["disable-model-invocation"] == true) {
			continue
		}
		parts := strings.Split(strings.TrimSuffix(f.Path, "/SKILL.md"), "/")
		fmt.Fprintf(&b, "- %s: %v", strings.TrimSuffix(parts[len(parts)-1], ".md"), head["description"])
		if tools, ok := head["tools"].(string); ok {
			fmt.Fprintf(&b, " (Tools: %s)", tools)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestListing(t *testing.T) {
	for _, h := range host.All() {
		files, err := Files(h, Options{Profile: "full"})
		if err != nil {
			t.Fatal(err)
		}
		text := listing(t, h, files)
		n := tokens.Estimate(text)
		if n > mostListed {
			t.Errorf("%s: %d tokens are told in every request, more than %d:\n%s", h.Name, n, mostListed, text)
		}
		if h.Prompts.Command.Told != host.ToldNone && !strings.Contains(text, "cairn-help: ") {
			t.Errorf("%s: its model is not told of cairn-help, which knows the rest:\n%s", h.Name, text)
		}
		t.Logf("%s: %d", h.Name, n)
	}
}

// A role that the prompts name can be spawned: it is an agent of its own, or the one that
// plays any is told its name.
func TestRolesCanBeSpawned(t *testing.T) {
	all, err := content.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range host.All() {
		if h.Prompts.Agent.Path == "" {
			continue
		}
		for _, profile := range content.Profiles() {
			files, err := Files(h, Options{Profile: profile})
			if err != nil {
				t.Fatal(err)
			}
			installed := map[string]bool{}
			for _, f := range files {
				name := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
				installed[name[:strings.IndexByte(name, '.')]] = true
			}
			style := Style(h, "")
			style.AgentName = "«" + style.AgentName + "»"
			for _, p := range all {
				if p.Kind == content.Partial {
					continue
				}
				text, err := content.Expand(p, style)
				if err != nil {
					t.Fatal(err)
				}
				for _, after := range strings.Split(text, "«")[1:] {
					name := strings.FieldsFunc(after, func(r rune) bool { return r == ' ' || r == '»' })[0]
					if !installed[name] {
						t.Errorf("%s, %s: %s names %s, which is not installed", h.Name, profile, p.Path(), name)
					}
				}
			}
		}
	}
}
