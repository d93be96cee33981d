// Package agent is the roles that planning work is given to: which there are,
// which model each gets and why, and which are installed where a coding agent
// looks for them.
//
// The verbs, the queries, health and the check of prompts import it; it imports
// plan/settings, and the runtimes as data. What a role is told to do is not here, nor how its file is
// rendered for a coding agent.
package agent

import "strings"

// A Role is one agent. Its name has no prefix; files and older projects call
// it gsd-NAME or cairn-NAME.
type Role struct {
	Name     string
	Quality  string // the tier it has in the profile quality
	Balanced string
	Budget   string
	Load     string // light, standard or heavy: what adaptive and routing go by
	Phase    string // of the work: planning, discuss, research, execution, verification
}

// Roles returns all roles.
func Roles() []Role { return roles[:] }

// Find returns the role of that name, with or without a prefix.
func Find(name string) (Role, bool) {
	name = Base(name)
	for _, r := range roles {
		if r.Name == name {
			return r, true
		}
	}
	return Role{}, false
}

// Base returns an agent's name without its prefix.
func Base(name string) string {
	for _, prefix := range prefixes {
		if base, ok := strings.CutPrefix(name, prefix); ok {
			return base
		}
	}
	return name
}

// prefixes of agents' names, which keep them apart from a user's own.
var prefixes = [...]string{"gsd-", "cairn-"}

// Tier returns the tier a role has in a profile; balanced stands in for one
// that is unknown.
func (r Role) Tier(profile string) string {
	switch profile {
	case "inherit":
		return "inherit"
	case "quality":
		return r.Quality
	case "budget":
		return r.Budget
	case "adaptive":
		return tierOf(r.Load)
	}
	return r.Balanced
}

// tierOf returns the tier that carries a load.
func tierOf(load string) string {
	switch load {
	case "heavy":
		return "opus"
	case "light":
		return "haiku"
	}
	return "sonnet"
}

// The table says which model earns its price in which role: where one wrong
// sentence costs a phase the strongest, where lists are checked the cheapest.
var roles = [...]Role{
	{"planner", "opus", "opus", "sonnet", "heavy", "planning"},
	{"roadmapper", "opus", "sonnet", "sonnet", "heavy", "planning"},
	{"executor", "opus", "sonnet", "sonnet", "standard", "execution"},
	{"phase-researcher", "opus", "sonnet", "haiku", "standard", "research"},
	{"project-researcher", "opus", "sonnet", "haiku", "standard", "research"},
	{"research-synthesizer", "sonnet", "sonnet", "haiku", "light", "research"},
	{"debugger", "opus", "sonnet", "sonnet", "heavy", "execution"},
	{"codebase-mapper", "sonnet", "haiku", "haiku", "light", "research"},
	{"verifier", "sonnet", "sonnet", "haiku", "standard", "verification"},
	{"plan-checker", "sonnet", "sonnet", "haiku", "light", "verification"},
	{"integration-checker", "sonnet", "sonnet", "haiku", "light", "verification"},
	{"nyquist-auditor", "sonnet", "sonnet", "haiku", "light", "verification"},
	{"pattern-mapper", "sonnet", "sonnet", "haiku", "light", "planning"},
	{"ui-researcher", "opus", "sonnet", "haiku", "standard", "research"},
	{"ui-checker", "sonnet", "sonnet", "haiku", "light", "verification"},
	{"ui-auditor", "sonnet", "sonnet", "haiku", "light", "verification"},
	{"doc-writer", "opus", "sonnet", "haiku", "standard", "execution"},
	{"doc-verifier", "sonnet", "sonnet", "haiku", "light", "verification"},
	{"advisor-researcher", "opus", "sonnet", "haiku", "standard", "research"},
	{"ai-researcher", "opus", "sonnet", "haiku", "standard", "research"},
	{"assumptions-analyzer", "opus", "sonnet", "sonnet", "heavy", "discuss"},
	{"code-fixer", "opus", "sonnet", "sonnet", "standard", "execution"},
	{"code-reviewer", "opus", "sonnet", "sonnet", "standard", "verification"},
	{"debug-session-manager", "opus", "sonnet", "sonnet", "heavy", "execution"},
	{"doc-classifier", "sonnet", "haiku", "haiku", "light", "research"},
	{"doc-synthesizer", "opus", "sonnet", "haiku", "standard", "research"},
	{"domain-researcher", "opus", "sonnet", "haiku", "standard", "research"},
	{"eval-auditor", "opus", "sonnet", "haiku", "standard", "verification"},
	{"eval-planner", "opus", "opus", "sonnet", "heavy", "planning"},
	{"framework-selector", "opus", "sonnet", "sonnet", "heavy", "planning"},
	{"intel-updater", "opus", "sonnet", "haiku", "light", "research"},
	{"security-auditor", "opus", "sonnet", "sonnet", "heavy", "verification"},
	{"user-profiler", "opus", "sonnet", "sonnet", "heavy", "research"},
}
