package shim

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/child"
	"cairn/internal/compact"
	"cairn/internal/compact/rule"
	"cairn/internal/compact/shell"
	"cairn/internal/home"
)

// Options are what a shim needs from outside.
type Options struct {
	Args    []string // the tool's name and its arguments
	Stdout  *os.File
	Stderr  *os.File
	Getenv  func(string) string
	Environ []string
	Home    home.Home
	Session string        // of the agent, by which the call is found
	Timeout time.Duration // of a call that names none
	Compact compact.Options
	Off     bool // settings say: do not compact

	// Used is told what came of an output; nil: nobody is.
	Used func(compact.Envelope, compact.Meta)
}

// Run runs the tool, compacting its output if it goes to the agent directly,
// and returns how it ended. Where the output is not ours to touch it does not
// return: the tool takes the place of this process.
func Run(o Options) (child.Status, error) {
	path, err := child.Find(o.Args[0])
	if err != nil {
		return child.Status{}, err
	}
	cmd := child.Command{Path: path, Args: o.Args, Env: environment(o.Environ, path)}
	if o.inSubshell() {
		endWithParent()
	}
	call, ours := o.call()
	if !ours {
		return child.Status{}, child.Exec(cmd)
	}
	raw, err := o.rawFile()
	if err != nil {
		return child.Status{}, child.Exec(cmd) // a full disk must not stop the tool
	}
	if identity(o.Stderr) != identity(o.Stdout) {
		cmd.Stderr = o.Stderr
	}
	p := newPacer(o, call)
	status, err := child.File(cmd, raw, p.follow)
	var notStarted *child.StartError
	if errors.As(err, &notStarted) {
		raw.Close()
		os.Remove(raw.Name())
		return status, err
	}
	// Any other error is ours, not the tool's: what was read so far is shown.
	p.finish(status.ExitCode())
	closeRaw(raw, o.Stdout)
	return status, nil
}

// call returns what is known of the call this shim belongs to, and whether
// its output is ours to compact.
func (o Options) call() (Call, bool) {
	out, script := o.Getenv("CAIRN_OUT"), o.Getenv("CAIRN_CALL")
	if o.Off || out == "" || script == "" || identity(o.Stdout) != out || o.isJob() {
		return Call{}, false
	}
	if fi, err := o.Stdout.Stat(); err != nil || !fi.Mode().IsRegular() {
		return Call{}, false
	}
	c := findCall(o.Home, o.Session, script)
	tool := shell.Parse(shell.Join(o.Args))
	return c, !c.Background && !tool.Endless() && !o.Compact.Excludes(tool)
}

// inSubshell reports whether the shell that waits for us is not the call's own.
// A shell waits for the command of a function, so its process ends after ours,
// unless it is killed.
func (o Options) inSubshell() bool {
	top := o.Getenv("CAIRN_SHELL")
	return top != "" && strconv.Itoa(os.Getppid()) != top
}

// isJob reports whether the tool runs beside the rest of the call, as in
// `make & sleep 5`: the call may end at any time and show what came until then.
// Without job control, zsh lets the commands of a job ignore SIGINT, and bash
// ignores SIGQUIT itself in the subshell of a job.
func (o Options) isJob() bool {
	return o.inSubshell() && (signal.Ignored(os.Interrupt) || parentIgnores(syscall.SIGQUIT))
}

// finite reports whether the tool ends by itself soon, so that its output may
// be held until then.
func (o Options) finite() bool {
	lib := o.Compact.Library
	id := lib.Find(rule.Target{Command: shell.Parse(shell.Join(o.Args))})
	r, err := lib.Rule(id)
	return err == nil && r != nil && r.Finite
}

// rawFile is where the tool writes.
func (o Options) rawFile() (*os.File, error) {
	dir := filepath.Join(o.Home.Calls(), "raw")
	if err := os.MkdirAll(dir, home.PrivateDir); err != nil {
		return nil, err
	}
	if err := roomFor(dir); err != nil {
		return nil, err
	}
	atomicfile.RemoveOlder(dir, rawAge, func(e fs.DirEntry) bool { return !e.IsDir() })
	f, err := os.CreateTemp(dir, filepath.Base(o.Args[0])+"-*.out") // mode 0600
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return os.OpenFile(f.Name(), os.O_RDWR|os.O_APPEND, 0)
}

// rawAge is how long a file stays that a descendant of a tool still wrote to.
const rawAge = 7 * 24 * time.Hour

// closeRaw removes the file, unless something the tool left behind still
// writes to it: then the agent is told where.
func closeRaw(f, out *os.File) {
	name := f.Name()
	if written, err := heldByOthers(f); err == nil && written {
		_, _ = out.WriteString("[cairn: a process goes on writing to " + name + "]\n")
		return
	}
	f.Close()
	os.Remove(name)
}

// environment is the one the shell would have given the tool at path: without
// our variables, and with the tool's path in `_` instead of ours.
func environment(environ []string, path string) []string {
	var env []string
	for _, e := range environ {
		switch name, _, _ := strings.Cut(e, "="); name {
		case "CAIRN_OUT", "CAIRN_CALL", "CAIRN_DIR", "CAIRN_SHELL":
		case "_":
			env = append(env, "_="+path)
		default:
			env = append(env, e)
		}
	}
	return env
}
