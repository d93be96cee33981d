package child

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Detach starts a program in the background: without a terminal, its streams
// nowhere, in the root directory, and in a session of its own, so that it goes
// on when we and whoever started us have ended.
func Detach(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = filepath.VolumeName(name) + string(os.PathSeparator)
	cmd.SysProcAttr = apart()
	if err := cmd.Start(); err != nil { // no stream is /dev/null
		return err
	}
	return cmd.Process.Release()
}
