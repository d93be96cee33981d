package query

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/plan/agent"
)

var docsCommands = []command{
	{name: "docs-init", run: docsInit},
}

// What shows, by being there, that a project has something to document.
var (
	apiDirs     = []string{"src/app/api", "app/api", "src/pages/api", "pages/api", "src/routes", "routes", "src/api", "api", "server/routes"}
	deployFiles = []string{"Dockerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yaml", "fly.toml", "render.yaml", "vercel.json", "netlify.toml", "railway.json", "serverless.yml", "Procfile", ".github/workflows/deploy.yml", ".github/workflows/deploy.yaml"}
	licenses    = []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING"}
	testDirs    = []string{"test", "tests", "__tests__", "spec", "e2e"}
	testTools   = []string{"jest", "vitest", "mocha", "ava", "@playwright/test", "cypress", "tap"}
	docusaurus  = []string{"docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs"}
	vitepress   = []string{".vitepress", "docs/.vitepress"}
	mkdocs      = []string{"mkdocs.yml", "mkdocs.yaml"}
)

// packageJSON is what docs-init asks of a package.json.
type packageJSON struct {
	Bin             any            `json:"bin"`
	Workspaces      any            `json:"workspaces"`
	Dependencies    map[string]any `json:"dependencies"`
	DevDependencies map[string]any `json:"devDependencies"`
}

func docsInit(c *call) (result, error) {
	s, err := c.settings()
	if err != nil {
		return result{}, err
	}
	var pkg packageJSON
	manifest, err := os.ReadFile(c.Abs("package.json"))
	hasPackage := err == nil
	if hasPackage {
		_ = json.Unmarshal(manifest, &pkg) // a broken one tells nothing more
	}
	there := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { _, err := os.Stat(c.Abs(name)); return err == nil })
	}
	tested := slices.ContainsFunc(testTools, func(name string) bool {
		return pkg.Dependencies[name] != nil || pkg.DevDependencies[name] != nil
	})
	workspaces := monorepo(c, pkg)
	o := object{
		{"doc_writer_model", agent.Resolve(s, "gsd-doc-writer", 0).Model},
		{"commit_docs", s.Bool("commit_docs")},
		{"existing_docs", existingDocs(c.Root)},
		{"project_type", object{
			{"has_package_json", hasPackage},
			{"has_api_routes", there(apiDirs...)},
			{"has_cli_bin", pkg.Bin != nil},
			{"is_open_source", there(licenses...)},
			{"has_deploy_config", there(deployFiles...)},
			{"is_monorepo", len(workspaces) > 0 || there("pnpm-workspace.yaml", "lerna.json", "turbo.json", "nx.json")},
			{"has_tests", tested || there(testDirs...)},
		}},
		{"doc_tooling", object{
			{"docusaurus", there(docusaurus...)}, {"vitepress", there(vitepress...)},
			{"mkdocs", there(mkdocs...)}, {"storybook", there(".storybook")},
		}},
		{"monorepo_workspaces", workspaces},
		{"planning_exists", c.Exists()},
		{"project_root", c.Root},
	}
	return data(c.withAgents(o, s)), nil
}

// monorepo returns the patterns of a project's packages.
func monorepo(c *call, pkg packageJSON) []string {
	found := []string{}
	add := func(v any) {
		if m, ok := v.(map[string]any); ok {
			v = m["packages"]
		}
		list, _ := v.([]any)
		for _, item := range list {
			if pattern, ok := item.(string); ok && !slices.Contains(found, pattern) {
				found = append(found, pattern)
			}
		}
	}
	add(pkg.Workspaces)
	if b, err := os.ReadFile(c.Abs("lerna.json")); err == nil {
		var lerna struct {
			Packages any `json:"packages"`
		}
		if json.Unmarshal(b, &lerna) == nil {
			add(lerna.Packages)
		}
	}
	b, _ := os.ReadFile(c.Abs("pnpm-workspace.yaml"))
	in := false
	for line := range strings.Lines(string(b)) { // packages: and a list below it
		item, isItem := strings.CutPrefix(strings.TrimSpace(line), "- ")
		switch {
		case strings.HasPrefix(line, "packages:"):
			in = true
		case in && isItem:
			add([]any{strings.Trim(item, `"' `)})
		case strings.TrimSpace(line) != "" && line[0] != ' ' && line[0] != '#':
			in = false
		}
	}
	return found
}

// maxDocs bounds a walk through a project that keeps its world under docs/.
const maxDocs = 500

// existingDocs lists the Markdown of the project's root and of docs/.
func existingDocs(root string) []object {
	found := []object{}
	add := func(rel string) {
		b, _ := os.ReadFile(filepath.Join(root, rel))
		marked := strings.Contains(string(b), "generated-by: gsd-doc-writer")
		found = append(found, object{{"path", filepath.ToSlash(rel)}, {"has_gsd_marker", marked}})
	}
	entries, _ := os.ReadDir(root)
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".md") {
			add(e.Name())
		}
	}
	_ = filepath.WalkDir(filepath.Join(root, "docs"), func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case len(found) >= maxDocs:
			return fs.SkipAll
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(name, ".md"):
			if rel, err := filepath.Rel(root, name); err == nil {
				add(rel)
			}
		}
		return nil
	})
	return found
}
