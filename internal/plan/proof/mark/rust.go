package mark

import (
	"regexp"
	"strings"
	"sync"
)

var rustRE = sync.OnceValue(func() map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for name, expr := range map[string]string{
		"fn":       `((?:\b(?:pub(?:\([^)]*\))?|const|async|unsafe|extern|default)\s+)*)\bfn\s+(\w+)\s*(?:<[^(){}]*>)?\s*\(`,
		"test":     `#\[\s*(?:\w+::)*(?:test|rstest|test_case|case|proptest|quickcheck)\b`,
		"ignore":   `#\[\s*ignore\b|#\[\s*cfg\s*\(\s*(?:any\s*\(\s*\)|FALSE|not\s*\(\s*test\s*\))`,
		"stub":     `\b(?:todo|unimplemented)!\s*[\(\[{]`,
		"panic":    `\bpanic!\s*\(\s*"`,
		"check":    `\b\w*assert\w*!|\bpanic!|\b\w*(?:assert|check|verify|expect|ensure|must)\w*\s*\(|\bunwrap(?:_err)?\s*\(|\bunreachable!|\?\s*;|\bmatches!`,
		"nothing":  `^(?:assert!\s*\(\s*true\s*[,)]|assert_eq!\s*\(\s*(?:true|1)\s*,\s*(?:true|1)\s*[,)])`,
		"identity": `^()()assert_eq!\s*\(\s*(.+?)\s*,\s*(.+?)\s*\)\s*;?$`,
		"constant": `^\s*(?:return\s+)?(?:Some|Ok)?\(?(?:"\s*"(?:\.to_string\(\)|\.into\(\))?|String::new\(\)|-?[\d._]+\w*|true|false|None|Vec::new\(\)|vec!\[[\s\d,.]*\]|Default::default\(\))\)?\s*;?\s*$`,
	} {
		out[name] = regexp.MustCompile(expr)
	}
	return out
})

func (s *Source) readRust() {
	re := rustRE()
	inTests := IsTest(s.Name)
	testMod := -1
	if at := strings.Index(s.Code, "#[cfg(test)]"); at >= 0 {
		testMod = at
	}
	for _, at := range re["stub"].FindAllStringIndex(s.Code, -1) {
		s.mark(Stub, at[0], "")
	}
	for _, at := range re["panic"].FindAllStringIndex(s.Code, -1) {
		if saysUnfinished(s.Text[at[1]-1 : lineEnd(s.Text, at[1])]) {
			s.mark(Stub, at[0], "")
		}
	}
	for _, at := range re["ignore"].FindAllStringIndex(s.Code, -1) {
		s.mark(Skipped, at[0], "")
	}
	for _, at := range re["fn"].FindAllStringSubmatchIndex(s.Code, -1) {
		paren := at[1] - 1
		end := closing(s.Code, paren)
		if end < 0 {
			continue
		}
		open := end + 1
		for open < len(s.Code) && s.Code[open] != '{' && s.Code[open] != ';' {
			open++
		}
		if open >= len(s.Code) || s.Code[open] == ';' {
			continue
		}
		shut := closing(s.Code, open)
		if shut < 0 {
			continue
		}
		f := Function{Name: s.Code[at[4]:at[5]], Line: s.At(at[4]), End: s.At(shut), Open: open + 1, Close: shut,
			params: rustParams(s.Code[paren+1 : end]), method: strings.Contains(s.Code[paren:end], "self"), Frozen: strings.Contains(s.Code[at[2]:at[3]], "const ")}
		if _, result, ok := strings.Cut(s.Code[end+1:open], "->"); ok {
			f.Result, _, _ = strings.Cut(result, " where ")
			f.Result = strings.TrimSpace(f.Result)
		}
		f.Statements = strings.Count(s.code(f), ";") + 1
		f.Test = re["test"].MatchString(attributesBefore(s.Code, at[0]))
		switch {
		case f.Test:
			s.rustTest(&f)
		case !inTests && (testMod < 0 || at[0] < testMod):
			s.rustHollow(f)
		}
		s.Functions = append(s.Functions, f)
	}
}

// attributesBefore are the lines of attributes above an offset.
func attributesBefore(code string, at int) string {
	end := strings.LastIndexByte(code[:at], '\n') + 1
	from := end
	for from > 0 {
		start := strings.LastIndexByte(code[:from-1], '\n') + 1
		line := strings.TrimSpace(code[start:from])
		if line != "" && !strings.HasPrefix(line, "#[") {
			break
		}
		from = start
	}
	return code[from:at]
}

func rustParams(list string) (out []string) {
	for p := range strings.SplitSeq(list, ",") {
		name, _, ok := strings.Cut(strings.TrimSpace(p), ":")
		name = strings.TrimPrefix(strings.TrimSpace(name), "mut ")
		if ok && name != "" && name[0] != '_' && !strings.Contains(name, "self") {
			out = append(out, name)
		}
	}
	return out
}

func (s *Source) rustTest(f *Function) {
	re := rustRE()
	if strings.HasPrefix(strings.TrimSpace(s.code(*f)), "return;") {
		s.mark(Skipped, f.Open+strings.Index(s.Code[f.Open:], "return"), f.Name)
	}
	for line := f.Line; line <= f.End; line++ {
		start, end := max(f.Open, s.starts[line-1]), min(f.Close, lineEnd(s.Code, s.starts[line-1]))
		if start >= end {
			continue
		}
		text := strings.TrimSpace(s.Text[start:end])
		if re["check"].MatchString(s.Code[start:end]) && !re["nothing"].MatchString(text) && !identical(re["identity"], text) {
			f.Checks++
		}
	}
	if f.Checks == 0 && !strings.Contains(attributesBefore(s.Code, s.starts[f.Line-1]), "should_panic") {
		s.markFunction(Vacuous, *f)
	}
}

func (s *Source) rustHollow(f Function) {
	body := s.code(f)
	if meantEmpty(f.Name) || len(f.params) == 0 || f.method {
		return
	}
	switch {
	case strings.TrimSpace(body) == "" && !s.commented(f.Open, f.Close):
		s.markFunction(Empty, f)
	case f.Result != "" && rustRE()["constant"].MatchString(body):
		s.markFunction(Constant, f)
	}
}
