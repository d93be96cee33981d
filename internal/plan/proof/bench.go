package proof

import (
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"cairn/internal/home"
	"cairn/internal/plan/proof/cover"
	"cairn/internal/plan/proof/mark"
	"cairn/internal/plan/proof/mutant"
	"cairn/internal/plan/proof/record"
	"cairn/internal/plan/proof/tree"
)

// bench makes the tree of a language ready. What its coverage is by a tool of its own
// is found out before the points are put in. why says why nothing can be asked.
func (j *judge) bench(lang mark.Lang, files []string, points []mutant.Point) (b bench, c *record.Coverage, why string, err error) {
	c = &record.Coverage{}
	if j.trees != nil {
		j.trees.Forget("head")
	}
	dir, err := j.at("head", j.head)
	if err != nil {
		return nil, c, "", err
	}
	if lang == mark.Go {
		b, why, err = j.goFor(dir, files, points)
		j.trees.Forget("head")
		return b, c, why, err
	}
	l := &linesBench{j: j, dir: dir, lang: lang, sources: files}
	l.lines = j.greens()
	if line := j.testLine(lang, dir); line != "" && !contains(l.lines, line) {
		l.lines = append(l.lines, line)
	}
	if len(l.lines) == 0 {
		return nil, c, "no command runs its tests: workflow.test_command names one", nil
	}
	if j.Coverage > 0 {
		if err := l.coverage(c); err != nil {
			return nil, c, "", err
		}
	}
	j.trees.Forget("head")
	return l, c, "", j.put(dir, points)
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// put writes the files that have points.
func (j *judge) put(dir string, points []mutant.Point) error {
	by := map[string][]mutant.Point{}
	for _, p := range points {
		by[p.File] = append(by[p.File], p)
	}
	for name, of := range by {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(name, j.prefix))), []byte(mutant.Put(j.sources[name], of)), home.SharedFile); err != nil {
			return err
		}
	}
	return nil
}

// ask runs lines until one turns red. broken tells of an output that nothing was built,
// which says nothing of the tests.
func (j *judge) ask(dir string, lines, env []string, limit time.Duration, broken func(string) bool) (w record.Without, err error) {
	for _, line := range lines {
		began := time.Now()
		r, err := j.tried(dir, append(j.trees.Environ(dir), env...), line, limit)
		if err != nil {
			return w, err
		}
		w.Seconds += float64(time.Since(began).Milliseconds()) / 1000
		if r.Exit != 0 {
			w.Noticed, w.By, w.Exit = true, line, r.Exit
			if broken != nil && broken(r.Said) {
				w.Noticed, w.Broken = false, true
			}
			return w, nil
		}
	}
	return w, nil
}

// errLate: the time of the proof was over before something ended, so nothing is known of it.
var errLate = errors.New("the time of the proof is over")

// tried runs a line whose function is off. One that does not end counts as red, for what
// never ends is noticed; first it gets more time, since the machine may be slow.
func (j *judge) tried(dir string, env []string, line string, limit time.Duration) (r tree.Ran, err error) {
	for _, most := range []time.Duration{limit, 4 * limit} {
		left := j.left(mostOf)
		if left == 0 {
			return r, errLate
		}
		r, err = tree.Run(j.ctx, dir, env, line, min(most, left))
		if err != nil || !r.Timeout {
			return r, err
		}
	}
	if j.left(mostOf) == 0 {
		return r, errLate
	}
	return r, nil
}

// linesBench runs lines of the shell: those that verified the phase's tasks, and the
// one for all tests of the project.
type linesBench struct {
	j       *judge
	dir     string
	lang    mark.Lang
	sources []string
	lines   []string
	raw     bool // V8 is asked for its coverage while the baseline runs
	took    time.Duration
}

