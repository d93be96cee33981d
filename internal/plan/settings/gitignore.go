package settings

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan"
)

// ignoredBy returns the file by which git ignores the planning directory.
func (s *Settings) ignoredBy() string {
	if s.ignored == "" && !s.looked {
		s.ignored, s.looked = Ignored(s.tx.Root, plan.Planning), true
	}
	return s.ignored
}

// Ignored returns the file whose pattern makes git ignore the directory name
// in root, or "". It starts no git: it reads the .gitignore files from the
// repository's root down to root, and the repository's info/exclude. The
// user's own core.excludesFile is not looked at, nor whether files of the
// directory are tracked all the same. Outside of a repository nothing is
// ignored.
func Ignored(root, name string) string {
	repo, ok := git.Top(root)
	if !ok {
		return ""
	}
	_, gitDir := git.Dir(repo)
	rel, err := filepath.Rel(repo, filepath.Join(root, name))
	if err != nil {
		return ""
	}
	dirs := strings.Split(filepath.ToSlash(rel), "/")
	for i := range dirs { // a directory is ignored with the one above it
		if file := ignoredAt(repo, gitDir, dirs[:i+1]); file != "" {
			return file
		}
	}
	return ""
}

// ignoredAt decides about one directory: the nearest .gitignore that has a
// pattern for it, and in it the last such pattern.
func ignoredAt(repo, gitDir string, dirs []string) string {
	for i := len(dirs) - 1; i >= 0; i-- {
		file := filepath.Join(append([]string{repo}, append(slices.Clone(dirs[:i]), ".gitignore")...)...)
		if matched, ignore := decide(file, dirs[i:]); matched {
			if ignore {
				return path.Join(path.Join(dirs[:i]...), ".gitignore")
			}
			return ""
		}
	}
	if _, ignore := decide(filepath.Join(gitDir, "info", "exclude"), dirs); ignore {
		return ".git/info/exclude"
	}
	return ""
}

// decide reads one file of patterns about the directory at the path dirs,
// which is relative to where the file counts from.
func decide(file string, dirs []string) (matched, ignore bool) {
	b, err := plan.ReadFile(file)
	if err != nil {
		return false, false
	}
	for line := range strings.Lines(strings.TrimPrefix(string(b), "\ufeff")) {
		pattern := strings.TrimRight(line, "\r\n")
		if !strings.HasSuffix(pattern, `\ `) {
			pattern = strings.TrimRight(pattern, " ")
		}
		if pattern == "" || pattern[0] == '#' {
			continue
		}
		pattern, not := strings.CutPrefix(pattern, "!")
		pattern = strings.TrimSuffix(pattern, "/")
		anchored := strings.Contains(pattern, "/")
		parts := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
		if !anchored {
			parts = append([]string{"**"}, parts...)
		}
		if pattern != "" && globs(parts, dirs) {
			matched, ignore = true, !not
		}
	}
	return matched, ignore
}

// globs matches a path, part by part; ** stands for any number of them, but
// at the end for one or more.
func globs(pattern, name []string) bool {
	switch {
	case len(pattern) == 0:
		return len(name) == 0
	case pattern[0] == "**" && len(pattern) == 1:
		return len(name) > 0
	case pattern[0] == "**":
		return globs(pattern[1:], name) || len(name) > 0 && globs(pattern, name[1:])
	case len(name) == 0:
		return false
	}
	ok, _ := path.Match(strings.ReplaceAll(pattern[0], "[!", "[^"), name[0])
	return ok && globs(pattern[1:], name[1:])
}
