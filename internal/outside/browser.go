package outside

import (
	"cmp"
	"os/exec"
	"runtime"

	"cairn/internal/term"
)

// SeesBrowser reports whether a person sits here who would see a browser.
func (env *Env) SeesBrowser() bool {
	if !term.IsTerminal(env.Stdout) || env.Getenv("CI") != "" {
		return false
	}
	switch runtime.GOOS {
	case "darwin", "windows":
		return env.Getenv("SSH_CONNECTION") == ""
	}
	return cmp.Or(env.Getenv("DISPLAY"), env.Getenv("WAYLAND_DISPLAY"), env.Getenv("WSL_DISTRO_NAME")) != ""
}

// OpenBrowser shows a page in the browser that the system or $BROWSER names.
// It does not wait for it.
func (env *Env) OpenBrowser(url string) error {
	name, args := cmp.Or(env.Getenv("BROWSER"), "xdg-open"), []string{url}
	switch {
	case env.Getenv("BROWSER") != "":
	case runtime.GOOS == "darwin":
		name = "open"
	case runtime.GOOS == "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	case env.Getenv("WSL_DISTRO_NAME") != "":
		name = "wslview"
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}
