package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"cairn/internal/atomicfile"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/term"
	releases "cairn/internal/update"
	"cairn/internal/version"
)

// releasePage is where releases are announced (package update has its form).
// A build for release sets it by -ldflags "-X …"; a build from source has none
// and never looks.
var releasePage string

var errNoPage = term.Hint(errors.New("this binary was built from source: it knows no release page"), "build it again from the sources that you want")

// looksForUpdate reports whether a session that begins is to look for a newer
// version: once a day, and never where nobody would act on it.
func looksForUpdate(env *Env) bool {
	if releasePage == "" || env.Getenv("CI") != "" || env.Getenv(home.Probe) != "" ||
		!releases.ReadLook(home.Find(env.Getenv).Update()).IsDue(now()) {
		return false
	}
	set, _ := config.Load("", env.Getenv)
	return set.Bool(config.UpdateCheck)
}

// checkUpdate looks at the release page and notes what it found, so that it is
// not asked again today; also when it could not be reached.
func checkUpdate(ctx context.Context, env *Env) (releases.Look, error) {
	h := home.Find(env.Getenv)
	look := releases.ReadLook(h.Update())
	look.Checked, look.Error = now(), ""
	if releasePage == "" {
		return look, errNoPage
	}
	latest, err := releases.Latest(ctx, releasePage)
	if err != nil {
		look.Error = err.Error()
	} else {
		look.Latest = latest.Version
	}
	return look, errors.Join(err, noteLook(h, look))
}

// noteLook writes what was found last.
func noteLook(h home.Home, look releases.Look) error {
	look.Installed = version.Release()
	look.Available = releases.Newer(look.Latest, look.Installed) != ""
	data, err := json.Marshal(look)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(h.Update()), home.PrivateDir); err != nil {
		return err
	}
	return atomicfile.WriteFile(h.Update(), append(data, '\n'), home.PrivateFile)
}

// runUpdateCheck is `cairn update --check`.
func runUpdateCheck(ctx context.Context, env *Env) error {
	look, err := checkUpdate(ctx, env)
	if err != nil {
		return err
	}
	if v := releases.Newer(look.Latest, version.Release()); v != "" {
		fmt.Fprintf(env.Stdout, "%s is there, this is %s\n", v, version.Release())
		term.PrintHint(env.Stderr, "cairn update fetches it")
		return nil
	}
	fmt.Fprintf(env.Stdout, "%s is the latest\n", version.Release())
	return nil
}

// runUpdateBinary replaces the binary that hooks and prompts call, in cairn's
// own directory, by the latest, and returns its version; "" when this is it.
// Without a release page it is an error that is errNoPage.
func runUpdateBinary(ctx context.Context, env *Env) (newest string, err error) {
	if releasePage == "" {
		return "", errNoPage
	}
	latest, err := releases.Latest(ctx, releasePage)
	if err != nil {
		return "", err
	}
	m, err := machine(env)
	if err != nil {
		return "", err
	}
	if releases.Newer(latest.Version, version.Release()) != "" {
		newest = latest.Version
		data, err := latest.Binary(ctx, releasePage, runtime.GOOS, runtime.GOARCH)
		if err != nil {
			return "", err
		}
		if err := replaceBinary(m.Binary(), data); err != nil {
			return "", fileHint(err)
		}
	}
	return newest, noteLook(m.Home, releases.Look{Checked: now(), Latest: latest.Version})
}

func replaceBinary(name string, data []byte) error {
	if fi, err := os.Lstat(name); err == nil && !fi.Mode().IsRegular() {
		return term.Hint(fmt.Errorf("%s is not a file of ours", name), "update what it points to by the way it came")
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
