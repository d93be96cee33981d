package compact

import (
	"slices"
	"sort"
	"strings"

	"cairn/internal/compact/record"
	"cairn/internal/text"
)

// items are the lines of the findings. A message that stands in one file is
// below the file's name, one of several files has its places below it. Each
// file has its directory once.
func (f *findings) items(s *store) (out []*item) {
	shown := f.choose(s)
	sort.SliceStable(shown, func(i, j int) bool { return shown[i].n < shown[j].n })
	names := newFileNames(f.messages)
	failures := 0
	local := map[string][]*message{}
	for _, m := range shown {
		if m.class == record.Failure {
			failures++
		}
		if m.local() {
			local[m.spots[0].file] = append(local[m.spots[0].file], m)
		}
	}
	below := func(m *message) []string {
		if failures <= sourceFew && m.class == record.Failure && len(m.source) <= sourceLines {
			return slices.Concat(m.below, m.source)
		}
		return m.below
	}
	for _, m := range shown {
		add := func(ls ...string) {
			for _, l := range ls {
				out = append(out, &item{n: m.n, text: l})
			}
		}
		if !m.local() {
			add(m.text())
			add(below(m)...)
			add(" " + m.places(names))
			continue
		}
		file := m.spots[0].file
		same := local[file]
		if same == nil {
			continue // stood with the first of its file
		}
		delete(local, file)
		if len(same) == 1 {
			add(names.full(file) + m.at() + ": " + m.text())
			add(below(m)...)
			continue
		}
		add(names.full(file))
		for _, m := range same {
			add(" " + strings.TrimPrefix(m.at(), ":") + ": " + m.text())
			add(below(m)...)
		}
	}
	return out
}

// choose merges what is alike, and of very many warnings takes the first; of
// the others the store says how many there are.
func (f *findings) choose(s *store) (shown []*message) {
	codes := map[string][]*message{}
	warned := 0
	for _, m := range f.messages {
		same := codes[m.code]
		merged := false
		for i := len(same) - 1; i >= max(0, len(same)-mergeLook) && m.code != "" && !merged; i-- {
			merged = same[i].merge(m)
		}
		if merged {
			continue
		}
		codes[m.code] = append(same, m)
		if m.class != record.Failure {
			if warned >= s.level.of(warnMessages) || m.code != "" && len(same) >= warnCode {
				s.warnings += m.count
				continue
			}
			warned++
		}
		shown = append(shown, m)
	}
	return shown
}

// at is the places of a message of one file, behind the file's name.
func (m *message) at() string {
	room := m.room()
	if at := inFile(m.spots, true); !m.one() && len(at) <= min(room, namesRoom) {
		return at
	}
	if at := inFile(m.spots, false); len(at) <= room {
		return at
	}
	n := len(m.spots)
	for len(inFile(m.spots[:n], false)) > room {
		n /= 2
	}
	return inFile(m.spots[:n], false) + " +" + text.Thousands(m.count-n)
}

func (m *message) room() int {
	if m.class == record.Failure {
		return spotsRoom
	}
	return warnSpotsRoom
}

// inFile lists places of one file, each name behind those that have it:
// ":3:1,9:1 a, 12:2 b", "(3,1 9,1)".
func inFile(spots []spotted, named bool) string {
	var names []string
	by := map[string][]string{}
	paren := false
	for _, s := range spots {
		name := ""
		if named {
			name = bare(s.name)
		}
		at := strings.TrimPrefix(s.at, ":")
		if strings.HasPrefix(at, "(") {
			paren, at = true, strings.Trim(at, "()")
		}
		if by[name] == nil {
			names = append(names, name)
		}
		by[name] = append(by[name], at)
	}
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		if paren {
			b.WriteString(strings.Join(by[name], " "))
		} else {
			b.WriteString(strings.Join(by[name], ","))
		}
		if name != "" {
			b.WriteString(" " + name)
		}
	}
	switch {
	case paren:
		return "(" + b.String() + ")"
	case b.Len() == 0:
		return ""
	}
	return ":" + b.String()
}

