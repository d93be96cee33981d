package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/text"
)

type drainOptions struct{ json, wait, detached, early bool }

func newSyncDrain(env *Env) *cobra.Command {
	var opts drainOptions
	cmd := &cobra.Command{
		Use:   "drain",
		Short: "Deliver now what waits for the team's server",
		Long: `Delivers what waits in ~/.cairn/queue, ten records at a time, to every server
that you are signed in to. What cannot be delivered waits on; what a server will
never take goes to ~/.cairn/queue/refused with the reason.

Commands do this in the background; run it to see what happens, or at the end of
a job of CI.`,
		Example: "  cairn sync drain\n  cairn sync drain --wait --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runSyncDrain(env, opts) },
	}
	f := cmd.Flags()
	f.BoolVar(&opts.json, "json", false, "print what was done as JSON")
	f.BoolVar(&opts.wait, "wait", false, "wait for another drain, and as long as a busy server asks to")
	f.BoolVar(&opts.detached, "detached", false, "")
	f.BoolVar(&opts.early, "early", false, "")
	_ = f.MarkHidden("detached")
	_ = f.MarkHidden("early")
	return cmd
}

// busiest is how long --wait waits for a server that is busy, in all.
const busiest = 2 * time.Minute

func runSyncDrain(env *Env, opts drainOptions) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	s := link.Any(env)
	unlock, ok, err := client.LockDrain(ctx, s.Home, opts.wait)
	switch {
	case err != nil && opts.detached:
		return nil
	case err != nil:
		return fmt.Errorf("the queue cannot be locked: %w", err)
	case !ok && !opts.detached && !opts.json:
		fmt.Fprintln(env.Stderr, "cairn: another process delivers the queue right now")
		term.PrintHint(env.Stderr, "cairn sync drain --wait waits for it")
		return nil
	}
	var report client.Drained
	if ok {
		report, err = drainAll(ctx, s, opts)
		unlock()
	}
	if opts.detached {
		return nil
	}
	if err != nil {
		return err
	}
	return sayDrained(env, s, report, opts.json)
}

// drainAll drains, with --wait until nothing is left that a busy server only
// put off.
func drainAll(ctx context.Context, s *link.Checkout, opts drainOptions) (client.Drained, error) {
	var sum client.Drained
	for waited := time.Duration(0); ; {
		d := s.Drain()
		d.Early = !opts.detached || opts.early
		report, err := d.Run(ctx)
		sum.Add(report)
		pause := busyFor(report)
		if err != nil || !opts.wait || pause == 0 || waited+pause > busiest {
			return sum, err
		}
		waited += pause
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return sum, ctx.Err()
		}
	}
}

// busyFor is how long to wait where every server that took nothing more was
// only busy; 0 for no use.
func busyFor(r client.Drained) (pause time.Duration) {
	for _, stop := range r.Stopped {
		if !errors.Is(stop.Cause, client.ErrBusy) {
			return 0
		}
		pause = max(pause, stop.After, time.Second)
	}
	return pause
}

func sayDrained(env *Env, s *link.Checkout, r client.Drained, asJSON bool) error {
	st, err := spool.Open(s.Home.Queue()).Status()
	if err != nil {
		return err
	}
	left := st.Waiting + st.Claimed
	if asJSON {
		if err := printJSON(env, struct {
			Delivered int              `json:"delivered"`
			Refused   int              `json:"refused"`
			Waiting   int              `json:"waiting"`
			Stopped   []client.Stopped `json:"stopped,omitempty"`
		}{r.Delivered.N(), r.Refused.N(), left, r.Stopped}); err != nil {
			return err
		}
	} else {
		switch n := r.Delivered.N(); {
		case n > 0 || left > 0 || r.Refused.N() > 0:
			fmt.Fprintf(env.Stdout, "delivered %s", text.Count(n, "record"))
			if r.Refused.N() > 0 {
				fmt.Fprintf(env.Stdout, ", %d refused", r.Refused.N())
			}
			if left > 0 {
				fmt.Fprintf(env.Stdout, ", %d waiting", left)
			}
			fmt.Fprintln(env.Stdout)
		default:
			fmt.Fprintln(env.Stdout, "nothing waits")
		}
	}
	return drainProblem(env, s, r, st)
}

// drainProblem is the error of a drain that left something behind.
func drainProblem(env *Env, s *link.Checkout, r client.Drained, st spool.Status) error {
	left := st.Waiting + st.Claimed
	if r.Refused.N() > 0 {
		term.Warn(env.Stderr, "%s refused for good; cairn sync status says why", text.Count(r.Refused.N(), "record"))
	}
	if len(r.Stopped) > 0 {
		return r.Stopped[0].Cause
	}
	if left > 0 && r.Delivered.N() == 0 && r.Failed > 0 {
		return command.Net(fmt.Errorf("nothing could be delivered; %s says why", s.Home.SyncLog()))
	}
	if st.Claimed > 0 {
		term.PrintHint(env.Stderr, "%s held by a process that is at work or was killed; what it leaves waits again within %s",
			countAre(st.Claimed, "record"), text.Duration(spool.ClaimAge))
	}
	if st.Waiting > 0 && r.Failed == 0 && r.Delivered.N() == 0 {
		term.PrintHint(env.Stderr, "what waits is for a server that you are not signed in to: run cairn sync setup in its repository")
	}
	return nil
}

func countAre(n int, what string) string {
	if n == 1 {
		return text.Count(n, what) + " is"
	}
	return text.Count(n, what) + " are"
}
