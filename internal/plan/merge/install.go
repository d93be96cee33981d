package merge

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/plan/settings"
)

// The driver's name in .gitattributes and in git's configuration.
const (
	attribute  = "merge=cairn-plan"
	driverKey  = "merge.cairn-plan.driver"
	nameKey    = "merge.cairn-plan.name"
	renamesKey = "merge.directoryRenames"
)

// attributes are our lines of .gitattributes. Git knows union itself: a clone
// without the driver merges those files as well.
var attributes = []string{
	"# cairn: the plan is merged record by record where `cairn plan merge-driver install` was run",
	".planning/**/*.md " + attribute,
	".planning/**/config.json " + attribute,
	".planning/**/" + plan.ActiveStream + " " + attribute,
	".planning/**/*.jsonl merge=union",
}

// Command is what git runs. Where there is no cairn it merges as git does without
// a driver: git would take a command that is not there for a conflict, and ours for
// both versions.
func Command(cairn string) string {
	if cairn != "cairn" {
		cairn = "'" + strings.ReplaceAll(filepath.ToSlash(cairn), "'", `'\''`) + "'"
	}
	return "if command -v " + cairn + " >/dev/null 2>&1; then " + cairn + " plan merge-driver run %O %A %B %P; " +
		"else git merge-file -L ours -L base -L theirs %A %O %B; fi"
}

// Setup is the driver in one repository: the directory with the plan, and what its
// git runs.
type Setup struct {
	Root    string
	Command string
}

// Change is what Install or Uninstall does.
type Change struct {
	Attributes []string `json:"gitattributes"` // lines, added or removed
	Config     []string `json:"git_config"`    // keys, set or unset
}

// Any reports whether something changes.
func (c Change) Any() bool { return len(c.Attributes)+len(c.Config) > 0 }

// Install names the driver in .gitattributes, which the repository shares, and in
// the clone's configuration. It also has git move new files into a directory that
// the other branch renamed, unless that is set already: phases get other numbers.
func (s Setup) Install(ctx context.Context, dryRun bool) (c Change, err error) {
	was, err := readAttributes(s.Root)
	if err != nil {
		return c, err
	}
	is := was
	for _, line := range attributes {
		if !hasLine(was, line) {
			c.Attributes = append(c.Attributes, line)
			is = append(endLine(is), line+"\n"...)
		}
	}
	values := map[string]string{nameKey: "cairn: merges the plan record by record", driverKey: s.Command}
	if _, err := git.Run(ctx, s.Root, "config", "--get", renamesKey); err != nil {
		values[renamesKey] = "true"
	}
	for _, key := range []string{nameKey, driverKey, renamesKey} {
		value, ok := values[key]
		if now, _ := git.Run(ctx, s.Root, "config", "--get", key); !ok || now == value {
			continue
		}
		c.Config = append(c.Config, key)
		if dryRun {
			continue
		}
		if _, err := git.Run(ctx, s.Root, "config", "--local", key, value); err != nil {
			return c, err
		}
	}
	if dryRun || len(c.Attributes) == 0 {
		return c, nil
	}
	return c, atomicfile.WriteFile(filepath.Join(s.Root, ".gitattributes"), is, 0o644)
}

// Uncommitted reports whether all that the last commit lacks of .gitattributes is
// lines of ours: a commit of the plan takes them along, and nobody else's.
func Uncommitted(ctx context.Context, root string) bool {
	is, err := readAttributes(root)
	if err != nil || len(is) == 0 {
		return false
	}
	was, _ := git.Output(ctx, root, "show", "HEAD:./.gitattributes") // "" where there is none
	return !bytes.Equal(is, was) && bytes.Equal(withoutOurs(is), withoutOurs(was))
}

// withoutOurs are the lines of others, each with its end.
func withoutOurs(b []byte) (out []byte) {
	for l := range bytes.Lines(b) {
		if !slices.Contains(attributes, string(bytes.TrimRight(l, "\r\n"))) {
			out = append(out, endLine(l)...)
		}
	}
	return out
}

// Uninstall takes our lines and settings out. The setting for renamed directories
// goes with the driver, if it is as Install sets it.
func (s Setup) Uninstall(ctx context.Context, dryRun bool) (c Change, err error) {
	was, err := readAttributes(s.Root)
	if err != nil {
		return c, err
	}
	var is []byte
	for l := range bytes.Lines(was) {
		if line := string(bytes.TrimRight(l, "\r\n")); slices.Contains(attributes, line) {
			c.Attributes = append(c.Attributes, line)
		} else {
			is = append(is, l...)
		}
	}
	for _, key := range []string{nameKey, driverKey, renamesKey} {
		now, err := git.Run(ctx, s.Root, "config", "--local", "--get", key)
		if err != nil || key == renamesKey && (now != "true" || !slices.Contains(c.Config, driverKey)) {
			continue
		}
		c.Config = append(c.Config, key)
		if dryRun {
			continue
		}
		if _, err := git.Run(ctx, s.Root, "config", "--local", "--unset-all", key); err != nil {
			return c, err
		}
	}
	if !dryRun {
		_, _ = git.Run(ctx, s.Root, "config", "--local", "--remove-section", "merge.cairn-plan") // git leaves an empty one
	}
	name := filepath.Join(s.Root, ".gitattributes")
	switch {
	case dryRun || len(c.Attributes) == 0:
		return c, nil
	case len(is) == 0:
		return c, os.Remove(name)
	}
	return c, atomicfile.WriteFile(name, is, 0o644)
}

// Ensure installs the driver where there is a plan that git keeps. ok is false where
// there is none.
func (s Setup) Ensure(ctx context.Context, dryRun bool) (c Change, ok bool, err error) {
	if fi, err := os.Stat(filepath.Join(s.Root, plan.Planning)); err != nil || !fi.IsDir() || !git.Repo(s.Root) || settings.Ignored(s.Root, plan.Planning) != "" {
		return c, false, nil
	}
	c, err = s.Install(ctx, dryRun)
	return c, err == nil, err
}

// Self is how git can call this cairn: by its name where the PATH has it, else by
// where it is.
func Self() string {
	me, err := os.Executable()
	if err != nil {
		return "cairn"
	}
	if found, err := exec.LookPath("cairn"); err == nil && sameFile(found, me) {
		return "cairn"
	}
	return me
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// Missing reports whether the project's .gitattributes names the driver and the
// clone has none.
func Missing(ctx context.Context, root string) bool {
	b, err := readAttributes(root)
	if err != nil || !bytes.Contains(b, []byte(attribute)) || !git.Repo(root) {
		return false
	}
	_, err = git.Run(ctx, root, "config", "--get", driverKey)
	return git.Code(err) == 1
}

func readAttributes(root string) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(root, ".gitattributes"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

func hasLine(b []byte, line string) bool {
	for l := range bytes.Lines(b) {
		if string(bytes.TrimRight(l, "\r\n")) == line {
			return true
		}
	}
	return false
}

func endLine(b []byte) []byte {
	if len(b) > 0 && b[len(b)-1] != '\n' {
		return append(slices.Clone(b), '\n')
	}
	return slices.Clone(b)
}
