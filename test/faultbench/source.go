package main

import (
	"regexp"
	"slices"
	"strings"
)

// keywords of the languages: a fault may be in one, and they are known words.
var keywords = map[string][]string{
	"go":         strings.Fields("break case chan const continue default defer else fallthrough for func goto if import interface map package range return select struct switch type var true false nil string bool byte error make append len"),
	"javascript": strings.Fields("await break case catch class const continue default delete else export extends finally for from function if import instanceof let new null return static super switch this throw try typeof undefined var void while true false"),
	"c":          strings.Fields("break case char const continue default define double else endif enum extern float ifdef ifndef include int long return short signed sizeof static struct switch typedef undef union unsigned void volatile while size_t NULL"),
	"python":     strings.Fields("and assert break class continue def del elif else except False finally for from global import isinstance lambda None nonlocal not pass raise return self True try while with yield"),
}

func init() {
	keywords["typescript"] = append(strings.Fields("abstract any as boolean declare enum implements infer interface is keyof namespace never number private protected public readonly string type unknown"), keywords["javascript"]...)
}

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// A span is a part of a line.
type span struct{ from, to int }

// plain blanks out the strings and the comment of a line of code, so that what is
// left is at its place. open is whether a string has no end.
func plain(language, line string) (code string, open bool) {
	b := []byte(line)
	quotes := `"'` + "`"
	if language == "c" || language == "python" {
		quotes = `"'`
	}
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case language == "python" && c == '#', language != "python" && c == '/' && i+1 < len(b) && b[i+1] == '/':
			for ; i < len(b); i++ {
				b[i] = ' '
			}
		case strings.IndexByte(quotes, c) >= 0:
			end := i + 1
			for end < len(b) && b[end] != c {
				if b[end] == '\\' && c != '`' {
					end++
				}
				end++
			}
			if end >= len(b) {
				return string(b[:i]), true
			}
			for j := i + 1; j < end; j++ {
				b[j] = ' '
			}
			i = end
		}
	}
	return string(b), false
}

// words are the places of the identifiers in a line, outside of strings.
func words(language, line string) (list []span) {
	code, _ := plain(language, line)
	for _, m := range word.FindAllStringIndex(code, -1) {
		list = append(list, span{m[0], m[1]})
	}
	return list
}

// codeLines says of each line whether it is code: not of a comment, a docstring or a
// text over several lines, and not empty.
func codeLines(language string, lines []string) []bool {
	code := make([]bool, len(lines))
	inside := ""
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		if inside != "" {
			if strings.Contains(line, inside) {
				inside = ""
			}
			continue
		}
		openers := [][2]string{{"/*", "*/"}}
		if language == "python" {
			openers = [][2]string{{`"""`, `"""`}, {"'''", "'''"}}
		}
		opened := false
		for _, o := range openers {
			if _, rest, ok := strings.Cut(line, o[0]); ok {
				if opened = true; !strings.Contains(rest, o[1]) {
					inside = o[1]
				}
			}
		}
		_, open := plain(language, line)
		code[i] = !opened && !open && trimmed != "" && !strings.HasSuffix(trimmed, "\\") && !strings.HasPrefix(trimmed, "#") &&
			!strings.HasPrefix(trimmed, "//") && !strings.HasPrefix(trimmed, "*")
	}
	return code
}

// vocabulary counts the words of a project, and knows its language's.
func vocabulary(language string, files map[string][]string) map[string]int {
	known := map[string]int{}
	for _, lines := range files {
		for _, line := range lines {
			for _, w := range word.FindAllString(line, -1) {
				known[w]++
			}
		}
	}
	for _, w := range keywords[language] {
		known[w] += 100
	}
	return known
}

// sortedNames are the names of files, in an order that is the same every time.
func sortedNames(files map[string][]string) []string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
