package wave

import (
	"path"
	"slices"
	"strings"
)

// Overlap is a file that several plans of one wave mean to change.
type Overlap struct {
	Path  string   `json:"path"` // as the first of the plans writes it
	Plans []string `json:"plans"`
}

// Overlaps returns the files that plans of the wave share: the same path, a
// directory and what is in it, or a glob and what may match it. It is a
// defect of the planning; see Batches for what to do about it.
func (w Wave) Overlaps() []Overlap {
	var out []Overlap
	for i, p := range w.Plans {
		for _, file := range p.Files {
			o := Overlap{Path: file, Plans: []string{p.ID}}
			for _, q := range w.Plans[i+1:] {
				if touches(q, file) {
					o.Plans = append(o.Plans, q.ID)
				}
			}
			if len(o.Plans) > 1 && !slices.ContainsFunc(out, func(have Overlap) bool { return have.covers(o) }) {
				out = append(out, o)
			}
		}
	}
	return out
}

func (o Overlap) covers(other Overlap) bool {
	return clash(o.Path, other.Path) && !slices.ContainsFunc(other.Plans, func(id string) bool { return !slices.Contains(o.Plans, id) })
}

// Batches divides the wave so that no two plans of a batch share a file: a
// batch runs in parallel, and the next one after it. Without overlaps there
// is one.
func (w Wave) Batches() [][]Plan {
	var out [][]Plan
plans:
	for _, p := range w.Plans {
		for i, batch := range out {
			if !slices.ContainsFunc(batch, func(q Plan) bool { return share(p, q) }) {
				out[i] = append(out[i], p)
				continue plans
			}
		}
		out = append(out, []Plan{p})
	}
	return out
}

// MainTree reports whether the plan cannot run in a git worktree of its own:
// a worktree has no submodules, so a plan that may touch one of these
// directories, or does not say what it touches, runs in the main tree.
func (p Plan) MainTree(submodules []string) bool {
	return len(submodules) > 0 && (len(p.Files) == 0 || slices.ContainsFunc(submodules, func(dir string) bool { return touches(p, dir) }))
}

func share(p, q Plan) bool {
	return slices.ContainsFunc(p.Files, func(file string) bool { return touches(q, file) })
}

func touches(p Plan, file string) bool {
	return slices.ContainsFunc(p.Files, func(f string) bool { return clash(f, file) })
}

// clash reports whether two entries of files_modified may be the same file.
// What a glob matches is not known before the plans have run, so everything
// that begins with its literal part counts.
func clash(a, b string) bool {
	a, aGlob := literal(a)
	b, bGlob := literal(b)
	switch {
	case a == "" && !aGlob || b == "" && !bGlob:
		return false
	case aGlob && bGlob:
		return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
	case aGlob:
		return strings.HasPrefix(b, a) || within(a, b)
	case bGlob:
		return strings.HasPrefix(a, b) || within(b, a)
	}
	return within(a, b) || within(b, a)
}

func within(name, dir string) bool {
	return name == dir || strings.HasPrefix(name, dir+"/")
}

// literal returns the path, clean, or what of a glob comes before its first
// special character.
func literal(file string) (name string, glob bool) {
	file = strings.ReplaceAll(strings.TrimSpace(file), `\`, "/")
	if file == "" {
		return "", false
	}
	file = path.Clean(file)
	if i := strings.IndexAny(file, "*?{"); i >= 0 {
		return file[:i], true
	}
	return file, false
}
