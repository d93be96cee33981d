package query

import (
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

var skillCommands = []command{
	{name: "skill-manifest", run: skillManifest},
}

// skillRoot is a directory that coding agents look for skills in.
type skillRoot struct {
	dir        string // with slashes, in the project or in the user's home
	global     bool
	deprecated bool
}

var skillRoots = []skillRoot{
	{dir: ".claude/skills"}, {dir: ".agents/skills"}, {dir: ".cursor/skills"}, {dir: ".github/skills"}, {dir: ".codex/skills"},
	{dir: ".claude/skills", global: true}, {dir: ".codex/skills", global: true},
	{dir: ".claude/get-shit-done/skills", global: true, deprecated: true},
}

// skillManifest lists the skills that agents can find, and where.
func skillManifest(c *call) (result, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	only, chosen := c.flag("skills-dir")
	roots := skillRoots
	if chosen {
		roots = []skillRoot{{dir: only}}
	}
	skills, listed := []object{}, []object{}
	old := false
	for _, r := range roots {
		shown, abs, scope := r.dir, filepath.Join(c.Root, filepath.FromSlash(r.dir)), "project"
		switch {
		case chosen:
			abs, scope = c.fromHere(only), "custom"
		case r.global:
			shown, abs, scope = "~/"+r.dir, filepath.Join(home, filepath.FromSlash(r.dir)), "global"
		}
		found := readSkills(abs, shown, scope, r.deprecated)
		_, err := os.Stat(abs)
		listed = append(listed, object{
			{"root", shown}, {"path", filepath.ToSlash(abs)}, {"scope", scope}, {"present", err == nil},
			{"skill_count", len(found)}, {"deprecated", r.deprecated},
		})
		for _, s := range found {
			name, _ := s[0].value.(string)
			old = old || strings.HasPrefix(name, "gsd-")
		}
		skills = append(skills, found...)
	}
	_, legacy := os.Stat(filepath.Join(home, ".claude", "commands", "gsd"))
	o := object{
		{"skills", skills}, {"roots", listed},
		{"installation", object{{"gsd_skills_installed", old}, {"legacy_claude_commands_installed", legacy == nil}}},
		{"counts", object{{"skills", len(skills)}, {"roots", len(listed)}}},
	}
	if !c.switched("write") {
		return data(o), nil
	}
	b, err := marshal(o, "  ")
	if err != nil {
		return result{}, err
	}
	_, err = c.change(func(tx *plan.Tx) error {
		return tx.Write(c.Shared("skill-manifest.json"), append(b, '\n'))
	})
	return data(o), err
}

// readSkills reads the SKILL.md of every directory below dir.
func readSkills(dir, root, scope string, deprecated bool) []object {
	found := []object{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		file := filepath.Join(dir, e.Name(), "SKILL.md")
		b, err := plan.ReadFile(file)
		if err != nil {
			continue
		}
		front := doc.Parse(b).Front()
		name := front.Get("name").Text()
		if name == "" {
			name = e.Name()
		}
		found = append(found, object{
			{"name", name}, {"description", front.Get("description").Text()},
			{"triggers", list(front.Get("triggers").Strings())},
			{"path", root + "/" + e.Name()}, {"file_path", root + "/" + e.Name() + "/SKILL.md"},
			{"root", root}, {"scope", scope}, {"installed", !deprecated}, {"deprecated", deprecated},
		})
	}
	return found
}
