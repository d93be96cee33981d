package cli

import (
	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/server"
	"cairn/internal/term"
)

type serveDoctorOptions struct {
	store          storeOptions
	cert, key, acm string
	json           bool
}

func newServeDoctor(env *Env) *cobra.Command {
	var opts serveDoctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check a server's files, database, rights and certificate",
		Long: `Looks at who may read the files, whether a server runs, at every page of the
embedded database, at the schema, at whether the daily sums are those of their
rows, at the disk, the clock and the certificate; of a PostgreSQL at roles and
row-level security. It changes nothing. Exit code 5 when a check fails.`,
		Example: `  cairn serve doctor
  cairn serve doctor --data /srv/cairn --json`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return runServeDoctor(cmd, env, &opts) },
	}
	opts.store.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&opts.cert, "tls-cert", "", "certificate chain of the server, a PEM file")
	f.StringVar(&opts.key, "tls-key", "", "its private key, a PEM file")
	f.StringVar(&opts.acm, "autocert", "", "host for which the server gets certificates")
	f.BoolVar(&opts.json, "json", false, "print the checks as JSON")
	return cmd
}

func runServeDoctor(cmd *cobra.Command, env *Env, opts *serveDoctorOptions) error {
	place, err := opts.store.find(cmd, env)
	if err != nil {
		return err
	}
	checks := server.Examine(cmd.Context(), place, server.TLS{Cert: opts.cert, Key: opts.key, Host: opts.acm, Dir: place.Certificates()})
	failed := false
	for _, c := range checks {
		failed = failed || c.Status == server.Fail
	}
	if opts.json {
		err = printJSON(env, struct {
			OK     bool           `json:"ok"`
			Checks []server.Check `json:"checks"`
		}{!failed, checks})
	} else {
		err = printServeChecks(env, checks)
	}
	if err == nil && failed {
		err = command.Status(command.ExitGate)
	}
	return err
}

func printServeChecks(env *Env, checks []server.Check) error {
	paint := term.NewPaint(env.Stdout, env.Getenv)
	g := grid{head: []string{"", "CHECK", "<DETAIL"}}
	for _, c := range checks {
		status := c.Status
		switch status {
		case server.Good:
			status = paint.Good(status)
		case server.Warn:
			status = paint.Warn(status)
		default:
			status = paint.Bad(status)
		}
		g.row(status, c.Name, term.Line(c.Detail))
	}
	if err := g.print(env.Stdout, paint); err != nil {
		return err
	}
	for _, c := range checks {
		if c.Hint != "" {
			term.PrintHint(env.Stderr, "%s: %s", c.Name, c.Hint)
		}
	}
	return nil
}
