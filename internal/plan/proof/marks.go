package proof

import (
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/internal/git"
	"cairn/internal/plan/proof/mark"
	"cairn/internal/text"
)

var markRemedy = map[mark.Kind]string{
	mark.Skipped:   "let it run, or guard it by a condition that can be false",
	mark.Focused:   "take the focus away, so that the other tests run",
	mark.Vacuous:   "compare what the code gives with what it should give",
	mark.Stub:      "write what is missing",
	mark.Empty:     "write what it has to do, or say in a comment why it does nothing",
	mark.Constant:  "have it use its arguments, or take them away",
	mark.Swallowed: "pass the error on, or say in a comment why it may be ignored",
	mark.Special:   "have the code do the same whether it is tested or not",
	mark.Uncounted: "test it, or have a person accept that it is left out",
	mark.Off:       "mend what the compiler says, or say behind it why it is wrong",
	mark.Mocked:    "test the module itself; replace only what it calls",
	mark.Guarded:   "let it run where the phase is proven, or have a person accept that it did not",
	mark.Dead:      "take it out, or have it run",
	mark.Tagged:    "take the tag away, or name it in a <verify>",
}

// marks judges the phase's lines by what is in them.
func (j *judge) marks() error {
	lines, found := 0, 0
	for _, name := range slices.Sorted(maps.Keys(j.sources)) {
		s := j.sources[name]
		if !s.Generated() {
			j.configs(name, s)
		}
		if s.Lang == "" || s.Generated() {
			continue
		}
		for line := range j.owners[name] {
			if _, ok := j.owns(name, line+1); ok {
				lines++
			}
		}
		if s.Err != nil {
			j.unproven("syntax", "", name, name+" does not parse: "+s.Err.Error(), "mend it")
		}
		for _, m := range s.Marks {
			if plan, ok := j.ownsAny(name, m); ok && !j.runsHere(name, m) {
				found++
				what := string(m.Kind)
				if m.Name != "" {
					what += " " + m.Name
				}
				j.unprovenAt(string(m.Kind), plan, name, m.Line, what+": "+short(m.What), markRemedy[m.Kind])
			}
		}
	}
	j.snapshots()
	if lines > 0 && found == 0 {
		j.proven("lines", "", "lines", text.Count(lines, "changed line")+" without skipped tests, stubs and swallowed errors")
	}
	return nil
}

// runsHere: a test runs only under a condition that holds where the proof runs, or that
// the project itself knows of. What did not run is said.
func (j *judge) runsHere(name string, m mark.Mark) bool {
	switch m.Kind {
	case mark.Guarded:
		if os.Getenv(m.Name) != "" {
			return true
		}
	case mark.Tagged:
		for _, p := range j.Plans {
			for _, t := range p.Doc.Tasks {
				if strings.Contains(t.Verify, "-tags") && strings.Contains(t.Verify, m.Name) {
					return true
				}
			}
		}
	case mark.Mocked:
		return mark.Of(name) == mark.Python && !j.mocksSubject(j.sources[name], m)
	default:
		return false
	}
	out, err := git.Run(j.ctx, j.top, "grep", "--no-textconv", "-lwF", "-e", m.Name, "HEAD", "--", ".", ":(exclude)"+j.prefix+".planning")
	if err != nil {
		return false
	}
	for line := range strings.Lines(out) {
		if file := strings.TrimPrefix(strings.TrimSpace(line), "HEAD:"); !mark.IsTest(file) {
			j.unchecked("tests", "", fmt.Sprintf("%s:%d", name, m.Line), fmt.Sprintf("%s:%d did not run here: %s is not set (%s knows it)", name, m.Line, m.Name, file))
			return true
		}
	}
	return false
}

// mocksSubject: what a test of Python replaces is a function of the module that it is named
// after, or conftest.py replaces one of the phase's for all tests.
func (j *judge) mocksSubject(test *mark.Source, m mark.Mark) bool {
	parts := strings.Split(m.Name, ".")
	last := parts[len(parts)-1]
	for name, s := range j.sources {
		stem := strings.TrimSuffix(path.Base(name), ".py")
		if s.Lang != mark.Python || mark.IsTest(name) || stem != test.Stem() && (path.Base(test.Name) != "conftest.py" || !slices.Contains(parts, stem)) {
			continue
		}
		for _, f := range s.Functions {
			class, method, _ := strings.Cut(f.Name, ".")
			if f.Name == last || method == last && (slices.Contains(parts, class) || strings.HasPrefix(m.Name, "type(")) {
				return true
			}
		}
	}
	return false
}

