package lines

import "strings"

// Location returns the first place in a source file that s names: file:line,
// file:line:column, file(line,column) or Python's File "x", line N. It is ""
// when there is none.
func Location(s string) string {
	if i := strings.Index(s, `File "`); i >= 0 {
		if j := strings.Index(s[i+6:], `", line `); j > 0 {
			n := i + 6 + j + 8
			return s[i+6:i+6+j] + ":" + s[n:n+digits(s[n:])]
		}
	}
	for i := 1; i < len(s)-1; i++ {
		if c := s[i]; c != ':' && c != '(' || digits(s[i+1:]) == 0 {
			continue
		}
		start := i
		for start > 0 && isPath(s[start-1]) {
			start--
		}
		if strings.HasSuffix(s[:start], "file:") && strings.HasPrefix(s[start:], "//") {
			start += 2 // node names a module by its address
		}
		if !isFile(s[start:i]) {
			continue
		}
		end := i + 1 + digits(s[i+1:])
		switch {
		case s[i] == '(':
			close := strings.IndexByte(s[end:], ')')
			if close < 0 || strings.Trim(s[end:end+close], "0123456789,") != "" {
				continue
			}
			return s[start : end+close+1]
		case s[i] == ':' && end < len(s)-1 && s[end] == ':':
			end += 1 + digits(s[end+1:])
		}
		return strings.TrimSuffix(s[start:end], ":")
	}
	return ""
}

// Spoken is a place that s names in words, where the file is known or named elsewhere:
// "line 5 column 33 - Error: …", "… on line 4 (check: …)". It is "line:5:33".
func Spoken(s string) string {
	rest, found := strings.CutPrefix(s, "line ")
	if !found {
		_, rest, found = strings.Cut(s, " on line ")
	}
	n := digits(rest)
	if !found || n == 0 {
		return ""
	}
	at := "line:" + rest[:n]
	rest = strings.TrimPrefix(rest[n:], ",")
	for _, word := range []string{" column ", " col "} {
		if column, ok := strings.CutPrefix(rest, word); ok && digits(column) > 0 {
			at += ":" + column[:digits(column)]
		}
	}
	return at
}

// HasLocation reports whether s names a place in a source file.
func HasLocation(s string) bool { return Location(s) != "" }

// isFile reports whether p looks like a file's name: it has an extension of
// one to ten letters, the way 10.0.0.1 and 12.5 have not.
func isFile(p string) bool {
	dot := strings.LastIndexByte(p, '.')
	ext := p[dot+1:]
	if dot < 1 || len(ext) == 0 || len(ext) > 10 {
		return false
	}
	letters := 0
	for i := 0; i < len(ext); i++ {
		if !isWord(ext[i]) {
			return false
		}
		if ext[i]|0x20 >= 'a' && ext[i]|0x20 <= 'z' {
			letters++
		}
	}
	return letters > 0
}

func isPath(c byte) bool {
	return isWord(c) || c == '.' || c == '/' || c == '\\' || c == '-' || c == '+' || c == '@' || c == '~'
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// foreign are parts of paths that belong to a dependency or a runtime, not to
// the project whose tool is running.
var foreign = []string{
	"node_modules/", "node:", "(internal/", "(ext:", "site-packages/", "dist-packages/", "/lib/python", "<frozen ",
	"/usr/local/go/", "/go/pkg/mod/", "/.cargo/registry/", "/rustc/", "/gems/", "/lib/ruby/",
	"java.base/", "at java.", "at sun.", "at jdk.", "at org.junit.", "at org.gradle.", "at org.apache.maven.",
}

// Frame reports whether s is a line of a stack trace, and whether that frame
// is in the project's own code.
func Frame(s string) (frame, own bool) {
	t := strings.TrimLeft(s, " \t│|")
	switch {
	case strings.HasPrefix(t, "at "), strings.HasPrefix(t, `File "`), strings.HasPrefix(t, "❯ "), strings.HasPrefix(t, "# ./"), strings.HasPrefix(t, "# /"):
		if strings.HasSuffix(t, "(<anonymous>)") { // the runtime's own
			return true, false
		}
		frame = HasLocation(t) || strings.Contains(t, "node:internal/") // whose modules have no extension
	case strings.HasPrefix(s, "\t"):
		frame = strings.Contains(t, ".go:") && HasLocation(t)
	case strings.HasPrefix(t, "from "):
		frame = strings.Contains(t, ".rb:")
	}
	if !frame {
		return false, false
	}
	for _, f := range foreign {
		if strings.Contains(s, f) {
			return true, false
		}
	}
	return true, true
}
