package proof

import (
	"cmp"
	"fmt"
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
