package reader

import (
	stdjson "encoding/json"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/git"
	"cairn/internal/team/spend"
)

// decode reads a line of JSON. A member of another kind than we know costs that
// member and no more; it is false where the line is no JSON.
func decode(raw []byte, into any) bool {
	if json.Unmarshal(raw, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) == nil {
		return true
	}
	err := stdjson.Unmarshal(raw, into)
	_, other := err.(*stdjson.UnmarshalTypeError)
	return err == nil || other
}

// made returns the hashes that git printed where it made commits, and the branch:
// "[main 1a2b3c4] …", "[main (root-commit) 1a2b3c4] …", "[detached HEAD 1a2b3c4] …".
func made(text string) (hashes []string, branch string) {
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "[")
		if !found {
			return hashes, branch
		}
		begins := len(text) - len(after) - 1
		inside, _, closed := strings.Cut(after, "] ")
		if closed && len(inside) < 300 && (begins == 0 || text[begins-1] == '\n') {
			if i := strings.LastIndexByte(inside, ' '); i > 0 && git.IsHash(inside[i+1:], 7) {
				hashes = append(hashes, inside[i+1:])
				branch = strings.TrimSuffix(inside[:i], " (root-commit)")
				if strings.Contains(branch, " ") { // detached HEAD
					branch = ""
				}
			}
		}
		rest = after
	}
}

// noCommit are git's commands that make no commit. One that is not among them, or an
// alias, may make one.
var noCommit = map[string]bool{
	"add": true, "apply": true, "blame": true, "branch": true, "check-ignore": true, "checkout": true, "clean": true, "clone": true, "config": true,
	"describe": true, "diff": true, "fetch": true, "for-each-ref": true, "gc": true, "grep": true, "init": true, "log": true, "ls-files": true,
	"ls-remote": true, "ls-tree": true, "merge-base": true, "mv": true, "push": true, "reflog": true, "remote": true, "reset": true, "restore": true,
	"rev-list": true, "rev-parse": true, "rm": true, "shortlog": true, "show": true, "status": true, "switch": true, "symbolic-ref": true, "tag": true,
	"version": true, "worktree": true, "--version": true,
}

// gitOf is what a command may have git do. It reads words, not a shell's grammar:
// what it does not understand may make a commit.
func gitOf(command string) spend.Git {
	found := spend.NoGit
	words := strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()`'\"$\\", r) })
	for i, w := range words {
		switch strings.TrimSuffix(path.Base(w), ".exe") {
		case "git":
			if noCommit[subcommand(words[i+1:])] {
				found = max(found, spend.Looks)
			} else {
				return spend.Commits
			}
		case "gh", "glab", "jj", "hub", "gt", "tea":
			return spend.Commits
		}
	}
	return found
}

// subcommand is the first word behind git's own options.
func subcommand(words []string) string {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-C" || w == "-c" || w == "--git-dir" || w == "--work-tree" || w == "--namespace":
			i++
		case strings.HasPrefix(w, "-") && w != "--version":
		default:
			return w
		}
	}
	return "status" // git alone
}
