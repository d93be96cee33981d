package gate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
)

// Bounds of what DecisionsDelivered reads. They cost recall, which a gate
// that never blocks can afford.
const (
	maxFiles   = 50        // over all summaries
	maxBytes   = 256 << 10 // of each file
	maxCommits = 200
)

// Git runs git in the project and returns its standard output.
type Git func(args ...string) (string, error)

// DecisionsBuilt is the gate after execution: every decision to track should have
// something that the phase's own commits made: a file of the task that cites it, or
// its id or words in such a file or in a commit's message. What plans and summaries
// say is a claim, and no evidence. It never blocks, because what it does not find may
// be there in other words.
func DecisionsBuilt(on bool, context *File, plans []File, root string, made []commit.Made, noLog error) (Coverage, error) {
	c, ds, err := decisionsToTrack(Verify, on, context)
	if c.Result.Skipped || c.Result.Loose > 0 {
		return c, err
	}
	if noLog != nil {
		c.Result.Warnings = append(c.Result.Warnings, "no commits were searched: "+noLog.Error())
	}
	var texts []haystack
	changed := map[string]bool{}
	for _, m := range made {
		texts = append(texts, newHaystack(m.Message))
		for _, name := range m.Files {
			if changed[name] || len(changed) == maxFiles {
				continue
			}
			if b, err := readInside(root, name); err == nil {
				changed[name] = true
				texts = append(texts, newHaystack(string(b)))
			}
		}
	}
	works := Works(plans, made, func(name string) bool { return changed[name] })
	built := slices.DeleteFunc(slices.Clone(ds), func(d doc.Decision) bool {
		return !slices.ContainsFunc(works, func(w Work) bool { files, _ := w.Decision(d); return len(files) > 0 })
	})
	c.find(slices.DeleteFunc(slices.Clone(ds), func(d doc.Decision) bool {
		return slices.ContainsFunc(built, func(b doc.Decision) bool { return b.ID == d.ID })
	}), texts)
	missing := c.missing(context.Path, func(d doc.Decision) []string {
		return []string{"build it in the task that cites it, in a commit of its plan", "check that it was honored: cairn plan prove"}
	})
	c.Result = c.Result.judge(missing, every(c.Total, "decision")+" found in what was built",
		some(len(c.Open), c.Total, "decision", " of CONTEXT.md")+" not found in the code, tests and commits of the phase:")
	return c, err
}

// DecisionsDelivered is the gate as the older tool had it: a decision counts as found
// in the plans, the summaries, the files that the summaries list, or the last commits'
// messages. Only its calls ask it.
func DecisionsDelivered(on bool, context *File, plans, summaries []File, root string, git Git) (Coverage, error) {
	c, ds, err := decisionsToTrack(Verify, on, context)
	if c.Result.Skipped || c.Result.Loose > 0 {
		return c, err
	}
	var texts []haystack
	for _, f := range slices.Concat(plans, summaries) {
		texts = append(texts, inPhase(f.String(), phaseOf(context)))
	}
	contents, warnings := readListed(root, summaries)
	texts = append(texts, contents...)
	if log, noLog := git("log", fmt.Sprintf("-n%d", maxCommits), "--format=%B"); noLog == nil {
		texts = append(texts, newHaystack(log))
	} else {
		warnings = append(warnings, "no commits were searched: "+noLog.Error())
	}
	c.Result.Warnings = warnings
	c.find(ds, texts)
	missing := c.missing(context.Path, func(doc.Decision) []string {
		return []string{"check that it was honored, and name its id in the summary if it was", "plan what is left of it"}
	})
	c.Result = c.Result.judge(missing, every(c.Total, "decision")+" found in what was built",
		some(len(c.Open), c.Total, "decision", " of CONTEXT.md")+" not found in plans, summaries, changed files or commits:")
	return c, err
}

// readListed reads the files that the summaries list, within the bounds.
func readListed(root string, summaries []File) (texts []haystack, warnings []string) {
	seen := map[string]bool{}
	for _, s := range summaries {
		for _, name := range FilesOf(s.Text) {
			if seen[name] {
				continue
			}
			if len(seen) == maxFiles {
				return texts, append(warnings, fmt.Sprintf("only the first %d listed files were searched", maxFiles))
			}
			seen[name] = true
			b, err := readInside(root, name)
			switch {
			case errors.Is(err, fs.ErrNotExist): // removed or renamed since
			case err != nil:
				warnings = append(warnings, fmt.Sprintf("%s lists %q, which was not read: %v", s.Path, name, err))
			default:
				texts = append(texts, newHaystack(string(b)))
			}
		}
	}
	return texts, warnings
}

// readInside reads the beginning of a file that, with every symbolic link
// followed, is in the project.
func readInside(root, name string) ([]byte, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return nil, errors.New("it is outside of the project")
	}
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(root, local))
	if err != nil {
		return nil, err
	}
	if in, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(in) {
		return nil, errors.New("a symbolic link leads out of the project")
	}
	if fi, err := os.Stat(real); err != nil || !fi.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := os.Open(real)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes))
}
