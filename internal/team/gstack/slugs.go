package gstack

import (
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/atomicfile"
)

// slugs says which of the tool's projects is the repository. The tool names one
// by its remote, owner-repo, which is lossy, and remembers the name by path.
type slugs struct {
	owns []string
	base string // of the directory
}

// mostCached is how many bytes of a remembered name are read.
const mostCached = 1 << 20

func newSlugs(src Source) slugs {
	s := slugs{}
	if src.Slug != "" {
		s.owns = append(s.owns, src.Slug)
	}
	if src.Repo.Name != "" {
		s.owns = append(s.owns, slug(src.Repo.Name, "-"), slug(src.Repo.Name, ""))
	}
	if src.Repo.Dir != "" {
		s.base = filepath.Base(src.Repo.Dir)
		s.owns = append(s.owns, remembered(src)...)
	}
	return s
}

// mine reports whether a project's name, or a repository's, means Repo.
func (s slugs) mine(name string) bool {
	for _, own := range s.owns {
		if own != "" && (strings.EqualFold(own, name) || strings.EqualFold(own, slug(name, "-"))) {
			return true
		}
	}
	return false
}

// slug is owner-repo of owner/repo; what is not a letter, a digit, a dot, a dash
// or an underscore becomes other.
func slug(name, other string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(name, "/", "-") {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			b.WriteRune(r)
		} else {
			b.WriteString(other)
		}
	}
	return b.String()
}

// remembered are the names that slug-cache has for the repository's path: a
// directory of files that are called as a path and hold a name, or a file whose
// lines have a path and a name.
func remembered(src Source) (names []string) {
	cache := filepath.Join(src.State, "slug-cache")
	path := letters(src.Repo.Dir)
	take := func(key, value string) {
		if letters(key) == path {
			names = append(names, strings.Trim(value, " \t\r\n\"',"))
		}
	}
	entries, err := os.ReadDir(cache)
	if err == nil {
		for _, e := range entries {
			if letters(e.Name()) != path || !e.Type().IsRegular() {
				continue
			}
			if data, err := atomicfile.ReadRegular(filepath.Join(cache, e.Name()), mostCached); err == nil {
				first, _, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
				take(e.Name(), first)
			}
		}
		return names
	}
	data, err := atomicfile.ReadRegular(cache, mostCached)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		if i := strings.LastIndexAny(strings.TrimRight(line, " \t\r\n"), " \t=:"); i > 0 {
			take(line[:i], line[i+1:])
		}
	}
	return names
}

// letters is a path without what its writers put for slashes.
func letters(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 127 {
			return r
		}
		return -1
	}, path)
}

// named reports whether a log's name of a repository, which may be that of its
// directory only, means Repo.
func (s slugs) named(name string) bool {
	if name == "" {
		return false
	}
	return s.mine(name) || s.base != "" && strings.EqualFold(s.base, name)
}
