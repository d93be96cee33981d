package content

import (
	"slices"
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
