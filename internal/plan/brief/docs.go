package brief

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/plan"
)

// Docs is what there is to know before a project's documentation is written.
type Docs struct {
	Existing   []DocFile `json:"existing"`
	Package    bool      `json:"package_json"`
	API        bool      `json:"api_routes"`
	CLI        bool      `json:"cli"`
	OpenSource bool      `json:"open_source"`
	Deployed   bool      `json:"deploy_config"`
	Monorepo   bool      `json:"monorepo"`
	Tests      bool      `json:"tests"`
	Docusaurus bool      `json:"docusaurus"`
	VitePress  bool      `json:"vitepress"`
	MkDocs     bool      `json:"mkdocs"`
	Storybook  bool      `json:"storybook"`
	Workspaces []string  `json:"workspaces"` // of a monorepo, as its tool writes them
}

// DocFile is a Markdown file of the project.
type DocFile struct {
	Path      string `json:"path"`
	Generated bool   `json:"generated"` // by an agent that marks what it wrote
}

// docMarks are in what a documentation writer wrote.
var docMarks = []string{"<!-- generated-by: gsd-doc-writer -->", "<!-- generated-by: cairn-doc-writer -->", "<!-- generated-by: cairn -->"}

// LookAtDocs surveys root for documentation and for what it has to cover.
func LookAtDocs(root string) *Docs {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			found, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(name)))
			return len(found) > 0
		})
	}
	d := &Docs{
		Existing:   []DocFile{},
		Package:    has("package.json"),
		API:        has("routes", "api", "app/api", "pages/api", "src/routes", "src/api", "src/app/api", "src/pages/api", "src/controllers", "app/controllers", "server/routes", "openapi.*", "swagger.*"),
		CLI:        has("bin", "cli", "src/cli", "src/cli.*", "cmd", "src/bin"),
		OpenSource: has("LICENSE", "LICENSE.*", "LICENCE", "COPYING"),
		Deployed:   has("Dockerfile", "docker-compose.y*ml", "compose.y*ml", "fly.toml", "vercel.json", "netlify.toml", "render.yaml", "Procfile", "railway.json", "railway.toml", "serverless.y*ml", "app.yaml", "k8s", "helm", "terraform", ".github/workflows/*deploy*"),
		Tests:      has("test", "tests", "__tests__", "spec", "e2e", "src/__tests__", "*_test.go", "*.test.*", "src/*.test.*", "pytest.ini"),
		Docusaurus: has("docusaurus.config.*", "website/docusaurus.config.*", "docs/docusaurus.config.*"),
		VitePress:  has(".vitepress", ".vitepress.config.*", "docs/.vitepress"),
		MkDocs:     has("mkdocs.yml", "mkdocs.yaml"),
		Storybook:  has(".storybook"),
		Workspaces: workspaces(root),
	}
	d.Monorepo = len(d.Workspaces) > 0 || has("pnpm-workspace.yaml", "lerna.json", "nx.json", "turbo.json", "go.work")
	var pkg struct {
		Bin json.RawMessage `json:"bin"`
	}
	if readJSON(root, "package.json", &pkg) {
		d.CLI = d.CLI || len(pkg.Bin) > 0 && string(pkg.Bin) != "null"
	}
	for _, rel := range markdown(root) {
		b, _ := plan.ReadFile(filepath.Join(root, filepath.FromSlash(rel)))
		d.Existing = append(d.Existing, DocFile{rel, slices.ContainsFunc(docMarks, func(mark string) bool {
			return strings.Contains(string(b), mark)
		})})
	}
	return d
}

func readJSON(root, name string, into any) bool {
	b, err := plan.ReadFile(filepath.Join(root, name))
	return err == nil && json.Unmarshal(b, into) == nil
}

// workspaces returns the globs by which npm, yarn, pnpm or lerna find the
// packages of a monorepo.
func workspaces(root string) []string {
	var pkg struct {
		Workspaces json.RawMessage `json:"workspaces"`
	}
	if readJSON(root, "package.json", &pkg) {
		var list []string
		if json.Unmarshal(pkg.Workspaces, &list) == nil && len(list) > 0 {
			return list
		}
		var object struct {
			Packages []string `json:"packages"`
		}
		if json.Unmarshal(pkg.Workspaces, &object) == nil && len(object.Packages) > 0 {
			return object.Packages
		}
	}
	if list := pnpmPackages(root); len(list) > 0 {
		return list
	}
	var lerna struct {
		Packages []string `json:"packages"`
	}
	if readJSON(root, "lerna.json", &lerna) && len(lerna.Packages) > 0 {
		return lerna.Packages
	}
	return []string{}
}

// pnpmPackages reads the list packages of pnpm-workspace.yaml.
func pnpmPackages(root string) []string {
	b, err := plan.ReadFile(filepath.Join(root, "pnpm-workspace.yaml"))
	if err != nil {
		return nil
	}
	var out []string
	in := false
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, " \t\r\n")
		glob, isItem := strings.CutPrefix(strings.TrimLeft(line, " \t"), "- ")
		switch {
		case strings.HasPrefix(line, "packages:"):
			in = true
		case in && isItem:
			out = append(out, strings.Trim(strings.TrimSpace(glob), `"'`))
		case line != "" && line[0] != ' ' && line[0] != '#':
			in = false
		}
	}
	return out
}
