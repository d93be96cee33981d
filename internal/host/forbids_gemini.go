package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// geminiForbids says what in the user's settings may keep read_file from being
// called, or "". An answer would then cost the model the whole result.
func geminiForbids(dir, project string) string {
	const stay = "so results stay as they are"
	for _, name := range []string{
		filepath.Join(dir, "settings.json"), filepath.Join(project, ".gemini", "settings.json"), "/etc/gemini-cli/settings.json",
	} {
		data, err := os.ReadFile(name)
		if err == nil && geminiExcludes(data) {
			return name + " takes read_file, by which a result is replaced, from the agent's tools, " + stay
		}
	}
	policies, _ := filepath.Glob(filepath.Join(dir, "policies", "*.toml"))
	for _, name := range policies {
		data, err := os.ReadFile(name)
		if err == nil && (strings.Contains(string(data), geminiRead) || strings.Contains(string(data), `"*"`)) {
			return name + " may have a rule for read_file, by which a result is replaced, " + stay
		}
	}
	return ""
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
