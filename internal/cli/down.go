package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/install"
	"cairn/internal/project"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/local"
	"cairn/internal/team/server"
	"cairn/internal/term"
	"cairn/internal/text"
)

type downOptions struct{ unlink, forget, yes, json bool }

func newDown(env *Env) *cobra.Command {
	var opts downOptions
	cmd := &cobra.Command{
		Use:   "down",
		Short: "End the server that cairn up started",
		Long: `Asks the server of this machine to end, and waits until it has: requests get ten
seconds. Its data and the links of repositories stay, and cairn up goes on with
them. A server that somebody started as cairn serve is left alone.

--unlink takes this repository off the server of this machine: .cairn/team.json,
what was pulled, and the line that keeps it out of git. --forget does that and
removes the server's data: every record that only it has. It asks first.`,
		Example: "  cairn down\n  cairn down --unlink",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runDown(env, opts) },
	}
	f := cmd.Flags()
	f.BoolVar(&opts.unlink, "unlink", false, "take this repository off the server, too")
	f.BoolVar(&opts.forget, "forget", false, "remove the server's data, too; asks first")
	f.BoolVar(&opts.yes, "yes", false, "do not ask")
	f.BoolVar(&opts.json, "json", false, "print what was done as JSON")
	return cmd
}

// downReport is what --json prints.
type downReport struct {
	Stopped  bool   `json:"stopped"` // false: nothing ran
	URL      string `json:"url,omitzero"`
	Data     string `json:"data"` // where the data are, "" once they are gone
	Bytes    int64  `json:"bytes"`
	Unlinked string `json:"unlinked,omitzero"` // the team.json that was removed
}

func runDown(env *Env, opts downOptions) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	u := &up{env: env, home: home.Find(env.Getenv)}
	u.place = server.Place{Dir: u.home.Server()}
	if opts.forget {
		yes, err := env.Confirm(opts.yes, fmt.Sprintf("Remove every record in %s?", u.place.Dir))
		if err != nil || !yes {
			return err
		}
	}
	if !fileIs(u.place.Dir) && !opts.unlink && !opts.forget {
		return sayDown(env, opts, downReport{})
	}
	unlock, err := local.Lock(ctx, u.home)
	if err != nil {
		return fileHint(err)
	}
	defer unlock()
	key := u.ownKey(ctx)
	var told downReport
	if told.URL, told.Stopped, err = u.stop(ctx); err != nil {
		return err
	}
	if opts.unlink || opts.forget {
		if told.Unlinked, err = u.unlink(key); err != nil {
			return err
		}
	}
	if opts.forget {
		if err := u.forget(ctx, told.URL); err != nil {
			return err
		}
	}
	if fileIs(u.place.Embedded()) {
		told.Data, told.Bytes = u.place.Dir, dirSize(u.place.Dir)
	}
	return sayDown(env, opts, told)
}

// stop ends the server, if it is one that cairn up started.
func (u *up) stop(ctx context.Context) (url string, stopped bool, err error) {
	state, condition, err := local.Find(ctx, u.place.Dir)
	switch {
	case err != nil:
		return "", false, fileHint(err)
	case condition == local.Stopped:
		return state.URL, false, nil
	case condition == local.Busy:
		return "", false, u.busy(state)
	case !state.Background:
		return "", false, term.Hint(fmt.Errorf("the server at %s is not of cairn up: somebody runs cairn serve, as process %d", state.URL, state.PID),
			"end it where it runs; nothing was done to it")
	}
	return state.URL, true, local.Stop(ctx, u.place.Dir, state)
}

// unlink removes what up wrote into the repository, if it names this machine's
// server, and returns the file.
func (u *up) unlink(key string) (string, error) {
	repo := home.FindRepo(u.env.Here(), u.env.Getenv)
	if repo == "" {
		return "", nil
	}
	dir := project.Open(u.home, repo)
	team, _, err := config.ReadTeam(dir)
	if err != nil || key == "" || team.AnonKey != key {
		return "", nil // none, or another server's
	}
	if err := dir.Remove(project.Team); err != nil {
		return "", fileHint(err)
	}
	if err := client.OpenCache(dir).Remove(); err != nil {
		return "", fileHint(err)
	}
	if err := link.Exclude(repo, false); err != nil {
		return "", fileHint(err)
	}
	_ = os.Remove(filepath.Dir(repo.Team())) // if nothing else is in it
	return repo.Team(), nil
}

// forget removes what the server wrote, and nothing else that is there.
func (u *up) forget(ctx context.Context, url string) error {
	if url != "" {
		c, err := client.Open(client.Options{URL: url, Home: u.home})
		if err == nil {
			err = c.Forget(ctx)
		}
		if err != nil {
			return err
		}
	}
	db := u.place.Embedded()
	for _, name := range []string{db, db + "-wal", db + "-shm", local.File(u.place.Dir), filepath.Join(u.place.Dir, "lock"),
		u.home.ServerLog(), u.home.ServerLog() + ".1"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fileHint(err)
		}
	}
	_ = os.Remove(u.place.Dir) // backups and certificates stay
	if err := os.RemoveAll(u.home.Collected()); err != nil {
		return fileHint(err)
	}
	m, err := install.ThisMachine(u.env.Getenv)
	if err != nil {
		return err
	}
	return m.DropBinary(ctx)
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

func sayDown(env *Env, opts downOptions, told downReport) error {
	if opts.json {
		return printJSON(env, told)
	}
	out := env.Stdout
	if told.Stopped {
		fmt.Fprintf(out, "the server at %s has ended\n", told.URL)
	} else {
		fmt.Fprintln(out, "no server of cairn up runs")
	}
	if told.Unlinked != "" {
		fmt.Fprintf(out, "%s is removed\n", told.Unlinked)
	}
	switch {
	case opts.forget:
		fmt.Fprintln(out, "its data are removed")
	case told.Data != "":
		fmt.Fprintf(out, "its data stay in %s (%s)\n", told.Data, text.Bytes(told.Bytes))
		term.PrintHint(env.Stderr, "cairn up starts it again; cairn down --forget removes its data")
	}
	return nil
}
