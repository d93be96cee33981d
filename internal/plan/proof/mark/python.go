package mark

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var pythonRE = sync.OnceValue(func() map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for name, expr := range map[string]string{
		"def":      `^([ \t]*)(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(`,
		"class":    `^([ \t]*)class[ \t]+(\w+)[ \t]*(?:\(([^)]*)\))?[ \t]*:`,
		"skip":     `^@(?:unittest\.)?(?:skip\b(?:\(|$)|expectedFailure\b|skipIf\(\s*(?:True|1)\b|skipUnless\(\s*(?:False|0|None)\b)|^@pytest\.mark\.(?:skip\b|xfail\b(?:\(\s*(?:reason|strict|raises|$|\))|\s*$)|skipif\(\s*(?:True|1)\b)`,
		"skips":    `^(?:pytest\.skip\(|self\.skipTest\(|pytest\.xfail\(|raise (?:unittest\.)?(?:case\.)?SkipTest\b|return\b|yield\b)`,
		"module":   `^(?:pytestmark\s*=.*\bpytest\.mark\.(?:skip\b(?:\W|$)|skipif\(\s*True)|pytest\.skip\(.*allow_module_level|__test__\s*=\s*False|collect_ignore(?:_glob)?\s*=\s*\[|raise (?:unittest\.)?SkipTest)`,
		"check":    `\bassert\b|\bself\.(?:assert\w+|fail)\b|\bpytest\.(?:raises|fail|warns|approx)\b|\b\w*(?:assert|check|verify|expect|ensure|compare|validate|must|raises)\w*\s*\(|\braise\b|\.should\b`,
		"nothing":  `^(?:assert\s+(?:True|1|not False)\s*(?:,.*)?$|assert\b.*\bor\s+(?:True|1)\s*(?:,.*)?$|assert\s*\(\s*True\s*\)|self\.assertTrue\(\s*(?:True|1)\s*[,)]|self\.assertFalse\(\s*(?:False|0|None)\s*[,)]|self\.assertIsNone\(\s*None\s*\))`,
		"stub":     `\braise\s+NotImplementedError\b`,
		"marked":   `\bmarks\s*=\s*[\[(]?\s*pytest\.mark\.(?:skip|xfail)\b`,
		"raises":   `^with (?:pytest\.raises|self\.assertRaises\w*)\(.*\):$`,
		"shrug":    `^(?:print|log\w*\.\w+|logging\.\w+|warnings\.warn|return|continue)\b[^=]*$`,
		"inline":   `:\s*(?:pass|\.\.\.)\s*$`,
		"fixture":  `^@pytest\.fixture\b`,
		"hook":     `\badd_marker\(\s*(?:pytest\.mark\.)?(?:skip|xfail)\b|\.outcome\s*=[^=]`,
		"asked":    `\bgetoption\b|\benviron\b|\bgetenv\b|\bplatform\b|\bwhich\b|\bversion_info\b|\bgetini\b|\bfind_spec\b|\bkeywords\b|\bget_closest_marker\b`,
		"empty":    `^(?:pass|\.\.\.|["'].*["'])$`,
		"caught":   `^(?:except\s*(?:\(?.*\bAssertionError\b.*|(?:Base)?Exception\b.*)?:|with (?:contextlib\.)?suppress\(.*(?:AssertionError|Exception).*\):)$`,
		"except":   `^except\s*(?:(?:Base)?Exception(?:\s+as\s+\w+)?\s*)?:`,
		"constant": `^return\s+(?:"\s*"|'\s*'|-?[\d.]+|True|False|None|\[[\s\d,."'TrueFalsNo-]*\]|\{[\s\d,."':TrueFalsNo-]*\}|\([\s\d,."'TrueFalsNo-]*\))\s*$`,
		"identity": `^(?:assert\s+(.+?)\s*(?:==|is)\s*(.+?)|self\.assert(?:Equal|Is|Equals)\((.+?),\s*(.+?)\))\s*$`,
	} {
		out[name] = regexp.MustCompile(expr)
	}
	return out
})

// statement is a logical line of Python.
type statement struct {
	at, end int // offsets in the file
	indent  int
	code    string // masked, on one line
	text    string // as it is, on one line
}

