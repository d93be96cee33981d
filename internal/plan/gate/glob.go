package gate

import (
	"path"
	"strings"
)

// matches reports whether the end of a path matches a pattern: its segments
// are those of [path.Match], and ** is any number of them. So a pattern holds
// at the root and in every package of a monorepo.
func matches(pattern, name string) bool {
	segments := strings.Split(path.Clean(strings.ReplaceAll(name, `\`, "/")), "/")
	return matchSegments(append([]string{"**"}, strings.Split(pattern, "/")...), segments)
}

func matchSegments(want, have []string) bool {
	for len(want) > 0 {
		if want[0] == "**" {
			for i := range len(have) + 1 {
				if matchSegments(want[1:], have[i:]) {
					return true
				}
			}
			return false
		}
		if len(have) == 0 {
			return false
		}
		if ok, _ := path.Match(want[0], have[0]); !ok {
			return false
		}
		want, have = want[1:], have[1:]
	}
	return len(have) == 0
}

// said reports whether a line of the text has the words of the pattern, in
// which * is any text of the line, and does not go on as another command
// (migrate:create is not migrate). The text is in lower case.
func said(text, pattern string) bool {
	parts := strings.Split(strings.ToLower(pattern), "*")
	for line := range strings.Lines(text) {
		if saidIn(line, parts) {
			return true
		}
	}
	return false
}

func saidIn(line string, parts []string) bool {
	for i, part := range parts {
		for {
			at := strings.Index(line, part)
			if at < 0 {
				return false
			}
			line = line[at+len(part):]
			if i < len(parts)-1 || part == "" || line == "" || !goesOn(line[0]) {
				break
			}
		}
	}
	return true
}

func goesOn(c byte) bool {
	return c == ':' || c == '-' || c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}
