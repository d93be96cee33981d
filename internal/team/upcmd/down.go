package upcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/install"
	"cairn/internal/must"
	"cairn/internal/project"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/local"
	"cairn/internal/team/replica"
	"cairn/internal/term"
	"cairn/internal/text"
)

func downCommand() *command.Command {
	return &command.Command{
		Path:  "down",
		Short: "Stop the server that cairn up started",
		Long: `Asks this machine's server to stop, and waits until it has: requests get ten
seconds. Its data and the links of repositories stay, and cairn up goes on with
them. A server that somebody started with cairn serve is left alone.

--unlink removes this repository from the server: .cairn/team.json, what was
pulled, and the line that keeps the file out of git. --forget does that and deletes
the server's data: every record that only it has. It asks first.`,
		Examples: []string{"cairn down", "cairn down --unlink"},
		Flags: []command.Flag{
			{Name: "unlink", Default: false, Help: "remove this repository from the server, too"},
			{Name: "forget", Default: false, Help: "delete the server's data, too; asks first"},
			{Name: "yes", Default: false, Help: "do not ask"},
		},
		Effect: command.Writes, Waits: true, Run: runDown,
	}
}

// downReport is what --json prints.
type downReport struct {
	Stopped  bool   `json:"stopped"` // false: nothing ran
	URL      string `json:"url,omitzero"`
	Data     string `json:"data"` // where the data are, "" once they are gone
	Bytes    int64  `json:"bytes"`
	Unlinked string `json:"unlinked,omitzero"` // the team.json that was removed
}

func runDown(c *command.Call) (*answer.Answer, error) {
	m := machineOf(c)
	forget := c.Bool("forget")
	if forget {
		yes, err := c.Confirm(c.Bool("yes"), fmt.Sprintf("Remove every record in %s?", m.place.Dir))
		if err != nil || !yes {
			return nil, err
		}
	}
	unlink := forget || c.Bool("unlink")
	if !exists(m.place.Dir) && !unlink {
		return downReport{}.answer(false), nil
	}
	unlock := must.Get(local.Lock(c, m.home))
	defer unlock()
	key := m.ownKey()
	var told downReport
	told.URL, told.Stopped = m.stop()
	if unlink {
		told.Unlinked = m.unlink(key)
	}
	if forget {
		m.remove(told.URL)
	}
	if exists(m.place.Embedded()) {
		told.Data, told.Bytes = m.place.Dir, dirSize(m.place.Dir)
	}
	return told.answer(forget), nil
}

// stop ends the server, if it is one that cairn up started.
func (m machine) stop() (url string, stopped bool) {
	state, condition := must.Get2(local.Find(m, m.place.Dir))
	switch {
	case condition == local.Stopped:
		return state.URL, false
	case condition == local.Busy:
		m.busy(state)
	case !state.Background:
		must.Fail(term.Hint(fmt.Errorf("the server at %s is not of cairn up: somebody runs cairn serve, as process %d", state.URL, state.PID),
			"end it where it runs; nothing was done to it"))
	}
	must.OK(local.Stop(m, m.place.Dir, state))
	return state.URL, true
}

// unlink removes what up wrote into the repository, if it names this machine's
// server, and returns the file.
func (m machine) unlink(key string) string {
	repo := home.FindRepo(m.Here(), m.Getenv)
	if repo == "" {
		return ""
	}
	dir := project.Open(m.home, repo)
	team, _, err := config.ReadTeam(dir)
	if err != nil || key == "" || team.AnonKey != key {
		return "" // none, or another server's
	}
	must.OK(dir.Remove(project.Team))
	must.OK(client.OpenCache(dir).Remove())
	must.OK(replica.Remove(m.home.Replicas(), link.CleanURL(team.URL), team.Slug))
	must.OK(link.Exclude(repo, false))
	_ = os.Remove(filepath.Dir(repo.Team())) // if nothing else is in it
	return repo.Team()
}

// remove deletes what the server wrote, and nothing else that is there.
func (m machine) remove(url string) {
	if url != "" {
		m.forget(url)
	}
	db := m.place.Embedded()
	for _, name := range []string{db, db + "-wal", db + "-shm", local.File(m.place.Dir), local.SessionsFile(m.place.Dir), filepath.Join(m.place.Dir, "lock"),
		m.home.ServerLog(), m.home.ServerLog() + ".1"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			must.Fail(err)
		}
	}
	_ = os.Remove(m.place.Dir) // backups and certificates stay
	must.OK(os.RemoveAll(m.home.Collected()))
	must.OK(must.Get(install.ThisMachine(m.Getenv)).DropBinary(m))
}

func dirSize(dir string) (n int64) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() {
			n += fi.Size()
		}
	}
	return n
}

func (r downReport) answer(forgot bool) *answer.Answer {
	a := &answer.Answer{Data: r, Done: true}
	lines := answer.Views{answer.Line("no server of cairn up runs")}
	if r.Stopped {
		lines[0] = answer.Line("the server at %s has stopped", r.URL)
	}
	if r.Unlinked != "" {
		lines = append(lines, answer.Line("%s is removed", r.Unlinked))
	}
	switch {
	case forgot:
		lines = append(lines, answer.Line("its data are removed"))
	case r.Data != "":
		lines = append(lines, answer.Line("its data stay in %s (%s)", r.Data, text.Bytes(r.Bytes)))
		a.Hint = "cairn up starts it again; cairn down --forget removes its data"
	}
	a.View = lines
	return a
}
