package update

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/update/known"
	"cairn/internal/version"
)

// ErrNoPage is that of a build from source.
var ErrNoPage = error(&mistake{"this binary was built from source: it knows no release page", "build it again from the sources that you want"})

// A mistake is an error with what to do about it.
type mistake struct{ text, hint string }

func (m *mistake) Error() string { return m.text }
func (m *mistake) Hint() string  { return m.hint }

// Check looks at the release page and notes what it found, so that it is not
// asked again today; also when it could not be reached.
func Check(ctx context.Context, h home.Home) (known.Look, error) {
	look := known.Read(h.Update())
	look.Checked, look.Error = time.Now(), ""
	if known.Page == "" {
		return look, ErrNoPage
	}
	latest, err := Latest(ctx, known.Page)
	if err != nil {
		look.Error = err.Error()
	} else {
		look.Latest = latest.Version
	}
	return look, errors.Join(err, Note(h, look))
}

// Note writes what was found last.
func Note(h home.Home, look known.Look) error {
	look.Checked = look.Checked.UTC().Truncate(time.Millisecond)
	look.Installed = version.Release()
	look.Available = known.Newer(look.Latest, look.Installed) != ""
	data, err := json.Marshal(look)
	if err != nil {
		return err
	}
	return atomicfile.WriteDeep(h.Update(), append(data, '\n'), home.PrivateDir, home.PrivateFile)
}

// Install replaces the binary that hooks and prompts call, in cairn's own
// directory, by the latest, and returns its version; "" when this is it.
func Install(ctx context.Context, h home.Home, name string) (newer string, err error) {
	if known.Page == "" {
		return "", ErrNoPage
	}
	latest, err := Latest(ctx, known.Page)
	if err != nil {
		return "", err
	}
	if known.Newer(latest.Version, version.Release()) != "" {
		newer = latest.Version
		data, err := latest.Binary(ctx, known.Page, runtime.GOOS, runtime.GOARCH)
		if err != nil {
			return "", err
		}
		if err := replace(name, data); err != nil {
			return "", err
		}
	}
	return newer, Note(h, known.Look{Checked: time.Now(), Latest: latest.Version})
}

func replace(name string, data []byte) error {
	if fi, err := os.Lstat(name); err == nil && !fi.Mode().IsRegular() {
		return fmt.Errorf("%s is %w", name, error(&mistake{"not a file of ours", "update what it points to by the way it came"}))
	}
	if err := os.MkdirAll(filepath.Dir(name), home.PrivateDir); err != nil {
		return err
	}
	if err := moveRunning(name); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(name, data, home.Executable); err != nil {
		return err
	}
	return os.Chmod(name, home.Executable)
}

// moveRunning makes room for a new binary where a running one cannot be
// replaced but renamed: on Windows.
func moveRunning(name string) error {
	if runtime.GOOS != "windows" {
		return nil
	}
	old := name + ".old"
	_ = os.Remove(old) // of the last time; it may still run
	if err := os.Rename(name, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
