package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
	"cairn/internal/text"
)

func newSyncTest(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "test",
		Short: "Try the whole way to the team's server, step by step",
		Long: `Reads the configuration, reaches the server, signs in, writes a row, reads it
back and takes it away again. The first step that fails is named, with its
remedy.`,
		Example: "  cairn sync test\n  cairn sync test --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runSyncTest(env, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the steps as JSON, one a line")
	return cmd
}

// pathTest is one run of the verb; each step leaves what the next one needs.
type pathTest struct {
	env    *Env
	sync   *link.Checkout
	client *client.Client
	beat   *client.Heartbeat
}

// pathStep is one step: its name, what to do, and what to look at if it fails
// and the error does not say.
type pathStep struct {
	name string
	do   func(*pathTest, context.Context) (said string, err error)
	mend string
}

func pathSteps() []pathStep {
	return []pathStep{
		{"config", (*pathTest).config, "cairn sync setup"},
		{"reach", (*pathTest).reach, "is the address in .cairn/team.json right, and the network there"},
		{"sign-in", (*pathTest).signIn, "run cairn sync setup"},
		{"write", (*pathTest).write, "an admin of the team can see what you may do: cairn team members"},
		{"read", (*pathTest).read, "the server's database may be behind: cairn sync init prints what a Supabase project needs"},
		{"clean up", (*pathTest).cleanUp, "one row stays in sync_heartbeats, which harms nothing"},
	}
}

func runSyncTest(env *Env, asJSON bool) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t := &pathTest{env: env}
	paint := term.NewPaint(env.Stdout, env.Getenv)
	for _, step := range pathSteps() {
		begin := time.Now()
		limited, cancel := context.WithTimeout(ctx, 5*time.Second)
		said, err := step.do(t, limited)
		cancel()
		took := time.Since(begin)
		if asJSON {
			problem := ""
			if err != nil {
				problem = err.Error()
			}
			if err := printJSON(env, struct {
				Step  string `json:"step"`
				OK    bool   `json:"ok"`
				MS    int64  `json:"ms"`
				Said  string `json:"said,omitempty"`
				Error string `json:"error,omitempty"`
			}{step.name, err == nil, took.Milliseconds(), said, problem}); err != nil {
				return err
			}
		} else {
			mark := paint.Good("ok")
			if err != nil {
				mark = paint.Bad("failed")
			}
			fmt.Fprintf(env.Stdout, "%-9s %s  %s\n", step.name, mark, said)
		}
		if err != nil {
			if term.HintOf(err) == "" || errors.Is(err, client.ErrNetwork) && step.mend != "" { // whose hint is this verb
				err = term.Hint(err, "%s", step.mend)
			}
			return err
		}
	}
	return nil
}

func (t *pathTest) config(context.Context) (string, error) {
	s, err := link.Want(t.env)
	if err != nil {
		return "", err
	}
	t.sync = s
	t.client, err = s.Client()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, %s", t.client.URL(), s.Name()), nil
}

func (t *pathTest) reach(ctx context.Context) (string, error) {
	took, err := t.client.Reach(ctx)
	return text.Duration(took), err
}

func (t *pathTest) signIn(ctx context.Context) (string, error) {
	email, err := t.client.Who(ctx)
	if err != nil {
		return "", err
	}
	team, err := t.client.Team(ctx, "")
	if err != nil {
		return "", err
	}
	t.beat = t.client.NewHeartbeat(team)
	return term.Line(email), nil
}

func (t *pathTest) write(ctx context.Context) (string, error) {
	host, _ := os.Hostname()
	return "", t.beat.Write(ctx, host)
}

func (t *pathTest) read(ctx context.Context) (string, error) {
	err := t.beat.Read(ctx)
	if t.client.Automatic() && errors.Is(err, client.ErrDenied) { // it is for adding
		return "not with this token: it has no scope read", nil
	}
	return "", err
}

func (t *pathTest) cleanUp(ctx context.Context) (string, error) {
	left, err := t.beat.Remove(ctx)
	if left {
		return "the row stays: only admins remove rows", err
	}
	return "", err
}
