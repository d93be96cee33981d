package git

import "strings"

// ours is what git is told whatever the user's environment says: messages in
// English, no question, no pager, no editor, and no lock taken only to
// refresh the index.
var ours = []string{
	"LC_ALL=C",
	"LANGUAGE=",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_PAGER=cat",
	"GIT_EDITOR=:",
}

// local are the variables by which a git tells its hooks which repository it
// works in (`git rev-parse --local-env-vars`). When cairn runs in a hook they
// would send our git to that repository whatever the directory.
var local = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_COMMON_DIR",
	"GIT_DIR",
	"GIT_GRAFT_FILE",
	"GIT_IMPLICIT_WORK_TREE",
	"GIT_INDEX_FILE",
	"GIT_INTERNAL_SUPER_PREFIX",
	"GIT_NO_REPLACE_OBJECTS",
	"GIT_OBJECT_DIRECTORY",
	"GIT_PREFIX",
	"GIT_REPLACE_REF_BASE",
	"GIT_SHALLOW_FILE",
	"GIT_WORK_TREE",
}

// environ returns the environment for git: the given one without what ours
// and local speak of, and ours.
func environ(given []string) []string {
	drop := map[string]bool{}
	for _, name := range local {
		drop[name] = true
	}
	for _, kv := range ours {
		name, _, _ := strings.Cut(kv, "=")
		drop[name] = true
	}
	out := make([]string, 0, len(given)+len(ours))
	for _, kv := range given {
		if name, _, _ := strings.Cut(kv, "="); !drop[name] {
			out = append(out, kv)
		}
	}
	return append(out, ours...)
}
