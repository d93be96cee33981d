package proof

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/plan/proof/cover"
	"cairn/internal/plan/proof/mark"
	"cairn/internal/plan/proof/record"
	"cairn/internal/plan/proof/tree"
)

// adapter is a tool of coverage.
type adapter struct {
	lang   mark.Lang
	there  func(l *linesBench) bool
	line   func(l *linesBench, out string) string // writes out/lcov.info
	absent string                                 // what is said where the tool is not there
}

// adapters in the order in which they are tried. Go has its own, and what only Node.js
// runs needs none.
var adapters = []adapter{
	{mark.Python, (*linesBench).hasCoverage, func(l *linesBench, out string) string {
		data := quote(filepath.Join(out, "data"))
		python := l.j.python(l.dir)
		var runs []string
		for i, of := range l.pythonTests() {
			run := python + " -m coverage run --data-file=" + data + " --source=. "
			if i > 0 {
				run += "--append "
			}
			runs = append(runs, run+of)
		}
		return strings.Join(runs, "; ") + "; " + python + " -m coverage lcov --data-file=" + data + " -o " + quote(filepath.Join(out, "lcov.info"))
	}, "coverage (coverage.py) is not installed"},
	{mark.Script, func(l *linesBench) bool {
		return l.module(".bin/vitest") && (l.uses("vitest") || !l.uses("jest")) && (l.module("@vitest/coverage-v8") || l.module("@vitest/coverage-istanbul"))
	}, func(l *linesBench, out string) string {
		return "node_modules/.bin/vitest run --coverage.enabled --coverage.reporter=lcovonly --coverage.reportsDirectory=" + quote(out)
	}, ""},
	{mark.Script, func(l *linesBench) bool { return l.module(".bin/jest") }, func(l *linesBench, out string) string {
		return "node_modules/.bin/jest --coverage --coverageReporters=lcovonly --coverageDirectory=" + quote(out)
	}, ""},
	{mark.Script, func(l *linesBench) bool { return l.module(".bin/c8") }, func(l *linesBench, out string) string {
		return "node_modules/.bin/c8 --reporter=lcovonly --reports-dir=" + quote(out) + " " + l.j.testLine(mark.Script, l.dir)
	}, "neither @vitest/coverage-v8, jest nor c8 is installed"},
	{mark.Rust, func(l *linesBench) bool { return l.runs("cargo llvm-cov --version") }, func(l *linesBench, out string) string {
		return "cargo llvm-cov -q --lcov --output-path " + quote(filepath.Join(out, "lcov.info"))
	}, "cargo-llvm-cov is not installed"},
}

func (l *linesBench) module(name string) bool {
	return exists(filepath.Join(l.dir, "node_modules", filepath.FromSlash(name)))
}

func (l *linesBench) runs(line string) bool {
	r, err := tree.Run(l.j.ctx, l.dir, l.j.trees.Environ(l.dir), line, time.Minute)
	return err == nil && r.Exit == 0
}

func (l *linesBench) hasCoverage() bool {
	return l.runs(l.j.python(l.dir) + " -c 'import coverage'")
}

// pythonTests are the tests below coverage: as each verify ran them that is one line of
// that tool, and all of the project.
func (l *linesBench) pythonTests() (out []string) {
	for _, line := range append(l.j.greens(), l.j.testLine(mark.Python, l.dir)) {
		line = strings.TrimSpace(line)
		for _, python := range []string{"python3 ", "python ", l.j.python(l.dir) + " ", "pytest"} {
			rest, ok := strings.CutPrefix(line, python)
			if python == "pytest" && ok && (rest == "" || rest[0] == ' ') {
				rest = "-m pytest" + rest
			}
			if !ok || !strings.HasPrefix(rest, "-m ") || strings.ContainsAny(rest, ";&|<>$`") || contains(out, rest) {
				continue
			}
			out = append(out, rest)
		}
	}
	if len(out) == 0 {
		out = []string{"-m pytest -q"}
	}
	for i, line := range out { // its own measuring would be in the way of this one
		if strings.HasPrefix(line, "-m pytest") && (strings.Contains(line, "--cov") || l.configured("--cov")) {
			out[i] += " --no-cov"
		}
	}
	return out
}

// configured reports whether a file that sets pytest up has a word.
func (l *linesBench) configured(word string) bool {
	for _, name := range []string{"pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"} {
		if fileSays(filepath.Join(l.dir, name), word) {
			return true
		}
	}
	return false
}

// uses reports whether the tests are those of a tool: a line or a script names it.
func (l *linesBench) uses(tool string) bool {
	return strings.Contains(strings.Join(l.lines, "\n"), tool) || fileSays(filepath.Join(l.dir, "package.json"), tool)
}

// plain: nothing but Node.js itself runs the tests, which knows where its lines are.
func (l *linesBench) plain() bool {
	text := strings.Join(l.lines, "\n")
	if b, err := os.ReadFile(filepath.Join(l.dir, "package.json")); err == nil && strings.Contains(text, "npm ") {
		text += string(b)
	}
	for _, tool := range []string{"vitest", "jest", "tsx", "ts-node", "babel", "esbuild", "swc", "bun "} {
		if strings.Contains(text, tool) {
			return false
		}
	}
	return true
}

// coverage has a tool look at the lines. Without one why is said.
func (l *linesBench) coverage(c *record.Coverage) error {
	if l.lang == mark.Script && l.plain() {
		l.raw = true
		return nil
	}
	for _, a := range adapters {
		if a.lang != l.lang {
			continue
		}
		if !a.there(l) {
			c.Why = a.absent
			continue
		}
		scratch, err := l.j.trees.Scratch()
		if err != nil {
			return err
		}
		out := filepath.Join(scratch, string(l.lang))
		if err := os.MkdirAll(out, 0o700); err != nil {
			return err
		}
		c.By, c.Why = a.line(l, out), ""
		r, err := tree.Run(l.j.ctx, l.dir, l.j.trees.Environ(l.dir), c.By, l.j.left(mostOf)+time.Second)
		if err != nil {
			return stopped(err)
		}
		l.j.ran++
		text, err := os.ReadFile(filepath.Join(out, "lcov.info"))
		if err != nil {
			c.Why = "`" + short(c.By) + "` wrote none: " + lastLines(r.Said, 2)
			return nil
		}
		c.Files = l.j.linesOf(l.sources, l.relative(cover.LCOV(string(text))))
		return nil
	}
	return nil
}

// relative names files as the repository does.
func (l *linesBench) relative(found cover.Files) cover.Files {
	out := cover.Files{}
	real, err := filepath.EvalSymlinks(l.dir)
	if err != nil {
		real = l.dir
	}
	for name, lines := range found {
		for _, base := range []string{l.dir, real} {
			if rel, err := filepath.Rel(base, name); err == nil && filepath.IsAbs(name) && filepath.IsLocal(rel) {
				name = filepath.ToSlash(rel)
			}
		}
		out.Join(cover.Files{l.j.prefix + name: lines})
	}
	return out
}
