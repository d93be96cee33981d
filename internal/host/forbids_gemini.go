package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// geminiForbids says what of the user's may keep read_file from being called,
// or "". An answer would then cost the model the whole result.
func geminiForbids(dir, project string) string {
	const stay = "read_file, by which a result is replaced, so results stay as they are"
	mine := filepath.Join(project, ".gemini")
	settings := []string{filepath.Join(dir, "settings.json"), filepath.Join(mine, "settings.json"), "/etc/gemini-cli/settings.json"}
	for _, name := range append(settings, globs("extensions/*/gemini-extension.json", dir, mine)...) {
		if data, err := os.ReadFile(name); err == nil && geminiExcludes(data) {
			return name + " takes from the agent's tools " + stay
		}
	}
	for _, name := range globs("policies/*.toml", dir, mine) {
		data, err := os.ReadFile(name)
		if err == nil && (strings.Contains(string(data), geminiRead) || strings.Contains(string(data), `"*"`)) {
			return name + " may have a rule for " + stay
		}
	}
	for _, name := range globs("agents/*.md", dir, mine) {
		data, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(data), "\ntools:") && !strings.Contains(string(data), geminiRead) {
			return name + " is an agent without " + stay
		}
	}
	return ""
}

// globs returns the files of this pattern in each directory.
func globs(pattern string, dirs ...string) []string {
	var all []string
	for _, dir := range dirs {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err == nil { // a directory's name may be no pattern
			all = append(all, found...)
		}
	}
	return all
}

func geminiExcludes(settings []byte) bool {
	plain, err := hujson.Standardize(settings)
	if err != nil {
		return false
	}
	var s struct {
		Tools struct {
			Core    []string `json:"core"`
			Exclude []string `json:"exclude"`
		} `json:"tools"`
		Core    []string `json:"coreTools"` // older names
		Exclude []string `json:"excludeTools"`
	}
	if json.Unmarshal(plain, &s) != nil {
		return false
	}
	isRead := func(tool string) bool { return tool == geminiRead || tool == "ReadFileTool" }
	core := append(s.Tools.Core, s.Core...)
	return len(core) > 0 && !slices.ContainsFunc(core, isRead) || slices.ContainsFunc(append(s.Tools.Exclude, s.Exclude...), isRead)
}
