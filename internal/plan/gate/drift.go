package gate

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Kinds of structural elements that the map of the code should have.
const (
	NewDir    = "new_dir"
	Barrel    = "barrel"
	Migration = "migration"
	Route     = "route"
)

// Element is one thing that was added since the code was mapped.
type Element struct {
	Category string `json:"category"`
	Path     string `json:"path"`
}

// Drift says how far the code has moved on from its map.
type Drift struct {
	Result     Result
	Elements   []Element // by category and path
	Affected   []string  // the parts of the tree to map again
	LastMapped string    // the commit that STRUCTURE.md says it is of, or ""
	Required   bool      // there are as many as the threshold
}

// emptyTree is git's name of a tree without files: the base when it is not
// known what was mapped.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// CodebaseDrift is the gate after execution that tells when .planning/codebase
// no longer describes the code: it counts what was added since the mapped
// commit, and at the threshold suggests the action, "warn" or "auto-remap". It
// never blocks, and what keeps it from looking is the reason of a skip.
func CodebaseDrift(structure *File, git Git, threshold int, action string) Drift {
	d := Drift{Result: Result{Gate: "drift", Stage: Execute, Type: Confirm}}
	if structure == nil {
		d.Result = d.Result.skip("no codebase/STRUCTURE.md")
		return d
	}
	d.LastMapped = structure.Front().Get("last_mapped_commit").Text()
	if _, err := git("rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		d.Result = d.Result.skip("not a git repository with a commit")
		return d
	}
	base := d.LastMapped
	if base == "" || strings.HasPrefix(base, "-") {
		base = emptyTree
	} else if _, err := git("cat-file", "-e", base+"^{commit}"); err != nil {
		base = emptyTree
	}
	added, err := addedSince(git, base)
	if err != nil {
		d.Result = d.Result.skip(err.Error())
		return d
	}
	known, err := git("ls-tree", "-r", "-d", "-z", "--name-only", base)
	if err != nil {
		d.Result = d.Result.skip(err.Error())
		return d
	}
	d.Elements = elements(added, strings.Split(known, "\x00"), structure.String())
	d.Affected = affected(d.Elements)
	d.Required = len(d.Elements) >= max(threshold, 1)
	if !d.Required {
		d.Result = d.Result.pass(fmt.Sprintf("%d structural elements are new since the code was mapped, fewer than %d", len(d.Elements), threshold))
		return d
	}
	d.Result.Missing, d.Result.Message = d.report(threshold, action)
	return d
}

func (d Drift) report(threshold int, action string) ([]Missing, string) {
	remedy := "map the code again: " + strings.Join(d.Affected, ", ")
	var missing []Missing
	for _, e := range d.Elements {
		missing = append(missing, Missing{ID: e.Path, Category: e.Category, Remedies: []string{remedy}})
	}
	title := fmt.Sprintf("%d structural elements are new since the code was mapped (threshold %d, action %s):", len(d.Elements), threshold, action)
	return missing, title + "\n" + list(missing)
}

// addedSince returns the files that were added, copied or renamed between
// base and HEAD, .planning/ left out.
func addedSince(git Git, base string) ([]string, error) {
	out, err := git("diff", "--name-status", "-z", base, "HEAD")
	if err != nil {
		return nil, err
	}
	var added []string
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		kind, name := fields[i], fields[i+1]
		if kind != "" && (kind[0] == 'R' || kind[0] == 'C') && i+2 < len(fields) {
			name = fields[i+2]
			i++
		}
		if kind != "" && strings.IndexByte("ARC", kind[0]) >= 0 && !strings.HasPrefix(name, ".planning/") {
			added = append(added, name)
		}
	}
	return added, nil
}

// elements sorts the added files into kinds. Files in a directory that is new
// and outside of what the map names are one element: the directory.
func elements(added, known []string, structure string) []Element {
	var out []Element
	for _, name := range added {
		e := Element{Category: category(name), Path: name}
		if e.Category == "" {
			dir := path.Dir(name)
			if dir == "." || slices.Contains(known, dir) || mapped(structure, dir) {
				continue
			}
			e = Element{Category: NewDir, Path: dir}
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Element) int {
		return cmp.Or(strings.Compare(a.Category, b.Category), strings.Compare(a.Path, b.Path))
	})
	return slices.Compact(out)
}

func category(name string) string {
	anyOf := func(patterns ...string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
	}
	switch ext := strings.TrimPrefix(path.Ext(name), "."); {
	case anyOf("supabase/migrations/*.sql", "prisma/migrations/**/*", "drizzle/meta/**/*", "drizzle/migrations/**/*"),
		(ext == "js" || ext == "ts" || ext == "sql" || ext == "py" || ext == "rb" || ext == "go" || ext == "exs") &&
			anyOf("src/migrations/*", "db/migrations/*", "db/migrate/*", "migrations/*", "migrations/versions/*", "alembic/versions/*"):
		return Migration
	case slices.Contains([]string{"js", "ts", "jsx", "tsx", "mjs", "cjs"}, ext) && anyOf("src/routes/**/*", "src/api/**/*"):
		return Route
	case anyOf("packages/*/src/index.*", "apps/*/src/index.*") && slices.Contains([]string{"ts", "tsx", "js", "mjs", "cjs"}, ext):
		return Barrel
	}
	return ""
}

// mapped reports whether the map names the directory or one above it: as a
// path of its own, not as a part of a longer name.
func mapped(structure, dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		for from := 0; ; {
			i := strings.Index(structure[from:], dir)
			if i < 0 {
				break
			}
			i += from
			from = i + 1
			if !pathBefore(structure[:i]) && (i+len(dir) == len(structure) || !inPath(structure[i+len(dir)])) {
				return true
			}
		}
	}
	return false
}

// pathBefore reports whether a path goes on at the end of s: "lib/" and "li",
// not "./" and "`".
func pathBefore(s string) bool {
	s = strings.TrimSuffix(s, "/")
	return s != "" && inPath(s[len(s)-1])
}

func inPath(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// affected returns the top directories of the elements; in apps/ and
// packages/ each package is one.
func affected(es []Element) []string {
	var out []string
	for _, e := range es {
		parts := strings.SplitN(e.Path, "/", 3)
		at := parts[0]
		if (at == "apps" || at == "packages") && len(parts) > 1 {
			at += "/" + parts[1]
		}
		if SafePath(at) {
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// SafePath reports whether a path can be put into a prompt or a command as it
// is: relative, without .., of letters, digits, dots, dashes and underscores.
func SafePath(s string) bool {
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || strings.Contains(part, "..") || part[0] == '-' {
			return false
		}
		for i := range len(part) {
			if c := part[i]; c >= 0x80 || c != '.' && !inPath(c) {
				return false
			}
		}
	}
	return s != ""
}