// statements reads the logical lines of a file: those with code, with what goes on in
// brackets or behind a backslash.
func (s *Source) statementsOf() (out []statement) {
	code := s.Code
	for i := 0; i < len(s.starts); i++ {
		start := s.starts[i]
		end := lineEnd(code, start)
		line := code[start:end]
		if strings.TrimSpace(line) == "" {
			continue
		}
		depth := brackets(line)
		triple := strings.Count(s.Code[start:end], `"""`)%2 == 1 || strings.Count(s.Code[start:end], `'''`)%2 == 1
		for i+1 < len(s.starts) && (depth > 0 || triple || strings.HasSuffix(strings.TrimRight(line, "\r"), "\\")) {
			i++
			end = lineEnd(code, s.starts[i])
			line = code[s.starts[i]:end]
			depth += brackets(line)
			if strings.Count(line, `"""`)%2 == 1 || strings.Count(line, `'''`)%2 == 1 {
				triple = !triple
			}
		}
		indent := 0
		for start+indent < end && (code[start+indent] == ' ' || code[start+indent] == '\t') {
			indent++
		}
		out = append(out, statement{start + indent, end, indent, strings.Join(strings.Fields(code[start:end]), " "), strings.Join(strings.Fields(s.Text[start:end]), " ")})
	}
	return out
}

func brackets(line string) (n int) {
	for _, c := range line {
		switch c {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
		}
	}
	return n
}

type pyClass struct {
	indent   int
	name     string
	bases    string
	abstract bool
	skipped  bool
}

func (s *Source) readPython() {
	re, all := pythonRE(), s.statementsOf()
	test := IsTest(s.Name)
	var classes []pyClass
	var decorators []statement
	for i, st := range all {
		for len(classes) > 0 && st.indent <= classes[len(classes)-1].indent {
			classes = classes[:len(classes)-1]
		}
		switch {
		case strings.HasPrefix(st.code, "@"):
			decorators = append(decorators, st)
			continue
		case re["class"].MatchString(st.code):
			m := re["class"].FindStringSubmatch(st.code)
			classes = append(classes, pyClass{st.indent, m[2], m[3], strings.Contains(m[3], "ABC") || strings.Contains(m[3], "Protocol"), false})
			s.skipDecorator(decorators, m[2])
		case re["def"].MatchString(st.code):
			var class pyClass
			if len(classes) > 0 && classes[len(classes)-1].indent < st.indent {
				class = classes[len(classes)-1]
			}
			s.pyFunction(all[i:], class, decorators, test)
		case test && re["module"].MatchString(st.code):
			s.mark(Skipped, st.at, "")
		}
		if re["stub"].MatchString(st.code) && !s.abstractHere(all, i, classes) {
			s.mark(Stub, st.at, "")
		}
		if re["except"].MatchString(st.code) {
			s.pyExcept(all[i:])
		}
		decorators = nil
	}
}

func (s *Source) skipDecorator(decorators []statement, name string) {
	for _, d := range decorators {
		if pythonRE()["skip"].MatchString(d.code) || pythonRE()["marked"].MatchString(d.code) {
			s.mark(Skipped, d.at, name)
		}
	}
}

// abstractHere: the class that a raise stands in is one that others extend.
func (s *Source) abstractHere(all []statement, at int, classes []pyClass) bool {
	for i := at; i >= 0 && i > at-40; i-- {
		if strings.HasPrefix(all[i].code, "@") && strings.Contains(all[i].code, "abstract") && all[i].indent < all[at].indent {
			return true
		}
		if pythonRE()["def"].MatchString(all[i].code) && all[i].indent < all[at].indent && (i == 0 || !strings.HasPrefix(all[i-1].code, "@")) {
			break
		}
	}
	return slices.ContainsFunc(classes, func(c pyClass) bool {
		return c.abstract || strings.Contains(s.Code, "("+c.name+")") && regexp.MustCompile(`class\s+\w+\s*\([^)]*\b`+c.name+`\b`).MatchString(s.Code) ||
			strings.HasPrefix(c.name, "Base") || strings.HasSuffix(c.name, "Base") || strings.HasPrefix(c.name, "Abstract")
	})
}

