package main

import (
	"regexp"
	"slices"
	"strings"
)

// A gap is a run of lines in which a bracket is missing, by the indentation.
type gap struct {
	from, to int // lines, from 1
	indent   int // of the line that opens
	bracket  string
	opener   bool // it is one that opens
}

// mostGaps are looked at, the nearest above a place first.
const mostGaps = 4

var (
	closes = map[byte]string{'(': ")", '[': "]", '{': "}"}
	label  = regexp.MustCompile(`^\s*(?:case\b|default\b|\w+:$|#)`)
)

// gaps finds where brackets and indentation disagree above a line of a file.
func gaps(language string, lines []string, above int) (all []gap) {
	type open struct {
		line, indent int
		bracket      byte
	}
	var stack []open
	codes := codeLines(language, lines)
	for i, line := range lines[:min(len(lines), above+1)] {
		if !codes[i] || label.MatchString(line) {
			continue
		}
		code, _ := plain(language, line)
		here := indent(line)
		trimmed := strings.TrimSpace(code)
		starts := trimmed != "" && strings.IndexByte(")]}", trimmed[0]) >= 0
		for n := len(stack); n > 0; n = len(stack) { // what is as far left is no longer inside
			top := stack[n-1]
			if here > top.indent || starts && here == top.indent || top.bracket != '{' && here == top.indent && language == "c" {
				break // arguments in C are often as far left
			}
			all = append(all, gap{top.line, i + 1, top.indent, closes[top.bracket], false})
			stack = stack[:n-1]
		}
		for j := range len(code) {
			switch c := code[j]; c {
			case '(', '[', '{':
				stack = append(stack, open{i + 1, here, c})
			case ')', ']', '}':
				n := len(stack)
				if n == 0 {
					all = append(all, gap{1, i, 0, "{", true})
					continue
				}
				top := stack[n-1]
				if c == '}' && starts && top.indent < here && top.line <= i { // it closes what another line opened
					all = append(all, gap{top.line, i, top.indent, "{", true})
					continue
				}
				if closes[top.bracket] != string(c) {
					all = append(all, gap{top.line, i + 1, top.indent, closes[top.bracket], false})
					if n > 1 && closes[stack[n-2].bracket] == string(c) {
						stack = stack[:n-2]
					}
					continue
				}
				stack = stack[:n-1]
			}
		}
	}
	slices.Reverse(all)
	return all[:min(len(all), mostGaps)]
}

// indent is how far a line is from the left.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
