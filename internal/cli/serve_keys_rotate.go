package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/server"
	"cairn/internal/term"
)

type serveKeysRotateOptions struct {
	store         storeOptions
	now, anon, ok bool
}

func newServeKeysRotate(env *Env) *cobra.Command {
	var opts serveKeysRotateOptions
	cmd := &cobra.Command{
		Use:   "rotate",
		Short: "Replace the key that signs access tokens",
		Long: `Makes a new signing key. Servers of the database use it within seconds, without
a restart. What the old one has signed stays good until it has ended, an hour at
most; with --now it ends at once, which is what a key that leaked needs. Clients
get new tokens by themselves; browsers sign in again when the old key ends. The
service key is another one from then on. The public key in .cairn/team.json
stays, unless --public-key replaces it: then every team.json must be changed.

Every server of the database must have this version or a newer one. Where
CAIRN_JWT_SECRET holds the key, put the new one before the old one with a comma
between, restart each server, and remove the old one an hour later.`,
		Example: "  cairn serve keys rotate\n  cairn serve keys rotate --now --yes",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runServeKeysRotate(cmd, env, &opts) },
	}
	opts.store.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&opts.now, "now", false, "end what the old key has signed at once")
	f.BoolVar(&opts.anon, "public-key", false, "replace the public key, too")
	f.BoolVar(&opts.ok, "yes", false, "do not ask")
	return cmd
}

func runServeKeysRotate(cmd *cobra.Command, env *Env, opts *serveKeysRotateOptions) error {
	if env.Getenv("CAIRN_JWT_SECRET") != "" {
		return command.Usage(term.Hint(errors.New("the signing key is in CAIRN_JWT_SECRET, not in the database"),
			"put the new one before the old one, with a comma between, and restart each server"))
	}
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	if opts.anon {
		if ok, err := env.Confirm(opts.ok, "replace the public key, so that every .cairn/team.json must be changed?"); err != nil || !ok {
			return err
		}
	}
	if err := server.RotateKey(cmd.Context(), st, opts.now, opts.anon); err != nil {
		return err
	}
	said := "what the old one has signed stays good until it has ended, an hour at most"
	if opts.now {
		said = "from then on nothing is good that the old one has signed"
	}
	fmt.Fprintf(env.Stderr, "the signing key is replaced. Servers use the new one within ten seconds; %s\n", said)
	if opts.anon {
		term.PrintHint(env.Stderr, "cairn serve keys prints the public key for .cairn/team.json")
	}
	return nil
}
