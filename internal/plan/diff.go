package plan

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff returns the change as a unified diff, with git's words for what is
// moved, new or removed; "" when nothing changes.
func (c *Change) Diff() string {
	var b strings.Builder
	for _, f := range c.Files {
		switch {
		case f.Moved != "" && isTrash(f.Path):
			fmt.Fprintf(&b, "deleted %s\n", f.Moved)
		case f.Moved != "" && isTrash(f.Moved):
			fmt.Fprintf(&b, "restored %s\n", f.Path)
		case f.Moved != "":
			fmt.Fprintf(&b, "rename from %s\nrename to %s\n", f.Moved, f.Path)
		case !utf8.Valid(f.Before) || !utf8.Valid(f.After):
			fmt.Fprintf(&b, "binary file %s changes\n", f.Path)
		case f.Before != nil && f.After == nil:
			fmt.Fprintf(&b, "deleted %s\n", f.Path)
		case f.Before == nil && len(f.After) == 0:
			fmt.Fprintf(&b, "new empty file %s\n", f.Path)
		case f.Before == nil:
			b.Write(body(diff.Diff("/dev/null", nil, "b/"+f.Path, f.After)))
		default:
			b.Write(body(diff.Diff("a/"+f.Path, f.Before, "b/"+f.Path, f.After)))
		}
	}
	return b.String()
}

// body drops the "diff a b" line that the library puts first.
func body(d []byte) []byte {
	for i, c := range d {
		if c == '\n' {
			return d[i+1:]
		}
	}
	return d
}

func isTrash(rel string) bool { return strings.Contains(rel, "/"+ownDir+"/trash/") }
