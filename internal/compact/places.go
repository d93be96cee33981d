package compact

import (
	"cmp"
	"strings"

	"cairn/internal/text"
)

// places lists where something was found again, each place once, with those
// of one file together: "lib/a.js:3:1,9:1, lib/b.js:7:2"; very few are written
// out, to be found by their names. Of very many places
// it lists the files, with how many are in each: "lib/a.js ×80, lib/b.js".
type places struct {
	seen  map[string]bool
	files []string            // in the order of their first place
	at    map[string][]string // within a file: ":3:1", "(3,1)", or "" for the file itself
	count map[string]int      // of each file
	many  bool                // there are more than can be listed
	names bool                // there are names of tests or symbols, perhaps with a place
	more  int                 // places in files that are not listed
	room  int                 // bytes of the list; 0: placesBytes
}

const (
	placesFull   = 3 // up to so many are listed with the file before each
	placesListed = 100
	filesListed  = 60
	placesBytes  = 1 << 10 // of a list
	sharedDir    = 8       // bytes of a directory that is worth naming once
)

func (p *places) add(site string) {
	if p.seen[site] || site == "" {
		return
	}
	if p.at == nil {
		p.at, p.count = map[string][]string{}, map[string]int{}
	}
	if p.many = p.many || len(p.seen) >= placesListed; !p.many {
		p.known(site)
	}
	file, at := splitPlace(site)
	p.names = p.names || at == "" || strings.Contains(file+at, " ") // a name, and its place
	if p.count[file] == 0 {
		if len(p.files) >= filesListed && p.many {
			p.more++
			return
		}
		p.files = append(p.files, file)
	}
	p.count[file]++
	if !p.many {
		p.at[file] = append(p.at[file], at)
	}
}

// known makes a place one that need not be listed.
func (p *places) known(site string) {
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[site] = true
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

// String lists the places, as far as they are worth their room: where the list
// is too long, the files, and where that is, the first of them.
func (p *places) String() string {
	if !p.many {
		s := p.list(true)
		if short := p.inDirs(); short != "" && len(short) < len(s) {
			s = short
		}
		if len(s) <= cmp.Or(p.room, placesBytes) || p.names {
			return s
		}
	}
	return p.list(false)
}

// inDirs lists places whose files share a directory with it once, as
// "lib/{a.js 3:1, b.js 7:2}", or is "" where that is not shorter.
func (p *places) inDirs() string {
	if len(p.files) < fewMessages || p.more > 0 {
		return ""
	}
	var dirs []string
	in := map[string]string{}
	for _, file := range p.files {
		dir := file[:strings.LastIndexByte(file, '/')+1]
		if strings.ContainsAny(file, " {}") || len(dir) < sharedDir {
			return ""
		}
		row := file[len(dir):]
		for j, at := range p.at[file] {
			if at != "" {
				row += []string{",", " "}[min(1, max(0, 1-j))] + strings.TrimPrefix(at, ":")
			}
		}
		if in[dir] == "" {
			dirs = append(dirs, dir)
		} else {
			row = ", " + row
		}
		in[dir] += row
	}
	for i, dir := range dirs {
		dirs[i] += "{" + in[dir] + "}"
	}
	return strings.Join(dirs, ", ")
}

func (p *places) list(each bool) string {
	var b strings.Builder
	more := p.more
	listed := 0
	for _, at := range p.at {
		listed += len(at)
	}
	for i, file := range p.files {
		if !each && !p.names && b.Len()+len(file) > cmp.Or(p.room, placesBytes) {
			for _, file := range p.files[i:] {
				more += p.count[file]
			}
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(file)
		if !each && p.count[file] > 1 {
			b.WriteString(" ×" + text.Thousands(p.count[file]))
		}
		for j, at := range p.at[file] {
			if !each {
				break
			}
			switch {
			case j > 0 && listed <= placesFull:
				at = ", " + file + at
			case j > 0:
				at = "," + strings.TrimPrefix(at, ":")
			}
			b.WriteString(at)
		}
	}
	if more > 0 {
		b.WriteString(", +" + text.Thousands(more))
	}
	return b.String()
}

// again is the marker for n more of the same, with where they are.
func (p *places) again(what string, n int) string {
	s := "[… " + what + text.Thousands(n) + " more"
	if len(p.files) > 0 {
		s += ": " + p.String()
	}
	return s + " …]"
}
