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

// Variable is the assignment that makes the host use this directory, or "".
func (t Target) Variable() string {
	dir, below := strings.CutSuffix(t.Dir, filepath.Join("/", filepath.FromSlash(t.Host.ConfigDirSub)))
	if t.Host.ConfigDirSub == "" {
		dir, below = t.Dir, true
	}
	if t.Host.ConfigDirEnv == "" || !below {
		return ""
	}
	return t.Host.ConfigDirEnv + "=" + dir
}

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
	dir := home.UserDir(m.Getenv)
	if dir != "" {
		dir = filepath.Join(dir, filepath.FromSlash(h.ConfigDir))
	}
	if h.ConfigDirEnv != "" && m.Getenv(h.ConfigDirEnv) != "" {
		dir = filepath.Join(m.Getenv(h.ConfigDirEnv), filepath.FromSlash(h.ConfigDirSub))
	}
	if abs, err := filepath.Abs(dir); err == nil && dir != "" {
		dir = abs
	}
	return Target{Host: h, Dir: dir}
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
		return "~/.cairn/bin/cairn"
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
	if strings.ContainsAny(binary, " '\"$`\\()&;|<>*?[]#~") {
		return "'" + strings.ReplaceAll(slashed(binary), "'", `'\''`) + "'"
	}
	return binary
}
