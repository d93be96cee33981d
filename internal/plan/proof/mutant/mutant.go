// Package mutant switches functions off: into each of some functions it puts a first
// statement that returns at once, with nothing, while a variable of the environment
// names the function. So the code is built once, and its tests are asked of each
// function whether they would notice if it did nothing.
//
// Package proof imports it. It makes texts and writes none.
package mutant

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cairn/internal/plan/proof/mark"
)

// Variable names the function that is switched off.
const Variable = "CAIRN_PROVE_WITHOUT"

// Point is a function that can be switched off.
type Point struct {
	File     string
	Function mark.Function
	Key      string // its value of Variable
}

// quiet are functions whose effect no test is expected to look at.
var quiet = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:main|init|usage|help|setup|teardown|string|gostring|error|unwrap|close|tostring|__repr__|__str__|__del__|__exit__|__enter__|drop|fmt|render)$|log|print|debug|trace|warn`)
})

// Can reports whether a function can be switched off, and whether a test could see it:
// one that returns nothing but an empty value does so anyway.
func Can(s *mark.Source, f mark.Function) bool {
	name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
	body := strings.TrimSpace(s.Body(f))
	return !f.Test && !f.Frozen && f.Statements > 0 && !quiet().MatchString(name) && !strings.HasPrefix(name, "Test") && !nothing().MatchString(body)
}

var nothing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:return(?:\s+(?:nil|None|undefined|null|false|False|0|""|'')(?:\s*,\s*(?:nil|0|false|""))*)?\s*;?|pass|\.\.\.|None|\(\)|raise NotImplementedError\b.*)?$`)
})

// Put returns the text of a file with its points in it. Lines stay where they are,
// but of Python.
func Put(s *mark.Source, points []Point) string {
	sorted := slices.SortedFunc(slices.Values(points), func(a, b Point) int { return b.Function.Open - a.Function.Open })
	text := s.Text
	for _, p := range sorted {
		at := min(p.Function.Open, len(text))
		text = text[:at] + statement(s, p) + text[at:]
	}
	return text
}

func statement(s *mark.Source, p Point) string {
	switch s.Lang {
	case mark.Go:
		return fmt.Sprintf(" if cairnProveWithout == %q { %s };", p.Key, goReturn(p.Function))
	case mark.Python:
		return fmt.Sprintf("%sif __import__(\"os\").environ.get(%q) == %q: return None\n", p.Function.Indent, Variable, p.Key)
	case mark.Rust:
		return fmt.Sprintf(" if ::std::env::var(%q).as_deref() == Ok(%q) { %s }", Variable, p.Key, rustReturn(p.Function.Result))
	}
	value := ""
	if strings.HasSuffix(s.Name, "ts") || strings.HasSuffix(s.Name, "tsx") {
		value = " undefined as any"
	}
	return fmt.Sprintf(" if (globalThis.process?.env?.%s === %q) return%s;", Variable, p.Key, value)
}

func goReturn(f mark.Function) string {
	if f.Bare || len(f.Results) == 0 {
		return "return"
	}
	values := make([]string, len(f.Results))
	for i, t := range f.Results {
		values[i] = "*new(" + t + ")"
	}
	return "return " + strings.Join(values, ", ")
}

func rustReturn(result string) string {
	if result == "" || result == "()" {
		return "return;"
	}
	if v := rustZero(result); v != "" {
		return "return " + v + ";"
	}
	return "panic!(\"without\");"
}

var rustNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[iu](?:8|16|32|64|128|size)|f32|f64)$`) })

// rustZero is the empty value of a type, "" for one that is not known.
func rustZero(t string) string {
	t = strings.TrimSpace(t)
	inner := func(prefix string) (string, bool) {
		if !strings.HasPrefix(t, prefix+"<") || !strings.HasSuffix(t, ">") {
			return "", false
		}
		return t[len(prefix)+1 : len(t)-1], true
	}
	switch {
	case rustNumber().MatchString(t):
		return "0 as " + t
	case t == "bool":
		return "false"
	case t == "String":
		return "String::new()"
	case t == "&str" || t == "&'static str":
		return `""`
	case t == "()":
		return "()"
	}
	if _, ok := inner("Option"); ok {
		return "None"
	}
	if _, ok := inner("Vec"); ok {
		return "Vec::new()"
	}
	if args, ok := inner("Result"); ok {
		first := args
		depth := 0
		for i, c := range args {
			if c == '<' || c == '(' {
				depth++
			} else if c == '>' || c == ')' {
				depth--
			} else if c == ',' && depth == 0 {
				first = args[:i]
				break
			}
		}
		if v := rustZero(first); v != "" {
			return "Ok(" + v + ")"
		}
	}
	return ""
}

// Beside is the file that a package of Go needs beside its switched functions, and its
// name.
func Beside(pkg string) (name, text string) {
	return "cairn_prove_without.go", fmt.Sprintf("package %s\n\nimport cairnProveOS \"os\"\n\nvar cairnProveWithout = cairnProveOS.Getenv(%q)\n", pkg, Variable)
}
