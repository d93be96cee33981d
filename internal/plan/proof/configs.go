package proof

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/internal/plan/proof/mark"
)

// configs judges what the phase wrote into the files that say how tests run: scripts that
// cannot fail, settings that leave tests or code out.
func (j *judge) configs(name string, s *mark.Source) {
	base := path.Base(name)
	owned := func(line int) bool { _, ok := j.owns(name, line); return ok }
	say := func(kind string, line int, what, remedy string) {
		plan, _ := j.owns(name, line)
		j.unprovenAt(kind, plan, name, line, what+": "+short(s.Line(line)), remedy)
	}
	n := strings.Count(s.Text, "\n") + 1
	switch {
	case base == "package.json":
		j.packageScripts(s, owned, say)
		for line := 1; line <= n; line++ {
			if owned(line) && (leavesOut().MatchString(s.Line(line)) || excludes(s.Line(line))) {
				say("left-out tests", line, "tests are left out", "let them run, or have a person accept that they do not")
			}
		}
	case strings.HasPrefix(base, "Makefile") || base == "makefile" || base == "GNUmakefile" || path.Ext(base) == ".mk" || base == "justfile":
		for line := 1; line <= n; line++ {
			recipe := s.Line(line)
			ignored := strings.HasPrefix(strings.TrimLeft(recipe, "@"), "-")
			recipe = strings.TrimLeft(recipe, "@-+")
			if owned(line) && tests().MatchString(recipe) && !strings.HasSuffix(recipe, ":") && (ignored || cannotFail(recipe)) {
				say("test command", line, "what tests the project cannot fail", "let its exit code through")
			}
		}
	case path.Ext(base) == ".sh" || path.Ext(base) == ".bash":
		strict := stopsAtOnce().MatchString(s.Text)
		for line := 1; line <= n; line++ {
			text := s.Line(line)
			last := strings.TrimSpace(strings.Join(strings.Split(s.Text, "\n")[line:], "")) == ""
			if owned(line) && (tests().MatchString(text) && cannotFail(text) && !strings.HasPrefix(text, "#") || last && !strict && text == "exit 0" && tests().MatchString(s.Text)) {
				say("test command", line, "what tests the project cannot fail", "let its exit code through")
			}
		}
	case slices.Contains([]string{"pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", ".coveragerc", "jest.config.js", "jest.config.ts", "jest.config.mjs", "jest.config.cjs", "jest.config.json", ".mocharc.json", ".c8rc.json"}, base) ||
		strings.HasPrefix(base, "vitest.") || strings.HasPrefix(base, "vite.config."):
		for line := 1; line <= n; line++ {
			if text := s.Line(line); owned(line) && !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "//") && (leavesOut().MatchString(text) || excludes(text) || listsFiles(text)) {
				say("left-out tests", line, "tests or code are left out", "let them count, or have a person accept that they do not")
			}
		}
	case strings.HasPrefix(base, "tsconfig"):
		for line := 1; line <= n; line++ {
			if owned(line) && j.old(name) && regexp.MustCompile(`"(?:strict\w*|noImplicit\w+)"\s*:\s*false|"noCheck"\s*:\s*true`).MatchString(s.Line(line)) {
				say(string(mark.Off), line, "the compiler looks less closely", "mend what it says, or have a person accept it")
			}
		}
	}
}

// tests: a line runs tests or another check of the code.
var tests = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:go\s+(?:test|vet|build)|pytest|unittest|tox|nox|vitest|jest|mocha|ava|node\s+--test|tsc|eslint|mypy|ruff|npm\s+(?:run\s+)?(?:test|t|lint|check|build)|yarn\s+test|pnpm\s+(?:run\s+)?test|cargo\s+(?:test|check|clippy)|make\s+(?:test|check)|c8)\b`)
})

var leavesOut = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`--deselect\b|--ignore(?:-glob)?[ =]|-k\s*=?\s*\\?["']?not\b|\bcollect_ignore\b|\bpassWithNoTests["']?\s*[:=]\s*true|--passWithNoTests\b|\bdangerouslyIgnoreUnhandledErrors\b|\btestNamePattern\b|^python_(?:classes|functions|files)\s*=|-m\s*=?\s*\\?["']not\b`)
})

var excludeKeys = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^["']?(?:exclude|omit|testPathIgnorePatterns|coveragePathIgnorePatterns|norecursedirs|modulePathIgnorePatterns)["']?\s*[:=]\s*(.*)$`)
})

