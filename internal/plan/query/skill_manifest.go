package query

import (
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/runtimes"
)

var skillCommands = []command{
	{name: "skill-manifest", run: skillManifest},
}

// skillManifest lists the skills that agents can find, and where.
func skillManifest(c *call) (result, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	only, chosen := c.flag("skills-dir")
	roots := runtimes.SkillDirs[:]
	if chosen {
		roots = []runtimes.SkillDir{{Dir: only}}
	}
	skills, listed := []object{}, []object{}
	old := false
	for _, r := range roots {
		shown, abs, scope := r.Dir, filepath.Join(c.Root, filepath.FromSlash(r.Dir)), "project"
		switch {
		case chosen:
			abs, scope = c.fromHere(only), "custom"
		case r.Global:
			shown, abs, scope = "~/"+r.Dir, filepath.Join(home, filepath.FromSlash(r.Dir)), "global"
		}
		found := readSkills(abs, shown, scope, r.Deprecated)
		_, err := os.Stat(abs)
		listed = append(listed, object{
			{"root", shown}, {"path", filepath.ToSlash(abs)}, {"scope", scope}, {"present", err == nil},
			{"skill_count", len(found)}, {"deprecated", r.Deprecated},
		})
		for _, s := range found {
			name, _ := s[0].value.(string)
			old = old || strings.HasPrefix(name, "gsd-")
		}
		skills = append(skills, found...)
	}
	_, legacy := os.Stat(filepath.Join(home, filepath.FromSlash(runtimes.OldCommands)))
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
