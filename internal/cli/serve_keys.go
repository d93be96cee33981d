package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/team/db"
	"cairn/internal/team/server"
	"cairn/internal/term"
)

type serveKeysOptions struct {
	store         storeOptions
	service, json bool
}

func newServeKeys(env *Env) *cobra.Command {
	var opts serveKeysOptions
	cmd := &cobra.Command{
		Use:     "keys",
		Aliases: []string{"key"},
		Short:   "Print the server's public key, which clients are configured with",
		Long: `Prints the key that every client has: it opens nothing by itself. The service
key reads and writes every team's rows; it is printed with --service only and
belongs in no repository.`,
		Example: `  cairn serve keys
  cairn serve keys --json | jq -r .anon_key`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return runServeKeys(cmd, env, &opts) },
	}
	opts.store.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&opts.service, "service", false, "print the key that may do everything, too")
	f.BoolVar(&opts.json, "json", false, "print the keys as JSON")
	cmd.AddCommand(newServeKeysRotate(env))
	return cmd
}

func runServeKeys(cmd *cobra.Command, env *Env, opts *serveKeysOptions) error {
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	keys, err := server.Keys(cmd.Context(), st.DB, []byte(env.Getenv("CAIRN_JWT_SECRET")), "")
	if err != nil {
		return err
	}
	var out struct {
		Anon    string `json:"anon_key"`
		Service string `json:"service_role_key,omitempty"`
	}
	var errs [2]error
	out.Anon, errs[0] = keys.Public(db.Anon)
	if opts.service {
		out.Service, errs[1] = keys.Public(db.Service)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	if opts.service {
		term.Warn(env.Stderr, "who has the service key reads and changes the rows of every team")
	}
	if opts.json {
		return printJSON(env, out)
	}
	if !opts.service {
		_, err = fmt.Fprintln(env.Stdout, out.Anon)
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "anon          %s\nservice_role  %s\n", out.Anon, out.Service)
	return err
}
