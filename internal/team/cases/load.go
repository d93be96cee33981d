package cases

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/term"
)

// A Set is the cases of a call.
type Set struct {
	Cases []Case   // that can be graded
	Found int      // all that were there
	Files []string // that were read, in order
}

// Stdin is the name under which cases come from stdin.
const Stdin = "-"

// maxFiles is how many files of cases one call may read.
const maxFiles = 10_000

// A Loader reads files of cases.
type Loader struct {
	Specs    []Spec
	Profiles *Profiles
	Stdin    io.Reader
	Root     func(dir string) string // the repository that a directory is in, or ""
}

// Load reads files, and of directories every .yaml and .yml file at any depth.
// Problems are all that is wrong with them, sorted; err is a file that cannot
// be read.
func (l *Loader) Load(names []string) (set *Set, problems Problems, err error) {
	set = &Set{}
	for _, name := range names {
		if err := l.find(set, name); err != nil {
			return nil, nil, err
		}
	}
	set.Files = slices.Compact(slices.Sorted(slices.Values(set.Files))) // a file and its directory may both be named
	r := reader{specs: l.Specs, profiles: l.Profiles}
	var all []read
	for _, file := range set.Files {
		data, err := l.read(file)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, r.file(filepath.ToSlash(file), data)...)
	}
	r.twice(all)
	l.sources(all, &r.problems)
	r.problems.sort()
	set.Cases, set.Found = sound(all), len(all)
	return set, r.problems, nil
}

func (l *Loader) find(set *Set, name string) error {
	name = filepath.Clean(name)
	if name == Stdin {
		set.Files = append(set.Files, name)
		return nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		set.Files = append(set.Files, name)
		return nil
	}
	before := len(set.Files)
	err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != name && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		ext := strings.ToLower(filepath.Ext(path))
		if !d.Type().IsRegular() && d.Type() != fs.ModeSymlink || ext != ".yaml" && ext != ".yml" || d.Name() == "judge-profiles.yaml" {
			return nil
		}
		if set.Files = append(set.Files, path); len(set.Files) > maxFiles {
			return fmt.Errorf("%s: more than %d files of cases", name, maxFiles)
		}
		return nil
	})
	if err == nil && len(set.Files) == before {
		err = fmt.Errorf("%s: no .yaml file in it", name)
	}
	return err
}

// read takes no more than a file may have, and a byte.
func (l *Loader) read(name string) ([]byte, error) {
	in := l.Stdin
	if name != Stdin {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, MaxBytes+1))
}

// twice finds names that two cases of a suite have.
func (r *reader) twice(all []read) {
	first := make(map[[2]string]Position, len(all))
	for _, c := range all {
		if c.Name == "" {
			continue
		}
		key := [2]string{c.Suite, c.Name}
		if at, ok := first[key]; ok {
			r.problems.say(c.At, "the name %q is taken by the case at %s", shown(c.Name), at)
			continue
		}
		first[key] = c.At
	}
}

// sources looks whether the files that a case depends on are there. Grading
// does without them; a key of the cache is refused.
func (l *Loader) sources(all []read, problems *Problems) {
	for _, c := range all {
		for _, s := range c.Sources {
			if _, err := os.Stat(l.place(s)); errors.Is(err, fs.ErrNotExist) {
				problems.warn(s.At, "prompt_source_files: there is no file %s", term.Line(filepath.ToSlash(l.place(s))))
			}
		}
	}
}

// place is where a source is: relative to the repository that its case is in,
// or without one, or where it begins with ./ or ../, to the case's directory.
func (l *Loader) place(s Source) string {
	name := filepath.FromSlash(s.Name)
	if filepath.IsAbs(name) {
		return name
	}
	dir := "."
	if s.At.File != Stdin {
		dir = filepath.Dir(filepath.FromSlash(s.At.File))
	}
	if !strings.HasPrefix(s.Name, "./") && !strings.HasPrefix(s.Name, "../") && l.Root != nil {
		if abs, err := filepath.Abs(dir); err == nil {
			if root := l.Root(abs); root != "" {
				dir = root
			}
		}
	}
	return filepath.Join(dir, name)
}
