package main

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A repair is a line as the repairer would write it.
type repair struct {
	file string
	line int
	now  string
}

// A repairer reads what a tool says, and nothing else, to find where to look. There it
// looks at the line, and tries what is a slip on it. It makes no experiments.
type repairer struct {
	language string
	files    map[string][]string // as they are, with the fault
	words    map[string]int      // that are known
}

const (
	mostPlaces  = 60 // that it looks at, in the order of the text
	mostRepairs = 12 // of one line
)

// places are forms in which tools and lists name a line of a file.
var (
	colon  = regexp.MustCompile(`([\w./@+-]+\.(?:go|tsx?|[mc]?js|c|h|py)):(\d+)`)
	paren  = regexp.MustCompile(`([\w./@+-]+\.(?:tsx?|[mc]?js))\((\d+),\d+\)`)
	python = regexp.MustCompile(`File "([^"]+)", line (\d+)`)
	named  = regexp.MustCompile(`([\w./@+-]+\.(?:go|tsx?|[mc]?js|c|h|py))\b`)
	below  = regexp.MustCompile(`^[\s>L]*(\d+)(?:[:, ]|$)`)
	more   = regexp.MustCompile(`[,;]\s*:?(\d+)(?::\d+)?\b`)
)

type place struct {
	file string
	line int
}

// read returns the repairs it would try, the first first.
func (r *repairer) read(text string) (all []repair) {
	for _, p := range r.places(text) {
		for _, line := range []int{p.line, p.line - 1} { // a missing end is noticed a line later
			if line >= 1 && line <= len(r.files[p.file]) {
				for _, now := range r.repairs(r.files[p.file][line-1]) {
					all = append(all, repair{p.file, line, now})
				}
			}
		}
	}
	return all
}

// places are the lines that the text names, each once. Below a line that names a file
// alone, numbers at the start of a line are of that file.
func (r *repairer) places(text string) (list []place) {
	file := ""
	add := func(name, number string) {
		n, err := strconv.Atoi(number)
		if p := (place{r.resolve(name), n}); err == nil && p.file != "" && !slices.Contains(list, p) && len(list) < mostPlaces {
			list = append(list, p)
		}
	}
	for line := range strings.Lines(text) {
		found := false
		for _, form := range []*regexp.Regexp{colon, paren, python} {
			for _, m := range form.FindAllStringSubmatchIndex(line, -1) {
				found = true
				name := line[m[2]:m[3]]
				add(name, line[m[4]:m[5]])
				rest := line[m[1]:]
				for _, also := range more.FindAllStringSubmatch(rest, -1) {
					add(name, also[1])
				}
			}
		}
		if found {
			continue
		}
		if m := below.FindStringSubmatch(line); m != nil && file != "" {
			add(file, m[1])
		} else if m := named.FindStringSubmatch(line); m != nil && r.resolve(m[1]) != "" {
			file = m[1]
		}
	}
	return list
}

// resolve is the project's file that a tool means, "" for none or several.
func (r *repairer) resolve(name string) string {
	name = path.Clean(strings.TrimPrefix(name, "./"))
	if _, ok := r.files[name]; ok {
		return name
	}
	found := ""
	for file := range r.files {
		if strings.HasSuffix(name, "/"+file) || strings.HasSuffix(file, "/"+name) {
			if found != "" {
				return ""
			}
			found = file
		}
	}
	return found
}

// repairs are what a line may have been before a slip, the likeliest first.
func (r *repairer) repairs(line string) (all []string) {
	code, open := plain(r.language, line)
	if open {
		all = append(all, closeQuote(line, len(code))...)
	}
	all = append(all, r.spelled(line)...)
	for _, pair := range []string{"()", "[]", "{}"} {
		if strings.Count(code, pair[:1]) > strings.Count(code, pair[1:]) {
			all = append(all, inserted(line, code, pair[1:])...)
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
		all = append(all, body+closer, strings.Replace(line, strings.TrimLeft(line, " \t"), closer+strings.TrimLeft(line, " \t"), 1))
	}
	return all[:min(len(all), mostRepairs)]
}

// spelled are lines in which a word that nobody knows is one that is known.
func (r *repairer) spelled(line string) (all []string) {
	for _, w := range words(r.language, line) {
		text := line[w.from:w.to]
		if len(text) < 3 || r.words[text] > 0 {
			continue
		}
		var near []string
		for known := range r.words {
			if slip(known, text) {
				near = append(near, known)
			}
		}
		slices.SortFunc(near, func(a, b string) int { return cmp.Or(cmp.Compare(r.words[b], r.words[a]), cmp.Compare(a, b)) })
		for _, known := range near[:min(len(near), 3)] {
			all = append(all, line[:w.from]+known+line[w.to:])
		}
	}
	return all
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

// inserted are lines with a closing bracket more: at the end, or before what may
// follow one.
func inserted(line, code, closer string) (all []string) {
	body := strings.TrimRight(line, " \t")
	all = append(all, body+closer)
	for i := len(code) - 1; i > 0; i-- {
		if strings.IndexByte(" ;,:.)]}{", code[i]) >= 0 && code[i-1] != ' ' {
			all = append(all, line[:i]+closer+line[i:])
		}
	}
	return all[:min(len(all), mostRepairs-2)]
}

// closeQuote are lines in which the string that begins at a place has an end.
func closeQuote(line string, from int) (all []string) {
	quote := line[from : from+1]
	body := strings.TrimRight(line, " \t")
	all = append(all, body+quote)
	for i := len(line) - 1; i > from; i-- {
		if strings.IndexByte(" ;,:.)]}", line[i]) >= 0 {
			all = append(all, line[:i]+quote+line[i:])
		}
	}
	for i := from - 1; i >= 0; i-- { // or the quote is its end, and the beginning is missing
		if strings.IndexByte(" ([{=,", line[i]) >= 0 {
			all = append(all, line[:i+1]+quote+line[i+1:])
			break
		}
	}
	return all[:min(len(all), mostRepairs)]
}
