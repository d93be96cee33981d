package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A repository's own configuration and hooks name programs that git starts, and
// an archive that was unpacked brings them along. What cairn asks of a repository
// starts none of them and fetches nothing; only work of a person's does, with its
// hooks and filters, as their own git would.

// work are the commands that are work.
var work = map[string]bool{"add": true, "commit": true, "hook": true, "merge": true, "switch": true}

// readsFiles are the questions for which git reads the files themselves.
var readsFiles = map[string]bool{"status": true, "diff": true, "worktree": true}

type setting struct{ key, value string }

// watcher is what no command of ours needs: a program that watches the files.
var watcher = setting{"core.fsmonitor", "false"}

// programs are the others that a question leaves out. Without a diff.external
// git shows no differences at all: who wants some says --no-ext-diff.
var programs = []setting{
	watcher, {"core.hooksPath", "/dev/null"}, {"log.showSignature", "false"}, {"core.alternateRefsCommand", ""}, {"diff.external", ""},
}

// drivers are the settings that name a program for the files which .gitattributes
// or .git/info/attributes assign to it. required makes an error of a filter that
// does nothing.
const drivers = `^(filter\..*\.(clean|smudge|process|required)|diff\..*\.(textconv|command))$`

// safely returns the arguments and the environment by which git starts nothing
// that a stranger chose.
func safely(ctx context.Context, dir string, env, args []string) ([]string, []string, error) {
	env = slices.Concat(environ(os.Environ()), env)
	sub, at := subcommand(args)
	if work[sub] {
		return args, configured(env, watcher), notInside(dir)
	}
	env = configured(append(env, offline...), programs...)
	if readsFiles[sub] {
		env = configured(env, withoutDrivers(ctx, dir, env)...)
		if sub != "worktree" { // a submodule has drivers of its own
			args = slices.Insert(slices.Clone(args), at+1, "--ignore-submodules=dirty")
		}
	}
	return args, env, nil
}

// offline keeps git from fetching what a partial clone has not: the repository
// says from where, and with which program. The second is for git before 2.44.
var offline = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL="}

// configured returns an environment with settings on top. An option -c would not
// do: the name of a driver may have a = in it.
func configured(env []string, settings ...setting) []string {
	const count = "GIT_CONFIG_COUNT="
	n := 0
	for _, kv := range env {
		if text, ok := strings.CutPrefix(kv, count); ok {
			if _, err := fmt.Sscan(text, &n); err != nil {
				n = 0
			}
		}
	}
	for _, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, s.key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, s.value))
		n++
	}
	return append(env, fmt.Sprint(count, n))
}

// withoutDrivers leaves out the drivers that the repository itself names. Those
// of the user and the system stay: git-lfs is one.
func withoutDrivers(ctx context.Context, dir string, env []string) (settings []setting) {
	out, _ := start(ctx, dir, env, []string{"config", "--null", "--show-scope", "--name-only", "--get-regexp", drivers}) // it fails when there is none
	fields := Fields(out)
	for i := 0; i+1 < len(fields); i += 2 {
		s := setting{key: fields[i+1]}
		if strings.HasSuffix(s.key, ".required") {
			s.value = "false"
		}
		if scope := fields[i]; scope == "local" || scope == "worktree" {
			settings = append(settings, s)
		}
	}
	return settings
}

// notInside refuses a directory that git would take for a repository though
// only its content says so: any clone can have one in it, with hooks.
func notInside(dir string) error {
	top, ok := Top(dir)
	dir, err := filepath.Abs(dir)
	for ; ok && err == nil && dir != top && len(dir) > len(top); dir = filepath.Dir(dir) {
		if isGitDir(dir) {
			return fmt.Errorf("%s is made up as a repository inside of %s, with hooks of its own: cairn does not work there", dir, top)
		}
	}
	return err
}

func isGitDir(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

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

// Outside returns an environment without what git tells its hooks of the
// repository they work in: for programs that work in another one.
func Outside(given []string) []string {
	return slices.DeleteFunc(slices.Clone(given), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(local, name)
	})
}

// environ returns the environment for git: the given one without what ours
// and local speak of, and ours.
func environ(given []string) []string {
	kept := slices.DeleteFunc(Outside(given), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.ContainsFunc(ours, func(our string) bool { return strings.HasPrefix(our, name+"=") })
	})
	return append(kept, ours...)
}
