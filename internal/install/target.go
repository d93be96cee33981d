package install

import (
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/home"
	"cairn/internal/host"
)

// A Machine is where cairn is put in.
type Machine struct {
	Home       home.Home
	Executable string // the running binary, an absolute path
	Version    string // of it, as the manifest notes it
	GOOS       string // as runtime.GOOS
	Getenv     func(string) string
}

// A Target is one host's configuration directory.
type Target struct {
	Host host.Host
	Dir  string // absolute, or "": nobody knows
	Root string // the repository that Dir belongs to, absolute; "": it is the user's own
}

// Local reports whether the target is a repository's, which a team shares.
func (t Target) Local() bool { return t.Root != "" }

// Settings is the file that registers hooks, "" where the host has none.
func (t Target) Settings() string {
	if t.Host.Settings == "" {
		return ""
	}
	return t.path(t.Host.Settings)
}

func (t Target) path(name string) string { return filepath.Join(t.Dir, filepath.FromSlash(name)) }

// Exists reports whether the host has been used here.
func (t Target) Exists() bool {
	fi, err := os.Stat(t.Dir)
	return err == nil && fi.IsDir()
}

// modes are those of new files and directories.
func (t Target) modes() (file, dir os.FileMode) {
	if t.Local() {
		return home.SharedFile, home.SharedDir
	}
	return home.PrivateFile, home.PrivateDir
}

// Target returns where a host keeps its configuration, by its own variable or
// else in the user's home. Without either there is no directory.
func (m Machine) Target(h host.Host) Target {
	dir := h.Dir(home.UserDir(m.Getenv), m.Getenv)
	if abs, err := filepath.Abs(dir); err == nil && dir != "" {
		dir = abs
	}
	return Target{Host: h, Dir: dir}
}

// Words are what a verb of cairn is given to be about t: the host, and the flag
// that says where when it is not where the host is usually looked for.
func (m Machine) Words(t Target) string {
	switch {
	case t.Local() && t.Dir == m.LocalTarget(t.Host, t.Root).Dir:
		return t.Host.Name + " --local"
	case t.Local(): // where an older cairn put it
		return t.Host.Name + " --config-dir " + shellWord(t.Dir)
	case t.Dir != m.Target(t.Host).Dir:
		return t.Host.Name + " --config-dir " + shellWord(t.Dir)
	}
	return t.Host.Name
}

// LocalTarget returns where a host looks in the repository at root.
func (m Machine) LocalTarget(h host.Host, root string) Target {
	t := Target{Host: h, Root: root}
	if h.LocalDir != "" {
		t.Dir = filepath.Join(root, filepath.FromSlash(h.LocalDir))
	}
	return t
}

// Call is how a shell calls cairn from a prompt in t: by its name alone where
// that is this binary, else by the copy that install makes.
func (m Machine) Call(t Target) string {
	if t.Local() {
		return "~" + strings.TrimPrefix(homeBinary, "$HOME")
	}
	binary := m.Binary()
	for _, dir := range filepath.SplitList(m.Getenv("PATH")) {
		found, err := os.Stat(filepath.Join(dir, filepath.Base(binary)))
		if err != nil || !filepath.IsAbs(dir) {
			continue
		}
		for _, ours := range []string{m.Executable, binary} {
			if fi, err := os.Stat(ours); err == nil && os.SameFile(fi, found) {
				return "cairn"
			}
		}
		break // another cairn comes first
	}
	if dir := home.UserDir(m.Getenv); dir != "" {
		if below, ok := strings.CutPrefix(binary, filepath.Clean(dir)+string(filepath.Separator)); ok && !strings.ContainsAny(below, " '\"$`\\") {
			return "~/" + filepath.ToSlash(below)
		}
	}
	return shellWord(binary)
}

// shellWord is a path as one word of a POSIX shell.
func shellWord(path string) string {
	if strings.ContainsAny(path, " '\"$`\\()&;|<>*?[]#~") {
		return "'" + strings.ReplaceAll(slashed(path), "'", `'\''`) + "'"
	}
	return path
}
