package content

import (
	"strings"
	"testing"
)

// What a prompt names in a call or in its words has to exist; a word in
// capitals stands for something.
func TestCheckNames(t *testing.T) {
	calls := []Call{
		{Words: []string{"plan", "template", "fill"}, Min: 1, Max: 1, Flags: map[string]bool{"--phase": true}},
		{Words: []string{"plan", "context"}, Min: 1, Max: -1, Flags: map[string]bool{"--agent": true}},
	}
	for text, want := range map[string]string{
		"`cairn plan template fill security --phase N`":      "",
		"`cairn plan template fill TEMPLATE`":                "",
		"`cairn plan template fill securities`":              "there is no template securities",
		"`cairn plan context phase-op N --agent ui-auditor`": "",
		"`cairn plan context phase-op N --agent auditor`":    "there is no role auditor",
		"`cairn plan context phase-op N --agent`":            "--agent needs a value",
		"`.planning/VERSION-MILESTONE-AUDIT.md`":             "",
		"NN-SECURITY.md and LEARNINGS.md":                    "",
		"NN-SAFETY.md":                                       "there is no document NN-SAFETY.md",
	} {
		c := checker{piece: &Piece{}, calls: calls}
		c.text(text)
		got := ""
		for _, f := range c.found {
			got += f.What
		}
		if !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
