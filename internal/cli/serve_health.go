package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

type serveHealthOptions struct {
	listen, cert, autocert string
	config                 string
	timeout                time.Duration
}

func newServeHealth(env *Env) *cobra.Command {
	var opts serveHealthOptions
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Ask the server on this machine whether it is ready",
		Long: `Asks /readyz of the server that listens on this machine, by the same flags,
variables and file as cairn serve. Says nothing and ends with 0 when it is
ready, else with 6. It is for what has no other client, such as a container's
health check.`,
		Example: "  cairn serve health\n  cairn serve health --listen 127.0.0.1:8080 --timeout 1s",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := serveSettings(cmd, env); err != nil {
				return err
			}
			return runServeHealth(cmd.Context(), &opts)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.listen, "listen", wire.DefaultListen, "what the server listens on")
	f.StringVar(&opts.cert, "tls-cert", "", "its certificate, if it has one")
	f.StringVar(&opts.autocert, "autocert", "", "the host it gets certificates for, if it does")
	f.StringVar(&opts.config, "config", "", "read flags from this TOML file")
	f.DurationVar(&opts.timeout, "timeout", 3*time.Second, "how long to wait")
	return cmd
}

func runServeHealth(ctx context.Context, opts *serveHealthOptions) error {
	host, port, err := net.SplitHostPort(opts.listen)
	if err != nil {
		return command.Usagef("--listen %q: host:port is wanted, as in %s", opts.listen, wire.DefaultListen)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // a server on all addresses is on this one too
	}
	address := "http://" + net.JoinHostPort(host, port) + "/readyz"
	client := &http.Client{
		Timeout:       opts.timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if opts.cert != "" || opts.autocert != "" {
		address = "https" + address[len("http"):]
		// It asks its own machine and tells it nothing: whether the certificate is for this address does not matter.
		client.Transport = &http.Transport{TLSClientConfig: &tls.Config{
			ServerName: opts.autocert, InsecureSkipVerify: true, //nolint:gosec // see above
		}}
	}
	req, err := http.NewRequestWithContext(cmp.Or(ctx, context.Background()), http.MethodGet, address, nil)
	if err != nil {
		return command.Usage(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return command.Net(term.Hint(fmt.Errorf("no server answers at %s", opts.listen), "cairn serve starts it"))
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return command.Net(fmt.Errorf("the server at %s is not ready: %s", opts.listen, resp.Status))
	}
	return nil
}
