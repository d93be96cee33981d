package doc

import (
	"bytes"
	"slices"
)

// FrontOf returns a file's frontmatter, or nil, of which it reads no more than
// the lines of the keys. For looking at many files: it takes a fraction of
// Parse's time. With no keys it reads all of them.
func FrontOf(b []byte, keys ...string) *Node {
	rest := bytes.TrimPrefix(b, []byte(bom))
	kept := make([]byte, 0, min(len(b), 1<<10))
	keep := len(keys) == 0
	for first := true; len(rest) > 0; first = false {
		line := rest
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			line = rest[:n+1]
		}
		rest = rest[len(line):]
		isMark := string(bytes.TrimRight(line, " \t\r\n")) == "---"
		switch {
		case first != isMark:
			if first { // no frontmatter
				return nil
			}
			return Parse(append(kept, line...)).Front()
		case !first && len(keys) > 0 && beginsKey(line):
			keep = slices.ContainsFunc(keys, func(key string) bool { return hasKey(line, key) })
		}
		if first || keep {
			kept = append(kept, line...)
		}
	}
	return nil // it has no end
}

// beginsKey reports whether a line may be `key: …` at the outermost level.
func beginsKey(line []byte) bool {
	return bytes.IndexByte([]byte(" \t-#\r\n"), line[0]) < 0
}

// hasKey reports whether a line is the key's, or one that only a closer look
// could tell.
func hasKey(line []byte, key string) bool {
	if bytes.IndexByte([]byte(`"'{?`), line[0]) >= 0 {
		return true
	}
	after, ok := bytes.CutPrefix(line, []byte(key))
	return ok && bytes.HasPrefix(bytes.TrimLeft(after, " \t"), []byte(":"))
}
