package compact

import (
	"iter"
	"maps"
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
	share(shown, s.level)
	failures := 0
	local := map[string][]*message{}
	for _, m := range shown {
		if m.class == record.Failure && len(m.source) > 0 {
			failures++
		}
		if m.local() && (!m.alone || m.count > 1) {
			local[m.spots[0].file] = append(local[m.spots[0].file], m)
		}
	}
	below := func(m *message) []string {
		if failures <= s.level.of(sourceFew) && m.class == record.Failure && len(m.source) <= sourceLines {
			return slices.Concat(m.below, m.source)
		}
		return m.below
	}
	dirs := names.dirsOf(local)
	for _, m := range shown {
		add := func(ls ...string) {
			for _, l := range ls {
				out = append(out, &item{n: m.n, text: l})
			}
		}
		if m.alone && m.count == 1 {
			add(m.lines[0].Text)
			continue
		}
		if !m.local() {
			add(m.text() + m.times())
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
		if dir, _ := cutDir(file); len(dirs[dir]) > 1 {
			add("in " + dir + ":")
			names.seen[dir] = true
			delete(dirs, dir)
		}
		if len(same) == 1 {
			at := m.at()
			if names.short(file) && strings.HasPrefix(at, ":") {
				at = " " + at[1:]
			}
			add(names.name(file) + at + ": " + m.text() + m.times())
			add(below(m)...)
			continue
		}
		add(names.name(file))
		for _, m := range same {
			at := strings.TrimPrefix(m.at()+": ", ":")
			add(" " + strings.TrimLeft(at, " ") + m.text() + m.times())
			add(below(m)...)
		}
	}
	return out
}

// share gives each message the room for its places: all it wants, unless many
// want much.
func share(shown []*message, level Level) {
	warn := level.of(warnSpotsRoom)
	if slices.ContainsFunc(shown, func(m *message) bool { return m.class == record.Failure }) {
		warn /= 2
	}
	for most := spotsRoom; ; most /= 2 {
		all := 0
		for _, m := range shown {
			if m.room = most; m.class == record.Warn {
				m.room = min(m.room, warn)
			}
			all += min(m.room, m.placesSize())
		}
		if all <= level.of(allSpotsRoom) || most < spotsRoom/4 {
			return
		}
	}
}

// placesSize is about how long the places are.
func (m *message) placesSize() (n int) {
	for i, s := range m.spots {
		n += len(s.at) + 1
		if i == 0 || s.file != m.spots[i-1].file {
			_, base := cutDir(s.file)
			n += len(base) + 2
		}
	}
	return n
}

// choose merges what is alike, and of very many warnings takes the first; of
// the others the store says how many there are.
func (f *findings) choose(s *store) (shown []*message) {
	codes := map[string][]*message{}
	warned := 0
	for _, m := range f.messages {
		same := codes[m.code]
		merged := false
		for i := len(same) - 1; i >= max(0, len(same)-mergeLook) && !merged; i-- {
			merged = same[i].merge(m)
		}
		if merged {
			continue
		}
		if m.class != record.Warn && len(same) >= codeMessages {
			last := same[len(same)-1]
			if len(same) == codeMessages {
				last = &message{n: m.n, class: m.class, code: m.code, before: m.code + " …"}
				codes[m.code] = append(same, last)
				shown = append(shown, last)
			}
			for _, s := range m.spots {
				last.spots = append(last.spots, spotted{file: s.file, at: s.at})
			}
			last.count += m.count
			continue
		}
		codes[m.code] = append(same, m)
		if m.class == record.Warn {
			if warned >= warnMessages || m.code != "" && len(same) >= warnCode {
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
	room := m.room
	if !m.one() {
		if at := inFile(m.firstNames(), true); len(at) <= room+namesRoom {
			return at
		}
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

// times says how many findings there are, where nobody counts them at a glance.
func (m *message) times() string {
	if m.count < timesShown {
		return ""
	}
	return " ×" + text.Thousands(m.count)
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

// firstNames are the places with as many of the names as there is room for;
// for the others stands what does.
func (m *message) firstNames() []spotted {
	room := namesRoom
	out := slices.Clone(m.spots)
	for i, s := range out {
		if i == 0 || s.name != out[i-1].name || s.file != out[i-1].file {
			room -= len(s.name) + 1
		}
		if room < 0 {
			out[i].name = "…"
		}
	}
	return out
}

// bare is a name without its quotes, unless they show where it ends.
func bare(name string) string {
	name = strings.TrimSpace(name)
	if in, ok := strings.CutPrefix(name, "‘"); ok {
		if in, ok = strings.CutSuffix(in, "’"); ok && !strings.ContainsAny(in, " ,;()’") {
			return in
		}
	}
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
			if len(each) > m.room {
				each = names.list(m.firstNames(), true)
			}
		}
		if len(each) <= m.room+namesRoom {
			names.see(m.spots)
			return each
		}
	}
	s := names.counted(m.spots, m.more.count, m.room)
	names.see(m.spots)
	return s
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
	tried := &fileNames{ends: names.ends, seen: maps.Clone(names.seen)}
	for _, name := range order {
		out = append(out, bare(name)+" "+tried.list(by[name], false))
		tried.see(by[name])
	}
	return strings.Join(out, "; ")
}

// fileNames are how files are named: one that stood in full is named by the end
// of its path that no other has.
type fileNames struct {
	ends map[string]string // of a file
	seen map[string]bool   // files, and directories that stood above theirs
}

func newFileNames(all []*message) *fileNames {
	f := &fileNames{ends: map[string]string{}, seen: map[string]bool{}}
	files := map[string]int{} // that have an end
	for _, m := range all {
		for _, s := range m.spots {
			if _, known := f.ends[s.file]; !known {
				f.ends[s.file] = ""
				for end := range pathEnds(s.file) {
					files[end]++
				}
			}
		}
	}
	for file := range f.ends {
		for end := range pathEnds(file) {
			if f.ends[file] = end; files[end] == 1 {
				break
			}
		}
	}
	return f
}

// pathEnds are the ends of a path, from the file's name on; a task before it
// stays.
func pathEnds(file string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := len(file) - 1; i > 0 && !strings.Contains(file, ": "); i-- {
			if (file[i-1] == '/' || file[i-1] == '\\') && !yield(file[i:]) {
				return
			}
		}
		yield(file)
	}
}

func cutDir(file string) (dir, base string) {
	i := strings.LastIndexAny(file, "/\\") + 1
	return file[:i], file[i:]
}

// name is how a file is named that stands alone.
func (f *fileNames) name(file string) string {
	if f.short(file) {
		return f.ends[file]
	}
	f.seen[file] = true
	return file
}

// short reports whether a file may be named by the end of its path.
func (f *fileNames) short(file string) bool {
	dir, base := cutDir(file)
	return f.ends[file] != file && (f.seen[file] || f.seen[dir] && f.ends[file] == base)
}

// dirsOf are directories that are worth a line of their own, each with its files
// that are named for messages of theirs alone.
func (f *fileNames) dirsOf(local map[string][]*message) map[string][]string {
	dirs := map[string][]string{}
	for file := range local {
		if dir, base := cutDir(file); len(dir) >= dirLong && f.ends[file] == base {
			dirs[dir] = append(dirs[dir], file)
		}
	}
	return dirs
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
	return f.each(files, func(file string, behind bool) string {
		at := inFile(by[file], named)
		if behind && strings.HasPrefix(at, ":") {
			at = " " + at[1:]
		}
		return at
	})
}

// counted lists the files with how many places are in each: as many of them as
// there is room for.
func (f *fileNames) counted(spots []spotted, more map[string]int, room int) string {
	var files []string
	count := maps.Clone(more)
	if count == nil {
		count = map[string]int{}
	}
	for file := range more {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, s := range spots {
		if count[s.file] == 0 {
			files = append(files, s.file)
		}
		count[s.file]++
	}
	slices.SortStableFunc(files, func(a, b string) int { return count[b] - count[a] })
	n, rest := len(files), 0
	list := func() string {
		return f.each(files[:n], func(file string, _ bool) string {
			if count[file] == 1 {
				return ""
			}
			return " ×" + text.Thousands(count[file])
		})
	}
	for len(list()) > room && n > 1 {
		n = n * 3 / 4
	}
	for _, file := range files[n:] {
		rest += count[file]
	}
	if rest == 0 {
		return list()
	}
	return list() + ", [… " + text.Thousands(rest) + " more in " + text.Thousands(len(files)-n) + " files …]"
}

// each lists files, those of one directory together, each with what at gives;
// behind says that the name alone stands before it.
func (f *fileNames) each(files []string, at func(file string, behind bool) string) string {
	var dirs []string
	in := map[string][]string{}
	for _, file := range files {
		dir, _ := cutDir(file)
		if f.short(file) {
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
			name, behind := file, braces || f.short(file)
			if f.short(file) && dir == "" {
				name = f.ends[file]
			} else if braces {
				_, name = cutDir(file)
			}
			b.WriteString(name + at(file, behind))
		}
		if braces {
			b.WriteString("}")
		}
	}
	return b.String()
}
