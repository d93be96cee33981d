package query

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/settings"
	"cairn/internal/runtimes"
)

func resolveModel(c *call) result {
	r := agent.Resolve(c.settings(), c.arg(0), 0)
	o := object{{"model", r.Model}, {"profile", r.Profile}}.given("reasoning_effort", r.Effort)
	if r.Unknown {
		o = o.with("unknown_agent", true)
	}
	return dataRaw(o, r.Model)
}

func setModelProfile(c *call) result {
	row, _ := settings.Find("model_profile")
	profile := strings.ToLower(strings.TrimSpace(c.arg(0)))
	require(profile != "", "usage", "Usage: config-set-model-profile <%s>", strings.Join(row.Allowed, "|"))
	_, err := row.Parse(profile)
	require(err == nil, "usage", "Invalid profile '%s'. Valid profiles: %s", profile, strings.Join(row.Allowed, ", "))
	before := c.settings().Text("model_profile")
	c.configure(func(tx *plan.Tx) {
		settings.Create(tx, settings.Fresh(nil, c.Getenv))
		settings.Put(tx, "model_profile", profile)
	})
	models := object{}
	table := fmt.Sprintf("Model profile set to: %s\n\n%-28s %s\n", profile, "Agent", "Model")
	for _, r := range agent.Roles() {
		models = models.with(oldName(r.Name), r.Tier(profile))
		table += fmt.Sprintf("%-28s %s\n", oldName(r.Name), r.Tier(profile))
	}
	return dataRaw(object{
		{"updated", true}, {"profile", profile}, {"previousProfile", before}, {"agentToModelMap", models},
	}, table)
}

// oldName is how the old tool calls a role.
func oldName(role string) string { return "gsd-" + role }

func oldNames(roles []string) []string {
	return each(roles, oldName)
}

func validateAgents(c *call) result {
	in := agent.Look(c.settings(), c.Root, c.Getenv)
	return data(object{
		{"agents_dir", in.Dir}, {"agents_found", in.Found}, {"installed", oldNames(in.Roles)},
		{"missing", oldNames(in.Missing)}, {"expected", each(agent.Roles(), func(r agent.Role) string { return oldName(r.Name) })},
	})
}

// agentSkills prints the block of a prompt that names an agent's skills.
func agentSkills(c *call) result {
	name := c.arg(0)
	if name == "" {
		return data("")
	}
	s := c.settings()
	base := agent.Base(name)
	var skills []string
	for _, n := range []string{name, base, oldName(base), "cairn-" + base} {
		v, _ := s.Value("agent_skills." + n) // of any name, not only one that the table allows
		if skills, _ = v.Any.([]string); len(skills) > 0 {
			break
		}
	}
	lines := ""
	for _, skill := range skills {
		file, err := c.skillFile(skill)
		if err != nil {
			fmt.Fprintf(c.Stderr, "Warning: agent_skills.%s: %v\n", name, err)
			continue
		}
		lines += "- @" + file + "\n"
	}
	if lines == "" {
		return rawText("")
	}
	return rawText("<agent_skills>\nRead these skills of the user's first:\n" + lines + "</agent_skills>")
}

// skillFile returns the SKILL.md of a skill's directory in the project, or
// with global: among the user's own skills.
func (c *call) skillFile(skill string) (string, error) {
	if name, ok := strings.CutPrefix(skill, "global:"); ok {
		if name == "" || strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
			return "", fmt.Errorf("%q is not a skill's name", skill)
		}
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		file := filepath.Join(runtimes.Usual().Dir(home, c.Getenv), "skills", name, "SKILL.md")
		if _, err := os.Stat(file); err != nil {
			return "", fmt.Errorf("there is no %s", file)
		}
		return filepath.ToSlash(file), nil
	}
	rel := strings.TrimSuffix(filepath.ToSlash(skill), "/") + "/SKILL.md"
	if !c.is(func(tx *plan.Tx) bool { return tx.Has(rel) }) { // which is also so outside of the project
		return "", fmt.Errorf("there is no %s in the project", rel)
	}
	return rel, nil
}