// bare is a name without its quotes, unless they show where it ends.
func bare(name string) string {
	if len(name) > 2 && name[0] == name[len(name)-1] && strings.IndexByte("'\"`", name[0]) >= 0 && !strings.ContainsAny(name, " ,;()") {
		return name[1 : len(name)-1]
	}
	return name
}

// places lists the places of a message of several files, by file or by name,
// whichever is shorter; of very many places it lists the files.
func (m *message) places(names *fileNames) string {
	if len(m.more.files) == 0 {
		each := names.list(m.spots, !m.one())
		if !m.one() {
			if by := m.byName(names); len(by) < len(each) {
				each = by
			}
			if len(each) > min(m.room(), namesRoom) {
				each = names.list(m.spots, false)
			}
		}
		if len(each) <= m.room() {
			names.see(m.spots)
			return each
		}
	}
	all := places{many: true}
	for _, s := range m.spots {
		all.add(s.file + s.at)
	}
	for file, n := range m.more.count {
		all.count[file] += n
	}
	return "[… " + all.list(false) + " …]"
}

// byName lists places by the name they are about.
func (m *message) byName(names *fileNames) string {
	var order, out []string
	by := map[string][]spotted{}
	for _, s := range m.spots {
		if by[s.name] == nil {
			order = append(order, s.name)
		}
		by[s.name] = append(by[s.name], spotted{file: s.file, at: s.at})
	}
	for _, name := range order {
		out = append(out, bare(name)+" "+names.list(by[name], false))
	}
	return strings.Join(out, "; ")
}

// fileNames are how files are named: one that stood in full is named without
// its directory, unless there is another of that name.
type fileNames struct {
	dirs map[string]string // of a file without its directory; "" where there are several
	seen map[string]bool
}

func newFileNames(all []*message) *fileNames {
	f := &fileNames{dirs: map[string]string{}, seen: map[string]bool{}}
	for _, m := range all {
		for _, s := range m.spots {
			dir, base := cutDir(s.file)
			if other, ok := f.dirs[base]; ok && other != dir {
				dir = ""
			}
			f.dirs[base] = dir
		}
	}
	return f
}

func cutDir(file string) (dir, base string) {
	i := strings.LastIndexByte(file, '/') + 1
	return file[:i], file[i:]
}

func (f *fileNames) full(file string) string {
	f.seen[file] = true
	return file
}

func (f *fileNames) see(spots []spotted) {
	for _, s := range spots {
		f.seen[s.file] = true
	}
}

// list lists places by file, those of one directory together.
func (f *fileNames) list(spots []spotted, named bool) string {
	var files []string
	by := map[string][]spotted{}
	for _, s := range spots {
		if by[s.file] == nil {
			files = append(files, s.file)
		}
		by[s.file] = append(by[s.file], s)
	}
	short := func(file string) bool {
		dir, base := cutDir(file)
		return f.seen[file] && dir != "" && f.dirs[base] == dir
	}
	var dirs []string
	in := map[string][]string{}
	for _, file := range files {
		dir, _ := cutDir(file)
		if short(file) {
			dir = ""
		}
		if in[dir] == nil {
			dirs = append(dirs, dir)
		}
		in[dir] = append(in[dir], file)
	}
	sort.SliceStable(dirs, func(i, j int) bool { return dirs[i] == "" && dirs[j] != "" })
	var b strings.Builder
	for i, dir := range dirs {
		if i > 0 {
			b.WriteString(", ")
		}
		braces := len(in[dir]) > 1 && len(dir) > 3 && !strings.ContainsAny(dir, " {}")
		if braces {
			b.WriteString(dir + "{")
		}
		for j, file := range in[dir] {
			if j > 0 {
				b.WriteString(", ")
			}
			_, base := cutDir(file)
			at := inFile(by[file], named)
			if braces || short(file) {
				b.WriteString(base)
				if strings.HasPrefix(at, ":") {
					at = " " + at[1:]
				}
			} else {
				b.WriteString(file)
			}
			b.WriteString(at)
		}
		if braces {
			b.WriteString("}")
		}
	}
	return b.String()
}
