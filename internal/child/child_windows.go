package child

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/windows"
)

// process is a running tool.
type process struct {
	*os.Process
	signals chan os.Signal
}

// start starts c. The console sends Ctrl-C and Ctrl-Break to the tool as well
// as to us, and there are no other signals: all we do is stay alive.
func start(c Command, stdout, stderr *os.File) (*process, error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	tool, err := os.StartProcess(c.Path, c.Args, &os.ProcAttr{
		Env:   c.env(),
		Files: []*os.File{os.Stdin, stdout, stderr},
	})
	if err != nil {
		signal.Stop(signals)
		return nil, startError(c.Path, err)
	}
	return &process{tool, signals}, nil
}

func (p *process) wait(*os.File, func()) Status {
	defer signal.Stop(p.signals)
	state, err := p.Wait()
	if err != nil {
		return Status{Code: 1}
	}
	return Status{Code: state.ExitCode()}
}

func brokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}

func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// Exit ends our process with the tool's exit code.
func (s Status) Exit() { os.Exit(s.ExitCode()) }

// Exec runs c on our own streams and ends our process with its exit code. It
// returns only if c cannot be started.
func Exec(c Command) error {
	p, err := start(c, os.Stdout, os.Stderr)
	if err != nil {
		return err
	}
	p.wait(nil, nil).Exit()
	return nil
}