func (j *judge) ownsAny(name string, m mark.Mark) (plan string, ok bool) {
	for line := m.Line; line <= m.End; line++ {
		if plan, ok = j.owns(name, line); ok {
			return plan, true
		}
	}
	return "", false
}

func short(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}

// deleted judges each commit of the phase by the tests that it takes away, or takes
// checks from, and that are not there again at HEAD.
func (j *judge) deleted() error {
	var specs []string
	type pair struct {
		c    change
		file string
	}
	var pairs []pair
	for _, c := range j.judged() {
		if c.Parent == "" {
			continue
		}
		for _, f := range c.Files {
			if lang := mark.Of(f); lang == "" || !mark.IsTest(f) && lang != mark.Rust {
				continue
			}
			pairs = append(pairs, pair{c, f})
			specs = append(specs, c.Parent+":"+f, c.ID+":"+f)
		}
	}
	if err := j.load(j.ctx, specs); err != nil {
		return err
	}
	now := map[string]mark.Function{}
	where := map[string]string{}
	for name, s := range j.sources {
		for test, f := range s.Tests() {
			if !collected(name) {
				continue
			}
			now[test] = f
			where[test] = name
		}
	}
	for _, p := range pairs {
		was, is := mark.Read(p.file, j.blobs[p.c.Parent+":"+p.file]), mark.Read(p.file, j.blobs[p.c.ID+":"+p.file])
		after := is.Tests()
		if now := j.sources[p.file]; now != nil {
			if line := j.casesGone(was, now); line != "" {
				j.unproven("weakened test", p.c.Plan, p.file, fmt.Sprintf("%s %q took cases from %s, such as %s", p.c.short(), p.c.Subject, p.file, short(line)), "bring them back, or have a person accept it")
			}
		}
		for _, test := range slices.Sorted(maps.Keys(was.Tests())) {
			f := was.Tests()[test]
			if test == "" {
				continue
			}
			if g, kept := after[test]; kept && is.Whole(g) == was.Whole(f) {
				continue // only the commit that changed it is reported
			}
			at, there := now[test]
			if other, is := moved(test, was.Tests(), after); is {
				if at, there = now[other]; there {
					j.weakened(p.c, p.file, was, f, j.sources[where[other]], at)
				}
				continue
			}
			if _, kept := after[test]; !kept {
				if !there && !j.elsewhere(test) && !j.renamed(was, f, is, after) {
					j.unproven("deleted test", p.c.Plan, p.file+" "+test, fmt.Sprintf("%s %q took the test %s away", p.c.short(), p.c.Subject, test), "bring it back, or have a person accept it: it was there")
				}
				continue
			}
			if there {
				j.weakened(p.c, p.file, was, f, j.sources[where[test]], at)
			}
		}
	}
	return nil
}

// moved returns what a test is called now that was a method and is a function, or the
// other way round, or one of another class.
func moved(test string, before, after map[string]mark.Function) (name string, ok bool) {
	base := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	if _, kept := after[test]; kept {
		return "", false
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, had := before[name]; !had && base(name) == base(test) {
			return name, true
		}
	}
	return "", false
}

// elsewhere: a test of that name is in a file that the phase did not change.
func (j *judge) elsewhere(test string) bool {
	name := test[strings.LastIndexByte(test, '.')+1:]
	out, err := git.Run(j.ctx, j.top, "grep", "--no-textconv", "-lF", "-e", name, "HEAD", "--", ".", ":(exclude)"+j.prefix+".planning")
	if err != nil {
		return false
	}
	for line := range strings.Lines(out) {
		file := strings.TrimPrefix(strings.TrimSpace(line), "HEAD:")
		if mark.Of(file) == "" || !collected(file) || j.sources[file] != nil && !j.hasTest(file, test) {
			continue
		}
		if !mark.IsTest(file) && mark.Of(file) != mark.Rust {
			continue
		}
		if j.sources[file] != nil {
			return true
		}
		text, err := git.Output(j.ctx, j.top, "show", "--no-textconv", "HEAD:"+file)
		if _, has := mark.Read(path.Base(file), string(text)).Tests()[test]; err == nil && has {
			return true
		}
	}
	return false
}