// listsFiles reports whether a line names single files as the tests that there are.
func listsFiles(line string) bool {
	return namedTests().MatchString(line) && !strings.Contains(line, "*")
}

var namedTests = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^["']?(?:include|testMatch|testRegex|spec)["']?\s*[:=]\s*\[.*\.(?:test|spec)\.\w+["']`)
})

var quoted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("[\"'`]([^\"'`]+)[\"'`]|([\\w./*-]+)")
})

var notOurs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)node_modules|dist|build|coverage|\.d\.ts|config|types|e2e|index|generated|\.git|examples?|fixtures?|mocks?|vendor|venv|site-packages|migrations|setup|__init__|__main__|main|docs?|scripts|\.tox|\.cache|tests?/\*|\*/tests?|^tests?$|^\.$|conftest|^\*$|\bdir\b`)
})

// excludes reports whether a line excludes files that projects do not usually exclude.
func excludes(line string) bool {
	m := excludeKeys().FindStringSubmatch(line)
	if m == nil {
		return false
	}
	for _, q := range quoted().FindAllStringSubmatch(m[1], -1) {
		if name := q[1] + q[2]; strings.ContainsAny(name, "./*") && !notOurs().MatchString(name) {
			return true
		}
	}
	return false
}

// packageScripts judges the scripts of package.json.
func (j *judge) packageScripts(s *mark.Source, owned func(int) bool, say func(string, int, string, string)) {
	var p, was struct{ Scripts map[string]string }
	if json.Unmarshal([]byte(s.Text), &p) != nil {
		return
	}
	if spec := j.from + ":" + s.Name; j.old(s.Name) && j.load(j.ctx, []string{spec}) == nil {
		_ = json.Unmarshal([]byte(j.blobs[spec]), &was) // one that is not JSON has no scripts
	}
	for line := 1; line <= strings.Count(s.Text, "\n")+1; line++ {
		for name, script := range p.Scripts {
			if !owned(line) || !strings.Contains(s.Line(line), fmt.Sprintf("%q", name)) || strings.Contains(script, "no test specified") {
				continue
			}
			if rest, ok := strings.CutPrefix(script, was.Scripts[name]+" "); ok && was.Scripts[name] != "" && name == "test" && someTests().MatchString(rest) {
				say("left-out tests", line, "the script test runs only some of the tests", "have it run all, and give what runs some another name")
			}
			checks := name == "test" || strings.HasPrefix(name, "test:") || name == "lint" || name == "typecheck" || name == "check" || name == "verify"
			if cannotFail(script) && (checks || tests().MatchString(script)) || checks && lists().MatchString(script) {
				say("test command", line, "the script "+name+" cannot fail", "let the exit code of the tests through")
			}
		}
	}
}

// someTests: an argument names a file of tests, or a pattern of names.
var someTests = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\S*(?:/|\.(?:test|spec)\.)\S*|(?:-t|-g|--grep|--testNamePattern|--test-name-pattern|--changed|--shard|--project)(?:[= ].*)?$|\S+\s+.*\.(?:test|spec)\.)`)
})

// snapshots claims that no snapshot changed, unless a plan says that it does.
func (j *judge) snapshots() {
	for _, c := range j.judged() {
		for _, f := range c.Files {
			if !expected().MatchString(f) || !j.old(f) || j.promised(f) {
				continue
			}
			if was, is := j.blobs[j.from+":"+f], j.blobs["HEAD:"+f]; was == is || is == "" {
				continue
			}
			j.unproven("changed snapshot", c.Plan, f, fmt.Sprintf("%s %q changed %s, which tests compare with, and no plan says that it changes", c.short(), c.Subject, f), "put it back, or have a person accept what is expected now")
		}
	}
}

var expected = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\.snap$|\.golden$|\.snapshot$|(?:^|/)__snapshots__/|(?:^|/)testdata/.*(?:golden|expected|want)|\.(?:approved|verified)\.\w+$`)
})

// promised: a plan names the file, or its directory, among those that it changes.
func (j *judge) promised(name string) bool {
	rel := strings.TrimPrefix(name, j.prefix)
	for _, p := range j.Plans {
		files := slices.Clone(p.Doc.Files)
		for _, t := range p.Doc.Tasks {
			files = append(files, t.Files...)
		}
		for _, f := range files {
			if f = path.Clean(f); f == rel || strings.HasPrefix(rel, f+"/") {
				return true
			}
		}
	}
	return false
}
