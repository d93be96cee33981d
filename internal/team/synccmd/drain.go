package synccmd

import (
	"errors"
	"fmt"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/retry"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/text"
)

func drainCommand() *command.Command {
	return &command.Command{
		Path:  "sync drain",
		Short: "Deliver the records that wait for the team's server",
		Long: `Delivers what waits in ~/.cairn/queue, ten records at a time, to every server
that you are signed in to. Records that cannot be delivered now go on waiting.
Records that a server will never accept are moved to ~/.cairn/queue/refused with
the reason.

Other commands do this in the background. Run it to see what happens, or at the
end of a CI job.`,
		Examples: []string{"cairn sync drain", "cairn sync drain --wait --json"},
		Flags: []command.Flag{
			{Name: "wait", Default: false, Help: "wait for another drain, and as long as a busy server asks to"},
			{Name: "detached", Default: false, Hidden: true, Help: "cairn started it in the background"},
			{Name: "early", Default: false, Hidden: true, Help: "the server has just answered"},
		},
		Effect: command.Writes, Waits: true, Run: drain,
	}
}

// busiest is how long --wait waits for a server that is busy, in all.
const busiest = 2 * time.Minute

func drain(c *command.Call) (*answer.Answer, error) {
	s, detached := link.Any(c.Env), c.Bool("detached")
	unlock, ok, err := client.LockDrain(c, s.Home, c.Bool("wait"))
	switch {
	case err != nil && detached:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the queue cannot be locked: %w", err)
	case !ok && !detached && c.AsText():
		return &answer.Answer{Said: "cairn: another process delivers the queue right now", Hint: "cairn sync drain --wait waits for it"}, nil
	}
	var report client.Drained
	if ok {
		report, err = drainAll(c, s)
		unlock()
	}
	if detached || err != nil {
		if detached {
			err = nil
		}
		return nil, err
	}
	return drained(c, s, report)
}

// drainAll drains, with --wait until nothing is left that a busy server only
// put off.
func drainAll(c *command.Call, s *link.Checkout) (sum client.Drained, err error) {
	for waited := time.Duration(0); ; {
		d := s.Drain()
		d.Early = !c.Bool("detached") || c.Bool("early")
		report, err := d.Run(c)
		sum.Add(report)
		pause := busyFor(report)
		if err != nil || !c.Bool("wait") || pause == 0 || waited+pause > busiest {
			return sum, err
		}
		waited += pause
		if err := retry.Wait(c, pause); err != nil {
			return sum, err
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

// drained says what a drain did, with the error of one that left something behind.
func drained(c *command.Call, s *link.Checkout, r client.Drained) (*answer.Answer, error) {
	st := must.Get(spool.Open(s.Home.Queue()).Status())
	delivered, refused, left := r.Delivered.N(), r.Refused.N(), st.Waiting+st.Claimed
	a := &answer.Answer{Data: struct {
		Delivered int              `json:"delivered"`
		Refused   int              `json:"refused"`
		Waiting   int              `json:"waiting"`
		Stopped   []client.Stopped `json:"stopped,omitempty"`
	}{delivered, refused, left, r.Stopped}, View: answer.Line("nothing waits"), Done: true}
	if delivered+refused+left > 0 {
		words := "delivered " + text.Count(delivered, "record")
		if refused > 0 {
			words += fmt.Sprintf(", %d refused", refused)
		}
		if left > 0 {
			words += fmt.Sprintf(", %d waiting", left)
		}
		a.View = answer.Line("%s", words)
	}
	if refused > 0 {
		term.Warn(c.Stderr, "%s refused for good; cairn sync status says why", text.Count(refused, "record"))
	}
	switch {
	case len(r.Stopped) > 0:
		a.Err = r.Stopped[0].Cause
	case left > 0 && delivered == 0 && r.Failed > 0:
		a.Err = command.Net(fmt.Errorf("nothing could be delivered; %s says why", s.Home.SyncLog()))
	case st.Claimed > 0:
		is := " are"
		if st.Claimed == 1 {
			is = " is"
		}
		a.Hint = fmt.Sprintf("%s%s held by a process that is at work or was killed; what it leaves waits again within %s",
			text.Count(st.Claimed, "record"), is, text.Duration(spool.ClaimAge))
	case st.Waiting > 0 && r.Failed == 0 && delivered == 0:
		a.Hint = "what waits is for a server that you are not signed in to: run cairn sync setup in its repository"
	}
	return a, nil
}
