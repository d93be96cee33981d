package calls

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"cairn/internal/compact"
	"cairn/internal/home"
)

// Options are what End needs from outside.
type Options struct {
	Status  int                 // of the shell, not 0
	Script  string              // that the shell ran
	Command func(string) string // what of a script is the agent's command
	Stdout  *os.File            // the shell's, as it is now
	Was     string              // what it was when the call began: CAIRN_OUT
	Home    home.Home
	Session string // of the agent, by which notes are found
	Cwd     string
	Compact compact.Options
	Fit     func(*compact.Result) // shortens what the host would clip

	// Used is told what came of an output.
	Used func(compact.Envelope, compact.Meta)
}

// timeLimit is how long the agent may be kept waiting. What takes longer stays
// as it is.
const timeLimit = 20 * time.Second

var errTooSlow = errors.New("compacting the output of a call took too long")

// End compacts the output of a call that failed, in the file that the agent is
// about to read. Where that is not possible, the file stays as it is.
func End(o Options) error {
	out := o.Stdout
	if o.Compact.Off || o.Was == "" || identity(out) != o.Was {
		return nil // the command redirected the shell's own stdout
	}
	name, err := pathOf(out)
	if err != nil {
		return nil // not known here
	}
	if noted(o.Home, o.Session, o.Script, name) {
		return nil
	}
	f, err := reopen(out, name)
	if f == nil || err != nil {
		return err
	}
	defer f.Close()

	o.Compact.Passthrough = io.Discard // what is not touched is there already
	env := compact.Envelope{Tool: "Bash", Command: o.Command(o.Script), Cwd: o.Cwd, ExitCode: &o.Status}
	res, size, err := o.compacted(f, env)
	if err != nil {
		return err
	}
	if !res.Meta.Unchanged && o.Fit != nil {
		o.Fit(&res)
	}
	// By now it may have been moved to the background, where the agent has read
	// a part of it.
	if res.Meta.Unchanged || int64(len(res.Reduced)) >= size || noted(o.Home, o.Session, o.Script, name) {
		res.Meta = res.Meta.Kept()
	} else {
		// Whoever ends us now leaves more text than was meant, never less; a
		// signal may as well come too late.
		signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		if err := replace(f, size, res.Reduced); err != nil {
			return err
		}
	}
	if o.Used != nil {
		o.Used(env, res.Meta)
	}
	return nil
}

// compacted is what is to stand in place of the first size bytes of f.
func (o Options) compacted(f *os.File, env compact.Envelope) (res compact.Result, size int64, err error) {
	end := time.Now().Add(timeLimit)
	if o.Compact.Verify.Until.IsZero() {
		o.Compact.Verify.Until = end
	}
	s := compact.NewStream(env, o.Compact)
	buf := make([]byte, 256<<10)
	for {
		n, err := f.ReadAt(buf, size)
		s.Write(buf[:n])
		size += int64(n)
		if errors.Is(err, io.EOF) {
			break // a job may write on: what comes now is not compacted
		}
		if err != nil {
			return res, 0, err
		}
		if time.Now().After(end) {
			return res, 0, errTooSlow
		}
	}
	return s.Finish(&o.Status), size, nil
}

// mostLater is how much a job may have written meanwhile.
const mostLater = 1 << 20

// replace puts text in place of the first size bytes of f. What a job of the
// call has written since comes after it.
func replace(f *os.File, size int64, text string) error {
	var later []byte
	if fi, err := f.Stat(); err != nil {
		return err
	} else if fi.Size() > size {
		if fi.Size()-size > mostLater {
			return nil // a job writes as fast as we do
		}
		later = make([]byte, fi.Size()-size)
		if _, err := f.ReadAt(later, size); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt(append([]byte(text), later...), 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(text) + len(later)))
}
