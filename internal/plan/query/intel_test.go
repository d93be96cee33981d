package query

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestIntel(t *testing.T) {
	now := time.Now().UTC().Format(time.RFC3339)
	files := map[string]string{
		".planning/config.json":           `{"intel":{"enabled":true},"graphify":{"enabled":true}}`,
		".planning/intel/api-map.json":    `{"_meta":{"updated_at":"` + now + `"},"entries":{"GET /users":{"file":"users.ts"},"GET /x":{"file":"x.ts"}}}`,
		".planning/intel/stack.json":      `{"entries":{"db":"Users live in Postgres"}}`,
		".planning/intel/file-roles.json": `{`,
		"src/a.ts":                        "export async function one() {}\nexport const two = 1\nexport { three as four }\nexport default one\n",
		"src/b.js":                        "module.exports = { five, six: seven }\nexports.eight = 8\n",
		"off/.planning/config.json":       `{}`,
		"off/.planning/graphs/graph.json": `{}`,
	}
	dir := project(t, files)
	for _, step := range []struct{ args, want string }{
		{"intel status --pick files.api-map", ``}, // the name has a dot
		{"intel status --pick overall_stale", `true`},
		{"intel query users", `{"matches":[{"source":"api-map.json","entries":[{"key":"GET /users","value":{"file":"users.ts"}}]},{"source":"stack.json","entries":[{"key":"db","value":"Users live in Postgres"}]}],"term":"users","total":2}`},
		{"intel query", "Error: Usage: intel query <term>\n"},
		{"intel diff", `{"no_baseline":true}`},
		{"intel snapshot --pick files", `3`},
		{"intel diff", `{"changed":[],"added":[],"removed":[]}`},
		{"intel patch-meta .planning/intel/stack.json --pick file", `.planning/intel/stack.json`},
		{"intel diff", `{"changed":["stack.json"],"added":[],"removed":[]}`},
		{"intel patch-meta .planning/stack.json", "Error: Usage: intel patch-meta <file of .planning/intel>\n"},
		{"intel validate", `{"valid":false,"errors":["file-roles.json: not valid JSON","dependency-graph.json: missing","arch-decisions.json: missing"],"warnings":[]}`},
		{"intel extract-exports src/a.ts", `{"file":"src/a.ts","exports":["one","two","default","four"],"method":"esm"}`},
		{"intel extract-exports src/b.js", `{"file":"src/b.js","exports":["five","six","eight"],"method":"commonjs"}`},
		{"intel extract-exports gone.js", `{"file":"gone.js","exports":[],"method":"none"}`},
		{"intel update --pick action", `spawn_agent`},
		{"graphify status --pick exists", `false`},
		{"graphify query x", "Error: No graph at .planning/graphs/graph.json\n"},
		{"intel status --pick disabled --cwd off", `true`},
		{"graphify status --pick disabled --cwd off", `true`},
	} {
		stdout, stderr, _ := ask(t, dir, nil, strings.Fields(strings.ReplaceAll(step.args, "off", dir+"/off"))...)
		stderr = strings.TrimPrefix(stderr, "Warning: no field \"files.api-map\" in the result\n")
		if got := compact(stdout) + stderr; got != step.want {
			t.Errorf("%s: %s", step.args, got)
		}
	}
}

func TestSkillManifest(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	dir := project(t, map[string]string{
		".planning/STATE.md":             "",
		".claude/skills/review/SKILL.md": "---\nname: code-review\ndescription: Looks closely.\ntriggers: [review, look]\n---\n",
		".claude/skills/empty/x":         "",
		"mine/plain/SKILL.md":            "no frontmatter",
	})
	stdout, _, _ := ask(t, dir, nil, "skill-manifest", "--pick", "skills")
	const want = `[{"name":"code-review","description":"Looks closely.","triggers":["review","look"],"path":".claude/skills/review","file_path":".claude/skills/review/SKILL.md","root":".claude/skills","scope":"project","installed":true,"deprecated":false}]`
	if stdout != want {
		t.Errorf("got  %s\nwant %s", stdout, want)
	}
	if stdout, _, _ := ask(t, dir, nil, "skill-manifest", "--skills-dir", "mine", "--write", "--pick", "skills[0].name"); stdout != "plain" {
		t.Errorf("one directory: %s", stdout)
	}
	if _, err := os.Stat(dir + "/.planning/skill-manifest.json"); err != nil {
		t.Error(err)
	}
}
