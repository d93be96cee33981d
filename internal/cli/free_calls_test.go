package cli

import (
	"slices"
	"strings"
	"testing"

	"cairn/internal/host"
	"cairn/internal/plan/plancmd"
)

// In Claude Code a command of ours makes every call of the plan without asking, but for
// those that run programs which the plan names.
func TestFreeCalls(t *testing.T) {
	rules := ""
	for _, h := range host.All() {
		if h.Name == "claude" {
			for _, f := range h.Prompts.Command.Head {
				if f.Key == "allowed-tools" {
					rules = f.Text
				}
			}
		}
	}
	free := plancmd.FreeCalls()
	for _, c := range plancmd.Commands(plancmd.Prompts{}) {
		words := strings.Fields(c.Path)
		if len(words) < 2 {
			continue
		}
		call := strings.Join(words[:2], " ")
		if has := strings.Contains(rules, "@cairn@ "+call+":*)"); has != slices.Contains(free, call) {
			t.Errorf("%s: made without asking: %v", call, has)
		}
	}
	if slices.Contains(free, "plan prove") || slices.Contains(free, "plan run") || len(free) < 30 {
		t.Errorf("free: %q", free)
	}
	if strings.Contains(rules, "@cairn@ plan:*") || strings.Contains(rules, "@cairn@:*") {
		t.Error("one rule covers every call")
	}
}
