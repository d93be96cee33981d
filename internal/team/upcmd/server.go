package upcmd

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"cairn/internal/child"
	"cairn/internal/home"
	"cairn/internal/install"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/local"
	"cairn/internal/team/servecmd"
	"cairn/internal/team/server"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/text"
)

const (
	startPatience = 30 * time.Second // for a server to answer
	mostServerLog = 4 << 20          // bytes: then it begins anew, and the one before is kept
)

// server makes sure that the server of this machine runs, and is this binary.
func (u *up) server() string {
	u.told.Data = u.place.Dir
	state, condition := must.Get2(local.Find(u, u.place.Dir))
	switch {
	case condition == local.Busy:
		u.busy(state)
	case condition == local.Running && !state.Background:
		u.use(state)
		return fmt.Sprintf("%s, which cairn serve runs already", state.URL)
	}
	u.notNewer()
	m := must.Get(install.ThisMachine(u.Getenv))
	must.OK(m.KeepBinary(u))
	said := "started"
	if condition == local.Running {
		why := u.restartWhy(m, state)
		if why == "" {
			u.use(state)
			return fmt.Sprintf("%s already, since %s", state.URL, text.Ago(state.Started, time.Now()))
		}
		must.OK(local.Stop(u, u.place.Dir, state))
		said = "started again: " + why
	} else if state.PID != 0 {
		said = "started again: it had died"
	}
	return u.start(m, state, said)
}

func (u *up) use(state local.State) {
	u.state, u.told.Server = state, state.URL
}

// notNewer refuses data of a later cairn before the server that can read them
// is ended.
func (u *up) notNewer() {
	st, err := server.Join(u, u.place)
	switch {
	case err == nil:
		must.OK(st.Close())
	case errors.Is(err, db.ErrNewer):
		must.Fail(servecmd.Explain(err, u.place))
	} // what else is wrong with them the server says
}

// restartWhy says why a server that runs has to be started again, "" if it has not.
func (u *up) restartWhy(m install.Machine, state local.State) string {
	path := m.Binary()
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	binary, err := local.BinaryAt(path)
	if err == nil && !state.Binary.Same(binary) {
		return "it was another cairn"
	}
	if u.String("listen") != "" && !strings.HasSuffix(u.String("listen"), ":0") && u.String("listen") != state.Listen {
		return "it listened elsewhere"
	}
	return ""
}

// start starts the copy of this binary as a server and waits until it answers.
// An address that a stranger has is not used.
func (u *up) start(m install.Machine, before local.State, said string) string {
	listen := u.String("listen")
	if listen == "" {
		listen = before.Listen
	}
	if listen == "" || checkListen(listen) != nil {
		listen = wire.DefaultListen
	}
	const free = "127.0.0.1:0"
	ours := u.String("listen") == "" // who names an address wants that one
	if ours && taken(listen) {
		return u.startAt(m, before, free) + ", " + said + ", as another program has " + listen
	}
	state, err := u.tryAt(m, before, listen)
	if err != nil && ours && u.Err() == nil && taken(listen) { // meanwhile: two of us were started at once
		return u.startAt(m, before, free) + ", " + said + ", as another program has " + listen
	}
	must.OK(err)
	u.use(state)
	return state.URL + ", " + said
}

// startAt starts the server at an address, and returns its URL.
func (u *up) startAt(m install.Machine, before local.State, listen string) string {
	u.use(must.Get(u.tryAt(m, before, listen)))
	return u.state.URL
}

// tryAt starts the server at an address, and ends it where it does not answer.
func (u *up) tryAt(m install.Machine, before local.State, listen string) (local.State, error) {
	log, began := u.openLog()
	defer log.Close()
	ended, kill, err := child.DetachLogged(m.Binary(), serverEnviron(os.Environ()), log,
		"serve", "--background", "--data", u.place.Dir, "--listen", listen, "--log-level", "warn")
	if err != nil {
		must.Fail(fmt.Errorf("the server cannot be started: %w", err))
	}
	state, err := u.answers(before, ended, began)
	if err != nil && u.Err() == nil {
		kill()
	}
	return state, err
}

// taken reports whether a program listens on an address.
func taken(listen string) bool {
	l, err := net.Listen("tcp", listen)
	if err == nil {
		l.Close()
	}
	return errors.Is(err, syscall.EADDRINUSE)
}

// openLog opens the server's log, and says where this start begins in it.
func (u *up) openLog() (log *os.File, began int64) {
	name := u.home.ServerLog()
	must.OK(os.MkdirAll(filepath.Dir(name), home.PrivateDir))
	if fi, err := os.Stat(name); err == nil && fi.Size() > mostServerLog {
		_ = os.Rename(name, name+".1")
	}
	log = must.Get(os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, home.PrivateFile))
	return log, must.Get(log.Seek(0, io.SeekEnd))
}

// answers waits for the server that was just started.
func (u *up) answers(before local.State, ended <-chan error, began int64) (local.State, error) {
	for deadline := time.Now().Add(startPatience); ; {
		state, err := local.Read(u.place.Dir)
		if err == nil && state.Token != "" && state.Token != before.Token {
			if _, err := local.Ask(u, state); err == nil {
				return state, nil
			}
		}
		select {
		case err := <-ended:
			return state, fmt.Errorf("the server did not start: %s", u.lastWords(began, err))
		case <-u.Done():
			return state, u.Err()
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return state, term.Hint(fmt.Errorf("the server does not answer after %s; its log is %s", startPatience, u.home.ServerLog()),
				"is the loopback of this machine up?")
		}
	}
}

// lastWords is the error that the server wrote into its log.
func (u *up) lastWords(began int64, ended error) string {
	words := fmt.Sprint(ended)
	f, err := os.Open(u.home.ServerLog())
	if err != nil {
		return words
	}
	defer f.Close()
	data, _ := io.ReadAll(io.NewSectionReader(f, began, 64<<10))
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, "cairn: error: "); ok {
			words = strings.TrimSpace(text)
		}
	}
	return words
}

// serverEnviron is the environment without what configures another server than
// this one, and without secrets that it does not need.
func serverEnviron(environ []string) []string {
	var out []string
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		switch {
		case strings.HasPrefix(name, "CAIRN_") && name != "CAIRN_HOME", name == "NOTIFY_SOCKET", strings.HasSuffix(name, "_API_KEY"):
		default:
			out = append(out, v)
		}
	}
	return out
}
