package synccmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
	"cairn/internal/text"
)

func testCommand() *command.Command {
	return &command.Command{
		Path:  "sync test",
		Short: "Test the connection to the team's server, step by step",
		Long: `Reads the configuration, reaches the server, signs in, writes a row, reads it back
and removes it. It names the first step that fails, with what to do about it.`,
		Examples: []string{"cairn sync test", "cairn sync test --json"},
		Effect:   command.Writes, Waits: true, Run: try,
	}
}

// A trial is one run of the command; each step leaves what the next one needs.
type trial struct {
	sync   *link.Checkout
	client *client.Client
	beat   *client.Heartbeat
}

// trialSteps are the steps: each with what to look at if it fails and the error
// does not say.
var trialSteps = []struct {
	name string
	do   func(*trial, *command.Call) (said string, err error)
	mend string
}{
	{"config", (*trial).config, "cairn sync setup"},
	{"reach", (*trial).reach, "is the address in .cairn/team.json right, and the network there"},
	{"sign-in", (*trial).signIn, "run cairn sync setup"},
	{"write", (*trial).write, "an admin of the team can see what you may do: cairn team members"},
	{"read", (*trial).read, "the server's database may be behind: cairn sync init prints what a Supabase project needs"},
	{"clean up", (*trial).cleanUp, "one row stays in sync_heartbeats, which harms nothing"},
}

func try(c *command.Call) (*answer.Answer, error) {
	type step struct {
		Step  string `json:"step"`
		OK    bool   `json:"ok"`
		MS    int64  `json:"ms"`
		Said  string `json:"said,omitempty"`
		Error string `json:"error,omitempty"`
	}
	var t trial
	var done []step
	var failed error
	view := answer.NewTable("step:name=", "ok:name=", "said:name=")
	for _, s := range trialSteps {
		limited := *c
		var cancel context.CancelFunc
		limited.Context, cancel = context.WithTimeout(c, 5*time.Second)
		begin := time.Now()
		said, err := s.do(&t, &limited)
		cancel()
		one, mark := step{s.name, err == nil, time.Since(begin).Milliseconds(), said, ""}, answer.Marked("ok", "good")
		if err != nil {
			one.Error, mark = err.Error(), answer.Marked("failed", "bad")
			if term.HintOf(err) == "" || errors.Is(err, client.ErrNetwork) && s.mend != "" { // whose hint is this command
				err = term.Hint(err, "%s", s.mend)
			}
		}
		done = append(done, one)
		view.Add(s.name, mark, said)
		if failed = err; err != nil {
			break
		}
	}
	return &answer.Answer{Data: answer.LinesOf(done), View: view, Err: failed}, nil
}

func (t *trial) config(c *command.Call) (said string, err error) {
	if t.sync, err = link.Want(c.Env); err != nil {
		return "", err
	}
	if t.client, err = t.sync.Client(); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, %s", t.client.URL(), t.sync.Name()), nil
}

func (t *trial) reach(c *command.Call) (string, error) {
	took, err := t.client.Reach(c)
	return text.Duration(took), err
}

func (t *trial) signIn(c *command.Call) (string, error) {
	email, err := t.client.Who(c)
	if err != nil {
		return "", err
	}
	team, err := t.client.Team(c, "")
	if err != nil {
		return "", err
	}
	t.beat = t.client.NewHeartbeat(team)
	return term.Line(email), nil
}

func (t *trial) write(c *command.Call) (string, error) {
	host, _ := os.Hostname()
	return "", t.beat.Write(c, host)
}

func (t *trial) read(c *command.Call) (string, error) {
	err := t.beat.Read(c)
	if t.client.Automatic() && errors.Is(err, client.ErrDenied) { // it is for adding
		return "not with this token: it has no scope read", nil
	}
	return "", err
}

func (t *trial) cleanUp(c *command.Call) (string, error) {
	left, err := t.beat.Remove(c)
	if left {
		return "the row stays: only admins remove rows", err
	}
	return "", err
}