func (l *linesBench) baseline() (cover.Files, string, error) {
	var env []string
	out, err := l.j.trees.Scratch()
	if err != nil {
		return nil, "", err
	}
	if l.raw {
		env = append(env, "NODE_V8_COVERAGE="+filepath.Join(out, "v8"))
	}
	var good []string
	red := ""
	for _, line := range l.lines {
		r, err := tree.Run(l.j.ctx, l.dir, append(l.j.trees.Environ(l.dir), env...), line, l.j.left(mostOf)+time.Second)
		if err != nil {
			return nil, "", err
		}
		l.j.ran++
		if r.Exit != 0 || ranNothing(r.Said) {
			red = "`" + short(line) + "` is red or runs no test while it is asked:\n" + lastLines(r.Said, 4)
			continue
		}
		good = append(good, line)
		l.took = max(l.took, r.Took)
	}
	if l.lines = good; len(good) == 0 {
		return nil, red, nil
	}
	if !l.raw {
		return nil, "", nil
	}
	return l.v8(filepath.Join(out, "v8")), "", nil
}

// v8 reads what Node.js wrote of the project's files, as they are in the tree.
func (l *linesBench) v8(dir string) cover.Files {
	found := cover.Files{}
	names, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	real, err := filepath.EvalSymlinks(l.dir)
	if err != nil {
		real = l.dir
	}
	rel := func(name string) string {
		for _, base := range []string{l.dir, real} {
			if r, err := filepath.Rel(base, name); err == nil && filepath.IsLocal(r) {
				return l.j.prefix + filepath.ToSlash(r)
			}
		}
		return ""
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		files, err := cover.V8(b, func(name string) (string, bool) {
			if !contains(l.sources, rel(name)) {
				return "", false
			}
			text, err := os.ReadFile(name)
			return string(text), err == nil
		})
		if err != nil {
			continue
		}
		for name, lines := range files {
			found.Join(cover.Files{rel(name): lines})
		}
	}
	return found
}

func (l *linesBench) without(file, key string) (record.Without, error) {
	return l.j.ask(l.dir, l.j.nearest(l.lines, file), []string{mutant.Variable + "=" + key}, limitFor(l.took), nil)
}

func (l *linesBench) reverted(file string) (record.Without, error) {
	return l.j.ask(l.dir, l.j.nearest(l.lines, file), nil, limitFor(l.took)+20*time.Second, func(said string) bool {
		return notBuilt().MatchString(said)
	})
}

var notBuilt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^error: could not compile|SyntaxError|IndentationError|error TS\d+`)
})

// testLine is the line for all tests of the project in a language.
func (j *judge) testLine(lang mark.Lang, dir string) string {
	if j.TestCommand != "" {
		return j.TestCommand
	}
	has := func(names ...string) bool {
		for _, n := range names {
			if exists(filepath.Join(dir, n)) {
				return true
			}
		}
		return false
	}
	switch lang {
	case mark.Rust:
		return "cargo test -q"
	case mark.Python:
		python := j.python(dir)
		if has("pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py") || j.mentions("pytest") || fileSays(filepath.Join(dir, "pyproject.toml"), "pytest") || fileSays(filepath.Join(dir, "setup.cfg"), "pytest") {
			return python + " -m pytest -q"
		}
		for _, name := range []string{"tests", "test"} {
			if has(name) && !has(path.Join(name, "__init__.py")) {
				return python + " -m unittest discover -s " + name + " -t ."
			}
		}
		return python + " -m unittest"
	case mark.Script:
		b, err := os.ReadFile(filepath.Join(dir, "package.json"))
		var p struct{ Scripts map[string]string }
		if err == nil && json.Unmarshal(b, &p) == nil && p.Scripts["test"] != "" && !strings.Contains(p.Scripts["test"], "no test specified") {
			return "npm test --silent"
		}
		return "node --test"
	}
	return ""
}

func fileSays(name, word string) bool {
	b, err := os.ReadFile(name)
	return err == nil && strings.Contains(string(b), word)
}

// mentions reports whether a verify that was green names a tool.
func (j *judge) mentions(tool string) bool {
	for _, line := range j.greens() {
		if strings.Contains(line, tool) {
			return true
		}
	}
	return false
}

func (j *judge) python(dir string) string {
	for _, name := range []string{".venv/bin/python", "venv/bin/python"} {
		if exists(filepath.Join(dir, filepath.FromSlash(name))) {
			return name
		}
	}
	for _, line := range j.greens() { // a verify may name another one than the first of the path
		if word, rest, ok := strings.Cut(line, " "); ok && strings.HasPrefix(rest, "-m ") && strings.HasPrefix(path.Base(word), "python") && !strings.ContainsAny(word, "=$'\"") {
			return word
		}
	}
	return "python3"
}
