package cli

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"cairn/internal/child"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/team/client"
	"cairn/internal/team/spool"
	"cairn/internal/term"
)

// shortly is how long a command waits for what it has just queued.
const shortly = 1500 * time.Millisecond

// What a command says of a record at the end of its line.
const (
	saidSynced  = "synced to team ✓"
	saidOffline = "queued (offline)"
	saidSetup   = "queued (cairn sync setup signs in)"
	saidFull    = "queued (the team has reached a limit: cairn team quota)"
	saidLater   = "queued"
	saidRefused = "refused by the team's server (cairn sync status)"
)

// teamQueue returns the queue of records for the server of the team that this
// repository has, nil where it has none or the user wants no sync. A team.json
// that cannot be read keeps nobody from storing here: it is warned of.
func teamQueue(env *Env) (*spool.Spool, error) {
	s, err := findSync(env)
	if err != nil {
		if s != nil && s.enabled {
			hint := ""
			if errors.Is(err, errUntrustedTeam) {
				hint = "; cairn trust shows what it would do"
			}
			term.Warn(env.Stderr, "nothing goes to the team: %v%s", err, hint)
			client.OpenLog(s.home).Add("CONFIG", "team.json", "UNREADABLE", err.Error())
		}
		return nil, nil
	}
	if s == nil || !s.enabled {
		return nil, nil
	}
	return s.queue(), nil
}

// deliverNow waits shortly until records that were just queued are delivered,
// and says how each of them ended. What takes longer, and what waited before,
// is left to a process in the background.
func deliverNow(env *Env, ids []string) map[string]string {
	said := map[string]string{}
	s, err := findSync(env)
	if err != nil || s == nil || len(ids) == 0 {
		return said
	}
	ctx, cancel := context.WithTimeout(context.Background(), shortly)
	defer cancel()
	d := s.drain()
	d.Only = ids
	report, err := d.Run(ctx)
	for _, id := range ids {
		switch {
		case slices.Contains(report.Delivered.IDs, id):
			said[id] = saidSynced
		case slices.Contains(report.Refused.IDs, id):
			said[id] = saidRefused
		case err != nil:
			said[id] = saidOffline
		default:
			said[id] = whyQueued(report.Stopped)
		}
	}
	if err != nil || len(report.Stopped) == 0 {
		s.drainBehind(report.Delivered.N() > 0)
	}
	return said
}

// whyQueued says why a record waits.
func whyQueued(stopped []client.Stopped) string {
	for _, stop := range stopped {
		switch {
		case errors.Is(stop.Cause, client.ErrSignIn):
			return saidSetup
		case client.Full(stop.Cause):
			return saidFull
		case errors.Is(stop.Cause, client.ErrNetwork), errors.Is(stop.Cause, client.ErrBusy):
			return saidOffline
		}
	}
	return saidLater
}

// drain delivers what waits, for every server that one is signed in to.
func (s *teamSync) drain() *client.Drain {
	sessions, readErr := client.Sessions(s.home)
	own := cleanURL(s.team.URL)
	return &client.Drain{
		Queue: spool.Open(s.home.Queue()), URL: own, Log: client.OpenLog(s.home),
		Open: func(url string) (*client.Client, error) {
			if readErr != nil {
				return nil, readErr
			}
			session, signedIn := sessions[cleanURL(url)]
			o := s.optionsFor(url, session.AnonKey)
			switch {
			case own != "" && cleanURL(url) == own:
				if o = s.options(); !signedIn && !o.CI.Given() {
					return nil, client.NotSignedIn(own)
				}
			case !signedIn: // another repository's
				return nil, nil
			}
			return client.Open(o)
		},
	}
}

// drainBehind starts a process that delivers what waits, if anything does; what
// waits for a while after a failure only where the server has just answered.
// Nobody waits for it, and it says nothing but in sync.log.
func (s *teamSync) drainBehind(answered bool) {
	if s.env.Detach == nil {
		return
	}
	if st, err := spool.Open(s.home.Queue()).Status(); err != nil || st.Waiting == 0 {
		return
	}
	args := []string{"sync", "drain", "--detached"}
	if answered {
		args = append(args, "--early")
	}
	_ = s.env.Detach(args...)
}

// detach starts this program with other arguments, in a session of its own and
// without a terminal. CAIRN_SYNC_BACKGROUND=0 says that nothing may be left
// running.
func detach(args ...string) error {
	if os.Getenv("CAIRN_SYNC_BACKGROUND") == "0" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return child.Detach(self, args...)
}

// anySync is the sync of the user where the repository may have no team: the
// queue and the sessions are the user's.
func anySync(env *Env) *teamSync {
	s, err := findSync(env)
	if s == nil || err != nil {
		s = &teamSync{env: env, home: home.Find(env.Getenv)}
		s.set, _ = config.Load(env.Here(), env.Getenv)
	}
	return s
}
