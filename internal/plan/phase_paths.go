package plan

import (
	"bytes"
	"path"
	"strings"

	"cairn/internal/plan/doc"
)

// phasesPart is what stands before the name of a phase's directory in a path.
const phasesPart = "phases/"

// paths rewrites the paths into renumbered phases, such as
// @.planning/phases/03-ui/03-01-SUMMARY.md, in a document's lines outside of
// code.
func (rn renumbering) paths(t *doc.Text) {
	for i := range t.Len() {
		line := t.Line(i)
		if !strings.Contains(line, phasesPart) || t.Code(i) {
			continue
		}
		t.SetLine(i, rn.pathsIn(line))
	}
}

// named reports whether a path in a file leads into a renumbered phase. It may be
// in code, where paths leaves it.
func (rn renumbering) named(b []byte) bool {
	for {
		_, rest, ok := bytes.Cut(b, []byte(phasesPart))
		if !ok {
			return false
		}
		name := string(rest[:min(len(rest), 1<<10)]) // no file's name is longer
		if _, ok := rn.inDir(name[:nameLength(name)]); ok {
			return true
		}
		b = rest
	}
}

func (rn renumbering) pathsIn(line string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(line, phasesPart)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteString(phasesPart)
		n := nameLength(rest)
		dir, file := rest[:n], ""
		line = rest[n:]
		r, ok := rn.inDir(dir)
		if isArchive := before != "" && isPlanByte(before[len(before)-1]); !ok || isArchive { // v1.0-phases/
			b.WriteString(dir)
			continue
		}
		if strings.HasPrefix(line, "/") {
			file = line[1 : 1+nameLength(line[1:])]
			line = line[1+len(file):]
			file = "/" + newName(file, r.phase.ID, r.to)
		}
		b.WriteString(newName(dir, r.phase.ID, r.to) + file)
	}
}

// inDir returns what became of the phase that had a directory of that name.
func (rn renumbering) inDir(name string) (renumbered, bool) {
	for _, r := range rn {
		if r.phase.Dir != "" && path.Base(r.phase.Dir) == name {
			return r, true
		}
	}
	return renumbered{}, false
}

// nameLength returns how many bytes of s can be a file's name.
func nameLength(s string) int {
	n := 0
	for n < len(s) && (isPlanByte(s[n]) || s[n] == '_' || s[n] >= 0x80) {
		n++
	}
	return len(strings.TrimRight(s[:n], "."))
}