func (j *judge) hasTest(file, test string) bool {
	_, ok := j.sources[file].Tests()[test]
	return ok
}

// renamed: among the tests that are new after the commit is one with most of its words.
func (j *judge) renamed(was *mark.Source, f mark.Function, is *mark.Source, after map[string]mark.Function) bool {
	before := wordsOf(was.Body(f))
	for w, n := range wordsOf(f.Name) { // a call of it begins with its name
		before[w] = max(0, before[w]-n)
	}
	had := was.Tests()
	for name, g := range after {
		if _, old := had[name]; old {
			continue
		}
		common, n := 0, 0
		words := wordsOf(is.Body(g))
		for w, count := range before {
			n += count
			common += min(count, words[w])
		}
		if n > 0 && common*10 >= n*6 {
			return true
		}
	}
	return false
}

func wordsOf(s string) map[string]int {
	out := map[string]int{}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r > 0x7f)
	}) {
		out[w]++
	}
	return out
}

var literalRE = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`|\\b\\d[\\d._]*\\b")
})

// literals are the values in a body, without the texts that tell how a test failed.
func literals(body string) []string {
	return slices.DeleteFunc(literalRE().FindAllString(body, -1), func(l string) bool { return messageRE().MatchString(l) })
}

var messageRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[\"'`].*%[-+#]?\\d*\\.?\\d*[vdsqwTxtfeg]\\b") })

// weakened: a test has fewer checks or lines than before the commit, and values that
// it had are nowhere in its file any more.
func (j *judge) weakened(c change, file string, was *mark.Source, before mark.Function, now *mark.Source, at mark.Function) {
	what := softer(was.Body(before), now.Body(at))
	if name := now.Unused(at, was.Body(before)); name != "" {
		what = "it does not look at " + name + " of its cases any more"
	}
	if name := unwanted(was.Body(before), now.Body(at)); name != "" {
		what = "it does not look at " + name + " any more"
	}
	if what != "" {
		j.unproven("weakened test", c.Plan, file+" "+at.Name, fmt.Sprintf("%s %q softened the test %s: %s", c.short(), c.Subject, at.Name, what), "put it back, or have a person accept it")
		return
	}
	fewer := at.Checks < before.Checks
	whole, left := was.Whole(before), now.Whole(at)
	if n := checkLines(left); at.Checks < before.Checks && n > 0 && n >= checkLines(whole) {
		j.unproven("weakened test", c.Plan, file+" "+at.Name, fmt.Sprintf("%s %q made a check of the test %s one that cannot fail: %d of %d are left", c.short(), c.Subject, at.Name, at.Checks, before.Checks), "have it check again, or have a person accept it")
		return
	}
	shorter := strings.Count(left, "\n") < strings.Count(whole, "\n")
	had, have := literals(whole), literals(left)
	var lost []string
	for _, l := range had {
		if !strings.Contains(now.Text, l) {
			lost = append(lost, l)
		}
	}
	if !fewer && !shorter && len(lost) < 2 {
		return
	}
	if len(had) <= len(have) || len(lost) == 0 && !(fewer && (at.Checks == 0 || gone(was.Body(before), now.Body(at), now.Text) > 0)) {
		return
	}
	if !fewer && len(had)-len(have) < 2 { // a message may go
		return
	}
	what = fmt.Sprintf("%s %q took checks from the test %s: %d of %d are left", c.short(), c.Subject, at.Name, at.Checks, before.Checks)
	if !fewer {
		what = fmt.Sprintf("%s %q took cases from the test %s, such as %s", c.short(), c.Subject, at.Name, short(lost[0]))
	}
	j.unproven("weakened test", c.Plan, file+" "+at.Name, what, "bring them back, or have a person accept it")
}
