package link

import (
	"context"
	"errors"
	"slices"
	"time"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/spool"
	"cairn/internal/term"
)

// shortly is how long a command waits for what it has just queued.
const shortly = 1500 * time.Millisecond

// What a command says of a record at the end of its line.
const (
	Synced  = "synced to team ✓"
	Offline = "queued (offline)"
	Setup   = "queued (cairn sync setup signs in)"
	Full    = "queued (the team has reached a limit: cairn team quota)"
	Later   = "queued"
	Refused = "refused by the team's server (cairn sync status)"
)

// Queue returns the queue of records for the server of the team that this
// repository has, nil where it has none or the user wants no sync. A team.json
// that cannot be read keeps nobody from storing here: it is warned of.
func Queue(env *command.Env) *spool.Spool {
	c, err := Find(env)
	if err != nil {
		if c != nil && c.Enabled {
			hint := ""
			if errors.Is(err, ErrUntrusted) {
				hint = "; cairn trust shows what it would do"
			}
			term.Warn(env.Stderr, "nothing goes to the team: %v%s", err, hint)
			client.OpenLog(c.Home).Add("CONFIG", "team.json", "UNREADABLE", err.Error())
		}
		return nil
	}
	if c == nil || !c.Enabled {
		return nil
	}
	return c.Queue()
}

// Deliver waits shortly until records that were just queued are delivered, and
// says how each of them ended. What takes longer, and what waited before, is left
// to a process in the background.
func Deliver(env *command.Env, ids []string) map[string]string {
	said := map[string]string{}
	c, err := Find(env)
	if err != nil || c == nil || len(ids) == 0 {
		return said
	}
	ctx, cancel := context.WithTimeout(context.Background(), shortly)
	defer cancel()
	d := c.Drain()
	d.Only = ids
	report, err := d.Run(ctx)
	for _, id := range ids {
		switch {
		case slices.Contains(report.Delivered.IDs, id):
			said[id] = Synced
		case slices.Contains(report.Refused.IDs, id):
			said[id] = Refused
		case err != nil:
			said[id] = Offline
		default:
			said[id] = WhyQueued(report.Stopped)
		}
	}
	if err != nil || len(report.Stopped) == 0 {
		c.DrainBehind(report.Delivered.N() > 0)
	}
	return said
}

// WhyQueued says why a record waits.
func WhyQueued(stopped []client.Stopped) string {
	for _, stop := range stopped {
		switch {
		case errors.Is(stop.Cause, client.ErrSignIn):
			return Setup
		case client.Full(stop.Cause):
			return Full
		case errors.Is(stop.Cause, client.ErrNetwork), errors.Is(stop.Cause, client.ErrBusy):
			return Offline
		}
	}
	return Later
}

// Drain delivers what waits, for every server that one is signed in to.
func (c *Checkout) Drain() *client.Drain {
	sessions, readErr := client.Sessions(c.Home)
	own := CleanURL(c.File.URL)
	return &client.Drain{
		Queue: spool.Open(c.Home.Queue()), URL: own, Log: client.OpenLog(c.Home),
		Open: func(url string) (*client.Client, error) {
			if readErr != nil {
				return nil, readErr
			}
			session, signedIn := sessions[CleanURL(url)]
			o := c.optionsFor(url, session.AnonKey)
			switch {
			case own != "" && CleanURL(url) == own:
				if o = c.Options(); !signedIn && !o.CI.Given() {
					return nil, client.NotSignedIn(own)
				}
			case !signedIn: // another repository's
				return nil, nil
			}
			return client.Open(o)
		},
	}
}

// DrainBehind starts a process that delivers what waits, if anything does; what
// waits for a while after a failure only where the server has just answered.
// Nobody waits for it, and it says nothing but in sync.log.
func (c *Checkout) DrainBehind(answered bool) {
	if c.Env.Detach == nil {
		return
	}
	if st, err := spool.Open(c.Home.Queue()).Status(); err != nil || st.Waiting == 0 {
		return
	}
	args := []string{"sync", "drain", "--detached"}
	if answered {
		args = append(args, "--early")
	}
	_ = c.Env.Detach(args...)
}
