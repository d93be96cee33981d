package shell

import "strings"

// leastSearched is how long a word is that is looked for in a line.
const leastSearched = 3

// Searched returns the words of which a line has one that the command's search
// found: those of the first pattern with such a word. It may be too many or
// none, since patterns are not read but taken apart.
func (p Parsed) Searched() []string {
	for _, c := range p.Calls {
		args := c.Args
		switch {
		case c.Name == "git" && c.HasPrefix([]string{"git", "grep"}):
			for len(args) > 0 && args[0] != "grep" {
				args = args[1:]
			}
			args = args[1:]
		case !listed("grep egrep fgrep zgrep ugrep rg ag ack", c.Name):
			continue
		}
		for _, a := range args {
			if strings.HasPrefix(a, "-e") && len(a) > 2 {
				a = a[2:]
			} else if rest, ok := strings.CutPrefix(a, "--regexp="); ok {
				a = rest
			} else if strings.HasPrefix(a, "-") {
				continue
			}
			if words := literals(a); len(words) > 0 {
				return words
			}
		}
	}
	return nil
}

// literals are the runs of letters, digits and underlines in a pattern. What
// follows a backslash is not one.
func literals(pattern string) (words []string) {
	from := -1
	for i := 0; i <= len(pattern); i++ {
		if i < len(pattern) && (pattern[i] == '_' || pattern[i]|0x20 >= 'a' && pattern[i]|0x20 <= 'z' || pattern[i] >= '0' && pattern[i] <= '9' || pattern[i] >= 0x80) {
			if from < 0 {
				from = i
			}
			continue
		}
		if from >= 0 && i-from >= leastSearched {
			words = append(words, pattern[from:i])
		}
		if from = -1; i < len(pattern) && pattern[i] == '\\' {
			i++
		}
	}
	return words
}
