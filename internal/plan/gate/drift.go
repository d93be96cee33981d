package gate

import (
	"fmt"
	"strings"
)

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

// codebaseDrift is the gate after execution that tells when .planning/codebase
// no longer describes the code: it counts what was added since the mapped
// commit, and at the threshold suggests the action, "warn" or "auto-remap". It
// never blocks, and what keeps it from looking is the reason of a skip.
func codebaseDrift(structure *File, git Git, threshold int, action string) Drift {
	d := Drift{Result: Result{Gate: "drift", Stage: Execute, Type: Confirm}}
	skip := func(reason string) Drift {
		d.Result = d.Result.skip(reason)
		return d
	}
	if structure == nil {
		return skip("no codebase/STRUCTURE.md")
	}
	d.LastMapped = structure.Front().Get("last_mapped_commit").Text()
	if _, err := git("rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return skip("not a git repository with a commit")
	}
	base := d.LastMapped
	if base == "" {
		base = emptyTree
	} else if _, err := git("cat-file", "-e", base+"^{commit}"); err != nil {
		base = emptyTree
	}
	added, err := addedSince(git, base)
	if err != nil {
		return skip(err.Error())
	}
	known, err := git("ls-tree", "-r", "-d", "-z", "--name-only", base)
	if err != nil {
		return skip(err.Error())
	}
	d.Elements = elements(added, strings.Split(known, "\x00"), structure.String())
	d.Affected = affected(d.Elements)
	d.Required = len(d.Elements) >= max(threshold, 1)
	var missing []Missing
	if d.Required {
		remedies := []string{"map the code again: " + strings.Join(d.Affected, ", ")}
		for _, e := range d.Elements {
			missing = append(missing, Missing{ID: e.Path, Category: e.Category, Remedies: remedies})
		}
	}
	const what = "new in the code since it was mapped: "
	d.Result = d.Result.judge(missing, fmt.Sprintf(what+"%d, fewer than %d", len(d.Elements), threshold),
		fmt.Sprintf(what+"%d (threshold %d, action %s):", len(d.Elements), threshold, action))
	return d
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
