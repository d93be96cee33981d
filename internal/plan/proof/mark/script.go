package mark

import (
	"regexp"
	"strings"
	"sync"
)

var scriptRE = sync.OnceValue(func() map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for name, expr := range map[string]string{
		"skip":     `(?:^|[^\w.$])((?:it|test|describe|suite|context|specify)(?:\.(?:concurrent|sequential|serial|parallel|each|describe|suite|it|test))*\.(?:skip|todo|failing|fails|fixme)(?:\.each)?|x(?:it|test|describe|specify|context))\s*(?:\(|\x60)`,
		"focus":    `(?:^|[^\w.$])((?:it|test|describe|suite|context|specify)(?:\.(?:concurrent|sequential|serial|parallel|each|describe|suite|it|test))*\.only(?:\.each)?|f(?:it|test|describe|context))\s*(?:\(|\x60)`,
		"skipif":   `(?:^|[^\w.$])(?:it|test|describe|suite)\.(?:skipIf\(\s*(?:true|1)\s*\)|runIf\(\s*(?:false|0)\s*\))`,
		"option":   `[{,]\s*(skip|todo|only)\s*:\s*(true|["'\x60]|1\b)`,
		"inside":   `^\s*(?:(?:t|ctx|context|this|test)\.(?:skip|todo)\s*\(|return\s*(?:;|\}|$|\n))`,
		"test":     `(?:^|[^\w.$])((?:t|it|test|specify|Deno\.test|bench)(?:\.(?:concurrent|sequential|serial|parallel|only|skip|todo|test|it|failing|fails|each\s*(?:\([^()]*\)|\x60[^\x60]*\x60)))*|xit|fit|xtest|ftest|t\.test)\s*\(\s*(["'\x60]|[A-Za-z_$][\w$.]*\s*,\s*(?:async\b|\(|function\b|\{|[\w$]+\s*=>))`,
		"logged":   `^\s*(?:console\.\w+|\w+\.diagnostic|log\w*)\([^;]*\)\s*;?\s*$`,
		"check":    `\b(?:expect|assert|should|chai|sinon\.assert)\b|\bt\.(?:is|not|deepEqual|equal|equals|same|ok|true|false|truthy|falsy|throws\w*|rejects|like|pass|fail|match|regex|snapshot|assert|plan|strictEqual|deepStrictEqual|notEqual|notStrictEqual|doesNotThrow|doesNotReject|ifError|notOk|end)\b|\b\w*(?:assert|check|verify|expect|ensure|compare|validate|must|strictEqual|deepEqual|equal|throws|rejects)\w*\s*\(|\bthrow\b|\bdone\s*\(|\bfail\s*\(|\.should\b`,
		"nothing":  `^(?:expect\(\s*(?:true|1)\s*\)\.(?:toBe|toEqual|toStrictEqual)\(\s*(?:true|1)\s*\)|expect\(\s*(?:true|1)\s*\)\.(?:toBeTruthy|to\.be\.true|toBeDefined)\b.*|assert(?:\.ok|\.equal|\.strictEqual)?\(\s*(?:true|1)\s*(?:,\s*(?:true|1)\s*)?\)|t\.(?:pass|ok|true|truthy)\(\s*(?:true)?\s*\))\s*;?$`,
		"identity": `^(?:await\s+)?(?:expect\((.+?)\)\.(?:toBe|toEqual|toStrictEqual)\((.+?)\)|(?:assert|t)\.(?:equal|strictEqual|deepEqual|deepStrictEqual|is|same)\((.+?),\s*(.+?)\))\s*;?$`,
		"function": `\bfunction\b\s*\*?\s*([\w$]*)\s*(?:<[^(){}]*>)?\s*\(`,
		"arrow":    `(?:\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=;]+)?=|\b([\w$]+)\s*[:=])\s*(?:async\s*)?(?:<[^(){}]*>)?\s*\(`,
		"method":   `(?:^|[\n;{}])[ \t]*((?:(?:public|private|protected|static|async|override|readonly|get|set)\s+)*)([#\w$]+)\s*(?:<[^(){}]*>)?\s*\(`,
		"class":    `\bclass\s+([\w$]+)`,
		"throw":    `\bthrow\s+(?:new\s+)?[\w.$]*\(?\s*["'\x60]`,
		"catch":    `\bcatch\s*(?:\(\s*[\w$]*\s*(?::\s*\w+)?\s*\))?\s*\{`,
		"swallow":  `\.catch\(\s*(?:\(\s*[\w$]*\s*\)|[\w$]+)\s*=>\s*(?:\{\s*\}|undefined|null)\s*\)`,
		"constant": `^\s*return\s+(?:"\s*"|'\s*'|\x60\s*\x60|-?[\d._]+n?|true|false|null|undefined|\[[\s\d,."'truefalsn]*\]|\{\s*\})(?:\s+as\s+\w+)?\s*;?\s*$`,
	} {
		out[name] = regexp.MustCompile(expr)
	}
	return out
})