// pyFunction reads the function that the first statement begins.
func (s *Source) pyFunction(all []statement, class pyClass, decorators []statement, test bool) {
	re, head := pythonRE(), all[0]
	m := re["def"].FindStringSubmatch(head.code)
	f := Function{Name: m[2], Line: s.At(head.at), End: s.At(head.end), method: class.name != ""}
	if f.method {
		f.Name = class.name + "." + f.Name
	}
	f.params = pyParams(head.code)
	if len(decorators) > 0 {
		f.From = decorators[0].at
	}
	n := 1
	for n < len(all) && all[n].indent > head.indent {
		n++
	}
	body := all[1:n]
	if len(body) == 0 { // def f(): return 1
		if !strings.HasSuffix(strings.TrimRight(s.Code[head.at:head.end], " \t\r"), ":") {
			f.Frozen = true
		}
		if !test && re["inline"].MatchString(head.code) && len(f.params) > 0 && len(decorators) == 0 && !meantEmpty(f.Name) && !strings.HasPrefix(m[2], "__") &&
			!class.abstract && (!f.method || class.closed(s)) && !s.commented(head.at, lineEnd(s.Text, head.end)) {
			s.markFunction(Empty, f)
		}
		f.Open, f.Close = head.end, head.end
		s.Functions = append(s.Functions, f)
		return
	}
	f.Open, f.Close, f.End = lineEnd(s.Text, head.end)+1, body[len(body)-1].end, s.At(body[len(body)-1].end)
	if f.Open > len(s.Text) {
		f.Open = len(s.Text)
	}
	f.Indent = s.Text[body[0].at-body[0].indent : body[0].at]
	if len(body) > 1 && (body[0].code[0] == '"' || body[0].code[0] == '\'') { // what it is for
		f.Open = min(len(s.Text), body[0].end+1)
		body = body[1:]
	}
	f.Statements = len(body)
	f.Test = test && strings.HasPrefix(m[2], "test") && (class.name == "" && head.indent == 0 || class.name != "" && class.indent == 0 && s.collected(class))
	switch {
	case test && m[2] == "__init__" && strings.HasPrefix(class.name, "Test") && strings.TrimSpace(class.bases) == "" && class.indent == 0:
		s.mark(Skipped, head.at, class.name) // pytest takes no class that is made by itself
	case test && class.name != "" && hooks[m[2]]:
		s.pyHook(body, f.Name)
	case f.Test:
		s.skipDecorator(decorators, f.Name)
		s.pyTest(body, &f)
		if before, twice := s.Tests()[f.Name]; twice {
			s.mark(Skipped, s.starts[before.Line-1], f.Name) // the later one has its name
		}
	case test && slices.ContainsFunc(decorators, func(d statement) bool { return re["fixture"].MatchString(d.code) }):
		s.pyHook(body, f.Name)
	case test && !slices.ContainsFunc(body, func(st statement) bool { return re["asked"].MatchString(st.code) }):
		for _, st := range body {
			if re["hook"].MatchString(st.code) {
				s.mark(Skipped, st.at, f.Name)
			}
		}
	case !test:
		s.pyHollow(body, f, class, decorators)
	}
	s.Functions = append(s.Functions, f)
}

func pyParams(head string) (out []string) {
	_, list, _ := strings.Cut(head, "(")
	if end := strings.LastIndex(list, ")"); end >= 0 {
		list = list[:end]
	}
	for p := range strings.SplitSeq(list, ",") {
		p = strings.TrimLeft(strings.TrimSpace(p), "*")
		if n := strings.IndexAny(p, ":= "); n >= 0 {
			p = p[:n]
		}
		if p != "" && p != "self" && p != "cls" && p != "/" && !strings.HasPrefix(p, "_") {
			out = append(out, p)
		}
	}
	return out
}

