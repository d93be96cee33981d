package proof

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"cairn/internal/plan/proof/cover"
	"cairn/internal/plan/proof/mark"
	"cairn/internal/plan/proof/mutant"
	"cairn/internal/plan/proof/record"
	"cairn/internal/text"
)

// Bounds of the samples. Which of more are taken follows from the tree's hash.
const (
	mostPoints = 24 // functions that are switched off, of a language
	mostHunks  = 6  // changes that are reverted
)

// bench is a tree in which functions can be switched off and tests run.
type bench interface {
	// baseline runs the tests with everything on. why says why they cannot be used.
	baseline() (covered cover.Files, why string, err error)
	// without runs them with a function of a file off, until one turns red.
	without(file, key string) (record.Without, error)
	// reverted runs them as the tree is, with a file of another text.
	reverted(file string) (record.Without, error)
}

// green remembers a verify that turned green at HEAD: its tests are asked later.
func (j *judge) green(p Plan, r record.Run) {
	const slow = 60
	if r.Exit == 0 && !r.Nothing && r.Seconds < slow && exercises(r.Command) && !slices.Contains(j.tests[p.ID], r.Command) {
		j.tests[p.ID] = append(j.tests[p.ID], r.Command)
	}
}

// nearest puts the lines first whose tasks name a file: the tests of a function are asked
// before those of others.
func (j *judge) nearest(lines []string, file string) []string {
	near := func(line string) bool {
		for _, p := range j.Plans {
			for _, t := range p.Doc.Tasks {
				if slices.ContainsFunc(t.Files, func(f string) bool { return j.prefix+path.Clean(f) == file }) && slices.Contains(commandsOf(t.Verify), line) {
					return true
				}
			}
		}
		return false
	}
	out := slices.Clone(lines)
	slices.SortStableFunc(out, func(a, b string) int {
		switch x, y := near(a), near(b); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return out
}

// greens are the lines of all plans, each once.
func (j *judge) greens() (out []string) {
	for _, p := range j.Plans {
		for _, line := range j.tests[p.ID] {
			if !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// testing asks the tests of the phase's code: which of its lines they run, and whether
// they notice when it does nothing or is as it was.
func (j *judge) testing() error {
	if j.brief {
		return nil
	}
	files := map[mark.Lang][]string{}
	for _, name := range slices.Sorted(maps.Keys(j.sources)) {
		s := j.sources[name]
		if s.Lang == "" || s.Err != nil || s.Generated() || mark.IsTest(name) || configures(name) || len(j.lines(name)) == 0 || !strings.HasPrefix(name, j.prefix) {
			continue
		}
		files[s.Lang] = append(files[s.Lang], name)
	}
	for _, lang := range slices.Sorted(maps.Keys(files)) {
		if err := j.testLang(lang, files[lang]); err != nil {
			return err
		}
	}
	return nil
}

// configures: a file is read by a tool, and no test looks at it.
func configures(name string) bool {
	base := path.Base(name)
	return strings.Contains(base, ".config.") || base == "setup.py" || base == "conftest.py" || base == "build.rs" || base == "gulpfile.js" || strings.HasPrefix(base, ".")
}

// lines are the judged lines of a file with code that tests can run.
func (j *judge) lines(name string) (out []int) {
	s := j.sources[name]
	if s == nil {
		return nil
	}
	inTests := 0
	if s.Lang == mark.Rust {
		if at := strings.Index(s.Code, "#[cfg(test)]"); at >= 0 {
			inTests = s.At(at)
		}
	}
	for line := range j.owners[name] {
		line++
		if inTests > 0 && line >= inTests {
			break
		}
		if s.Lang == mark.Python && strings.HasPrefix(s.Line(line), "if __name__") {
			break
		}
		if f, ok := s.In(line); ok && (f.Name == "main" || f.Test) {
			continue
		}
		if _, ok := j.owns(name, line); ok && s.Says(line) && (j.only == "" || j.owners[name][line-1] == j.only) {
			out = append(out, line)
		}
	}
	return out
}

// points are the functions of files that are the phase's by at least half.
func (j *judge) points(files []string) (out []mutant.Point) {
	for _, name := range files {
		s := j.sources[name]
		mine := map[int]bool{}
		for _, line := range j.lines(name) {
			mine[line] = true
		}
		for _, f := range s.Functions {
			n, of := 0, 0
			for line := f.Line; line <= f.End; line++ {
				if s.Says(line) {
					of++
					if mine[line] {
						n++
					}
				}
			}
			if n > 0 && n*2 >= of && mutant.Can(s, f) {
				out = append(out, mutant.Point{File: name, Function: f, Key: record.Hash(name, f.Name, fmt.Sprint(f.Line))[:8]})
			}
		}
	}
	return sample(j.tree, out, mostPoints, func(p mutant.Point) string { return p.Key })
}

func (j *judge) testLang(lang mark.Lang, files []string) error {
	points := j.points(files)
	hunks, err := j.hunks(files, points)
	if err != nil {
		return err
	}
	key := func(parts ...string) string {
		return record.Hash(append([]string{string(lang), j.tree, j.TestCommand, j.only}, parts...)...)
	}
	coverKey := key(append([]string{"coverage"}, files...)...)
	kept := j.known[coverKey].Coverage
	seen := map[string]record.Without{}
	for _, p := range points {
		if l := j.known[key("without", p.Key)].Without; l != nil {
			seen[p.Key] = *l
		}
	}
	for _, h := range hunks {
		if l := j.known[key("hunk", h.key)].Without; l != nil {
			seen[h.key] = *l
		}
	}
	j.reused += len(seen)
	if kept != nil {
		j.reused++
	}
	if kept != nil && (kept.Red != "" || len(seen) == len(points)+len(hunks)) {
		j.judgeLang(lang, files, points, hunks, kept, seen)
		return nil
	}
	if j.left(mostOf) == 0 {
		j.unchecked("tests", "", string(lang)+" tests", "the tests of "+string(lang)+" were not asked: the time of the proof is over")
		return nil
	}
	j.Step("coverage of " + string(lang))
	b, covered, why, err := j.bench(lang, files, points)
	if err != nil {
		return err
	}
	found := cover.Files(nil)
	red := ""
	if why == "" {
		if found, red, err = b.baseline(); err != nil {
			return stopped(err)
		}
	}
	if covered.Files == nil && covered.Why == "" {
		covered.Files = j.linesOf(files, found)
	}
	covered.Red = red + why
	if kept == nil || kept.Red != "" {
		kept = covered
		if j.left(mostOf) > 0 { // else it may be red only because there was no time
			if err := j.keep(record.Line{Key: coverKey, Coverage: kept}); err != nil {
				return err
			}
		}
	}
	if covered.Red == "" {
		for _, p := range points {
			if _, ok := seen[p.Key]; ok || j.left(mostOf) == 0 {
				continue
			}
			j.Step("without " + p.Function.Name)
			w, err := b.without(p.File, p.Key)
			if errors.Is(err, errLate) {
				continue
			}
			if err != nil {
				return stopped(err)
			}
			w.File, w.What = p.File, p.Function.Name
			if err := j.saw(seen, p.Key, key("without", p.Key), w); err != nil {
				return err
			}
		}
		if err := j.revert(b, hunks, seen, func(h hunk) string { return key("hunk", h.key) }); err != nil {
			return err
		}
	}
	j.judgeLang(lang, files, points, hunks, kept, seen)
	return nil
}

func (j *judge) saw(seen map[string]record.Without, as, key string, w record.Without) error {
	j.ran++
	seen[as] = w
	return j.keep(record.Line{Key: key, Without: &w})
}

// judgeLang says what came of it.
func (j *judge) judgeLang(lang mark.Lang, files []string, points []mutant.Point, hunks []hunk, c *record.Coverage, seen map[string]record.Without) {
	id := string(lang)
	if c.Red != "" {
		if len(points)+len(hunks) > 0 || len(files) > 0 {
			j.unchecked("tests", "", id+" tests", "whether tests notice the change of "+id+" is not checked: "+c.Red)
		}
		return
	}
	j.judgeCoverage(lang, files, c)
	noticed, asked := 0, 0
	for _, p := range points {
		w, ok := seen[p.Key]
		f := p.Function
		switch {
		case !ok:
			continue
		case w.Noticed:
			noticed++
		case c.Why == "" && !ran(c, p.File, f):
			continue // no test runs it: that is what coverage says
		default:
			owner, _ := j.ownsAny(p.File, mark.Mark{Line: f.Line, End: f.End})
			j.unprovenAt("unnoticed", owner, p.File, f.Line, "no test notices when "+f.Name+" does nothing", "write a test that fails without it")
		}
		asked++
	}
	for _, h := range hunks {
		w, ok := seen[h.key]
		switch {
		case !ok || w.Broken:
			continue
		case w.Noticed:
			noticed++
		case c.Why == "" && !c.Ran(h.file, h.from, h.to):
			continue
		default:
			owner, _ := j.owns(h.file, h.from)
			j.unprovenAt("unnoticed", owner, h.file, h.from, fmt.Sprintf("no test notices when lines %d-%d are as they were before", h.from, h.to), "write a test that fails without the change")
		}
		asked++
	}
	if asked > 0 && noticed == asked {
		j.proven("tests", "", id+" tests", fmt.Sprintf("each of %s turns a test red when it does nothing or is reverted", text.Count(asked, "sampled change")))
	}
	if open := len(points) + len(hunks) - len(seen); open > 0 {
		j.unchecked("tests", "", id+" tests", text.Count(open, "sampled change")+" not asked: the time of the proof is over")
	}
}

// limitFor is how long tests may take with a function off: one that never ends counts
// as noticed.
func limitFor(baseline time.Duration) time.Duration { return max(5*time.Second, 10*baseline) }