// words that are followed by a bracket and a block, and are no method.
var noMethod = map[string]bool{"if": true, "for": true, "while": true, "switch": true, "catch": true, "function": true, "return": true, "with": true, "do": true, "else": true, "await": true, "super": true, "typeof": true}

func (s *Source) readScript() {
	re := scriptRE()
	test := IsTest(s.Name)
	s.scriptFunctions(test)
	for _, at := range re["throw"].FindAllStringIndex(s.Code, -1) {
		if saysUnfinished(s.Text[at[1]-1 : lineEnd(s.Text, at[1])]) {
			s.mark(Stub, at[0], "")
		}
	}
	for _, at := range re["catch"].FindAllStringIndex(s.Code, -1) {
		if end := closing(s.Code, at[1]-1); end > 0 && !test && strings.TrimSpace(s.Code[at[1]:end]) == "" && !s.commented(at[1], end) && !s.commented(at[0], lineEnd(s.Text, end)) {
			s.mark(Swallowed, at[0], "")
		}
	}
	for _, at := range re["swallow"].FindAllStringIndex(s.Code, -1) {
		switch {
		case s.commented(at[0], lineEnd(s.Text, at[1])):
		case !test:
			s.mark(Swallowed, at[0], "")
		case re["check"].MatchString(s.Line(s.At(at[0]))):
			s.mark(Vacuous, at[0], "")
		}
	}
	if test {
		s.scriptTests()
		for _, at := range re["catch"].FindAllStringIndex(s.Code, -1) { // a failure is caught
			end := closing(s.Code, at[1]-1)
			if end < 0 || s.commented(at[1], end) || strings.TrimSpace(s.Code[at[1]:end]) != "" && !re["logged"].MatchString(s.Code[at[1]:end]) {
				continue
			}
			try := strings.LastIndex(s.Code[:at[0]], "try")
			if try >= 0 && re["check"].MatchString(s.Code[try:at[0]]) {
				s.mark(Vacuous, at[0], "")
			}
		}
	}
}