func (s *Source) pyTest(body []statement, f *Function) {
	re, level := pythonRE(), body[0].indent
	for i, st := range body {
		if st.indent == level && re["skips"].MatchString(st.code) && (i+1 < len(body) || !strings.HasPrefix(st.code, "return")) {
			s.mark(Skipped, st.at, f.Name)
			break
		}
		if st.indent == level && i+1 < len(body) && (st.code == "if True:" || st.code == "if 1:") && re["skips"].MatchString(body[i+1].code) {
			s.mark(Skipped, body[i+1].at, f.Name)
			break
		}
	}
	for _, st := range body {
		if re["check"].MatchString(st.code) && !re["nothing"].MatchString(st.code) && !tuple(st.code) && !identical(re["identity"], st.text) {
			f.Checks++
		}
	}
	for i, st := range body { // the test itself raises what it waits for
		if re["raises"].MatchString(st.code) && i+1 < len(body) && strings.HasPrefix(body[i+1].code, "raise ") && body[i+1].indent > st.indent {
			s.mark(Vacuous, st.at, f.Name)
		}
	}
	if f.Checks == 0 {
		s.markFunction(Vacuous, *f)
	}
	for i, st := range body { // a failure is caught
		with := strings.HasPrefix(st.code, "with ") // what stands in it is what fails
		if i+1 < len(body) && re["caught"].MatchString(st.code) && (re["empty"].MatchString(body[i+1].code) || re["shrug"].MatchString(body[i+1].code) && i > 0 && re["check"].MatchString(body[i-1].code) && (i+2 >= len(body) || body[i+2].indent <= st.indent) || with && re["check"].MatchString(body[i+1].code)) && body[i+1].indent > st.indent && !s.commented(st.at, lineEnd(s.Text, body[i+1].end)) {
			s.mark(Vacuous, st.at, f.Name)
		}
	}
}

// identical: an assertion compares something with itself, or a literal with a literal.
func identical(re *regexp.Regexp, text string) bool {
	m := re.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	a, b := m[1]+m[3], m[2]+m[4]
	return a == b || literal(a) && literal(b)
}

func literal(s string) bool {
	s = strings.TrimSpace(s)
	switch s {
	case "", "True", "False", "None", "true", "false", "null", "undefined":
		return s != ""
	}
	return s[0] >= '0' && s[0] <= '9' && strings.Trim(s, "0123456789._") == "" ||
		len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] && strings.Count(s, s[:1]) == 2
}

func (s *Source) pyHollow(body []statement, f Function, class pyClass, decorators []statement) {
	for _, d := range decorators {
		if strings.Contains(d.code, "abstract") || strings.Contains(d.code, "overload") {
			return
		}
	}
	base := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
	if len(body) != 1 || class.abstract || meantEmpty(f.Name) || strings.HasPrefix(base, "__") || len(f.params) == 0 {
		return
	}
	re := pythonRE()
	switch {
	case re["empty"].MatchString(body[0].code) && (!f.method || class.closed(s) && !forOthers(base, s.Text[s.starts[f.Line-1]:f.Open])) && !s.commented(f.Open, f.Close):
		s.markFunction(Empty, f)
	case re["constant"].MatchString(body[0].code) && len(decorators) == 0:
		s.markFunction(Constant, f)
	}
}

// forOthers: a method that does nothing by itself, and that others may fill in.
func forOthers(name, head string) bool {
	for _, word := range []string{"on_", "_on", "before_", "after_", "handle", "visit", "setup", "teardown", "pre_", "post_", "close", "flush", "hook"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	head = strings.ToLower(head)
	return slices.ContainsFunc([]string{"overrid", "subclass", "hook", "called", "by default", "nothing", "no-op", "optional"}, func(word string) bool { return strings.Contains(head, word) })
}

// closed: nobody else fills in what a method of the class leaves open.
func (c pyClass) closed(s *Source) bool {
	return strings.TrimSpace(c.bases) == "" && !meantEmpty(c.name) && !strings.HasPrefix(c.name, "Base") && !strings.HasSuffix(c.name, "Base") &&
		!regexp.MustCompile(`class\s+\w+\s*\([^)]*\b`+regexp.QuoteMeta(c.name)+`\b`).MatchString(s.Code)
}

// pyExcept marks a handler for everything that does nothing and does not say why.
func (s *Source) pyExcept(all []statement) {
	head := all[0]
	if len(all) < 2 || all[1].indent <= head.indent || len(all) > 2 && all[2].indent > head.indent {
		return
	}
	switch code := all[1].code; {
	case s.commented(head.at, lineEnd(s.Text, all[1].end)):
	case code == "pass" || code == "..." || code == "return None" || code == "return" || code == "continue":
		s.mark(Swallowed, head.at, "")
	}
}
