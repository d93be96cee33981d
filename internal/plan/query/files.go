package query

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/runtimes"
)

// manifestName is the old installer's list of what it wrote.
const manifestName = "gsd-file-manifest.json"

// installed are the directories of a coding agent that the old installer
// writes to. In those with mine false, files that do not begin with gsd- are
// somebody else's.
var installed = [...]struct {
	dir  string
	mine bool
}{
	{"get-shit-done", true}, {"gsd-core", true}, {"commands/gsd", true}, {"agents", false}, {"hooks", false}, {"skills", false},
}

// detectCustomFiles lists what stands where the old installer writes and is
// not of its making, which an update would have to keep.
func detectCustomFiles(c *call) result {
	named := c.opt("config-dir")
	require(named != "", "usage", "Usage: detect-custom-files --config-dir <path>")
	dir := c.at(named)
	fi, err := os.Stat(dir)
	require(err == nil && fi.IsDir(), "usage", "Config directory not found: %s", named)
	var manifest struct {
		Version any            `json:"version"`
		Files   map[string]any `json:"files"`
	}
	custom := []string{}
	b, err := plan.ReadFile(filepath.Join(dir, manifestName))
	found := err == nil && json.Unmarshal(b, &manifest) == nil
	if found {
		for _, in := range installed {
			custom = append(custom, strangers(dir, in.dir, in.mine, manifest.Files)...)
		}
		slices.Sort(custom)
	}
	return data(object{
		{"custom_files", custom}, {"custom_count", len(custom)},
		{"manifest_found", found}, {"manifest_version", manifest.Version},
	})
}

func strangers(root, dir string, mine bool, known map[string]any) (found []string) {
	_ = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return nil
		}
		rel = filepath.ToSlash(rel)
		below := strings.TrimPrefix(rel, dir+"/")
		if _, ok := known[rel]; !ok && (mine || strings.HasPrefix(below, "gsd-")) {
			found = append(found, rel)
		}
		return nil
	})
	return found
}

// skillManifest lists the skills that agents can find, and where.
func skillManifest(c *call) result {
	home, _ := os.UserHomeDir() // "" where there is none
	roots, chosen := runtimes.SkillDirs[:], c.given("skills-dir")
	if chosen {
		roots = []runtimes.SkillDir{{Dir: c.opt("skills-dir")}}
	}
	skills, listed := []object{}, []object{}
	for _, r := range roots {
		shown, abs, scope := r.Dir, c.at(r.Dir), "project"
		switch {
		case chosen:
			scope = "custom"
		case r.Global:
			shown, abs, scope = "~/"+r.Dir, filepath.Join(home, filepath.FromSlash(r.Dir)), "global"
		}
		found := readSkills(abs, shown, scope, r.Deprecated)
		_, err := os.Stat(abs)
		listed = append(listed, object{
			{"root", shown}, {"path", filepath.ToSlash(abs)}, {"scope", scope}, {"present", err == nil},
			{"skill_count", len(found)}, {"deprecated", r.Deprecated},
		})
		skills = append(skills, found...)
	}
	old := slices.ContainsFunc(skills, func(s object) bool { return strings.HasPrefix(s[0].value.(string), "gsd-") })
	_, legacy := os.Stat(filepath.Join(home, filepath.FromSlash(runtimes.OldCommands)))
	o := object{
		{"skills", skills}, {"roots", listed},
		{"installation", object{{"gsd_skills_installed", old}, {"legacy_claude_commands_installed", legacy == nil}}},
		{"counts", object{{"skills", len(skills)}, {"roots", len(listed)}}},
	}
	if c.given("write") {
		b := must.Get(marshal(o, "  "))
		c.change(func(tx *plan.Tx) { tx.Write(c.Shared("skill-manifest.json"), append(b, '\n')) })
	}
	return data(o)
}

// readSkills reads the SKILL.md of every directory below dir.
func readSkills(dir, root, scope string, deprecated bool) []object {
	found := []object{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		b, err := plan.ReadFile(filepath.Join(dir, e.Name(), "SKILL.md"))
		if err != nil {
			continue
		}
		front := doc.Parse(b).Front()
		found = append(found, object{
			{"name", cmp.Or(front.Get("name").Text(), e.Name())}, {"description", front.Get("description").Text()},
			{"triggers", list(front.Get("triggers").Strings())},
			{"path", root + "/" + e.Name()}, {"file_path", root + "/" + e.Name() + "/SKILL.md"},
			{"root", root}, {"scope", scope}, {"installed", !deprecated}, {"deprecated", deprecated},
		})
	}
	return found
}

// exitTooBig is prompt-budget's exit code for a prompt that cannot be made
// small enough.
const exitTooBig = 2

// promptBudget puts a prompt together from files and leaves out what matters
// least until it fits: first most of PROJECT.md, then the ends of the plans,
// then context, research and requirements.
func promptBudget(c *call) result {
	budget, err := strconv.Atoi(c.opt("budget"))
	require(err == nil && budget > 0, "usage", "prompt-budget: --budget <tokens> is required and has to be positive")
	margin, head := c.number("safety-margin-pct", 10), c.number("project-md-head-lines", 40)
	p := brief.Prompt{
		Instructions: c.fileOf("instructions-file"), Roadmap: c.fileOf("roadmap-file"), Project: c.fileOf("project-file"),
		Context: c.fileOf("context-file"), Research: c.fileOf("research-file"), Requirements: c.fileOf("requirements-file"),
	}
	for _, name := range c.all("plan-file") {
		text := c.readAs("plan-file", name)
		if text == "" {
			break
		}
		p.Plans = append(p.Plans, text)
	}
	effective := budget * (100 - margin) / 100
	p.Fit(effective, head)
	text := p.String()
	tokens := brief.PromptTokens(text)
	meta := object{
		{"budget", budget}, {"effectiveBudget", effective}, {"estimatedTokens", tokens}, {"omitted", list(p.Omitted)},
		{"projectMdShrunk", p.Shrunk}, {"planTruncationPct", p.Truncated}, {"hardFailed", tokens > effective}, {"noteInjected", p.Cut()},
	}
	if c.given("output-prompt") && tokens <= effective {
		must.OK(atomicfile.WriteFile(c.at(c.opt("output-prompt")), []byte(text), 0o644))
	}
	if c.given("output-metadata") {
		must.OK(atomicfile.WriteFile(c.at(c.opt("output-metadata")), must.Get(marshal(meta, "  ")), 0o644))
	}
	res := data(meta)
	if tokens > effective {
		res.code = exitTooBig
	}
	return res
}

// number reads an option that is a whole number.
func (c *call) number(name string, deflt int) int {
	if !c.given(name) {
		return deflt
	}
	n, err := strconv.Atoi(c.opt(name))
	require(err == nil, "usage", "--%s needs a whole number, not %q", name, c.opt(name))
	return n
}

// fileOf reads the file that an option names; "" without the option.
func (c *call) fileOf(name string) string {
	if !c.given(name) {
		return ""
	}
	return c.readAs(name, c.opt(name))
}

func (c *call) readAs(option, file string) string {
	b, err := plan.ReadFile(c.at(file))
	require(err == nil, "usage", "--%s: cannot read %s", option, file)
	return string(b)
}