// scriptTests reads the calls that make tests.
func (s *Source) scriptTests() {
	re := scriptRE()
	for kind, name := range map[Kind]string{Skipped: "skip", Focused: "focus"} {
		for _, at := range re[name].FindAllStringSubmatchIndex(s.Code, -1) {
			if s.named(at[1] - 1) {
				s.mark(kind, at[2], s.firstString(at[1]-1))
			}
		}
	}
	for _, at := range re["skipif"].FindAllStringIndex(s.Code, -1) {
		s.mark(Skipped, at[0]+1, "")
	}
	for _, at := range re["test"].FindAllStringSubmatchIndex(s.Code, -1) {
		open := s.Code[:at[4]]
		paren := strings.LastIndexByte(open, '(')
		end := closing(s.Code, paren)
		if end < 0 {
			continue
		}
		f := Function{Name: s.firstString(paren), Line: s.At(at[2]), End: s.At(end), Open: paren + 1, Close: end, Test: true}
		body := s.Code[paren+1 : end]
		if f.Name == "" { // of a loop: what it is called by
			f.Name, _, _ = strings.Cut(strings.TrimSpace(body), ",")
		}
		head := body
		if n := strings.Index(body, "=>"); n >= 0 {
			head = body[:n]
		} else if n := strings.Index(body, "function"); n >= 0 {
			head = body[:n]
		}
		if !strings.Contains(head, "=>") && len(head) == len(body) && strings.Count(body, ",") == 0 {
			s.mark(Skipped, at[2], f.Name) // it has a name and no body
			s.Functions = append(s.Functions, f)
			continue
		}
		for _, o := range re["option"].FindAllStringSubmatchIndex(head, -1) {
			kind := Skipped
			if head[o[2]:o[3]] == "only" {
				kind = Focused
			}
			s.mark(kind, paren+1+o[2], f.Name)
		}
		if n := strings.IndexByte(body[len(head):], '{'); n >= 0 {
			from := paren + 1 + len(head) + n + 1
			rest := s.Code[from:end]
			if m := re["inside"].FindString(rest); m != "" && strings.TrimSpace(strings.TrimLeft(rest, " \n\r\t")) != "" {
				s.mark(Skipped, from+len(m)-len(strings.TrimLeft(m, " \n\r\t")), f.Name)
			}
		}
		s.scriptChecks(&f)
		if strings.Contains(s.Code[at[2]:at[3]], "each") { // its cases stand before it
			f.Open = at[2]
		}
		s.Functions = append(s.Functions, f)
	}
	s.nested()
}

// nested: what a suite's tests check is not asked of the suite.
func (s *Source) nested() {
	for i := range s.Functions {
		f := &s.Functions[i]
		if f.Test && f.Checks == 0 && !s.marked(f.Name, Skipped) {
			s.markFunction(Vacuous, *f)
		}
	}
}

func (s *Source) marked(name string, kind Kind) bool {
	for _, m := range s.Marks {
		if m.Name == name && m.Kind == kind {
			return true
		}
	}
	return false
}

func (s *Source) scriptChecks(f *Function) {
	re := scriptRE()
	for line := f.Line; line <= f.End; line++ {
		start := max(f.Open, s.starts[line-1])
		end := min(f.Close, lineEnd(s.Code, s.starts[line-1]))
		if start >= end {
			continue
		}
		code, text := s.Code[start:end], strings.TrimSpace(s.Text[start:end])
		if n := strings.Index(text, "=> "); n >= 0 && line == f.Line { // test('x', () => expect(…))
			text = strings.TrimRight(strings.Trim(strings.TrimSpace(text[n+3:]), "{} "), ")} ")
			if strings.Count(text, "(") > strings.Count(text, ")") {
				text += ")"
			}
		}
		if re["check"].MatchString(code) && !re["nothing"].MatchString(text) && !bare(text) && !identical(re["identity"], text) && !s.forLater(f, start) {
			f.Checks++
		}
	}
}

// named: the first argument is a name, not a condition.
func (s *Source) named(paren int) bool {
	if s.Code[paren] == '`' {
		return true
	}
	rest := strings.TrimLeft(s.Code[paren+1:], " \t\r\n")
	return rest != "" && strings.IndexByte("\"'`)[{", rest[0]) >= 0 || strings.HasPrefix(rest, "function") || strings.HasPrefix(rest, "async") || strings.HasPrefix(rest, "() =>")
}

func (s *Source) firstString(paren int) string {
	rest := strings.TrimLeft(s.Text[paren+1:], " \t\r\n")
	if rest == "" || strings.IndexByte("\"'`", rest[0]) < 0 {
		return ""
	}
	for i := 1; i < len(rest); i++ {
		if rest[i] == '\\' {
			i++
		} else if rest[i] == rest[0] {
			return rest[1:i]
		}
	}
	return ""
}

