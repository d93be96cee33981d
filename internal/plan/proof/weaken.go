package proof

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cairn/internal/plan/proof/mark"
)

// collected: those who look for tests find them in a file of that name. A module of
// Python is looked for by its name alone; of the others a directory is enough.
func collected(name string) bool {
	base := path.Base(name)
	switch mark.Of(name) {
	case mark.Python:
		return strings.HasPrefix(base, "test") || strings.HasSuffix(base, "_test.py")
	case mark.Go:
		stem := strings.TrimSuffix(base, "_test.go")
		if i := strings.LastIndexByte(stem, '_'); i >= 0 {
			return !mark.Platform(stem[i+1:])
		}
	}
	return true
}

// tolerances are how far a result may be off: those that loosen as they grow, and as they
// shrink.
var tolerances = sync.OnceValue(func() map[bool]*regexp.Regexp {
	const number = `(-?[\d._]+(?:[eE][-+]?\d+)?)`
	return map[bool]*regexp.Regexp{
		true: regexp.MustCompile(`\b(?:delta|rel|abs|rel_tol|abs_tol|rtol|atol|tol|tolerance|epsilon|eps|EPSILON|precision)\s*[:=]+\s*` + number + `|\bAbs\([^<>]*\)\s*[<>]=?\s*` + number + `|\babs\([^<>]*\)\s*[<>]=?\s*` + number +
			`|\bIn(?:Delta|Epsilon)\([^\n]*,\s*` + number + `\s*[,)]|\.(?:closeTo|approximately)\([^\n]*,\s*` + number + `\s*\)`),
		false: regexp.MustCompile(`\btoBeCloseTo\([^\n]*,\s*` + number + `\s*\)|\bplaces\s*=\s*` + number + `|\bassert(?:Not)?AlmostEqual\([^\n]*,\s*` + number + `\s*\)`),
	}
})

// vague are checks that hold of almost everything.
var vague = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\.(?:not\.)?to(?:BeTruthy|BeDefined|BeNull|BeUndefined|HaveLength\(expect)\b|\.not\.toThrow\b|\bassertIsNotNone\b|\bassertTrue\b|\bassert\s+\w+(?:\([^()]*\))?\s*(?:$|\n|is not None)|\bassert\.ok\b|\bt\.truthy\b|expect\.any\w*\(|\.to\.(?:exist|be\.ok)\b|\b(?:assert|require)\.(?:NotNil|NotEmpty|True)\b|assertIsInstance|toBeInstanceOf`)
})

// softer says how a body of a test checks less closely than before, "" if it does not.
func softer(was, is string) string {
	for grows, re := range tolerances() {
		before, after := numbers(re, was), numbers(re, is)
		if len(before) == 0 || len(before) != len(after) {
			continue
		}
		for i := range before {
			if grows && after[i] > before[i] || !grows && after[i] < before[i] {
				return fmt.Sprintf("a tolerance of %v became %v", before[i], after[i])
			}
		}
	}
	if what := lessExact(was, is); what != "" {
		return what
	}
	a, b := len(vague().FindAllString(was, -1)), len(vague().FindAllString(is, -1))
	if b <= a {
		return ""
	}
	lost := literalRE().FindAllString(was, -1)
	have := literalRE().FindAllString(is, -1)
	lost = slices.DeleteFunc(lost, func(l string) bool { return slices.Contains(have, l) })
	if len(lost) > 0 && len(have) < len(literalRE().FindAllString(was, -1)) {
		return "what it expected, such as " + short(lost[0]) + ", is gone, and a check that holds of almost everything is there"
	}
	return ""
}

func numbers(re *regexp.Regexp, text string) (out []float64) {
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.ParseFloat(strings.ReplaceAll(cmp.Or(m[1:]...), "_", ""), 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// exact and loose are ways of checks: against one value, and against many. What compares
// lengths or types is loose, whether an error is nil neither.
var (
	exact = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[^<>=!][=!]==?[^=]|\bDeepEqual\(|\bcmp\.(?:Equal|Diff)\(|\.to(?:Be|Equal|StrictEqual|MatchObject)\(|(?i:equals?)\w*\(`)
	})
	loose = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\s[<>]=?\s|\bapprox\(|\bisinstance\(|\bis not None\b|@loose@|\.toBe(?:Greater|Less|CloseTo|Defined|Truthy|InstanceOf)|\.to(?:Match|Contain|HaveProperty)\w*\(|\.(?:startswith|endswith|HasPrefix|Contains|includes|startsWith)\(|expect\.any|\bassert(?:\.ok)?\(|\bassertTrue\(|\bt\.(?:ok|truthy)\(|\brequire\.True\(`)
	})
	lengths = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:len|reflect\.TypeOf|type|typeof)\b\s*\(?[^()\n]*(?:\([^()\n]*\))?\)?\s*[=!]==?[^\n]*|\.to(?:Be|Equal|StrictEqual)\(\s*expect\.any\w*\([^)\n]*\)\s*\)|\.length\b\s*[=!]==?[^\n]*|[=!]=\s*(?:pytest\.|math\.)?(?:approx|isclose)\([^\n]*|\.length\)\.to(?:Be|Equal)\([^\n]*|\.toHaveLength\([^\n]*`)
	})
	isNil  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\berr\w*\s*[=!]=\s*nil\b`) })
	ofKind = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bmatch\s*=|\berrors\.(?:Is|As)\(|\braises\(\s*\w*[a-z](?:Error|Exit|Interrupt|Exception)\b|\.to(?:Throw|ThrowError)\(\s*[^\s)]|\bErrorIs\(|\bErrorContains\(|\bassertRaisesRegex\(|\bmessage:`)
	})
)

// lessExact says which exact check of a test became one that more results pass.
func lessExact(was, is string) string {
	if a, b := len(ofKind().FindAllString(was, -1)), len(ofKind().FindAllString(is, -1)); b < a && strings.Count(was, "aise")+strings.Count(was, "hrow")+strings.Count(was, "rror") <= strings.Count(is, "aise")+strings.Count(is, "hrow")+strings.Count(is, "rror")+2 {
		return "which error it is, " + short(ofKind().FindString(was)) + " …, is not asked any more"
	}
	count := func(text string) (int, int) {
		text = isNil().ReplaceAllString(text, "@nil@")
		text = lengths().ReplaceAllString(text, "@loose@")
		return len(exact().FindAllString(text, -1)), len(loose().FindAllString(text, -1))
	}
	exactWas, looseWas := count(was)
	exactIs, looseIs := count(is)
	if exactIs < exactWas && looseIs > looseWas {
		return "an exact comparison became one that more results pass"
	}
	if passesOver(is) > passesOver(was) {
		return "it passes over some of its cases"
	}
	return ""
}

// passesOver counts the cases of a loop that it goes on from without a check of theirs.
func passesOver(body string) (n int) {
	lines := strings.Split(body, "\n")
	depth := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	for i, line := range lines {
		before, _, ok := strings.Cut(line, "continue")
		if !ok {
			continue
		}
		checked := checkLine().MatchString(before)
		for k := i - 1; k >= 0 && (depth(lines[k]) >= depth(line) || strings.TrimSpace(lines[k]) == ""); k-- {
			checked = checked || checkLine().MatchString(lines[k])
		}
		next := i + 1 // behind the block: a case that is not passed over fails there
		for next < len(lines) && strings.Trim(lines[next], " \t}") == "" {
			next++
		}
		if !checked && (next == len(lines) || !fails().MatchString(lines[next])) {
			n++
		}
	}
	return n
}

var fails = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:\w+\.(?:Error|Fatal|Fail)\w*\(|(?:self|pytest)\.fail\(|raise\b|throw\b|assert\.fail\()`)
})

// wanted are names of what a test expects.
var wanted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^.\w])((?:want|expected|exp)\w*)\b\s*([^\w\s(]|:?=|$)`)
})

