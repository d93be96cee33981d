package record

import "strings"

// The forms of pytest's lines.

// pytestNode reports whether t begins with a test's id: "tests/a.py::b ".
func pytestNode(t string) bool {
	id, _, _ := strings.Cut(t, " ")
	return strings.Contains(id, ".py::")
}

// pytestTitle reads a heading: "==== FAILURES ====" with c '='.
func pytestTitle(t string, c byte) (title string, ok bool) {
	if len(t) < 8 || t[0] != c || t[len(t)-1] != c {
		return "", false
	}
	title = strings.Trim(t, string(c))
	if len(title) < 3 || title[0] != ' ' || title[len(title)-1] != ' ' || c == '_' && strings.HasPrefix(title, " _") {
		return "", false
	}
	return strings.TrimSpace(title), true
}

// pytestTotals reports whether t is the last line's text: "7 failed, 140
// passed in 0.27s".
func pytestTotals(t string) bool {
	if strings.HasPrefix(t, "no tests ran in ") {
		return true
	}
	if t == "" || t[0] < '0' || t[0] > '9' || !strings.Contains(t, " in ") {
		return false
	}
	f := strings.Fields(t)
	return oneOf(strings.TrimSuffix(f[1%len(f)], ","), "passed", "failed", "error", "errors", "skipped", "deselected", "xfailed", "xpassed", "warning", "warnings", "rerun")
}

// pytestStatus returns how a test ended from its verbose line: "a.py::b
// PASSED [ 3%]" or, with xdist, "[gw0] [ 3%] PASSED a.py::b".
func pytestStatus(t string) string {
	if !strings.Contains(t, "::") && !strings.HasPrefix(t, "[gw") {
		return ""
	}
	if strings.HasPrefix(t, "[gw") {
		for _, f := range strings.Fields(t) {
			if pytestWord(f) {
				return f
			}
		}
		return ""
	}
	if strings.HasSuffix(t, "]") { // the percentage
		if i := strings.LastIndexByte(t, '['); i > 0 && strings.Contains(t[i:], "%") {
			t = strings.TrimRight(t[:i], " ")
		}
	}
	for _, w := range [...]string{" SKIPPED (", " XFAIL (", " XPASS ("} { // a reason: "SKIPPED (no driver)"
		if strings.HasSuffix(t, ")") && strings.Index(t, w) > 0 {
			return strings.Trim(w, " (")
		}
	}
	if i := strings.LastIndexByte(t, ' '); i > 0 && pytestWord(t[i+1:]) {
		return t[i+1:]
	}
	return ""
}

func pytestWord(s string) bool {
	return oneOf(s, "PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL", "XPASS", "RERUN", "SUBPASS", "SUBFAIL", "SUBSKIP")
}

// pytestDots reports whether t is progress: "tests/a.py ..F.s [ 18%]".
func pytestDots(t string) bool {
	rest := t
	if i := strings.LastIndexByte(t, '['); i >= 0 && strings.HasSuffix(t, "%]") {
		rest = strings.TrimRight(t[:i], " ")
	}
	if i := strings.LastIndexByte(rest, ' '); i > 0 {
		if !strings.Contains(rest[:i], ".") || strings.Contains(rest[:i], " ") {
			return false
		}
		rest = rest[i+1:]
	}
	return rest != "" && strings.Trim(rest, ".FEsxXR✓✗") == "" || strings.HasSuffix(t, "%]") && rest == ""
}

// pytestBanner reports whether t tells about the set-up of the run.
func pytestBanner(t string) bool {
	return hasPrefix(t,
		"platform ", "cachedir: ", "rootdir: ", "plugins: ", "configfile: ", "testpaths: ", "hypothesis profile ", "asyncio: ", "anyio: ",
		"Using --randomly-seed", "benchmark: ", "django: ", "metadata: ", "created: ", "scheduling tests via ", "-- Docs: ",
		"Coverage XML written", "Coverage HTML written", "Coverage JSON written", "Coverage LCOV written", "Required test coverage of ",
	) || strings.HasPrefix(t, "gw0 ") || strings.Contains(t, " workers [") && strings.HasSuffix(t, "]")
}
