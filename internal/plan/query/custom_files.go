package query

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/plan"
)

var customCommands = []command{
	{name: "detect-custom-files", run: detectCustomFiles, bare: true},
}

// manifestName is the old installer's list of what it wrote.
const manifestName = "gsd-file-manifest.json"

// installed are the directories of a coding agent that the old installer
// writes to. In those with mine false, files that do not begin with gsd- are
// somebody else's.
var installed = []struct {
	dir  string
	mine bool
}{
	{"get-shit-done", true}, {"commands/gsd", true}, {"agents", false}, {"hooks", false}, {"skills", false},
}

// detectCustomFiles lists what stands where the old installer writes and is
// not of its making, which an update would have to keep.
func detectCustomFiles(c *call) (result, error) {
	dir, _ := c.flag("config-dir")
	if dir == "" {
		return result{}, fail("usage", "Usage: detect-custom-files --config-dir <path>")
	}
	named := dir
	dir = c.fromHere(dir)
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		return result{}, fail("usage", "Config directory not found: %s", named)
	}
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
	}), nil
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
