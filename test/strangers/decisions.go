package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The simple reader of decisions and requirements.

var (
	blockRE    = regexp.MustCompile(`(?is)<decisions>(.*?)</decisions>`)
	sectionRE  = regexp.MustCompile(`(?i)^[\w ]{0,30}\bdecisions?\b\s*($|[(:—–])`)
	putOffRE   = regexp.MustCompile(`(?i)discretion|deferred`)
	bulletRE   = regexp.MustCompile(`^\s?(?:[-*+]|\d+[.)])\s+\S`)
	idRE       = regexp.MustCompile("^\\s*(?:[-*+]|\\d+[.)])?\\s*[*_`]*(?:Decision )?`?(D[-\u2010-\u2015][A-Za-z0-9][\\w-]*)")
	cellRE     = regexp.MustCompile(`^\|[\s*]*(D-[A-Za-z0-9][\w-]*)[\s*]*\|`)
	reqRE      = regexp.MustCompile("^\\s*[-*+]\\s+\\[([ xX])\\]\\s+[*`\\[]*([A-Z][A-Z0-9]*-[A-Za-z0-9_-]+)")
	anyHeadRE  = regexp.MustCompile(`^(#{1,6})\s+(.*)$`)
	contextEnd = "CONTEXT.md"
)

// decisions counts those of a CONTEXT.md: the items with an id, or where none
// has one the outermost items.
func decisions(text string) int {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var lines []string
	for _, b := range blockRE.FindAllStringSubmatch(text, -1) {
		lines = append(lines, strings.Split(b[1], "\n")...)
	}
	if lines == nil {
		level := 0
		for _, line := range strings.Split(text, "\n") {
			if m := anyHeadRE.FindStringSubmatch(line); m != nil {
				switch {
				case level > 0 && len(m[1]) > level:
				case sectionRE.MatchString(m[2]) && !putOffRE.MatchString(m[2]) && len(m[1]) <= 3:
					level = len(m[1])
					continue
				default:
					level = 0
				}
			}
			if level > 0 {
				lines = append(lines, line)
			}
		}
	}
	ids, bullets := 0, 0
	fence, off := false, false
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence = !fence
		}
		if fence {
			continue
		}
		if m := anyHeadRE.FindStringSubmatch(line); m != nil {
			off = putOffRE.MatchString(m[2])
			if idRE.MatchString(m[2]) {
				ids++
			}
			continue
		}
		switch {
		case idRE.MatchString(line) && (bulletRE.MatchString(line) || strings.HasPrefix(line, "**")), cellRE.MatchString(line):
			ids++
		case bulletRE.MatchString(line) && !off:
			bullets++
		}
	}
	if ids > 0 {
		return ids
	}
	return bullets
}

// contexts returns the CONTEXT.md files of a project.
func contexts(dir string) (out []string) {
	_ = filepath.WalkDir(filepath.Join(dir, ".planning"), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(e.Name(), contextEnd) {
			out = append(out, path)
		}
		return nil
	})
	return out
}

// requirements returns the ids with a box in REQUIREMENTS.md, and whether it is
// ticked.
func requirements(dir string) map[string]bool {
	data, _ := os.ReadFile(filepath.Join(dir, "REQUIREMENTS.md"))
	out := map[string]bool{}
	fence := false
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence = !fence
		}
		if m := reqRE.FindStringSubmatch(line); m != nil && !fence {
			if _, seen := out[m[2]]; !seen {
				out[m[2]] = m[1] != " "
			}
		}
	}
	return out
}