// unwanted returns a name of what a test expected that it does not look at any more; what
// stands there now under such a name the test makes itself.
func unwanted(was, is string) string {
	names := func(body string) map[string]bool {
		out := map[string]bool{}
		for _, m := range wanted().FindAllStringSubmatch(body, -1) {
			out[m[1]] = true
		}
		return out
	}
	made := func(name, body string) bool {
		return regexp.MustCompile(`\b` + name + `\s*(?::[^=\n]*)?:?=[^=>]`).MatchString(body)
	}
	now := names(is)
	for name := range names(was) {
		if now[name] || made(name, was) {
			continue
		}
		for other := range now {
			if !made(other, is) { // it has another name
				name = ""
			}
		}
		if name != "" {
			return name
		}
	}
	return ""
}

var checkLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bassert|\bexpect\b|\brequire\.|\.(?:Error|Errorf|Fatal|Fatalf)\(|\braises\b|\bt\.(?:is|deepEqual|equal|ok)\b`)
})

func checkLines(body string) (n int) {
	for line := range strings.Lines(body) {
		if checkLine().MatchString(line) {
			n++
		}
	}
	return n
}

// gone counts the lines with checks that a body had and that are nowhere in a file, less
// those that are new in the body.
func gone(was, is, file string) (n int) {
	for line := range strings.Lines(was) {
		if line = strings.TrimSpace(line); checkLine().MatchString(line) && !strings.Contains(file, line) {
			n++
		}
	}
	for line := range strings.Lines(is) {
		if line = strings.TrimSpace(line); checkLine().MatchString(line) && !strings.Contains(was, line) {
			n--
		}
	}
	return n
}

var caseLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\[{(].*[\]})],?$`) })

// casesGone returns a case that a file of tests had in a list of its own and that none of the
// phase's files has, if it has fewer of them.
func (j *judge) casesGone(was, now *mark.Source) string {
	cases := func(s *mark.Source) (out []string) {
		n := 0
		for line := range strings.Lines(s.Text) {
			n++
			line = strings.TrimSpace(line)
			if _, in := s.In(n); !in && caseLine().MatchString(line) && len(literalRE().FindAllString(line, -1)) > 1 {
				out = append(out, line)
			}
		}
		return out
	}
	before, after := cases(was), cases(now)
	if len(after) >= len(before) {
		return ""
	}
	for _, line := range before {
		lost := 0
		for _, l := range literalRE().FindAllString(line, -1) {
			if !slices.ContainsFunc(slices.Collect(maps.Values(j.sources)), func(s *mark.Source) bool { return strings.Contains(s.Text, l) }) {
				lost++
			}
		}
		if lost > 0 && !slices.Contains(after, line) {
			return line
		}
	}
	return ""
}
