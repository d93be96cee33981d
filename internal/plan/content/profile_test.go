package content

import (
	"slices"
	"strings"
	"testing"

	"cairn/internal/plan/agent"
)

// The roles that health misses are those which the commands of the smallest
// profile may spawn.
func TestCoreRoles(t *testing.T) {
	_, agents, err := InProfile(Profiles()[0])
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range agents {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, agent.Core()) {
		t.Errorf("package agent has %v, the prompts name %v", agent.Core(), names)
	}
}

// The prompts of a profile name no command that it does not install: how the text of
// such a one is printed stands in its place.
func TestProfilesNameWhatTheyInstall(t *testing.T) {
	all, err := Of(Command)
	if err != nil {
		t.Fatal(err)
	}
	for _, profile := range Profiles() {
		style := Plain()
		style.Profile, style.Mention = profile, "«*»"
		commands, agents, err := InProfile(profile)
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for _, p := range slices.Concat(commands, agents) {
			text, err := Expand(p, style)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range all {
				if strings.Contains(text, "«"+c.Name+"»") && !slices.ContainsFunc(commands, func(q *Piece) bool { return q.Name == c.Name }) {
					t.Errorf("%s: %s names %s", profile, p.Path(), c.Name)
				}
			}
			shown += strings.Count(text, "the steps of `cairn plan content show ")
			if strings.Contains(text, "`the steps of") {
				t.Errorf("%s: %s has a command line in a command line", profile, p.Path())
			}
		}
		if last := profile == Profiles()[len(Profiles())-1]; last != (shown == 0) {
			t.Errorf("%s: %d", profile, shown)
		}
	}
}
