//go:build unix

package child

import (
	"errors"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// process is a running tool.
type process struct {
	*relay
	ended   chan Status
	signals chan os.Signal
}

// start starts c. From now on until wait returns, signals are passed on.
func start(c Command, stdout, stderr *os.File) (*process, error) {
	output, err := stdout.Stat()
	if err != nil {
		return nil, err
	}
	// Before the start: a signal in between must not end us alone.
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, caught()...)

	// Pdeathsig is sent when the thread that started the tool ends, which in
	// Go may be long before the process does. So the goroutine that starts it
	// keeps its thread until the tool has ended.
	started, ended := make(chan error), make(chan Status, 1)
	var tool *os.Process
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var err error
		tool, err = spawn(c, stdout, stderr)
		started <- err
		if err == nil {
			state, _ := tool.Wait()
			ended <- statusOf(state)
		}
	}()
	if err := <-started; err != nil {
		signal.Stop(signals)
		return nil, err
	}
	return &process{&relay{tool: tool, output: output}, ended, signals}, nil
}

// spawn works on descriptor numbers, since [os.StartProcess] would make a
// non-blocking stdin or stderr blocking, also for those who share it with us.
func spawn(c Command, stdout, stderr *os.File) (*os.Process, error) {
	attr := &syscall.ProcAttr{
		Env:   c.env(),
		Files: []uintptr{0, number(stdout), number(stderr)},
		Sys:   sysProcAttr(),
	}
	pid, _, err := syscall.StartProcess(c.Path, c.Args, attr)
	if errors.Is(err, unix.ENOEXEC) {
		path, args := script(c)
		pid, _, err = syscall.StartProcess(path, args, attr)
	}
	if err != nil {
		return nil, startError(c.Path, badInterpreter(c.Path, err))
	}
	return os.FindProcess(pid)
}

func number(f *os.File) uintptr {
	switch f {
	case os.Stdout:
		return 1
	case os.Stderr:
		return 2
	}
	return f.Fd()
}

// script is how execvp(3) and every shell run a file without a #! line.
func script(c Command) (path string, args []string) {
	return "/bin/sh", append([]string{"/bin/sh", c.Path}, c.Args[1:]...)
}

// badInterpreter explains execve's "no such file" for a file that exists.
func badInterpreter(path string, err error) error {
	if _, e := os.Stat(path); e == nil && errors.Is(err, unix.ENOENT) {
		return errors.New("bad interpreter: " + err.Error())
	}
	return err
}

func statusOf(state *os.ProcessState) Status {
	if state == nil {
		return Status{Code: 1}
	}
	w := state.Sys().(syscall.WaitStatus)
	if w.Signaled() {
		return Status{Signal: w.Signal()}
	}
	return Status{Code: w.ExitStatus()}
}

// wait passes signals on until the tool has ended and, if we were asked to end
// it, its tree is gone. When the reader of the pipe downstream goes away,
// onBroken is called once.
func (p *process) wait(downstream *os.File, onBroken func()) Status {
	defer signal.Stop(p.signals)
	defer p.witness.stop()
	soon := time.NewTimer(witnessAfter)
	defer soon.Stop()
	var look <-chan time.Time
	if downstream != nil {
		t := time.NewTicker(100 * time.Millisecond)
		defer t.Stop()
		look = t.C
	}
	for {
		select {
		case s := <-p.signals:
			p.pass(s.(syscall.Signal))
		case <-soon.C:
			p.witness.start()
		case <-look:
			if readerGone(downstream) {
				onBroken()
				look = nil
			}
		case status := <-p.ended:
			p.cleanUp(status)
			return status
		}
	}
}

// readerGone reports whether f is a pipe that nobody reads.
func readerGone(f *os.File) bool {
	fds := []unix.PollFd{{Fd: int32(number(f)), Events: unix.POLLOUT}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}

func brokenPipe(err error) bool { return errors.Is(err, unix.EPIPE) }

func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
