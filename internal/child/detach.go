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
	cmd := behind(name, args)
	if err := cmd.Start(); err != nil { // no stream is /dev/null
		return err
	}
	return cmd.Process.Release()
}

// DetachLogged is Detach with an environment and with both streams of output in
// a file. While we are here, ended tells how the program ends if it does, and kill
// ends it.
func DetachLogged(name string, environ []string, log *os.File, args ...string) (ended <-chan error, kill func(), err error) {
	cmd := behind(name, args)
	cmd.Env, cmd.Stdout, cmd.Stderr = environ, log, log
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	end := make(chan error, 1)
	go func() { end <- cmd.Wait() }()
	return end, func() { _ = cmd.Process.Kill() }, nil
}

func behind(name string, args []string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = filepath.VolumeName(name) + string(os.PathSeparator)
	cmd.SysProcAttr = apart()
	return cmd
}
