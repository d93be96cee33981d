package rule

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Suspects are the rules that may be for a text: the texts that their patterns
// need are in it. They are asked what several versions of it are, with and without
// what stands in front of its lines, for little more than one.
type Suspects []suspect

type suspect struct {
	id       string
	tool     bool // it is for what a tool prints, and no log's or file's
	patterns []*suspicion
}

// A suspicion is one pattern, compiled when it is first tried.
type suspicion struct {
	pattern string
	needs   [][]string
	re      *regexp.Regexp
}

// Suspects returns those of the rules for a tool that may be for text.
func (l *Library) Suspects(tool, text string) (out Suspects) {
	entries := l.entries(cmp.Or(tool, "Bash"))
	for _, e := range entries {
		s := suspect{id: e.ID, tool: e.prints()}
		for i, p := range e.Match.Patterns {
			if hasAll(text, slices.DeleteFunc(slices.Clone(e.needs[i]), spans)) {
				s.patterns = append(s.patterns, &suspicion{pattern: p, needs: e.needs[i]})
			}
		}
		if len(s.patterns) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// spans reports whether one of the texts goes over the end of a line: in front of
// the next one there may be something.
func spans(set []string) bool {
	return slices.ContainsFunc(set, func(s string) bool { return strings.Contains(s, "\n") })
}

// Recognise returns the rule of the tool that printed sample, by the content
// alone, and by how many of its patterns.
func (s Suspects) Recognise(sample string) (id string, hits int) {
	for i := range s {
		if n := s[i].hits(sample); s[i].tool && n > hits {
			id, hits = s[i].id, n
		}
	}
	return id, hits
}

// Document is Recognise for what is no tool's output: logs, files.
func (s Suspects) Document(sample string) (id string, hits int) {
	for i := range s {
		if s[i].tool {
			continue
		}
		if n := s[i].hits(sample); n > hits {
			id, hits = s[i].id, n
		}
	}
	return id, hits
}

// Hits returns how many patterns of a rule are found in sample.
func (s Suspects) Hits(id, sample string) int {
	i := slices.IndexFunc(s, func(s suspect) bool { return s.id == id })
	if i < 0 {
		return 0
	}
	return s[i].hits(sample)
}

func (s *suspect) hits(sample string) (n int) {
	for _, p := range s.patterns {
		if p.re == nil {
			if p.re, _ = regexp.Compile("(?m)" + p.pattern); p.re == nil {
				continue // it cannot match
			}
		}
		if foundBy(p.re, p.pattern, p.needs, sample) {
			n++
		}
	}
	return n
}
