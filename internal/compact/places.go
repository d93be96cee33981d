package compact

import (
	"strings"

	"cairn/internal/compact/lines"
)

// places lists where something was found again, each place once, with those
// of one file together: "lib/a.js:3:1,9:1, lib/b.js:7:2".
type places struct {
	seen  map[string]bool
	files []string            // in the order of their first place
	at    map[string][]string // within a file: ":3:1", "(3,1)", or "" for the file itself
	more  int                 // places beyond those listed
}

// add lists a place unless limit are listed already. It reports whether the
// place is a new one.
func (p *places) add(site string, limit int) bool {
	if p.seen[site] {
		return false
	}
	if len(p.seen) >= limit {
		p.more++
		return true
	}
	if p.seen == nil {
		p.seen, p.at = map[string]bool{}, map[string][]string{}
	}
	p.seen[site] = true
	file, at := splitPlace(site)
	if p.at[file] == nil {
		p.files = append(p.files, file)
	}
	p.at[file] = append(p.at[file], at)
	return true
}

// splitPlace cuts "lib/a.js:3:1" before ":3:1" and "lib/a.ts(3,1)" before "(3,1)".
func splitPlace(site string) (file, at string) {
	for i := 1; i < len(site)-1; i++ {
		if c := site[i]; (c == ':' || c == '(') && site[i+1] >= '0' && site[i+1] <= '9' {
			return site[:i], site[i:]
		}
	}
	return site, ""
}

func (p *places) String() string {
	var b strings.Builder
	for i, file := range p.files {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(file)
		for j, at := range p.at[file] {
			if j > 0 {
				at = "," + strings.TrimPrefix(at, ":")
			}
			b.WriteString(at)
		}
	}
	if p.more > 0 {
		b.WriteString(", +" + lines.Count(p.more))
	}
	return b.String()
}

// again is the marker for n more of the same, with where they are.
func (p *places) again(what string, n int) string {
	s := "[… " + what + lines.Count(n) + " more"
	if len(p.files) > 0 {
		s += ": " + p.String()
	}
	return s + " …]"
}
