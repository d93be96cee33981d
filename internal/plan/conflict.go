package plan

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"cairn/internal/git"
	"cairn/internal/term"
)

// conflictHint is what to do about the markers of a merge.
const conflictHint = "decide which lines stay, remove the markers, then git add the file"

// Conflicts names the documents of the plan, of every workstream, that hold the
// markers of a merge that git could not do, each with the first marker's line.
// Markers in a fenced block are an example, unless git says that the file is
// not merged.
func (w *Workspace) Conflicts(ctx context.Context) ([]*InputError, error) {
	if !w.Exists() {
		return nil, nil
	}
	var names []string
	err := filepath.WalkDir(w.Abs(w.shared), func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == ownDir:
			return fs.SkipDir
		case e.Type().IsRegular() && isDocument(e.Name()):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	found := make([]*InputError, len(names))
	var all sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		all.Go(func() {
			buffer := make([]byte, 0, 64<<10) // thousands of files are read, and none is kept
			for i := first; i < len(names); i += workers {
				found[i] = w.conflict(ctx, names[i], buffer)
			}
		})
	}
	all.Wait()
	return slices.DeleteFunc(found, func(e *InputError) bool { return e == nil }), nil
}

// Merged fails where a document of the plan holds the markers of a merge: what
// would be changed is not one plan. A command asks before it looks at anything
// else, and Update where none did.
func (w *Workspace) Merged(ctx context.Context) error {
	found, err := w.Conflicts(ctx)
	if err != nil {
		return err
	}
	if w.merged = len(found) == 0; w.merged {
		return nil
	}
	hint := conflictHint
	if len(found) > 1 {
		hint += "; cairn plan health names the other files"
	}
	return term.Hint(found[0], "%s", hint)
}

// isDocument reports whether a file of the plan is text that people and agents
// write, by its name.
func isDocument(name string) bool {
	switch path.Ext(name) {
	case "":
		return name == ActiveStream
	case ".md", ".json", ".jsonc", ".yaml", ".yml", ".toml", ".txt", ".tsv", ".csv":
		return !strings.HasPrefix(name, ".") // a journal, or what a killed write left
	}
	return false
}

func (w *Workspace) conflict(ctx context.Context, name string, buffer []byte) *InputError {
	data, _, err := slurp(name, buffer)
	if err != nil {
		return nil // whoever reads the document says why
	}
	line, fenced := conflictIn(data)
	if line == 0 {
		return nil
	}
	rel, err := filepath.Rel(w.Root, name)
	if err != nil {
		return nil
	}
	if fenced {
		if out, err := git.Run(ctx, w.Root, "ls-files", "--unmerged", "--", rel); err != nil || out == "" {
			return nil
		}
	}
	return &InputError{Path: filepath.ToSlash(rel), Line: line, What: "has the conflict markers of a merge"}
}

// conflictIn returns the line, from 1, at which the first conflict of a merge
// begins, and whether all of its markers stand in fenced blocks; 0 for none.
func conflictIn(data []byte) (line int, fenced bool) {
	if !bytes.Contains(data, []byte("<<<<<<< ")) {
		return 0, false
	}
	n, began, middle := 0, 0, false
	fence, inFence := "", false
	for l := range bytes.Lines(data) {
		n++
		s := strings.TrimRight(string(l), "\r\n")
		switch {
		case strings.HasPrefix(s, "<<<<<<< "):
			began, middle, inFence = n, false, fence != ""
		case s == "=======" && began > 0:
			middle = true
		case strings.HasPrefix(s, ">>>>>>> ") && middle:
			if line == 0 || fenced && !inFence {
				line, fenced = began, inFence
			}
			if !fenced {
				return line, false
			}
			began, middle = 0, false
		case fence == "" && (strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")):
			fence = s[:3]
		case fence != "" && strings.HasPrefix(s, fence) && strings.Trim(s, fence[:1]+" ") == "":
			fence = ""
		}
	}
	return line, fenced
}
