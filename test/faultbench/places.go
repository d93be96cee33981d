package main

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A place is what a tool names: a line of a file and, if it says so, a column.
type place struct {
	file         string
	line, column int
}

// A reading is what a text says, in the order in which it says it.
type reading struct {
	places []place
	names  []string // identifiers of messages
	syntax bool     // the code was not even read
	unread []place  // of messages that say so
}

const (
	mostPlaces = 60 // that it tries
	mostNames  = 200
)

// Forms in which tools and lists name a line of a file.
var (
	colon  = regexp.MustCompile(`([\w./@+-]+\.(?:go|tsx?|[mc]?js|c|h|py)):(\d+)(?::(\d+))?`)
	paren  = regexp.MustCompile(`([\w./@+-]+\.(?:tsx?|[mc]?js))\((\d+),(\d+)\b`)
	python = regexp.MustCompile(`File "([^"]+)", line (\d+)()`)
	named  = regexp.MustCompile(`([\w./@+-]+\.(?:go|tsx?|[mc]?js|c|h|py))\b`)
	below  = regexp.MustCompile(`^[\s>L]*(\d+)(?::(\d+)|[:, ]|$)`)
	pairs  = regexp.MustCompile(`[( ](\d+),(\d+)\b`)
	frame  = regexp.MustCompile(`^[\s>]*\d+ *\|`)
	more   = regexp.MustCompile(`[,;]\s*:?(\d+)(?::(\d+))?\b`)

	message = regexp.MustCompile(`[Ee]rror\b|[Ww]arning`)
	unread  = regexp.MustCompile(`[Ss]yntax|[Ee]xpected|[Uu]nexpected|[Mm]issing|[Uu]nterminated|never closed|does not match|at end of|TS1\d\d\d`)
)

// look reads a text.
func (r *repairer) look(text string) (l reading) {
	file := ""
	add := func(name, line, column string) {
		n, err := strconv.Atoi(line)
		c, _ := strconv.Atoi(column) // none is 0
		p := place{r.resolve(name), n, c}
		known := func(q place) bool { return p == q || c == 0 && p.file == q.file && p.line == q.line }
		if err == nil && p.file != "" && !slices.ContainsFunc(l.places, known) {
			l.places = append(l.places, p)
		}
	}
	for line := range strings.Lines(text) {
		found, before := false, len(l.places)
		for _, form := range []*regexp.Regexp{colon, paren, python} {
			for _, m := range form.FindAllStringSubmatchIndex(line, -1) {
				found = true
				group := func(i int) string { return line[max(m[2*i], 0):max(m[2*i+1], 0)] }
				add(group(1), group(2), group(3))
				rest := line[m[1]:]
				for _, also := range more.FindAllStringSubmatch(rest, -1) {
					add(group(1), also[1], also[2])
				}
				if form == paren {
					for _, also := range pairs.FindAllStringSubmatch(rest, -1) {
						add(group(1), also[1], also[2])
					}
				}
			}
		}
		if !found && file != "" { // a heading names the file
			if all := pairs.FindAllStringSubmatch(line, -1); all != nil && strings.HasPrefix(strings.TrimLeft(line, " \t"), "(") {
				found = true
				for _, m := range all {
					add(file, m[1], m[2])
				}
			} else if m := below.FindStringSubmatch(line); m != nil {
				found = true
				add(file, m[1], m[2])
			}
		}
		if !found {
			if m := named.FindStringSubmatch(line); m != nil && r.resolve(m[1]) != "" {
				file = m[1]
			}
		}
		if found && !frame.MatchString(line) || message.MatchString(line) {
			l.says(line)
			if unread.MatchString(line) {
				l.unread = append(l.unread, l.places[before:]...)
			}
		}
	}
	return l
}

// says takes the names out of a message.
func (l *reading) says(line string) {
	l.syntax = l.syntax || unread.MatchString(line)
	for _, w := range word.FindAllString(named.ReplaceAllString(line, ""), -1) {
		if len(w) >= 3 && len(l.names) < mostNames && !slices.Contains(l.names, w) {
			l.names = append(l.names, w)
		}
	}
}

// names reports whether a text names a line.
func (r *repairer) names(text, file string, line int) bool {
	return slices.ContainsFunc(r.look(text).places, func(p place) bool { return p.file == file && p.line == line })
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