// scriptFunctions reads functions, arrow functions with a name, and methods.
func (s *Source) scriptFunctions(test bool) {
	re := scriptRE()
	seen := map[int]bool{}
	add := func(name string, start, paren int, method bool) {
		end := closing(s.Code, paren)
		if end < 0 || name == "" || noMethod[name] {
			return
		}
		open := s.bodyOpen(end + 1)
		if open < 0 || seen[open] {
			return
		}
		shut := closing(s.Code, open)
		if shut < 0 {
			return
		}
		seen[open] = true
		f := Function{Name: name, Line: s.At(start), End: s.At(shut), Open: open + 1, Close: shut, method: method,
			params: scriptParams(s.Code[paren+1 : end]), Frozen: name == "constructor"}
		f.Statements = strings.Count(s.code(f), ";") + strings.Count(s.code(f), "\n")
		if !test {
			s.scriptHollow(f)
		}
		s.Functions = append(s.Functions, f)
	}
	for _, at := range re["function"].FindAllStringSubmatchIndex(s.Code, -1) {
		add(s.Code[at[2]:at[3]], at[0], at[1]-1, false)
	}
	for _, at := range re["arrow"].FindAllStringSubmatchIndex(s.Code, -1) {
		from, to := at[2], at[3]
		if from < 0 {
			from, to = at[4], at[5]
		}
		paren := at[1] - 1
		if end := closing(s.Code, paren); end > 0 && s.isArrow(end+1) {
			add(s.Code[from:to], from, paren, false)
		}
	}
	for _, at := range re["method"].FindAllStringSubmatchIndex(s.Code, -1) {
		add(s.Code[at[4]:at[5]], at[4], at[1]-1, true)
	}
}

// isArrow: behind the parameters, and perhaps a type, comes an arrow with a block.
func (s *Source) isArrow(at int) bool {
	rest := s.Code[at:min(len(s.Code), at+200)]
	n := strings.Index(rest, "=>")
	return n >= 0 && !strings.ContainsAny(rest[:n], ";=") && strings.HasPrefix(strings.TrimLeft(rest[n+2:], " \t\r\n"), "{")
}

// bodyOpen is the brace of a body behind the parameters; in between there may be a
// type, which may have braces of its own.
func (s *Source) bodyOpen(at int) int {
	for i := at; i < len(s.Code); i++ {
		switch c := s.Code[i]; {
		case c == '{':
			end := closing(s.Code, i)
			if end < 0 {
				return -1
			}
			if next := strings.TrimLeft(s.Code[end+1:], " \t\r\n"); strings.Contains(s.Code[at:i], ":") && (strings.HasPrefix(next, "{") || strings.HasPrefix(next, "=>") || strings.HasPrefix(next, "|") || strings.HasPrefix(next, ">") || strings.HasPrefix(next, "[")) {
				i = end
				continue
			}
			return i
		case c == ';' || c == ')' || c == '}' || c == ',' && !strings.Contains(s.Code[at:i], "<"):
			return -1
		case c == '=' && !strings.HasPrefix(s.Code[i:], "=>"):
			return -1
		}
	}
	return -1
}

func scriptParams(list string) (out []string) {
	for p := range strings.SplitSeq(list, ",") {
		p = strings.TrimLeft(strings.TrimSpace(p), ".{[ ")
		end := 0
		for end < len(p) && isWord(p[end]) {
			end++
		}
		if end > 0 && p[0] != '_' {
			out = append(out, p[:end])
		}
	}
	return out
}

func (s *Source) scriptHollow(f Function) {
	body := s.code(f)
	if meantEmpty(f.Name) || len(f.params) == 0 || f.Frozen {
		return
	}
	switch {
	case strings.TrimSpace(body) == "" && !f.method && !s.commented(f.Open, f.Close):
		s.markFunction(Empty, f)
	case scriptRE()["constant"].MatchString(body):
		s.markFunction(Constant, f)
	}
}
