package main

import (
	"cmp"
	"slices"
	"strings"
)

// A repair is a line as the repairer would write it.
type repair struct {
	file string
	line int
	now  string
}

// A repairer reads what a tool says, and nothing else, to find where to look and what
// for. There it tries what is a slip on a line. It makes no experiments: what it would
// try is a list, and a fault counts as repaired if the right line is on it.
type repairer struct {
	language string
	files    map[string][]string // as they are, with the fault
	words    map[string]int      // how often each is in them, and those of the language
}

const (
	mostTries   = 200 // in all
	mostRepairs = 16  // of one line
	firstPlaces = 3   // that come before what else a message may mean
)

// read returns the repairs it would try, in that order.
func (r *repairer) read(text string) (all []repair) {
	add := func(file string, line int, now string) {
		if x := (repair{file, line, now}); len(all) < mostTries && now != r.files[file][line-1] && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	at := func(places []place) {
		for _, p := range places {
			for _, line := range []int{p.line, p.line - 1} { // a missing end is noticed a line later
				if line >= 1 && line <= len(r.files[p.file]) {
					column := 0
					if line == p.line {
						column = p.column
					}
					for _, now := range r.repairs(r.files[p.file][line-1], column) {
						add(p.file, line, now)
					}
				}
			}
		}
	}
	l := r.look(text)
	first := min(len(l.places), firstPlaces)
	at(l.places[:first])
	r.elsewhere(l.names, add)
	if l.syntax {
		for _, p := range slices.Concat(l.unread[:min(len(l.unread), firstPlaces)], l.places[:first]) { // a stack's message has no place
			r.unbalanced(p, add)
		}
	}
	at(l.places[first:max(first, min(len(l.places), mostPlaces))])
	return all
}

// elsewhere looks for the line that a message about a name is due to: one with a name
// that is in the project once and is a slip of it, or the name itself if it is such a
// slip.
func (r *repairer) elsewhere(names []string, add func(file string, line int, now string)) {
	replace := func(wrong string, right []string) {
		for _, file := range sortedNames(r.files) {
			for i, line := range r.files[file] {
				for _, w := range words(r.language, line) {
					if line[w.from:w.to] == wrong {
						for _, known := range right {
							add(file, i+1, line[:w.from]+known+line[w.to:])
						}
					}
				}
			}
		}
	}
	for _, name := range names {
		if r.words[name] == 1 {
			replace(name, r.near(name))
		}
		var rare []string
		for known, n := range r.words {
			if n == 1 && slip(name, known) {
				rare = append(rare, known)
			}
		}
		slices.Sort(rare)
		for _, wrong := range rare {
			replace(wrong, []string{name})
		}
	}
}

// unbalanced adds a bracket where the indentation of the lines above a place says that
// one is missing.
func (r *repairer) unbalanced(p place, add func(file string, line int, now string)) {
	lines := r.files[p.file]
	for _, gap := range gaps(r.language, lines, p.line) {
		for i := gap.from; i <= gap.to; i++ {
			line := lines[i-1]
			if gap.opener {
				if i+1 <= len(lines) && indent(line) < indent(lines[i]) {
					add(p.file, i, strings.TrimRight(line, " \t")+" "+gap.bracket)
				}
				continue
			}
			if strings.TrimSpace(line) == "" {
				add(p.file, i, line+gap.bracket)
			} else if i == gap.from || indent(line) <= gap.indent || i == gap.to {
				code, _ := plain(r.language, line)
				for _, now := range inserted(line, code, gap.bracket, 0) {
					add(p.file, i, now)
				}
			}
		}
	}
}

// repairs are what a line may have been before a slip, the likeliest first. A column,
// if there is one, says where.
func (r *repairer) repairs(line string, column int) (all []string) {
	code, open := plain(r.language, line)
	if open {
		all = append(all, closeQuote(line, len(code))...)
	}
	all = append(all, r.spelled(line)...)
	for _, pair := range []string{"()", "[]", "{}"} {
		if strings.Count(code, pair[:1]) > strings.Count(code, pair[1:]) {
			all = append(all, inserted(line, code, pair[1:], column)...)
		}
	}
	body := strings.TrimRight(line, " \t")
	for _, end := range map[string][]string{"go": {",", " {"}, "c": {";", ",", " {"}, "javascript": {",", " {"}, "typescript": {",", " {"}, "python": {":", ","}}[r.language] {
		if !strings.HasSuffix(body, end) {
			all = append(all, body+end)
		}
	}
	all = append(all, flipped(r.language, line)...)
	all = append(all, counted(r.language, line, -1)...)
	for _, closer := range []string{"}", ")", "]"} { // one that closes what an earlier line opened
		all = append(all, line+closer, body+closer, strings.Replace(line, strings.TrimLeft(line, " \t"), closer+strings.TrimLeft(line, " \t"), 1))
		if n := len(body); n > 1 && strings.IndexByte(";,:{)", body[n-1]) >= 0 {
			all = append(all, body[:n-1]+closer+body[n-1:])
		}
	}
	return all[:min(len(all), mostRepairs)]
}

// spelled are lines in which a word that is nowhere else is one that is.
func (r *repairer) spelled(line string) (all []string) {
	for _, w := range words(r.language, line) {
		if text := line[w.from:w.to]; len(text) >= 3 && r.words[text] <= 1 {
			for _, known := range r.near(text) {
				all = append(all, line[:w.from]+known+line[w.to:])
			}
		}
	}
	return all
}

// near are the words that a word is a slip of: three, the most frequent first.
func (r *repairer) near(text string) (near []string) {
	for known := range r.words {
		if slip(known, text) {
			near = append(near, known)
		}
	}
	slices.SortFunc(near, func(a, b string) int { return cmp.Or(cmp.Compare(r.words[b], r.words[a]), cmp.Compare(a, b)) })
	return near[:min(len(near), 3)]
}

// slip reports whether a word is another with a letter dropped, or with two changed
// for one another.
func slip(known, text string) bool {
	switch len(known) {
	case len(text) + 1:
		for i := range known {
			if known[:i]+known[i+1:] == text {
				return true
			}
		}
	case len(text):
		for i := 0; i+1 < len(known); i++ {
			if known[:i]+string(known[i+1])+string(known[i])+known[i+2:] == text {
				return known != text
			}
		}
	}
	return false
}

// inserted are lines with a closing bracket more: at the end, or before or after what
// may be next to one; near a column first, else near the end.
func inserted(line, code, closer string, column int) (all []string) {
	body := strings.TrimRight(line, " \t")
	var at []int
	for i := len(code) - 1; i > 0; i-- {
		if strings.IndexByte(" ;,:.)]}{", code[i]) >= 0 || strings.IndexByte("([{", code[i-1]) >= 0 {
			at = append(at, i)
		}
	}
	if column > 0 {
		from := func(i int) int { return max(i-column+1, column-1-i) }
		slices.SortStableFunc(at, func(a, b int) int { return from(a) - from(b) })
	}
	all = append(all, body+closer)
	for _, i := range at {
		all = append(all, line[:i]+closer+line[i:])
	}
	return all[:min(len(all), mostRepairs-4)]
}

// closeQuote are lines in which the string that begins at a place has an end, or in
// which what is there is its end and has a beginning.
func closeQuote(line string, from int) (all []string) {
	quote := line[from : from+1]
	body := strings.TrimRight(line, " \t")
	all = append(all, body+quote)
	for i := from - 1; i >= 0 && len(all) < 8; i-- {
		if strings.IndexByte(" ([{=,", line[i]) >= 0 {
			all = append(all, line[:i+1]+quote+line[i+1:])
		}
	}
	for i := len(line) - 1; i > from; i-- {
		if strings.IndexByte(" ;,:.)]}", line[i]) >= 0 {
			all = append(all, line[:i]+quote+line[i:])
		}
	}
	return all[:min(len(all), mostRepairs)]
}
